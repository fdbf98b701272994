"""The web application: a desk where people clear flags on recorded decisions."""
