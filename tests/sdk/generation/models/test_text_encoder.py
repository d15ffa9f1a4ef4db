"""Contents give no control tokens, and tokens are the tokenizer's own where they hold none."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers
from transformers import PreTrainedTokenizerFast

from sdk.generation.models.chat import ChatTemplate
from sdk.generation.models.text_encoder import TextEncoder
from tests.chats import CHATML, TEMPLATES, byte_tokenizer, control_names, message, template
from tests.sdk.generation.models.test_tokenizer import tokenizer_of

INSTRUCT = "{% for m in messages %}{{ bos_token }}[INST] {{ m.content }} [/INST]{{ eos_token }}{% endfor %}"
NAMES = ["llama-3.1", "qwen3", "sentencepiece-32k", "smollm2", "deepseek"]


@cache
def encoder(name: str) -> tuple[ChatTemplate, TextEncoder]:
    """A real tokenizer's chat template and encoder; of those that have no template, with one of theirs."""
    tokenizer = tokenizer_of(name)
    if tokenizer.chat_template is None:
        tokenizer.chat_template = INSTRUCT if name == "sentencepiece-32k" else CHATML
    chat = ChatTemplate(tokenizer, name)
    return chat, TextEncoder(tokenizer, chat.written)


def controls(name: str) -> dict[int, str]:
    """Special tokens, and tokens that are added and that the template names."""
    tokenizer = tokenizer_of(name)
    return {
        token_id: token.content
        for token_id, token in tokenizer.added_tokens_decoder.items()
        if token.special or token.content in tokenizer.chat_template
    }


def prompt(name: str, *contents: str) -> list[int]:
    chat, encode = encoder(name)
    roles = ("system", "user", "assistant", "user")
    return encode.encode(chat.pieces([message(*each) for each in zip(roles, contents, strict=True)]))


def test_what_counts_as_a_control_token():
    assert {"<|im_end|>", "<think>", "</think>", "<tool_call>"} <= set(encoder("qwen3")[1].control_tokens.values())
    assert "<|fim_prefix|>" not in encoder("qwen3")[1].control_tokens.values()  # added, neither special nor written
    assert set(encoder("sentencepiece-32k")[1].control_tokens.values()) == {"<unk>", "<s>", "</s>"}
    for name in NAMES:
        assert encoder(name)[1].control_tokens == controls(name)


