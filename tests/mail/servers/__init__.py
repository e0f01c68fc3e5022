"""Mail servers of our own on loopback: Postfix (aiosmtpd where we are no root) before Maildirs, Dovecot behind them."""
