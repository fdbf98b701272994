"""The demo project: an invented company whose record is worth looking at.

`documents/` and `script/` hold the content, `script.py` reads it, `loading.py`
plays it through the operations that every other writer uses.
"""
