"""The post: how mails leave, what becomes of each, and who is told when one does not arrive."""
