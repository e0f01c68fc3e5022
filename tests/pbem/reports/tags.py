"""The tags of a page, as a parser that is not ours reads them."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {
    "meta",
    "br",
    "hr",
    "img",
    "input",
    "link",
    "circle",
    "rect",
    "line",
    "path",
    "polygon",
    "polyline",
    "ellipse",
    "use",
}


class Tags(HTMLParser):
    """What a page is built of: tags with their attributes, comments and declarations, but none of its words."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, ...]] = []
        self.open: list[str] = []
        self.crossed: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(f"{name}={value}" if name != "href" else name for name, value in attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}",))
        if not self.open or self.open.pop() != tag:
            self.crossed.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.found.append(("comment", data))

    def handle_decl(self, decl: str) -> None:
        self.found.append(("declaration", decl))

    def handle_pi(self, data: str) -> None:
        self.found.append(("instruction", data))

    def unknown_decl(self, data: str) -> None:
        self.found.append(("unknown", data))


def tags(page: str) -> list[tuple[str, ...]]:
    return Tags(page).found
