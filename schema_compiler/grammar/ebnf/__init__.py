"""Grammars that users write, in the notation of Lark."""
