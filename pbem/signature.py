#!/usr/bin/env python3
"""Verify a mail that a host signed, with nothing but Python 3.7: `python3 signature.py MAIL KEY`.

`docs/signatures.md` says what is signed and why. This file needs no other one. Exports carry a copy of it beside their
checker: `python3 EXPORT mail MAIL` also holds the mail against the history in the export.
"""

# ruff: noqa: PTH123, T201, UP006, UP017, UP035, UP045
import json
import re
import sys
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timezone
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.utils import parseaddr, parsedate_to_datetime
from hashlib import sha256, sha512
from importlib import import_module
from itertools import islice
from typing import Any, Collection, List, NamedTuple, Optional, Tuple

HEADER = "X-Pbem-Signature"
KEY = "ed25519:"  # what a public key begins with, wherever it is shown
PURPOSE = b"pbem mail signature\n"  # the key signs nothing else that begins so
COVERED = ("Date", "From", "Subject")
STRUCTURE = ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition")
LARGEST = 1 << 25  # bytes of a mail
GENUINE, ALTERED, NOT_OURS, UNSIGNED = "genuine", "altered", "not_ours", "unsigned"

_key = re.compile(KEY + r"[A-Za-z0-9_-]{43}\Z")
_tags = re.compile(
    r"v=1;k=(?P<key>[A-Za-z0-9_-]{43});g=(?P<chain>[A-Za-z0-9@-]{1,64});a=(?P<seat>[A-Za-z0-9_.~%-]{0,200})"
    r";t=(?P<turn>[0-9]{1,9});i=(?P<message_id><[^;<>\x00-\x20\x7f-\U0010ffff]{1,250}>);m=(?P<sha256>[0-9a-f]{64})"
    r";p=(?P<items>[A-Za-z0-9_.:,/+-]{1,60000});s=(?P<signature>[A-Za-z0-9_-]{86})\Z"
)

# --- what of a mail is signed -----------------------------------------------------------------------------------------

Item = Tuple[str, str]  # what it is, and its hash


def item(name: str, content: bytes) -> Item:
    """Return one thing that is signed: its name, and a hash that depends on name and content."""
    return name, text_of(sha256(name.encode() + b"\0" + content).digest())


def text_item(name: str, text: bytes) -> Item:
    """Return the same of a text in UTF-8, without what mail servers change: line ends, white space at the end of lines,
    empty lines at the end, and the `>` that some put before `From `."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b" \n" in text or (b"\t" in text and b"\t\n" in text) or text[-1:] in (b" ", b"\t"):
        text = b"\n".join(line.rstrip(b" \t") for line in text.split(b"\n"))
    if b">From " in text:
        text = re.sub(rb"(?m)^>+From ", b"From ", text)
    return item(name, text.rstrip(b"\n") + b"\n")


def header_item(name: str, value: str) -> Item:
    """Return the same of a header: the instant of a Date, the address of From, the words of a Subject."""
    if name == "Date":
        at = parsedate_to_datetime(value)
        at = at.astimezone(timezone.utc) if at.tzinfo else at
        value = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    elif name == "From":
        value = parseaddr(value)[1].lower()
    else:
        value = " ".join(str(make_header(decode_header(value))).split())
    return item("header/" + name.lower(), value.encode())


def file_name(name: Optional[str], kind: str) -> str:
    """Return what a part is called in a signature: an attachment by its file name, anything else by its type."""
    return kind if name is None else "file/" + name


def is_text(kind: str) -> bool:
    """Tell whether a part of that type is signed as a text."""
    return kind.startswith("text/") or kind == "application/json"


def items_of(mail: Any) -> List[Item]:
    """Return everything in a parsed mail that a signature covers. What cannot be read is named, with no hash."""
    found = _header_items(mail)
    for part in mail.walk():
        if any(len(part.get_all(name, [])) > 1 for name in STRUCTURE):
            found.append(("multipart", ""))  # programs differ in which one they follow
        if not part.is_multipart():
            found.append(_part_item(part))
    return found


def _header_items(mail: Any) -> List[Item]:
    found = []
    for name in COVERED:
        values = mail.get_all(name, [])
        try:
            found.append(header_item(name, "".join(str(values[0]).splitlines())))
        except (IndexError, ValueError, TypeError, LookupError, OverflowError, MessageError):
            found.append(("header/" + name.lower(), ""))
        found += [("header/" + name.lower(), "")] * (len(values) - 1)  # programs differ in which one they show
    return found


def _part_item(part: Any) -> Item:
    kind = part.get_content_type()
    try:
        name = file_name(part.get_filename(), kind)
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes):
            return name, ""
        if not is_text(kind):
            return item(name, content)
        return text_item(name, content.decode(part.get_content_charset("us-ascii")).encode())
    except (ValueError, TypeError, LookupError, AssertionError, MessageError):
        return kind, ""


def text_of(data: bytes) -> str:
    """Return bytes as keys, hashes and signatures are written: base64url without padding (RFC 4648)."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    """Return what `text_of` was given."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# --- the signature of a mail ------------------------------------------------------------------------------------------


