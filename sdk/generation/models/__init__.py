"""Models and tokenizers of transformers, and slots: the memory in which sequences of different lengths run."""
