"""The tables. Journal, letter and mail are the truth and only ever grow, and so do the pictures that mails carry (the
bytes of a letter or mail may be emptied, when the person it names is to be forgotten);
player and secret are what may be forgotten or must be kept; all others are projections, which `rebuild` makes again
from the journal."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from pbem.ledger.columns import CanonicalJson, Packed, PackedJson, RowId, UtcDateTime

TABLES = sa.MetaData()  # a metadata of our own: other SQLModel tables in the process are none of the ledger's business


class LedgerModel(SQLModel):
    """Base of the ledger's tables."""

    metadata = TABLES


def _id() -> Any:
    return Field(default=None, sa_column=sa.Column(RowId, primary_key=True, autoincrement=True))


def _col(kind: Any, **more: Any) -> Any:
    return Field(sa_column=sa.Column(kind, **{"nullable": False, **more}))


# --- the truth: rows are only ever added --------------------------------------------------------------------------


class Journal(LedgerModel, table=True):
    """What happened, row by row, each hashed onto the row before it in its chain."""

    __tablename__ = "journal"
    __table_args__ = (
        sa.UniqueConstraint("chain", "seq", name="journal_place"),
        sa.Index(
            "journal_turns",
            "chain",
            "turn",
            sqlite_where=sa.text("kind IN ('turn', 'at_once')"),
            postgresql_where=sa.text("kind IN ('turn', 'at_once')"),
        ),
        sa.Index(
            "journal_backs",
            "chain",
            "turn",
            sqlite_where=sa.text("kind = 'taken_back'"),
            postgresql_where=sa.text("kind = 'taken_back'"),
        ),
    )
    id: int | None = _id()
    chain: str = _col(sa.Text)
    seq: int = _col(sa.Integer)
    kind: str = _col(sa.Text)
    at: datetime = _col(UtcDateTime)
    turn: int | None = _col(sa.Integer, nullable=True)
    seat: str | None = _col(sa.Text, nullable=True)
    body: bytes = _col(Packed)  # canonical JSON, as it was hashed
    salt: bytes = _col(sa.LargeBinary)
    prev: bytes = _col(sa.LargeBinary)
    hash: bytes = _col(sa.LargeBinary)


class Letter(LedgerModel, table=True):
    """Raw inbound bytes, once each, as they came."""

    __tablename__ = "letter"
    id: int | None = _id()
    sha256: str = _col(sa.Text, unique=True)
    raw: bytes = _col(Packed)


class Mail(LedgerModel, table=True):
    """Raw outbound bytes, written before anything is sent."""

    __tablename__ = "mail"
    id: int | None = _id()
    message_id: str = _col(sa.Text, unique=True)
    sha256: str = _col(sa.Text)
    raw: bytes = _col(Packed)


class Picture(LedgerModel, table=True):
    """A picture as mails carry it: the PNG made of an SVG, written before the first mail with it leaves."""

    __tablename__ = "picture"
    id: int | None = _id()
    sha256: str = _col(sa.Text, unique=True)  # of the SVG
    png: bytes = _col(sa.LargeBinary)


class BareMail(LedgerModel, table=True):
    """A mail that left without its picture, because none could be made: it is never sent again with one."""

    __tablename__ = "bare_mail"
    id: int | None = _id()
    message_id: str = _col(sa.Text, unique=True)


# --- beside the chain: persons and secrets ------------------------------------------------------------------------


class Player(LedgerModel, table=True):
    """A person. The chain knows the commitment only, so that the rest can be forgotten."""

    __tablename__ = "player"
    id: int | None = _id()
    commitment: str = _col(sa.Text, unique=True)
    name: str | None = _col(sa.Text, nullable=True, unique=True)
    address: str | None = _col(sa.Text, nullable=True)
    lang: str | None = _col(sa.Text, nullable=True)
    zone: str | None = _col(sa.Text, nullable=True)
    digest: bool = _col(sa.Boolean)
    remind: int = _col(sa.Integer)  # hours before a deadline at which he wishes to be reminded; 0: never
    volunteers: Any = _col(CanonicalJson, nullable=True)  # the games in which he would take over a seat
    salt: bytes | None = _col(sa.LargeBinary, nullable=True)
    address_at: datetime | None = _col(UtcDateTime, nullable=True)  # since when; None: since he was registered


