"""Past one machine: due games are jobs of Procrastinate in the ledger's server, and `pbem worker` does them anywhere.

One run leads: it holds the night's lock, collects, defers the due games, a few in a job, waits, and delivers. The jobs
are done by the workers of all machines; a game is in one job at a time, and a job in one process's hands. What makes a
night right stays in the ledger: a game is resolved whole in one transaction, by whoever comes first, so a job that is
done twice finds nothing left to do.
"""
