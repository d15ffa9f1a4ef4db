"""The spellings of numbers: all that are at least a bound, have so many digits, or are multiples of a step."""
