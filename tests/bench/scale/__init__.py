"""The plan to a million live games: what one turn costs, measured; what many cost, computed; how they wait, played.

`python -m tests.bench.scale --measure` writes figures.json, `--check` plays the queue beside real workers, `--write`
renews the tables of docs/scale.md.
"""
