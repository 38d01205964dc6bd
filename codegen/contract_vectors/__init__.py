"""The conformance cases of the contract, written by hand, and the files made from them.

Expected verdicts stand in the cases. No validator of this project takes part in them,
so that a fault in a validator cannot write itself into the vectors.
"""