class Secret(LedgerModel, table=True):
    """What salts, keys and dice of one chain are made of."""

    __tablename__ = "secret"
    chain: str = _col(sa.Text, primary_key=True)
    secret: bytes = _col(sa.LargeBinary)  # both sealed where there is a key (`pbem.ledger.chain_secrets`)
    seed: bytes | None = _col(sa.LargeBinary, nullable=True)
    since: int = _col(sa.Integer)  # the first row that it salts: the secret of those before was lost with its key


class NewAddress(LedgerModel, table=True):
    """A change of address that waits: for the new address to confirm it, and for the old one to agree or to veto."""

    __tablename__ = "new_address"
    player: str = _col(sa.Text, primary_key=True)
    address: str = _col(sa.Text)
    code: str = _col(sa.Text)
    asked_at: datetime = _col(UtcDateTime)
    agree_code: str = _col(sa.Text, server_default="")
    veto_code: str = _col(sa.Text, server_default="")
    letter: str = _col(sa.Text, server_default="")
    holds_from: datetime | None = _col(UtcDateTime, nullable=True)
    confirmed_at: datetime | None = _col(UtcDateTime, nullable=True)
    vetoed_at: datetime | None = _col(UtcDateTime, nullable=True)


class Joining(LedgerModel, table=True):
    """Somebody who would like a seat of a game that waits for players, and has not shown yet that he reads mail."""

    __tablename__ = "joining"
    code: str = _col(sa.Text, primary_key=True)
    opening: str = _col(sa.Text)
    seat: str | None = _col(sa.Text, nullable=True)
    name: str = _col(sa.Text)
    address: str = _col(sa.Text)
    lang: str = _col(sa.Text)
    asked_at: datetime = _col(UtcDateTime)


# --- projections: what the journal says at this moment ------------------------------------------------------------


class Head(LedgerModel, table=True):
    """Where each chain ends, so that adding a row costs the same however long the chain is."""

    __tablename__ = "head"
    chain: str = _col(sa.Text, primary_key=True)
    seq: int = _col(sa.Integer)
    hash: bytes = _col(sa.LargeBinary)
    at: datetime | None = _col(UtcDateTime, nullable=True)


class Game(LedgerModel, table=True):
    """One hosted game as it stands."""

    __tablename__ = "game"
    __table_args__ = (
        sa.Index(
            "game_due",
            "due_at",
            "name",
            sqlite_where=sa.text("status = 'open'"),
            postgresql_where=sa.text("status = 'open'"),
        ),
        sa.Index(
            "game_seeding",
            "due_at",
            "name",
            sqlite_where=sa.text("status = 'seeding'"),
            postgresql_where=sa.text("status = 'seeding'"),
        ),
        sa.Index(
            "game_remind",
            "remind_at",
            "name",
            sqlite_where=sa.text("status = 'open'"),
            postgresql_where=sa.text("status = 'open'"),
        ),
    )
    name: str = _col(sa.Text, primary_key=True)
    rules: str = _col(sa.Text)
    version: str = _col(sa.Text)
    options: dict[str, Any] = _col(CanonicalJson)
    seats: dict[str, str] = _col(CanonicalJson)
    status: str = _col(sa.Text)
    turn: int = _col(sa.Integer)
    decision: str = _col(sa.Text)
    pending: list[str] = _col(CanonicalJson)
    at_once: int = _col(sa.Integer)
    due_at: datetime | None = _col(UtcDateTime, nullable=True)
    deadline_at: datetime | None = _col(UtcDateTime, nullable=True)
    resigned: list[str] = _col(CanonicalJson)
    schedule: Any = _col(CanonicalJson, nullable=True)
    attempts: int = _col(sa.Integer)
    created_at: datetime = _col(UtcDateTime)
    state: Any = _col(PackedJson, nullable=True)
    deeds: Any = _col(PackedJson, nullable=True)
    attendance: Any = _col(CanonicalJson, nullable=True)
    remind_at: datetime | None = _col(UtcDateTime, nullable=True)  # when somebody may have to be reminded


