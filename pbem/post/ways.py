"""Which way mails take, as pbem.toml says."""

from __future__ import annotations

from pbem.config import Config
from pbem.post.carrier import Carrier
from pbem.post.files import Files
from pbem.post.maildir import Maildir
from pbem.post.sendmail import Sendmail
from pbem.post.settings import MAILDIR, SENDMAIL, SMTP
from pbem.post.smtp import SmtpCarrier


def way_of(config: Config) -> Carrier:
    """The way out that this host takes."""
    post = config.post
    if post.by == SMTP and post.smtp is not None:
        greeting = config.address.rpartition("@")[2]
        return SmtpCarrier(post.smtp, post.connect_seconds, post.mail_seconds, greeting)
    if post.by == SENDMAIL:
        return Sendmail(post.sendmail, post.mail_seconds)
    if post.by == MAILDIR and post.maildir is not None:
        return Maildir(post.maildir)
    return Files(config.outbox)
