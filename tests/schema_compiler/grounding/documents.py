"""Random documents: ten scripts, numbers and dates, controls, emoji, line breaks of all kinds."""

from __future__ import annotations

import random

__all__ = ["random_document"]

SCRIPTS = (
    "abcde XYZ éü",
    "αβγ ΔΣς",
    "где Ёж",
    "שלום",
    "سلام عليكم",
    "नमस्ते",
    "สวัสดี",
    "日本語カタひらー",
    "한국어각",
    "中文字",
    "ខ្មែរ",
)
SYMBOLS = ("👩‍👩‍👧", "🇲🇾🇸🇬", "👍🏽", "☎", "😀", "e\u0301", "n\u0303o", "\u0301", "\u200d", "\u200b", "\u200f", "\ufeff")
CONJUNCTS = ("क्ष", "ន្ទ")
BREAKS = ("\n", "\r\n", "\r", "\n\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", " \n ", "\t\r\n\r\n", "\x1c")
PUNCTUATION = (". ", ", ", ": ", "-", "/", "'", "’", "@", "&", "(", ")", "“", "”", "! ", "? ", "。", "…", '"', "\\")
CONTROLS = ("\x00", "\x01", "\x1f", "\x7f", "\u00a0", "\u3000", "\ue000", "\U0010ffff", "\ufffe")
FACTS = ("1,234.50", "12.5", "(5.00)", "-5", "15.90-", "RM 15.90", "$5", "2024-03-01", "01/02/2024", "1 March 2024")
MORE_FACTS = ("MAR 1, 2024", "01-Mar-24", "1.234,50", "1 234,50", "a.b@c.de", "CASH", "credit card", "17", "3", "10:30")


def random_document(source: random.Random, parts: int) -> str:
    """Some of everything, one part after another."""
    kinds = (SCRIPTS, (" ", "  "), BREAKS, PUNCTUATION, (*SYMBOLS, *CONJUNCTS), CONTROLS, FACTS, MORE_FACTS)
    chosen = []
    for _ in range(parts):
        (kind,) = source.choices(kinds, (8, 8, 4, 5, 2, 1, 3, 2))
        part = source.choice(kind)
        if kind is SCRIPTS:
            begin = source.randrange(len(part))
            part = part[begin : begin + source.randint(1, 4)]
        chosen.append(part)
    return "".join(chosen)
