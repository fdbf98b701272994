"""The record over HTTP: each operation of `graphstore` behind one address."""
