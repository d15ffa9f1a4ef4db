"""The other systems of the field, measured against the main engine and against each other."""
