"""Turn a JSON contract into Python, TypeScript, test strategies and a reference page.

A developer's tool: it runs in a checkout and is not part of the wheel.
"""
