"""Models and tokenizers of transformers, and the memory of attention for sequences of different lengths."""
