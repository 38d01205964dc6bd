"""Emitters of the generated Python package, a module each."""
