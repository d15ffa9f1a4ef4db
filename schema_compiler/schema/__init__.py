"""What a schema means: raw JSON Schema normalised to a closed union, with a report of every keyword."""
