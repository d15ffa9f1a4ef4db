r"""Objects as rules: a chain with one rule for each property, in their order.

``members.2.1`` is what follows from the third property on, when a member has been written already (members are counted
no further than it matters)::

    Person                 ::= "{" Person/members.0.0
    Person/members.0.0     ::= "\"name\": " Person/name/value.1.1
    Person/name/value.1.1  ::= <string> Person/members.1.1
    Person/members.1.1     ::= ", \"age\": " Person/age/value.2.1 | Person/members.2.1
    Person/age/value.2.1   ::= <integer> Person/members.2.1
    Person/members.2.1     ::= "}"

Where an object is open, ``members.2.1`` adds the undeclared members to ``declared.2.1``, which is then that chain.

The chain costs rules in proportion to the properties a document reaches, however many are optional, and what a
property may hold is lowered when its key has been written. As each link is in tail position, the graph enters it in
place and makes one automaton of the chain again. An object with obligations (it must differ from another one) adds
those still unmet to the name: ``members.1.1.0``. Declared names come once because they come in order, undeclared ones
where their leaf can tell texts apart (see ``distinct``).
"""

from __future__ import annotations

from collections.abc import Iterator

from schema_compiler.grammar.ir import EMPTY, Expression, Literal, choice, sequence
from schema_compiler.grammar.leaves import distinct
from schema_compiler.lowering.keys import undeclared_key
from schema_compiler.lowering.members import Member, Members, Progress
from schema_compiler.lowering.rule_builder import RuleBuilder
from schema_compiler.regular.text.json_strings import string_literal
from schema_compiler.schema.ir import Object

__all__ = ["object_rule"]


def object_rule(schema: Object, path: str, builder: RuleBuilder) -> Expression:
    """The object, its braces included; ``path`` begins the names of its rules.

    Raises ``CompileBudgetError``, now or in a rule, where it takes too long to tell which members can complete the
    object, and what ``undeclared_key`` raises.
    """
    rules = _ObjectRules(schema, path)
    return sequence(builder.layout.open_brace, rules.rest(rules.start, builder))


class _ObjectRules:
    """The rules of one object, named by ``path`` and a ``Progress``."""

    def __init__(self, schema: Object, path: str) -> None:
        self._path = path
        self._members = Members(schema)
        self._most_told_apart = max(1, schema.min_properties, schema.max_properties or 0)
        self.start = self._members.start

    def rest(self, progress: Progress, builder: RuleBuilder) -> Expression:
        """What follows the members so far, the closing brace included."""
        if not self._members.is_open:
            return self._declared_rest(progress, builder)
        name = f"{self._path}/members.{self._suffix(progress)}"
        return builder.rule(name, lambda builder: choice(*self._all_options(progress, builder)))

    def _declared_rest(self, progress: Progress, builder: RuleBuilder) -> Expression:
        """What follows, no undeclared member being next."""
        name = f"{self._path}/{'declared' if self._members.is_open else 'members'}.{self._suffix(progress)}"
        return builder.rule(name, lambda builder: choice(*self._declared_options(progress, builder)))

    def _all_options(self, progress: Progress, builder: RuleBuilder) -> Iterator[Expression]:
        for member in self._members.undeclared(progress):
            yield self._member(member, builder)
        if self._members.is_behind_declared(progress):
            yield from self._declared_options(progress, builder)
        elif self._members.may_go_on_declared(progress):
            yield self._declared_rest(progress, builder)

    def _declared_options(self, progress: Progress, builder: RuleBuilder) -> Iterator[Expression]:
        """The next property, or what follows without it; behind the last one, the end.

        After a property that is left out no undeclared member may come: it could have come before.
        """
        if not self._members.is_behind_declared(progress):
            for member in self._members.declared(progress):
                yield self._member(member, builder)
            following = self._members.without_next(progress)
            if following is not None and self._members.may_go_on_declared(following):
                yield self._declared_rest(following, builder)
        elif self._members.may_end(progress):
            yield builder.layout.close_brace

    def _member(self, member: Member, builder: RuleBuilder) -> Expression:
        """The member and what follows it; its value is in a rule, which is lowered when the key has been written."""
        path = f"{self._path}/{member.segment}"

        def value(builder: RuleBuilder) -> Expression:
            return sequence(builder.value(member.schema, path), self.rest(member.after, builder))

        comma = EMPTY if member.after.count == 1 else builder.layout.comma
        value_rule = builder.rule(f"{path}/value.{self._suffix(member.after)}", value)
        return sequence(comma, self._key(member), builder.layout.colon, value_rule)

    def _key(self, member: Member) -> Expression:
        if isinstance(member.keys, str):
            return Literal(string_literal(member.keys))
        return distinct(undeclared_key(member.keys, self._members.names))

    def _suffix(self, progress: Progress) -> str:
        """How names of rules tell ``progress``: ``2.1``, or ``2.1.0`` with obligation 0 unmet."""
        obligations = "".join(f".{obligation}" for obligation in sorted(progress.unmet))
        return f"{progress.index}.{min(progress.count, self._most_told_apart)}{obligations}"
