"""Every type of Pydantic's documentation with every constraint it takes, as data."""
