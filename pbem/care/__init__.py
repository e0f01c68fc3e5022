"""The care of a host: settling in, health, backups, quarantine, and moves."""
