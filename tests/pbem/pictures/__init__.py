"""Pictures in mails."""
