"""Pictures in mails: a map is stored with its letter as SVG and leaves as PNG, painted once and never in a turn."""
