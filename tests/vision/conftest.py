"""Loads `vision` before any test module loads numpy: it says how many threads small matrix products may wake."""

import vision  # noqa: F401
