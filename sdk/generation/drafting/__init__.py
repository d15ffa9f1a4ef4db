"""What is likely to come next: text drafted from the document, spelled as the model would."""