@pytest.mark.parametrize("name", NAMES)
def test_without_control_tokens_a_prompt_is_encoded_as_one_text(name):
    contents = ["Instructions.\n", "  An example: 12,5 €\n\n", '{"a": "b"}', "日本 <a> | <| im_end |> \n"]
    chat, _ = encoder(name)
    messages = [message(*each) for each in zip(("system", "user", "assistant", "user"), contents, strict=True)]
    text = "".join(chat.pieces(messages))
    assert prompt(name, *contents) == tokenizer_of(name).encode(text, add_special_tokens=False)
    assert encoder(name)[1].encode(["", contents[3]]) == tokenizer_of(name).encode(
        contents[3], add_special_tokens=False
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_forged_token_changes_no_token_before_it(name):
    contents = ["Instructions.\n", "  An example: 12,5 €\n\n", '{"a": "b"}', "before"]
    plain = prompt(name, *contents)
    forged = prompt(name, *contents[:3], f"before{next(iter(controls(name).values()))}")
    chat, _ = encoder(name)
    roles = ("system", "user", "assistant", "user")
    text = "".join(chat.pieces([message(*each) for each in zip(roles, contents, strict=True)])[:-1])
    same = len(tokenizer_of(name).encode(text, add_special_tokens=False)) - 1
    assert forged != plain
    assert forged[:same] == plain[:same]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_contents_never_give_control_tokens(name, data):
    known = controls(name)
    likely = [text for text in known.values() if text in tokenizer_of(name).chat_template or text.startswith("</")]
    pieces = st.one_of(
        st.sampled_from(sorted(known.values())),
        st.sampled_from(likely or sorted(known.values())),
        st.sampled_from(
            [*(text[: len(text) // 2] for text in known.values()), "<", "|>", ">", "\n", " ", "\t \n", "a"]
        ),
        st.text(st.characters(codec="utf-8"), max_size=4),
    )
    contents = data.draw(st.lists(st.lists(pieces, max_size=6).map("".join), min_size=4, max_size=4))
    ids = prompt(name, *contents)
    assert [each for each in ids if each in known] == [each for each in prompt(name, *"abcd") if each in known]
    assert not known.keys() & set(encoder(name)[1].encode(["", contents[3]]))
    if name in {"llama-3.1", "qwen3"}:  # byte-level, with a token for each byte
        text = "".join(encoder(name)[0].pieces([message("user", contents[3])]))
        form = unicodedata.normalize("NFC", text) if name == "qwen3" else text
        spelled = tokenizer_of(name).decode(prompt_of(name, contents[3]), clean_up_tokenization_spaces=False)
        assert unicodedata.normalize("NFC", spelled) == unicodedata.normalize("NFC", form)


def prompt_of(name: str, content: str) -> list[int]:
    chat, encode = encoder(name)
    return encode.encode(chat.pieces([message("user", content)]))


@pytest.mark.parametrize("name", TEMPLATES)
def test_control_tokens_of_real_templates_stay_text_in_contents(name):
    source = template(name)
    tokenizer = byte_tokenizer(source, control_names(source))
    chat = ChatTemplate(tokenizer, name)
    encode = TextEncoder(tokenizer, chat.written)
    roles = ("system", "user", "assistant", "user")
    plain = chat.pieces([message(role, "x") for role in roles])
    assert encode.encode(plain) == tokenizer.encode("".join(plain), add_special_tokens=False)
    pieces = chat.pieces([message(role, "".join(["9", *control_names(source), "<s></s>!"])) for role in roles])
    ids = encode.encode(pieces)
    written = [token_id for token_id in encode.encode(plain) if token_id in encode.control_tokens]
    assert [token_id for token_id in ids if token_id in encode.control_tokens] == written
    assert len(ids) == len(encode.encode(plain)) + sum(len(text.encode()) for text in pieces[1::2]) - len(
        "".join(plain[1::2])
    )
    assert tokenizer.decode(ids) == "".join(pieces)


def test_tokens_that_swallow_white_space_and_tokens_of_a_normalized_text():
    backend = Tokenizer(models.BPE({chr(code): code - 32 for code in range(32, 127)}, []))
    backend.normalizer = normalizers.Lowercase()
    backend.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="</s>")
    tokenizer.add_tokens(
        [
            AddedToken("<|end|>", special=True, rstrip=True, lstrip=True, normalized=False),
            AddedToken("<sys>", special=True, normalized=True),
        ]
    )
    encode = TextEncoder(tokenizer)
    end, system = tokenizer.convert_tokens_to_ids(["<|end|>", "<sys>"])
    for content in ("<sys>", "<SYS>", " <|end|> ", "</s>"):
        ids = encode.encode(["<sys>", f" {content} a", " <|end|> a"])
        assert [each for each in ids if each in encode.control_tokens] == [system, end]
        assert tokenizer.decode(ids) == f"<sys> {content.lower()} a<|end|>a"


def test_a_base_model_gets_its_special_tokens_around_the_text():
    tokenizer = tokenizer_of("llama-3.1")
    for content in ("plain", "a <|eot_id|> b"):
        ids = TextEncoder(tokenizer).encode(["", content, "\n\n"], special_tokens=True)
        assert ids[0] == tokenizer.bos_token_id
        assert tokenizer.decode(ids[1:], clean_up_tokenization_spaces=False) == f"{content}\n\n"
        assert not set(ids[1:]) & set(tokenizer.all_special_ids)


@pytest.mark.parametrize("kind", ["BPE", "Unigram"])
def test_models_that_spell_control_tokens_themselves_do_so_no_more(kind):
    """Here ``</s>`` is a word of the model, which it makes out of text."""
    words = ["<unk>", "</s>", "</", "s>", *map(chr, range(32, 127)), *(f"<0x{byte:02X}>" for byte in range(256))]
    if kind == "BPE":
        merges = [("<", "/"), ("s", ">"), ("</", "s>")]
        model = models.BPE(
            {word: place for place, word in enumerate(words)}, merges, unk_token="<unk>", byte_fallback=True
        )
    else:
        model = models.Unigram([(word, -1.0) for word in words], unk_id=0, byte_fallback=True)
    backend = Tokenizer(model)
    backend.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="</s>")
    ids = TextEncoder(tokenizer).encode(["", "a</s>é", "</s>"])
    assert ids.count(tokenizer.eos_token_id) == 1
    assert tokenizer.decode(ids) == "a</s>é</s>"
