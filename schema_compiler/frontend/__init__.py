"""Pydantic types to raw JSON Schema: the only room that knows Pydantic."""
