"""Tests of Conquest."""
