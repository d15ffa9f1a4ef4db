"""Ways to get a typed value out of a document with one transformers model: ours, and those of other libraries.

A system takes chat messages and gives texts. The same weights run everywhere: ours as ``load_model`` prepares them,
the others' as transformers loads them. ``forward`` is watched, so calls of the model and the time in them are counted
alike for everybody. llama.cpp reads the embedded model's own file, in a program of its own (see ``llama_cpp``).
"""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from time import perf_counter
from typing import Any

import torch
from pydantic import BaseModel
from transformers import AutoModelForCausalLM

from schema_compiler import compile_type
from sdk import Extractor, GrammarLogitsProcessor, PromptTemplate
from sdk.extraction import Extraction
from sdk.generation.loop.generator import Drafting
from sdk.generation.models.embedded import EMBEDDED_MODEL, embedded_model_folder
from sdk.generation.models.language_model import LanguageModel
from sdk.generation.models.loading import load_model
from sdk.prompting import outline
from tests.benchmarks.llama_cpp import LlamaServer

__all__ = ["SYSTEMS", "Case", "Forwards", "Outcome", "System", "prepared", "unprepared", "weight_bytes"]

_PROMPT = 64  # a pass over more new tokens than this reads a prompt


@dataclass(frozen=True, slots=True)
class Case:
    """A document and the type wanted of it."""

    wanted: type[BaseModel]
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system made of the cases.

    ``passes``: forward passes each document took part in, added up; 0 where they are not known by document.
    ``prompt_share`` (of the time), ``other_cpu_seconds`` and ``weight_bytes`` are those of another program, where one
    does the work.
    """

    texts: list[str]
    output_tokens: int
    passes: int
    mask_seconds: float = 0.0
    draft_seconds: float = 0.0
    prompt_share: float = 0.0
    other_cpu_seconds: float = 0.0
    weight_bytes: int = 0


@dataclass(slots=True)
class Forwards:
    """Calls of a model and the seconds in them by ``clock``, those that read prompts apart."""

    clock: Callable[[], float] = perf_counter
    calls: int = 0
    prompt_seconds: float = 0.0
    decode_seconds: float = 0.0

    @contextmanager
    def watching(self, module: torch.nn.Module) -> Iterator[None]:
        """Count the calls inside the block."""
        started = [0.0]

        def before(*_: Any) -> None:
            started[0] = self.clock()

        def after(_: Any, __: Any, options: dict[str, Any], ___: Any) -> None:
            seconds = self.clock() - started[0]
            self.calls += 1
            if options["input_ids"].shape[1] > _PROMPT:
                self.prompt_seconds += seconds
            else:
                self.decode_seconds += seconds

        hooks = [module.register_forward_pre_hook(before), module.register_forward_hook(after, with_kwargs=True)]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()


@dataclass(frozen=True, slots=True)
class System:
    """``run(model, cases, max_tokens)``; what it raises says why it does not run here.

    ``peer``: another library, or ours inside another's loop, on the model as transformers loads it. ``weights``: the
    model's numbers, a dtype of torch or a quantization.
    """

    name: str
    run: Callable[[LanguageModel, Sequence[Case], int], Outcome]
    peer: bool = False
    weights: str = "float32"


def prepared(weights: str) -> LanguageModel:
    """The embedded model as ours loads it, in a dtype or quantized."""
    if weights == "int8" or weights == "int4":
        return load_model(EMBEDDED_MODEL, device="cpu", quantize=weights)
    return load_model(EMBEDDED_MODEL, device="cpu", dtype=weights)


def weight_bytes(module: torch.nn.Module) -> int:
    """Memory of a model's weights; packed ones are no parameters."""
    packed = sum(part.nbytes for part in module.modules() if hasattr(part, "nbytes"))
    return packed + sum(parameter.nbytes for parameter in module.parameters())


def unprepared(model: LanguageModel) -> LanguageModel:
    """The embedded model as transformers loads it."""
    module = AutoModelForCausalLM.from_pretrained(embedded_model_folder(), dtype=torch.float32).eval()
    return replace(model, module=module)


