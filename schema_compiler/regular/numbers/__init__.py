"""The spellings of numbers: those on one side of a bound, with so many digits, or multiples of a step."""
