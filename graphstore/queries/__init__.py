"""The bounded reads."""
