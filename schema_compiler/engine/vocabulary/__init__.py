"""What is known of one vocabulary: its tokens, its leaves, the tokens with quotes, and their place on disk."""
