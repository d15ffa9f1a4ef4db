r"""A conversation as the model was trained to read it: its tokenizer's chat template, tried out before it is used.

A template is a program of somebody else's, and what it cannot show it may refuse, or drop without a word. So it is made
to render sentinels, words that it cannot know, and every message must come back whole, once and in its place. The
first way to put the messages is taken in which they do:

    system, user, assistant, user       as they are, or each content as a list of parts
    user, assistant, user               the system message at the beginning of the first user's (Gemma)
    user                                all in one, as paragraphs

Messages are rendered as sentinels ever after, and their contents put in afterwards, so that no document can change what
the template does. Where the template strips white space from a sentinel, it is stripped from the content too.

How an answer begins is read off the template in the same way. A generation prompt may leave open where the answer
stands, and a conversation that ends with one tells the rest:

    <|start|>assistant                                         the generation prompt
    <|start|>assistant<|channel|>final<|message|>SENTINEL      so answers begin with <|channel|>final<|message|>
    <|im_start|>assistant\n<think>\n                           the generation prompt
    <|im_start|>assistant\n<think>\n\n</think>\n\nSENTINEL     so answers without a thought begin with \n</think>\n\n

and with a thought in the message, how its block is opened and closed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from sdk.errors import ModelError, PromptError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

__all__ = ["ChatTemplate", "Thinking"]

_Turn: TypeAlias = tuple[str, str]
"""A role and a content."""

_PROBE: Sequence[_Turn] = [("system", "S"), ("user", "U"), ("assistant", "A"), ("user", "D")]
"""The shape of a prompt: instructions, an example, a document."""

_SPACE = "\N{EM SPACE}"
"""White space that is stripped with any other, and that no template writes itself."""

_WORD = re.compile(r"Quill(\d+)vex")
"""A sentinel's word, which no template knows."""

_SENTINEL = re.compile(rf'({_SPACE}?)Quill(\d+)vex"<&>\\\n\tQuill\2vex({_SPACE}?)')
"""A sentinel that is whole: nothing in it is escaped or collapsed, nor changed but for white space at the ends."""

_OPENED_BLOCK = re.compile(r"(?P<left>[^\w\s]+)(?P<name>[\w:]+)(?P<right>[^\w\s]+)(?P<space>\s*)")
r"""A tag that opens a block, such as ``<think>\n``."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """A thinking block: the text that ``opens`` it behind the generation prompt, and the text that ``closes`` it."""

    opens: str
    closes: str


class ChatTemplate:
    """The chat template of a tokenizer. A tokenizer without one (a base model's) gets the messages as paragraphs.

    ``name``: the model's, for errors. ``thinking``: how the model thinks before it answers, ``None`` where the template
    has nothing of the kind. ``written``: all that the template may write, and more.
    Raises ``ModelError`` when the template shows a whole conversation in no way.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, name: str) -> None:
        self.is_missing = tokenizer.chat_template is None
        self.thinking: Thinking | None = None
        self.written = ""
        self._tokenizer = tokenizer
        self._name = name
        if not self.is_missing:
            self._source = _source(tokenizer, name)
            self._way = self._first_way()
            self._answer = self._beginning_of_answer()
            self.thinking = self._thinking_block()
            rendered = self._render(self._way.turns(_PROBE), self._way).texts
            self.written = "".join([self._source, *rendered, self._answer])

    def pieces(self, messages: Sequence[Mapping[str, object]], *, thinking: bool = False) -> list[str]:
        """The prompt up to where the answer begins, by turns a text of the template and a content.

        ``thinking``: up to where a thought begins, inside the block that ``thinking`` opens.
        Raises ``PromptError`` when the template does not show all messages.
        """
        turns = [(str(message["role"]), str(message["content"])) for message in messages]
        if self.is_missing:
            return ["", *(piece for _, content in turns for piece in (content, "\n\n"))]
        turns = self._way.turns(turns)
        rendering = self._render(turns, self._way, thinking=thinking)
        pieces = [piece for pair in zip(rendering.texts, rendering.fill(turns), strict=False) for piece in pair]
        return [*pieces, rendering.texts[-1] + (self.thinking.opens if thinking and self.thinking else self._answer)]

    def _first_way(self) -> _Way:
        """The first way in which all messages of a prompt are shown."""
        reasons = []
        for choices in product((False, True), repeat=3):
            way = _Way(*choices)
            try:
                self._render(way.turns(_PROBE), way)
            except PromptError as error:
                reasons.append(str(error))
            else:
                return way
        raise ModelError(f"{'; '.join(dict.fromkeys(reasons))}. Give load_model another chat_template")

    def _beginning_of_answer(self) -> str:
        """What an answer without a thought begins with, behind the generation prompt."""
        prompt, answer = self._behind_document(), self._behind_document("content")
        if answer and answer[0].startswith(prompt[0]):
            return _without_last_space(answer[0][len(prompt[0]) :])
        return self._closing_of_open_block(prompt, answer) or ""

    def _thinking_block(self) -> Thinking | None:
        prompt = self._behind_document(thinking=True)
        thought = self._behind_document("reasoning_content", "content", thinking=True)
        if thought and thought[0].startswith(prompt[0]) and thought[1].strip():
            return Thinking(_without_last_space(thought[0][len(prompt[0]) :]), thought[1])
        closes = self._closing_of_open_block(prompt, self._behind_document("content", thinking=True))
        return Thinking("", closes) if closes else None

    def _closing_of_open_block(self, prompt: Sequence[str], answer: Sequence[str]) -> str | None:
        r"""What closes the block that the generation prompt opens, if it does.

        The template itself knows where it shows a thought. Otherwise a block is open when an answer stands before it:
        ``<think>\n`` is closed by ``\n</think>\n\n``.
        """
        thought = self._behind_document("reasoning_content", "content", thinking=True)
        if thought and thought[0].rstrip() == prompt[0].rstrip() and thought[1].strip():
            return thought[1]
        opened = prompt[0][len(answer[0]) :] if answer and prompt[0].startswith(answer[0]) else ""
        tag = _OPENED_BLOCK.fullmatch(opened.lstrip())
        return f"{tag['space']}{tag['left']}/{tag['name']}{tag['right']}{2 * tag['space']}" if tag else None

    def _behind_document(self, *answer: str, thinking: bool = False) -> list[str]:
        """What the template writes behind a prompt's last message: the generation prompt.

        With the members of an assistant's message as ``answer``: what it writes before each of them and behind the
        last; nothing where the conversation up to there reads otherwise than without that message.
        """
        turns = self._way.turns(_PROBE)
        prompt = self._render(turns, self._way, thinking=thinking).texts
        if not answer:
            return prompt[-1:]
        try:
            texts = self._render(turns, self._way, answer=answer, thinking=thinking).texts
        except PromptError:
            return []
        return texts[len(turns) :] if texts[: len(turns)] == prompt[:-1] else []

    def _render(
        self, turns: Sequence[_Turn], way: _Way, *, answer: Sequence[str] = (), thinking: bool = False
    ) -> _Rendering:
        """The template with sentinels for the contents of ``turns``, and for the members of an ``answer`` behind them.

        Raises ``PromptError`` unless every sentinel comes back.
        """
        messages = [way.message(role, content=_sentinel(number)) for number, (role, _) in enumerate(turns)]
        members = {member: _sentinel(len(turns) + number) for number, member in enumerate(answer)}
        roles = [*(role for role, _ in turns), *("assistant" for _ in answer)]
        try:
            rendered = self._tokenizer.apply_chat_template(
                [*messages, way.message("assistant", **members)] if answer else messages,
                chat_template=self._source,
                tokenize=False,
                add_generation_prompt=not answer,
                enable_thinking=thinking,  # the two names that templates have for the switch
                thinking=thinking,
            )
        except Exception as error:  # whatever an expression of the template can raise
            refused = "an answer" if answer else f"messages of the roles {', '.join(roles)}"
            raise PromptError(f"the chat template of {self._name} refuses {refused} ({error})") from error
        return _Rendering.of(rendered, roles, self._name)


