"""Grammars that users write in Lark's notation."""
