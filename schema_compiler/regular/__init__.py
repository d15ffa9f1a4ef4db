"""Regular languages over bytes: what leaves are made of."""
