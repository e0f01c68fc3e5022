"""pbem.toml: every slip is named, with the file and what would be right."""

from pathlib import Path

import pytest

from pbem import config
from pbem.errors import Trouble


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pbem.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_init_writes_says_the_defaults(tmp_path: Path) -> None:
    full = config.load(written(tmp_path, config.TEMPLATE.format(zone="UTC")))
    assert full == config.load(written(tmp_path, ""))
    assert full.ledger == tmp_path / "ledger.db"
    assert full.processes >= 1


def test_a_mark_of_the_encoding_is_no_slip(tmp_path: Path) -> None:
    """Seen red: an editor had set it, and line 1, column 1 was called invalid."""
    path = written(tmp_path, "\ufeff[host]\nname = 'hill'\n")
    assert config.load(path).host == "hill"


def test_a_schedule_without_a_zone_is_in_the_hosts_zone(tmp_path: Path) -> None:
    text = '[host]\nzone = "Europe/Paris"\n[schedule]\ndefault = "all-in 06:00"\n'
    assert str(config.load(written(tmp_path, text)).schedule) == "all-in 06:00 Europe/Paris think=6h"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[hots]", "did you mean host"),
        ('[host]\nadress = "x"', "did you mean address"),
        ("[night]\njobs = 'two'", "whole number"),
        ("[night]\njobs = true", "whole number"),
        ("[night]\nseconds = 0", "at least 1"),
        ("host = 3", r"pbem.toml, line 1: host is a section; write \[host\]"),
        ("name = 3", r"line 1: name stands in no section; write one above it, such as \[host\]"),
        ("[[night]]", "line 1: night is a section"),
        ("[post]\ntell_hours = 99999999", "line 2: post.tell_hours must be at most 1000000"),
        ("[host]\n[night]\n# jobs\njobs = -3", "line 4: night.jobs must be at least 0"),
        ("[host]\n\n[nigth]", "line 3: there is no section .nigth.; did you mean night"),
        ("[night]\njbos = 1", "line 2: .night. has no key 'jbos'; did you mean jobs"),
        ("[post]\n'by' = 'stmp'", "line 2: post.by: 'stmp' is none of files"),
        ("[post]\nby = 'smtp'", "pbem.toml: post.smtp: it is missing"),
        ("[host]\nzone = Europe/Paris", "line 2, column 8.*A text stands in quotes"),
        ("[brakes]\nclock = '2 moons'", "line 2: brakes.clock: '2 moons' is no length of time"),
        ("[host", "cannot be read"),
        ('[host]\nzone = "Mars/Olympus"', "Mars/Olympus"),
    ],
)
def test_slips(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(Trouble, match=said):
        config.load(written(tmp_path, text))


def test_the_file_is_found_from_below_and_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "")
    below = tmp_path / "inbox" / "deep"
    below.mkdir(parents=True)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.chdir(below)
    assert config.find() == path
    assert config.find(str(tmp_path)) == path
    with pytest.raises(Trouble, match="pbem init"):
        config.find(str(tmp_path / "elsewhere.toml"))
