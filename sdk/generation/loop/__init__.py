"""The generation loop: text sequences, what they share, one forward pass a step, and the choice of tokens."""
