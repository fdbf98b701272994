"""Measurements, printed as medians and ratios; nothing here asserts a time."""
