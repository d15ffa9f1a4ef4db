"""Schemas as sets of values: intersections, complements, and whether anything is left of them."""
