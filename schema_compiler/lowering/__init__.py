"""What a schema admits, as grammar rules: scalars, arrays, objects, and the separators between them."""
