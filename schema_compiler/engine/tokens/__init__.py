"""The vocabulary as a trie, and scans: which tokens a leaf admits, found in one pass over the trie."""