class Opening(LedgerModel, table=True):
    """A game that waits for its players: what the host wants, who has joined, and until when it waits."""

    __tablename__ = "opening"
    name: str = _col(sa.Text, primary_key=True)
    wanted: dict[str, Any] = _col(CanonicalJson)
    seats: dict[str, str] = _col(CanonicalJson)
    at: datetime = _col(UtcDateTime)
    until: datetime | None = _col(UtcDateTime, nullable=True)


class Match(LedgerModel, table=True):
    """One match: several games, one after another. Its sides are in the order they had in game 1."""

    __tablename__ = "match"
    name: str = _col(sa.Text, primary_key=True)
    rules: str = _col(sa.Text)
    version: str = _col(sa.Text)
    options: dict[str, Any] = _col(CanonicalJson)
    best_of: int | None = _col(sa.Integer, nullable=True)
    games: int = _col(sa.Integer)
    sides: list[Any] = _col(CanonicalJson)
    status: str = _col(sa.Text)
    number: int = _col(sa.Integer)
    results: list[Any] = _col(CanonicalJson)
    verdict: Any = _col(CanonicalJson, nullable=True)
    created_at: datetime = _col(UtcDateTime)


class Queue(LedgerModel, table=True):
    """What waits to be played for one seat, and how many times it has written."""

    __tablename__ = "queue"
    game: str = _col(sa.Text, primary_key=True)
    seat: str = _col(sa.Text, primary_key=True)
    counter: int = _col(sa.Integer)
    body: Any = _col(PackedJson, nullable=True)
    keyless: int = _col(sa.Integer)  # mails in its name without its key, since its last report
    away: Any = _col(CanonicalJson, nullable=True)  # the last word on days of absence
    unanswered: Any = _col(CanonicalJson, nullable=True)  # messages without an answer, since its last report


class Inbox(LedgerModel, table=True):
    """Which messages have come, and which of them still wait to be judged."""

    __tablename__ = "inbox"
    __table_args__ = (
        sa.UniqueConstraint("message_id", "sha256", name="inbox_message"),
        sa.Index(
            "inbox_waiting",
            "id",
            sqlite_where=sa.text("state = 'waiting'"),
            postgresql_where=sa.text("state = 'waiting'"),
        ),
        sa.Index(
            "inbox_stray",
            "at",
            "id",
            sqlite_where=sa.text("stray"),
            postgresql_where=sa.text("stray"),
        ),
        sa.Index("inbox_bytes", "sha256"),
    )
    id: int | None = _id()
    message_id: str = _col(sa.Text)
    sha256: str = _col(sa.Text)
    route: str = _col(sa.Text)
    at: datetime = _col(UtcDateTime)
    size: int = _col(sa.Integer)  # bytes, as it came
    state: str = _col(sa.Text)
    tries: int = _col(sa.Integer)  # runs that tripped over it
    reason: str = _col(sa.Text)  # why it has the fate it has
    stray: bool = _col(sa.Boolean)  # whether it belongs to no game, and its bytes are still kept


class Budget(LedgerModel, table=True):
    """How much of each budget was used in its newest period: messages of a seat, and answers to a player."""

    __tablename__ = "budget"
    owner: str = _col(sa.Text, primary_key=True)  # `game/seat`, or a player's commitment
    kind: str = _col(sa.Text, primary_key=True)
    period: str = _col(sa.Text)  # a day of UTC, or a decision
    spent: int = _col(sa.BigInteger)


class TurnedAway(LedgerModel, table=True):
    """Files of the drop folder that were refused unread, as their seat had sent its limit."""

    __tablename__ = "turned_away"
    name: str = _col(sa.Text, primary_key=True)  # under which the file lies in the folder `taken`


class Contact(LedgerModel, table=True):
    """How many mails to a player came back in a row."""

    __tablename__ = "contact"
    player: str = _col(sa.Text, primary_key=True)
    bounces: int = _col(sa.Integer)  # in a row, since his address was last known to work


