"""Context-free grammars over bytes: rules, their printed form, and the graph that a matcher walks."""