class Signed(NamedTuple):
    """What a host says of a mail by signing it."""

    key: str
    chain: str  # the game, or @host
    seat: str
    turn: int
    message_id: str
    sha256: str  # of the mail as the ledger holds it and the journal names it
    items: Tuple[Item, ...]


class Checked(NamedTuple):
    """What was found. `signed` is None unless the signature itself holds under a known key: then the host said it,
    whatever became of the rest of the mail on its way."""

    verdict: str
    signed: Optional[Signed]
    why: str = ""
    message_id: str = ""  # as the mail has it
    items: Tuple[Item, ...] = ()


def check(raw: bytes, keys: Collection[str]) -> Checked:
    """Check a mail against the public keys of a host."""
    try:
        mail = message_from_bytes(raw)
        message_id = "".join(str(mail.get("Message-ID", "")).split())
        found, headers = tuple(items_of(mail)), mail.get_all(HEADER, [])
    except (RecursionError, ValueError, TypeError, LookupError, AttributeError, MessageError):
        return Checked(NOT_OURS, None, "it cannot be read as a mail")
    if not headers:
        return Checked(UNSIGNED, None, "it has no signature", message_id, found)
    written = "".join("".join(map(str, headers)).split())
    tags = _tags.match(written)
    if len(headers) > 1 or tags is None:
        return Checked(ALTERED, None, "its signature cannot be read", message_id, found)
    signed = _signed(tags)
    if signed.key not in keys:
        return Checked(NOT_OURS, None, f"it is signed with another key, {signed.key}", message_id, found)
    text = PURPOSE + written[: tags.start("signature")].encode()
    if not verifies(bytes_of(tags["key"]), text, bytes_of(tags["signature"])):
        return Checked(ALTERED, None, "its signature does not hold", message_id, found)
    wrong = differing(found, signed.items)
    if message_id != signed.message_id:
        wrong.append("the Message-ID differs")
    return Checked(ALTERED if wrong else GENUINE, signed, "; ".join(wrong), message_id, found)


def _signed(tags: Any) -> Signed:
    items = tuple((name, hash) for name, _, hash in (one.partition(":") for one in tags["items"].split(",")))
    turn = int(tags["turn"])
    return Signed(KEY + tags["key"], tags["chain"], tags["seat"], turn, tags["message_id"], tags["sha256"], items)


def differing(found: Collection[Item], meant: Collection[Item]) -> List[str]:
    """Say what of a mail is not as it was meant: one phrase for each item."""
    less, more = list(meant), []
    for one in found:
        less.remove(one) if one in less else more.append(one)
    names = {name for name, _ in less} & {name for name, _ in more}
    said = [f"{_called(name)} differs" for name in sorted(names)]
    said += [f"{_called(name)} is missing" for name, _ in less if name not in names]
    return said + [f"{_called(name, added=True)} was added" for name, _ in more if name not in names]


def _called(name: str, added: bool = False) -> str:
    kind, _, rest = name.partition("/")
    if kind == "header":
        return f"the header {rest.capitalize()}"
    if kind == "file":
        return f"the attachment {ascii(rest)[1:-1][:80]}"
    ours = {"text/plain": "the text", "text/html": "the HTML"}
    return ours[name] if name in ours and not added else f"a part of type {ascii(name)[1:-1][:80]}"


def is_key(text: str) -> bool:
    """Tell whether that is written as a public key is."""
    return _key.match(text) is not None


# --- Ed25519 (RFC 8032) -----------------------------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = Tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, XY = ZT
NEUTRAL = (0, 1, 1, 0)


def verifies(key: bytes, text: bytes, signature: bytes) -> bool:
    """Tell whether a signature of a text holds. Refuses what RFC 8032 leaves open: a key of small order, and any point
    or number that is not written in its one shortest way, so that a signature cannot be changed into another one."""
    if len(key) != 32 or len(signature) != 64:
        return False
    point, number = decompressed(key), int.from_bytes(signature[32:], "little")
    if point is None or number >= ORDER or _is_neutral(_times(8, point)):
        return False
    hash = int.from_bytes(sha512(signature[:32] + key + text).digest(), "little") % ORDER
    x, y, z, t = point
    return _compressed(_plus(_times(number, BASE), _times(hash, (P - x, y, z, P - t)))) == signature[:32]


