"""Pydantic types to raw JSON Schema: the only package that knows Pydantic."""
