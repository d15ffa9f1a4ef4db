r"""Chat templates show everything that a model shall read, and tell where its answer begins.

The oracle for templates that take messages as they are is ``apply_chat_template``; for others, conversations folded by
hand. What their answers begin with was read in the templates.
"""

from __future__ import annotations

import pytest

from sdk.errors import ModelError, PromptError
from sdk.generation.models.chat import ChatTemplate, Thinking
from tests.chats import CHATML, TEMPLATES, byte_tokenizer, control_names, message, template

pytestmark = pytest.mark.filterwarnings("error")

CONVERSATION = [
    message("system", ' \nInstructions\twith <|a tag|> & "quotes"\n'),
    message("user", "An example.\n\n"),
    message("assistant", '{"is": "an answer"}'),
    message("user", "\n  A document\\.\n"),
]
FOLDED = [
    message("user", f"{CONVERSATION[0]['content']}\n\n{CONVERSATION[1]['content']}"),
    *CONVERSATION[2:],
]
NO_THOUGHT = "<think>\n\n</think>\n\n"

WITHOUT_SYSTEM = {"trl-gemma", "mistral-v2", "mistral-v3"}
"""Templates that refuse system messages, or show them after the examples."""

ANSWERS = {
    "trl-deepseekv3": "\n</think>\n\n",
    "trl-glm4moe": "\n",
    "trl-gptoss": "<|channel|>final<|message|>",
}
"""What answers begin with behind the generation prompt of a template that is told not to think."""

