"""Languages with a lexer: longest match, keyword priority, LALR(1); the masks of programming languages."""
