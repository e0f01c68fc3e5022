"""What players get to read: reports, receipts and notices, their words, and the bytes of their mails."""
