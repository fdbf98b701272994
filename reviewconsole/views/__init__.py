"""One module per page: authorise, parse, call one operation or query, render."""
