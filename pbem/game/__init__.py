"""A hosted game: what it is as values, how a run of it goes, what is mailed of it, how it is taken from the ledger."""
