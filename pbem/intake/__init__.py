"""Intake: text that a player sent comes in, orders or refusals come out. Nothing here knows the ledger or the mail."""
