"""Pydantic types to raw JSON Schema: the only package of the compiler proper that knows Pydantic."""
