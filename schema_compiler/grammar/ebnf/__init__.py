"""Grammars that users write in Lark's notation: read, and lowered to the rules of the engine."""
