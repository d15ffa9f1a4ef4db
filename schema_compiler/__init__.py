"""Compiles Pydantic types and JSON Schemas into exact token masks for language models.

    vocabulary = Vocabulary(tokens, eos_token_ids)
    compiled = compile_type(Model, vocabulary)
    matcher = compiled.matcher()
    matcher.mask()               # which tokens may come next: packed uint32, a bit per token
    matcher.accept(token_id)     # take one; False if it is illegal

Needs pydantic, numpy and mypy-extensions; ``compile_lexed`` needs lark, too. Errors are drawn in ``errors``.
"""

from schema_compiler.annotations import Grammar, Regex, Verbatim, choice
from schema_compiler.compiler import (
    CompiledGrammar,
    CompiledSchema,
    compile_grammar,
    compile_regex,
    compile_schema,
    compile_type,
    is_regular,
)
from schema_compiler.engine.matcher import Matcher
from schema_compiler.engine.tokens.trie import TokenMask
from schema_compiler.engine.vocabulary.vocabulary import Vocabulary
from schema_compiler.errors import (
    CompileBudgetError,
    DocumentError,
    GrammarError,
    ImpossibleSchemaError,
    InvalidSchemaError,
    PatternError,
    SchemaCompilerError,
    SchemaError,
    UnboundLeafError,
    UngroundedError,
    UnsupportedSchemaError,
    VocabularyError,
)
from schema_compiler.explain import explain
from schema_compiler.grounding.document import Span
from schema_compiler.grounding.grounded import Grounded
from schema_compiler.lexed.compile import CompiledLexed, compile_lexed
from schema_compiler.lexed.indentation import Indentation
from schema_compiler.schema.report import Report, ReportRow

__all__ = [
    "CompileBudgetError",
    "CompiledGrammar",
    "CompiledLexed",
    "CompiledSchema",
    "DocumentError",
    "Grammar",
    "GrammarError",
    "Grounded",
    "ImpossibleSchemaError",
    "Indentation",
    "InvalidSchemaError",
    "Matcher",
    "PatternError",
    "Regex",
    "Report",
    "ReportRow",
    "SchemaCompilerError",
    "SchemaError",
    "Span",
    "TokenMask",
    "UnboundLeafError",
    "UngroundedError",
    "UnsupportedSchemaError",
    "Verbatim",
    "Vocabulary",
    "VocabularyError",
    "choice",
    "compile_grammar",
    "compile_lexed",
    "compile_regex",
    "compile_schema",
    "compile_type",
    "explain",
    "is_regular",
]
