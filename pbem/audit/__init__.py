"""The referee's tools: what happened, who saw it, whether it is still what was written, and why it came so.

All of them read a `Book`, which is one game's history: out of the ledger, or out of a file that `export` wrote.
"""
