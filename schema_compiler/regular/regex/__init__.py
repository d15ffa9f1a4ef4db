"""Regular expressions in the dialects of Rust, Python and ECMAScript, as automata."""