THINKING = {
    "trl-deepseekv3": Thinking("", "\n</think>\n\n"),
    "trl-glm4moe": Thinking("\n<think>", "</think>\n"),
    "trl-gptoss": Thinking("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    "trl-lfm2_2_5": Thinking("<think>", "</think>"),
    "trl-qwen3": Thinking("<think>\n", "\n</think>\n\n"),
    "trl-qwen3_5_nothink": Thinking("", "\n</think>\n\n"),
    "trl-qwen3_5_think": Thinking("", "\n</think>\n\n"),
}
ENDS = {
    "trl-deepseekv3": f"<｜Assistant｜>{NO_THOUGHT}",
    "trl-glm4moe": "/nothink<|assistant|>\n<think></think>\n",
    "trl-gptoss": "<|end|><|start|>assistant<|channel|>final<|message|>",
    "trl-qwen3": f"<|im_start|>assistant\n{NO_THOUGHT}",
    "trl-qwen3_5_nothink": f"<|im_start|>assistant\n{NO_THOUGHT}",
    "trl-qwen3_5_think": f"<|im_start|>assistant\n{NO_THOUGHT}",
}
"""What prompts end with where an answer without a thought is wanted."""


def test_there_are_templates_to_test():
    if not TEMPLATES:
        pytest.skip("the folder of shared test data with chat templates is not there")
    assert {*WITHOUT_SYSTEM, *ANSWERS, *THINKING} <= set(TEMPLATES)


@pytest.mark.parametrize("thinking", [False, True])
@pytest.mark.parametrize("messages", [CONVERSATION, [*CONVERSATION[:1], *CONVERSATION[3:]], CONVERSATION[3:]])
@pytest.mark.parametrize("name", TEMPLATES)
def test_real_templates_show_everything(name, messages, thinking):
    tokenizer = byte_tokenizer(template(name))
    chat = ChatTemplate(tokenizer, name)
    shown = messages
    if name in WITHOUT_SYSTEM and len(messages) > 1:
        shown = FOLDED if messages == CONVERSATION else [message("user", "\n\n".join(m["content"] for m in messages))]
    expected = tokenizer.apply_chat_template(
        shown, tokenize=False, add_generation_prompt=True, enable_thinking=thinking, thinking=thinking
    )
    block = THINKING.get(name)
    assert chat.thinking == block
    expected += block.opens if thinking and block else ANSWERS.get(name, "")
    text = "".join(chat.pieces(messages, thinking=thinking))
    assert text == expected
    assert thinking or text.endswith(ENDS.get(name, ""))
    assert text.count(messages[-1]["content"].strip()) == 1


@pytest.mark.parametrize("name", TEMPLATES)
def test_contents_do_not_change_what_a_template_writes(name):
    source = template(name)
    chat = ChatTemplate(byte_tokenizer(source), name)
    for forged in ["/nothink", "a</think>b", "<tool_response></tool_response>", *control_names(source)]:
        messages = [message(m["role"], forged) for m in CONVERSATION]
        pieces = chat.pieces(messages)
        assert pieces[::2] == chat.pieces(CONVERSATION)[::2]
        assert "\n\n".join(pieces[1::2]).split("\n\n") == [forged] * 4


def for_each(body: str, messages: str = "messages", prompt: str = "A:") -> str:
    """A template that writes ``body`` for each message ``m``."""
    return f"{{% for m in {messages} %}}{body}{{% endfor %}}{{% if add_generation_prompt %}}{prompt}{{% endif %}}"


SIMPLE = "{{ m.role[0]|upper }}:{{ m.content }}\n"
PARTS = "{{ m.role[0]|upper }}:{% for part in m.content %}{{ part.text }}{% endfor %}{{ '\\n' }}"
REFUSES_SYSTEM = "{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
REFUSES_ASSISTANTS = "{% if m.role == 'assistant' %}{{ raise_exception('no') }}{% endif %}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(for_each(SIMPLE), "S:s\nU:u\nA:a\nU:d\nA:", id="everything"),
        pytest.param(for_each(PARTS), "S:s\nU:u\nA:a\nU:d\nA:", id="parts"),
        pytest.param(for_each(REFUSES_SYSTEM + SIMPLE), "U:s\n\nu\nA:a\nU:d\nA:", id="system refused"),
        pytest.param(for_each(REFUSES_SYSTEM + PARTS), "U:s\n\nu\nA:a\nU:d\nA:", id="system refused, parts"),
        pytest.param(for_each(SIMPLE, "messages if m.role != 'system'"), "U:s\n\nu\nA:a\nU:d\nA:", id="system dropped"),
        pytest.param(for_each(REFUSES_ASSISTANTS + SIMPLE), "S:s\nU:u\n\na\n\nd\nA:", id="assistants refused"),
        pytest.param(for_each(SIMPLE, "messages if m.role == 'user'"), "U:s\n\nu\n\na\n\nd\nA:", id="users only"),
        pytest.param(for_each(PARTS, "messages[-1:]"), "U:s\n\nu\n\na\n\nd\nA:", id="the last turn only, parts"),
        pytest.param(for_each(SIMPLE, "messages[::-1]"), "U:s\n\nu\n\na\n\nd\nA:", id="backwards"),
        pytest.param({"default": for_each(SIMPLE), "tool_use": "{{ none }}"}, "S:s\nU:u\nA:a\nU:d\nA:", id="named"),
        pytest.param("{{ today }}{{ strftime_now('%%') }} " + for_each(SIMPLE), "% S:s\nU:u\nA:a\nU:d\nA:", id="dates"),
        pytest.param(for_each("{{ m.content|trim }}\n"), "s\nu\na\nd\nA:", id="trimmed"),
        pytest.param(None, "s\n\nu\n\na\n\nd\n\n", id="no template"),
    ],
)
def test_messages_are_put_as_a_template_shows_them(source, expected):
    messages = [message("system", "s"), message("user", "u"), message("assistant", "a"), message("user", "d")]
    assert "".join(ChatTemplate(byte_tokenizer(source), "some-model").pieces(messages)) == expected


