"""pbem: the host that reads orders, keeps the ledger, runs the night and writes the reports."""

__version__ = "0.1.0"
