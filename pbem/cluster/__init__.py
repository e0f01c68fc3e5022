"""Past one machine: due games are jobs of Procrastinate in the ledger's server, and `pbem worker` does them anywhere.

One run leads: it holds the night's lock, collects, defers a job for each due game, waits, and delivers. The jobs are
done by the workers of all machines, each game by one at a time. What makes a night right stays in the ledger: a game
is resolved in one transaction, by whoever comes first, so a job that is done twice finds nothing left to do.
"""
