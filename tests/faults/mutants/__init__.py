"""Mutation testing: would the tests notice if one small thing in the program were different? (G24)"""
