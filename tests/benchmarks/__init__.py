"""Benchmarks: modules with a command each, run by hand; nothing here is timed by the tests."""
