"""Raw JSON Schema, keyword by keyword, to the closed union of cases."""
