"""Turns titles into URL parts."""

import unicodedata

LIMIT = 80
SPECIAL = {"ß": "ss", "æ": "ae", "ø": "o", "đ": "d", "ł": "l", "&": " and ", "@": " at "}


def slugify(title: str, taken: frozenset[str] = frozenset()) -> str:
    text = title.strip().lower()
    for old, new in SPECIAL.items():
        text = text.replace(old, new)
    text = unicodedata.normalize("NFKD", text)
    kept = []
    for char in text:
        if char.isascii() and char.isalnum():
            kept.append(char)
        elif unicodedata.category(char) == "Mn":
            continue
        elif kept and kept[-1] != "-":
            kept.append("-")
    slug = "".join(kept).strip("-")[:LIMIT].rstrip("-") or "untitled"
    return unused(slug, taken)


def unused(slug: str, taken: frozenset[str]) -> str:
    if slug not in taken:
        return slug
    number = 2
    while f"{slug}-{number}" in taken:
        number += 1
    return f"{slug}-{number}"
