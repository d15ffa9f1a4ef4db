"""Values that are pieces of a document: where its pieces are, what is read from them, and where a value came from."""
