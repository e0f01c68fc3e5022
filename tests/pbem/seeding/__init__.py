"""Tests of settling the dice before a game begins."""
