"""Drafts of the next tokens: text foreseen from grammar and document, spelled in tokens as the model would."""
