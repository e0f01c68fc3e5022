"""Vault: sealed bids for what a die puts into the vault, and a second bidder who may dispute it."""

from sample_games.vault.game import Vault

GAME = Vault()
