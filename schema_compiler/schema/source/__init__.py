"""Raw JSON Schema as it is written: documents, references, drafts and their keywords."""