def _ours(batch: int, *, drafting: Drafting = "document", share_prefixes: bool = True) -> Any:
    @_once
    def extractor(model: LanguageModel) -> Extractor:
        return Extractor(model, max_batch=batch, drafting=drafting, share_prefixes=share_prefixes)

    def run(model: LanguageModel, cases: Sequence[Case], max_tokens: int) -> Outcome:
        results: list[Extraction[Any]] = []
        for wanted in dict.fromkeys(case.wanted for case in cases):
            texts = [case.text for case in cases if case.wanted is wanted]
            if batch == 1:
                results += [extractor(model).run(wanted, text, max_tokens=max_tokens, trace=True) for text in texts]
            else:
                found = dict(extractor(model).run_batch(wanted, texts, max_tokens=max_tokens, trace=True))
                results += [found[number] for number in range(len(texts))]  # type: ignore[misc]
        return Outcome(
            [result.text for result in results],
            sum(result.output_tokens for result in results),
            sum(result.forward_passes for result in results),
            sum(made.masks / made.batch for result in results for made in result.trace),
            sum(made.drafting / made.batch for result in results for made in result.trace),
        )

    return run


def _once(make: Callable[[LanguageModel], Any]) -> Callable[[LanguageModel], Any]:
    """Made for the first model it sees, which is the only one."""
    made: list[Any] = []

    def get(model: LanguageModel) -> Any:
        if not made:
            made.append(make(model))
        return made[0]

    return get


def _prompt(model: LanguageModel, case: Case) -> list[int]:
    schema = compile_type(case.wanted, model.vocabulary).schema
    return model.chat(PromptTemplate().messages(case.text, outline=outline(schema)))


