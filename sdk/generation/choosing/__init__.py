"""Whole values chosen among the few that a field may have."""