@dataclass(frozen=True, slots=True)
class _Way:
    """How messages are put to a template."""

    folds_examples: bool
    folds_system: bool
    in_parts: bool

    def turns(self, turns: Sequence[_Turn]) -> list[_Turn]:
        """The turns that the template is shown."""
        system = [turn for turn in turns if turn[0] == "system"]
        others = [turn for turn in turns if turn[0] != "system"]
        if self.folds_examples:
            others = [_user(others)]
        if self.folds_system:
            return [_user([*system, *others[:1]]), *others[1:]]
        return [*system, *others]

    def message(self, role: str, content: str, **members: str) -> dict[str, Any]:
        """A turn as the template takes it."""
        return {"role": role, "content": [{"type": "text", "text": content}] if self.in_parts else content, **members}


@dataclass(frozen=True, slots=True)
class _Rendering:
    """What a template writes: ``texts`` before, between and behind contents; what white space around them it keeps."""

    texts: list[str]
    keeps: list[tuple[bool, bool]]

    @classmethod
    def of(cls, rendered: str, roles: Sequence[str], name: str) -> _Rendering:
        """Read off the sentinels of messages of the ``roles``; raises ``PromptError`` if they are not as they were."""
        texts = _SENTINEL.split(rendered)
        found = [int(number) for number in texts[2::4]]
        for number, role in enumerate(roles):
            if found.count(number) != 1 or any(
                int(word) == number for text in texts[::4] for word in _WORD.findall(text)
            ):
                words = [int(word) for word in _WORD.findall(rendered)]
                fate = "drops" if number not in words else "repeats" if number in found else "changes"
                raise PromptError(f"the chat template of {name} {fate} the {_ordinal(number)} message, of role {role}")
        if found != sorted(found):
            raise PromptError(
                f"the chat template of {name} shows messages of the roles {', '.join(roles)} in another order"
            )
        return cls(
            texts[::4], [(bool(left), bool(right)) for left, right in zip(texts[1::4], texts[3::4], strict=True)]
        )

    def fill(self, turns: Sequence[_Turn]) -> list[str]:
        """The contents as the template shows them."""
        contents = []
        for (_, content), (keeps_left, keeps_right) in zip(turns, self.keeps, strict=True):
            content = content if keeps_left else content.lstrip()
            contents.append(content if keeps_right else content.rstrip())
        return contents


def _source(tokenizer: PreTrainedTokenizerBase, name: str) -> str:
    """The template's text: of several with names, the one that is called "default"."""
    try:
        return str(tokenizer.get_chat_template())
    except ValueError as error:
        raise ModelError(f'expected a chat template of {name} called "default": {error}') from error


def _user(turns: Sequence[_Turn]) -> _Turn:
    """One turn of the user's, with the others as paragraphs."""
    return "user", "\n\n".join(content for _, content in turns if content)


def _sentinel(number: int) -> str:
    return f'{_SPACE}Quill{number}vex"<&>\\\n\tQuill{number}vex{_SPACE}'


def _without_last_space(text: str) -> str:
    """A space at the end belongs to the first token of the answer, which has none."""
    return text.rstrip(" ")


def _ordinal(number: int) -> str:
    return ("first", "second", "third", "fourth")[number] if number < 4 else f"{number + 1}th"