def _generate(
    model: LanguageModel, cases: Sequence[Case], max_tokens: int, batch: int, processors: Callable[[Case], list[Any]]
) -> Outcome:
    """``model.generate`` over batches, padded on the left as transformers does."""
    texts: list[str] = []
    tokens = passes = 0
    ends = sorted(model.vocabulary.eos_token_ids)
    for part in _batches(cases, batch):
        prompts = [_prompt(model, case) for case in part]
        longest = max(map(len, prompts))
        ids = torch.tensor([[ends[0]] * (longest - len(prompt)) + prompt for prompt in prompts])
        mask = torch.tensor([[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts])
        rows = model.module.generate(
            ids.to(model.module.device),
            attention_mask=mask.to(model.module.device),
            max_new_tokens=max_tokens,
            do_sample=False,
            pad_token_id=ends[0],
            logits_processor=processors(part[0]),
        )[:, longest:].tolist()
        answers = [row[: next((at for at, token in enumerate(row) if token in ends), len(row))] for row in rows]
        texts += [model.tokenizer.decode(answer) for answer in answers]
        tokens += sum(map(len, answers))
        passes += sum(min(len(answer) + 1, len(row)) for answer, row in zip(answers, rows, strict=True))
    return Outcome(texts, tokens, passes)


def _batches(cases: Sequence[Case], size: int) -> Iterator[Sequence[Case]]:
    """Cases that follow each other and want the same type."""
    for _, group in groupby(cases, lambda case: case.wanted):
        same = list(group)
        yield from (same[start : start + size] for start in range(0, len(same), size))


def _plain(batch: int) -> Any:
    return lambda model, cases, max_tokens: _generate(model, cases, max_tokens, batch, lambda _: [])


def _processor(batch: int) -> Any:
    def run(model: LanguageModel, cases: Sequence[Case], max_tokens: int) -> Outcome:
        compiled = {case.wanted: compile_type(case.wanted, model.vocabulary) for case in cases}
        return _generate(model, cases, max_tokens, batch, lambda case: [GrammarLogitsProcessor(compiled[case.wanted])])

    return run


def _xgrammar(batch: int) -> Any:
    @_once
    def compiler(model: LanguageModel) -> Any:
        import xgrammar

        info = xgrammar.TokenizerInfo.from_huggingface(model.tokenizer, vocab_size=len(model.vocabulary))
        return xgrammar.GrammarCompiler(info)

    def run(model: LanguageModel, cases: Sequence[Case], max_tokens: int) -> Outcome:
        from xgrammar.contrib.hf import LogitsProcessor

        def processors(case: Case) -> list[Any]:
            schema = json.dumps(case.wanted.model_json_schema())
            return [LogitsProcessor(compiler(model).compile_json_schema(schema, any_whitespace=False))]

        return _generate(model, cases, max_tokens, batch, processors)

    return run


def _outlines(model: LanguageModel, cases: Sequence[Case], max_tokens: int) -> Outcome:
    import outlines

    wrapped = outlines.from_transformers(model.module, model.tokenizer)
    generators = {case.wanted: outlines.Generator(wrapped, case.wanted) for case in cases}
    texts = [
        generators[case.wanted](
            model.tokenizer.decode(_prompt(model, case)), max_new_tokens=max_tokens, do_sample=False
        )
        for case in cases
    ]
    return _counted(model, texts)


def _guidance(model: LanguageModel, cases: Sequence[Case], max_tokens: int) -> Outcome:
    import guidance
    from guidance.models import Transformers

    texts = []
    for case in cases:
        wrapped = Transformers(model.module, model.tokenizer, echo=False)  # one for all would crop transformers' cache
        prompt = model.tokenizer.decode(_prompt(model, case))
        answer = wrapped + prompt + guidance.json(name="answer", schema=case.wanted, max_tokens=max_tokens)
        texts.append(answer["answer"])
    return _counted(model, texts)


def _enforcer(model: LanguageModel, cases: Sequence[Case], max_tokens: int) -> Outcome:
    from lmformatenforcer import JsonSchemaParser
    from lmformatenforcer.integrations.transformers import (
        build_token_enforcer_tokenizer_data,
        build_transformers_prefix_allowed_tokens_fn,
    )
    from transformers import PrefixConstrainedLogitsProcessor

    data = build_token_enforcer_tokenizer_data(model.tokenizer)

    def processors(case: Case) -> list[Any]:
        parser = JsonSchemaParser(case.wanted.model_json_schema())
        return [PrefixConstrainedLogitsProcessor(build_transformers_prefix_allowed_tokens_fn(data, parser), 1)]

    return _generate(model, cases, max_tokens, 1, processors)


def _llama_cpp(batch: int, weights: str | None = None) -> Any:
    server = _once(lambda _: LlamaServer(batch, torch.get_num_threads(), weights))

    def run(model: LanguageModel, cases: Sequence[Case], max_tokens: int) -> Outcome:
        running = server(model)
        before = running.cpu_seconds()
        answers = running.complete(
            [_prompt(model, case) for case in cases], [case.wanted.model_json_schema() for case in cases], max_tokens
        )
        reading = sum(answer.prompt_seconds for answer in answers)
        return Outcome(
            [answer.text for answer in answers],
            sum(answer.tokens for answer in answers),
            0,
            prompt_share=reading / (reading + sum(answer.seconds for answer in answers)),
            other_cpu_seconds=running.cpu_seconds() - before,
            weight_bytes=running.weight_bytes,
        )

    return run


def _counted(model: LanguageModel, texts: list[str]) -> Outcome:
    """Of libraries that give texts: tokens as the tokenizer has them, passes unknown."""
    return Outcome(texts, sum(len(model.encode(text)) for text in texts), 0)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


SYSTEMS: tuple[System, ...] = (
    System("ours, batch 1", _ours(1)),
    System("ours, batch 1, no prefix", _ours(1, share_prefixes=False)),
    System("ours, batch 1, grammar drafts", _ours(1, drafting="grammar")),
    System("ours, batch 1, no drafts", _ours(1, drafting="off")),
    System("ours, batch 4", _ours(4)),
    System("ours, batch 16", _ours(16)),
    System("ours, bfloat16, batch 1", _ours(1), weights="bfloat16"),
    System("ours, int8, batch 1", _ours(1), weights="int8"),
    System("ours, int8, batch 16", _ours(16), weights="int8"),
    System("ours, int4, batch 1", _ours(1), weights="int4"),
    System("ours, int4, batch 16", _ours(16), weights="int4"),
    System("llama.cpp, Q4_1, batch 1", _llama_cpp(1), peer=True, weights="Q4_1"),
    System("llama.cpp, Q4_1, batch 16", _llama_cpp(16), peer=True, weights="Q4_1"),
    System("llama.cpp, F16, batch 1", _llama_cpp(1, "F16"), peer=True, weights="F16"),
    System("our processor, batch 1", _processor(1), peer=True),
    System("transformers alone, batch 1", _plain(1), peer=True),
    System("transformers alone, batch 16", _plain(16), peer=True),
    System(f"xgrammar {_version('xgrammar')}, batch 1", _xgrammar(1), peer=True),
    System(f"xgrammar {_version('xgrammar')}, batch 16", _xgrammar(16), peer=True),
    System(f"outlines {_version('outlines')}, batch 1", _outlines, peer=True),
    System(f"guidance {_version('guidance')}, batch 1", _guidance, peer=True),
    System(f"lm-format-enforcer {_version('lm-format-enforcer')}, batch 1", _enforcer, peer=True),
)