class Night(LedgerModel, table=True):
    """The runs that were begun, and whether they came to their end: a killed one is finished under its own date."""

    __tablename__ = "night"
    seq: int | None = Field(default=None, sa_column=sa.Column(sa.Integer, primary_key=True, autoincrement=False))
    at: datetime = _col(UtcDateTime)
    done: bool = _col(sa.Boolean)
    off_since: datetime | None = _col(UtcDateTime, nullable=True)  # since when the host was not at work before it


class Brake(LedgerModel, table=True):
    """What runs hold for: the whole host, or one game, until it is over or the referee releases it."""

    __tablename__ = "brake"
    name: str = _col(sa.Text, primary_key=True)
    game: str | None = _col(sa.Text, nullable=True)
    says: str = _col(sa.Text)
    since: datetime = _col(UtcDateTime)
    released: bool = _col(sa.Boolean)


class Forgotten(LedgerModel, table=True):
    """Letters and mails whose bytes were emptied, because they named a person who was forgotten or were strangers' mail
    whose time was up; their hashes stand."""

    __tablename__ = "forgotten"
    sha256: str = _col(sa.Text, primary_key=True)
    seq: int = _col(sa.Integer)  # the row of the host's chain that says so


class SigningKey(LedgerModel, table=True):
    """The public keys whose secret halves have signed mails, one row of the host's chain each."""

    __tablename__ = "signing_key"
    key: str = _col(sa.Text, primary_key=True)
    seq: int = _col(sa.Integer)


class Outbox(LedgerModel, table=True):
    """Which mails have left, and which must be tried (again); what was said of the last try, and whether the host was
    told of it."""

    __tablename__ = "outbox"
    __table_args__ = (
        sa.Index(
            "outbox_open",
            "next_try_at",
            "id",
            sqlite_where=sa.text("next_try_at IS NOT NULL"),
            postgresql_where=sa.text("next_try_at IS NOT NULL"),
        ),
        sa.Index(
            "outbox_lost",
            "id",
            sqlite_where=sa.text("next_try_at IS NULL AND state <> 'sent'"),
            postgresql_where=sa.text("next_try_at IS NULL AND state <> 'sent'"),
        ),
    )
    id: int | None = _id()
    message_id: str = _col(sa.Text, unique=True)
    game: str = _col(sa.Text)
    seat: str | None = _col(sa.Text, nullable=True)
    state: str = _col(sa.Text)
    tries: int = _col(sa.Integer)
    next_try_at: datetime | None = _col(UtcDateTime, nullable=True)
    since: datetime | None = _col(UtcDateTime, nullable=True)
    detail: str = _col(sa.Text)
    told: bool = _col(sa.Boolean)
    former: bool = _col(sa.Boolean)  # somebody else sits at that seat since it was written


JOURNAL, LETTER, MAIL = TABLES.tables["journal"], TABLES.tables["letter"], TABLES.tables["mail"]
PICTURE, BARE_MAIL = TABLES.tables["picture"], TABLES.tables["bare_mail"]
PLAYER, SECRET = TABLES.tables["player"], TABLES.tables["secret"]
HEAD, GAME, QUEUE = TABLES.tables["head"], TABLES.tables["game"], TABLES.tables["queue"]
MATCH = TABLES.tables["match"]
INBOX, OUTBOX, NIGHT = TABLES.tables["inbox"], TABLES.tables["outbox"], TABLES.tables["night"]
OPENING, JOINING = TABLES.tables["opening"], TABLES.tables["joining"]
BRAKE = TABLES.tables["brake"]
BUDGET, TURNED_AWAY = TABLES.tables["budget"], TABLES.tables["turned_away"]
CONTACT, NEW_ADDRESS = TABLES.tables["contact"], TABLES.tables["new_address"]
FORGOTTEN, SIGNING_KEY = TABLES.tables["forgotten"], TABLES.tables["signing_key"]

APPEND_ONLY = (JOURNAL, LETTER, MAIL, PICTURE, BARE_MAIL)
PROJECTIONS = (
    HEAD,
    GAME,
    OPENING,
    MATCH,
    QUEUE,
    INBOX,
    BUDGET,
    TURNED_AWAY,
    CONTACT,
    FORGOTTEN,
    SIGNING_KEY,
    OUTBOX,
    NIGHT,
    BRAKE,
)