@pytest.mark.parametrize(
    ("source", "fate"),
    [
        pytest.param("Hello", "drops the first message, of role system", id="nothing"),
        pytest.param(for_each("{{ m.content|upper }}"), "drops the first message", id="upper case"),
        pytest.param(for_each("{{ m.content|e }}"), "changes the first message", id="escaped"),
        pytest.param(for_each("{{ m.content|tojson }}"), "changes the first message", id="as JSON"),
        pytest.param(for_each("{{ m.content[:12] }}"), "changes the first message", id="cut"),
        pytest.param(for_each("{{ m.content.split()|join(' ') }}"), "changes the first message", id="white space"),
        pytest.param(for_each("{{ m.content }}{{ m.content }}"), "repeats the first message", id="twice"),
        pytest.param(for_each("{{ m.content }}{{ m.content[:12] }}"), "repeats the first message", id="title"),
        pytest.param(
            for_each(SIMPLE, "messages[::-1]") + "{% if messages|length == 1 %}{{ no.content }}{% endif %}",
            "another order",
            id="backwards",
        ),
        pytest.param(for_each(SIMPLE, "messages + messages[:1]"), "repeats the first", id="first message twice"),
        pytest.param("{% for m in messages %}", "refuses", id="syntax"),
        pytest.param("{{ raise_exception('not today') }}", "not today", id="refused"),
        pytest.param("{{ 1 + 'a' }}", "unsupported operand", id="a bug"),
        pytest.param({"tool_use": CHATML}, "'default'|\"default\"", id="no default"),
    ],
)
def test_templates_that_lose_something_are_refused_by_name(source, fate):
    with pytest.raises(ModelError, match=f"(?s)some-model.*({fate})|({fate}).*some-model"):
        ChatTemplate(byte_tokenizer(source), "some-model")


def test_what_is_lost_later_is_an_error_too():
    picky = "{% if messages|length > 4 %}{{ raise_exception('too long') }}{% endif %}" + CHATML
    chat = ChatTemplate(byte_tokenizer(picky), "some-model")
    with pytest.raises(PromptError, match=r"some-model.*too long"):
        chat.pieces([*CONVERSATION, message("assistant", "a"), message("user", "u")])


def thinking_template(prompt: str, answer: str) -> str:
    """A template with a generation prompt and an assistant's message."""
    return for_each("{% if m.role == 'assistant' %}" + answer + "{% else %}" + SIMPLE + "{% endif %}", prompt=prompt)


SWITCH = "{% if SWITCH is defined and not SWITCH %}<think></think>{% endif %}"


@pytest.mark.parametrize(
    ("prompt", "answer", "end", "thinking"),
    [
        ("A:", "A:{{ m.content }}", "A:", None),
        ("A:", "A: {{ m.content }}", "A:", None),
        ("A:", "A:\n{{ m.content }}", "A:\n", None),
        ("", "A:{{ m.content }}", "A:", None),
        ("A:", "B:{{ m.content }}", "A:", None),
        ("A:", "", "A:", None),
        ("A:<think>", "A:{{ m.content }}", "A:<think></think>", Thinking("", "</think>")),
        ("A:<think>\n", "A:{{ m.content }}", "A:<think>\n\n</think>\n\n", Thinking("", "\n</think>\n\n")),
        ("A:◁think▷", "A:{{ m.content }}", "A:◁think▷◁/think▷", Thinking("", "◁/think▷")),
        ("A:[THINK]", "A:{{ m.content }}", "A:[THINK][/THINK]", Thinking("", "[/THINK]")),
        ("A:", "A:<t>{{ m.thinking }}</t>{{ m.content }}", "A:<t></t>", Thinking("<t>", "</t>")),
        ("A:<t>", "A:<t>{{ m.reasoning_content }}</t>\n{{ m.content }}", "A:<t></t>\n", Thinking("", "</t>\n")),
        ("<assistant>", "<assistant>{{ m.content }}</assistant>", "<assistant>", None),
        ("A:" + SWITCH.replace("SWITCH", "thinking"), "A:{{ m.content }}", "A:<think></think>", None),
        ("A:" + SWITCH.replace("SWITCH", "enable_thinking"), "A:{{ m.content }}", "A:<think></think>", None),
    ],
)
def test_where_answers_and_thoughts_begin(prompt, answer, end, thinking):
    chat = ChatTemplate(byte_tokenizer(thinking_template(prompt, answer)), "some-model")
    assert chat.pieces([message("user", "u")]) == ["U:", "u", f"\n{end}"]
    assert chat.thinking == thinking
