"""Files and folders of a host: for its owner alone, or for the group of a folder that is shared by several users.

The listener, the reader of mails and the nightly run may be different users. They share the host's folder through its
group: `chgrp pbem FOLDER && chmod 2770 FOLDER`. What they make in it is the group's then, and nobody else's.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

OWNER_FILE, OWNER_FOLDER = 0o600, 0o700
GROUP_FILE, GROUP_FOLDER = 0o660, 0o2770


def is_shared(folder: Path) -> bool:
    """Return whether a folder is its group's: writable for it, and what is made in it belongs to it as well."""
    mode = folder.stat().st_mode
    return bool(mode & stat.S_ISGID and mode & stat.S_IWGRP)


def open_private(path: Path, flags: int) -> int:
    """Open a file, which is made where the flags say so: for its owner, in a shared folder for its group."""
    handle = os.open(path, flags, OWNER_FILE)
    found = os.fstat(handle)
    if flags & os.O_CREAT and not found.st_mode & 0o077 and found.st_uid == os.geteuid() and is_shared(path.parent):
        os.fchmod(handle, GROUP_FILE)  # whatever the umask says
    return handle


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they are missing: for its owner, or for the group."""
    if path.is_dir():
        return
    path.parent.mkdir(mode=OWNER_FOLDER, parents=True, exist_ok=True)
    shared = is_shared(path.parent)
    path.mkdir(mode=OWNER_FOLDER, exist_ok=True)
    if shared:
        path.chmod(GROUP_FOLDER)


def open_to_others(path: Path) -> bool:
    """Return whether more users can open a secret file than its folder is shared by."""
    mode = path.stat().st_mode
    return bool(mode & (0o007 if is_shared(path.parent) else 0o077))