def decompressed(data: bytes) -> Optional[Point]:
    """Return the point that these 32 bytes write; None when they write none, or not as it must be written."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)


def _compressed(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _plus(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(number: int, point: Point) -> Point:
    found = NEUTRAL
    while number:
        if number & 1:
            found = _plus(found, point)
        point, number = _plus(point, point), number >> 1
    return found


def _is_neutral(point: Point) -> bool:
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


BASE: Any = decompressed((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


# --- run by itself, or out of an export -------------------------------------------------------------------------------


def main(arguments: List[str]) -> int:
    """Check a mail against keys, and against an export where one is named. Gives the exit code: 0, it is as the host
    signed it; 1, it is not, or contradicts the export; 2, the command line was wrong; 5, it is not signed."""
    keys = [one for one in arguments[1:] if is_key(one)]
    exports = [one for one in arguments[1:] if not is_key(one)]
    if not arguments or not (keys or exports) or len(exports) > 1:
        say("Say `python3 signature.py MAIL KEY`, or an exported game instead of the KEY (ed25519: and 43 letters).")
        return 2
    with open(arguments[0], "rb") as file:
        raw = file.read(LARGEST + 1)
    history = _History(exports[0]) if exports else None
    checked = check(raw[:LARGEST], {*keys, *(history.keys if history else ())})
    fault = history.against(raw, checked) if history and checked.signed else ""
    if fault:
        say(f"THE HOST'S FAULT. The host signed this mail, and {fault}.")
        return 1
    if checked.verdict == GENUINE and checked.signed:
        say(f"genuine. It is as the host signed it with {checked.signed.key}.")
        say(history.note if history else "No history was asked whether it holds this mail.")
        return 0
    said = {ALTERED: "ALTERED. It is not as the host signed it", NOT_OURS: "not of this host"}
    say(f"{said.get(checked.verdict, 'not signed. It proves nothing')}: {checked.why}.")
    return 5 if checked.verdict == UNSIGNED else 1


class _History:
    """What an export says of the host's mails. Its hashes are checked first."""

    def __init__(self, file: str) -> None:
        checker = import_module("checker")  # it lies beside this file in an export
        self.header, self.opened = checker.check_chain(file)
        self.hashes = {row["hash"] for row in islice(checker.history(file), 1, None)}
        mails = ((row["seq"], row["body"]) for row in self.opened if row["kind"] == "mail")
        self.mails = {said["message_id"]: (seq, said["sha256"]) for seq, said in mails}
        named = [*self.header.get("signing_keys", ()), self.opened[0]["body"].get("signing_key")]
        self.keys = [key for key in named if isinstance(key, str) and is_key(key)]
        self.note = "This history was not asked: the mail is not of its game."

    def against(self, raw: bytes, checked: Checked) -> str:
        """Say what in the history contradicts what the host signed; "" when nothing does."""
        signed = checked.signed
        assert signed is not None
        is_running = "published" in self.header  # such a file holds the heads of its turns, and no rows
        is_older = is_running or ("until" in self.header and not self._is_before(raw, checked))
        if signed.chain == self.header["game"]:
            row, sha256 = self.mails.get(signed.message_id, (0, ""))
            self.note = f"Row {row} of this history names it."
            if row and sha256 != signed.sha256:
                return f"row {row} of this history names another mail under that id"
            if not row and len(self.opened) == self.header["rows"] and not is_older:
                return "this history has no such mail" + self._agreed()
            if not row:
                self.note = "This history is older or sealed, so nobody can see there whether it holds the mail."
        for head in _heads(raw, checked, self.header["game"]):
            if head not in self.hashes and not is_older:
                return f"the head {head} in it is not in this history{self._agreed()}"
        return ""

    def _is_before(self, raw: bytes, checked: Checked) -> bool:
        """Tell whether the host signed a date that this file has reached."""
        signed = checked.signed
        if signed is None or not [one for one in checked.items if one[0] == "header/date" and one in signed.items]:
            return False
        at = parsedate_to_datetime(str(message_from_bytes(raw)["Date"])).astimezone(timezone.utc)
        return at.strftime("%Y-%m-%dT%H:%M:%SZ") <= str(self.header["until"])

    def _agreed(self) -> str:
        rulings = [(row["seq"], row["body"].get("act")) for row in self.opened if row["kind"] == "ruling"]
        acts = [seq for seq, act in rulings if act == "agree-restore"]
        return f" (row {acts[0]} says that an older copy took the ledger's place)" if acts else ""


def _heads(raw: bytes, checked: Checked, game: str) -> List[str]:
    """The heads of that game in the reports of a mail, as far as the host signed them."""
    found = []
    for part in message_from_bytes(raw).walk():
        name = part.get_filename() or ""
        if name.endswith("report.json") and checked.signed and _part_item(part) in checked.signed.items:
            said = json.loads(part.get_payload(decode=True))  # type: ignore[arg-type]
            found += [str(said["head"])] if said.get("game") == game else []
    return found


def safe(text: str) -> str:
    """Return a text of somebody else's as one line that cannot steer a terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text[:1000])


def say(text: str) -> None:
    print(safe(text))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Exception as error:  # files that are none can break anything
        sys.exit(safe(f"WRONG: this cannot be checked ({type(error).__name__}: {error})."))
