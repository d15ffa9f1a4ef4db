"""From characters to bytes: code points, Unicode's categories, UTF-8, and the spellings of JSON strings."""
