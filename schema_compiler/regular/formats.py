r"""Named formats as languages of JSON strings: a table from names to regular expressions.

Formats of JSON Schema follow the standard it names. Where a standard admits endless or doubtful texts, the language
here is a part of it that every checker accepts: at most 15 digits of a second's fraction (3 of a leap second, and those
at offsets of whole and half hours), years 0001 to 9999, at most nine digits in each part of a duration. Formats that
are not regular or not settled (``regex``, ``idn-hostname``) are not known here: a schema that asks for them is checked
afterwards.

Names that begin with ``python-`` are the texts that Pydantic reads into the Python type of that name, with every text
it writes among them: ``python-datetime`` allows a missing offset, ``python-timedelta`` mixes weeks with days. Example::

    format_string("date").accepts(b'"2024-02-29"')          # and not "2023-02-29"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from schema_compiler.errors import UnsupportedSchemaError
from schema_compiler.regular.automata.dfa import Dfa
from schema_compiler.regular.automata.operations import union
from schema_compiler.regular.regex.language import regex_string
from schema_compiler.regular.text.json_strings import any_string

__all__ = [
    "FORMATS",
    "IPV4",
    "IRREGULAR",
    "PARTLY_CHECKED",
    "PORT",
    "STANDARD_FORMATS",
    "format_string",
    "max_length",
]

# The regular expressions below are in the dialect of ECMA-262, whose `\d` is a digit of ASCII.

# calendar
_LEAP_YEAR = r"(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_DAY = (
    r"(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
    r"|02-(?:0[1-9]|1\d|2[0-8]))"
)
_DATE = rf"(?!0000)(?:\d{{4}}-{_DAY}|{_LEAP_YEAR}-02-29)"
_MINUTE = r"(?:[01]\d|2[0-3]):[0-5]\d"
_OFFSET = rf"[+-]{_MINUTE}"
_FRACTION = r"(?:\.\d{1,15})?"


def _leap_seconds() -> str:
    """The times that are 23:59:60 in UTC, for offsets of whole and half hours."""
    zones: dict[int, list[str]] = {}
    for offset in range(0, 24 * 60, 30):
        for sign, direction in (("+", 1), ("-", -1)):
            local = (23 * 60 + 59 + direction * offset) % (24 * 60)
            zones.setdefault(local, []).append(rf"\{sign}{offset // 60:02}:{offset % 60:02}")
    zones[23 * 60 + 59].append("[Zz]")
    texts = ((f"{local // 60:02}:{local % 60:02}", "|".join(offsets)) for local, offsets in zones.items())
    return "|".join(rf"{minute}:60(?:\.\d{{1,3}})?(?:{offset})" for minute, offset in texts)


_TIME = rf"(?:{_MINUTE}:[0-5]\d{_FRACTION}(?:[Zz]|{_OFFSET})|{_leap_seconds()})"
_DURATION = (
    r"P(?:\d{1,9}W|(?=[\dT])(?:\d{1,9}Y(?:\d{1,9}M(?:\d{1,9}D)?)?|\d{1,9}M(?:\d{1,9}D)?|\d{1,9}D)?"
    r"(?:T(?:\d{1,9}H(?:\d{1,9}M(?:\d{1,9}S)?)?|\d{1,9}M(?:\d{1,9}S)?|\d{1,9}S))?)"
)
_PYTHON_TIME = rf"{_MINUTE}:[0-5]\d(?:\.\d{{1,6}})?"
_PYTHON_OFFSET = rf"(?:Z|{_OFFSET})"
_PYTHON_TIMEDELTA = (
    r"-?P(?=[\dT])(?:(?:1?\d{1,6}|2[0-6]\d{5})Y)?(?:\d{1,4}M)?(?:\d{1,4}W)?(?:\d{1,5}D)?"
    r"(?:T(?=\d)(?:\d{1,5}H)?(?:\d{1,5}M)?(?:\d{1,6}(?:\.\d{1,6})?S)?)?"
)

# internet
_IPV4_PART = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"(?:{_IPV4_PART}\.){{3}}{_IPV4_PART}"
"""An IPv4 address (``IPv4address`` of RFC 3986), as a regular expression of the same meaning in all dialects."""
PORT = "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
"""A port, 1 to 65535, as a regular expression of the same meaning in all dialects."""
_HEX_GROUP = r"[0-9A-Fa-f]{1,4}"
_LAST_32_BITS = rf"(?:{_HEX_GROUP}:{_HEX_GROUP}|{IPV4})"


def _compressed_ipv6(before: int, after: int, last: str) -> str:
    """At most ``before`` groups, ``::``, exactly ``after`` groups, then ``last``."""
    groups = rf"(?:(?:{_HEX_GROUP}:){{0,{before - 1}}}{_HEX_GROUP})?" if before else ""
    return rf"{groups}::(?:{_HEX_GROUP}:){{{after}}}{last}"


_IPV6_FORMS = (
    rf"(?:{_HEX_GROUP}:){{6}}{_LAST_32_BITS}",
    *(_compressed_ipv6(before, 5 - before, _LAST_32_BITS) for before in range(6)),
    _compressed_ipv6(6, 0, _HEX_GROUP),
    _compressed_ipv6(7, 0, ""),
)
_IPV6 = rf"(?:{'|'.join(_IPV6_FORMS)})"


def _group_ending_in_zeros(bits: int) -> str:
    """The hexadecimal groups whose last ``bits`` bits (of 16) are zero."""
    zeros, rest = divmod(bits, 4)
    digits = "".join(f"{digit:x}{digit:X}" for digit in range(0, 16, 1 << rest))
    return rf"(?:[0-9A-Fa-f]{{0,{3 - zeros}}}[{digits}]0{{{zeros}}}|0{{1,4}})" if bits < 16 else "0{1,4}"


def _ipv4_network() -> str:
    """An address, alone or with a prefix length beyond which all its bits are zero."""
    forms = [IPV4]
    for prefix in range(33):
        whole, rest = divmod(prefix, 8)
        parts = [_IPV4_PART] * whole
        if rest:
            parts.append("(?:" + "|".join(map(str, range(0, 256, 1 << 8 - rest))) + ")")
        forms.append(r"\.".join([*parts, *["0"] * (4 - len(parts))]) + f"/{prefix}")
    return "|".join(forms)


def _ipv6_network() -> str:
    """An address, alone or with ``/128``, or leading groups and ``::`` with a prefix length that covers them."""
    forms = [rf"{_IPV6}(?:/128)?", "::/0"]
    for prefix in range(1, 113):
        whole, rest = divmod(prefix, 16)
        last = [_group_ending_in_zeros(16 - rest)] if rest else []
        forms.append(":".join([_HEX_GROUP] * whole + last) + f"::/{prefix}")
    return "|".join(forms)


def _label(beginning: str = "") -> str:
    """A label of a host's name: at most 63 characters, no hyphen at its ends, none both third and fourth (RFC 5891).

    ``beginning``: an alternative for the first four characters, of a label of five or more.
    """
    one, any_ = "[A-Za-z0-9]", "[A-Za-z0-9-]"
    four = rf"{one}{any_}(?:{one}{any_}|-{one})"
    return rf"(?:{one}(?:{any_}?{one}|{any_}(?:{one}|-){one})?|(?:{four}{beginning}){any_}{{0,58}}{one})"


_LABEL = _label()
_HOST_LABEL = _label("|[Xx][Nn]--(?=[A-Za-z0-9])")
_HOSTNAME = rf"{_HOST_LABEL}(?:\.{_HOST_LABEL})*"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_DOT_ATOM = rf"{_ATOM}(?:\.{_ATOM})*"
_QUOTED_LOCAL = r'"(?:[ !#-\[\]-~]|\\[ -~])*"'
_ADDRESS_LITERAL = rf"\[(?:{IPV4}|IPv6:{_IPV6})\]"
_RESERVED_DOMAIN = r"(?:[^@]*\.)?(?:arpa|example|invalid|local|localhost|onion|test)$"
_PYTHON_EMAIL = (
    rf"(?=[^@]{{1,64}}@){_DOT_ATOM}@(?!(?i:{_RESERVED_DOMAIN}))(?:{_LABEL}\.)+[A-Za-z][A-Za-z0-9]{{0,14}}[A-Za-z]"
)

# identifiers: RFC 3986, RFC 3987 (with more characters), RFC 6570
_UCS = (
    r"\u{A0}-\u{D7FF}\u{F900}-\u{FDCF}\u{FDF0}-\u{FFEF}"
    + "".join(rf"\u{{{plane:X}0000}}-\u{{{plane:X}FFFD}}" for plane in range(1, 14))
    + r"\u{E1000}-\u{EFFFD}"
)
_PRIVATE = r"\u{E000}-\u{F8FF}\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}"
_PERCENT = "%[0-9A-Fa-f]{2}"


def _identifier(*, more: str = "", private: str = "", relative: bool = False) -> str:
    """A URI; with ``more`` unreserved characters and ``private`` ones in the query an IRI."""
    plain = rf"A-Za-z0-9\-._~{more}!$&'()*+,;="
    char = rf"(?:[{plain}:@]|{_PERCENT})"
    future = rf"[vV][0-9A-Fa-f]+\.[{plain}:]+"
    host = rf"(?:\[(?:{_IPV6}|{future})\]|(?:[{plain}]|{_PERCENT})*)"
    authority = rf"(?:(?:[{plain}:]|{_PERCENT})*@)?{host}(?::\d*)?"
    slashed = rf"(?:/{char}*)*"
    rooted = rf"//{authority}{slashed}|/(?:{char}+{slashed})?"
    scheme = r"[A-Za-z][A-Za-z0-9+.\-]*:"
    path = rf"{scheme}(?:{rooted}|{char}+{slashed}|)"
    if relative:
        path = rf"(?:{scheme})?(?:{rooted})?|(?:{scheme}{char}+|(?:[{plain}@]|{_PERCENT})+){slashed}"
    return rf"(?:{path})(?:\?(?:[{plain}:@/?{private}]|{_PERCENT})*)?(?:#(?:[{plain}:@/?]|{_PERCENT})*)?"


_VARIABLE = rf"(?:\w|{_PERCENT})(?:\.?(?:\w|{_PERCENT}))*(?::[1-9]\d{{0,3}}|\*)?"
_URI_TEMPLATE = (
    rf"(?:[!#$&-;=?-\[\]_a-z~{_UCS}{_PRIVATE}]|{_PERCENT}|\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\}})*"
)
_JSON_POINTER = "(?:/(?:[^~/]|~[01])*)*"
_WEB_ADDRESS = (
    rf"https?://(?:(?:{_LABEL}\.)*[A-Za-z]{{1,15}}|{IPV4}|\[{_IPV6}\])(?::{PORT})?(?:/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|{_PERCENT})*)?"
    rf"(?:\?(?:[A-Za-z0-9\-._~!$&()*+,;=:@/?]|{_PERCENT})*)?(?:#(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|{_PERCENT})*)?"
)


def _base64(two: str) -> str:
    """Base64 with padding; ``two``: the last two characters of the alphabet."""
    char = rf"[A-Za-z0-9{two}]"
    return rf"(?:{char}{{4}})*(?:{char}[AQgw]==|{char}{{2}}[AEIMQUYcgkosw048]=)?"


def _uuid(version: str = r"[0-9A-Fa-f]", variant: str = r"[0-9A-Fa-f]") -> str:
    """A UUID whose digits for the version and the variant match these."""
    return rf"[0-9A-Fa-f]{{8}}-[0-9A-Fa-f]{{4}}-{version}[0-9A-Fa-f]{{3}}-{variant}[0-9A-Fa-f]{{3}}-[0-9A-Fa-f]{{12}}"


_REGEXES: Mapping[str, str] = {
    "base64": _base64("+/"),
    "base64url": _base64("_-"),
    "byte": _base64("+/"),
    "date": _DATE,
    "date-time": rf"{_DATE}[Tt]{_TIME}",
    "duration": _DURATION,
    "email": rf"(?:{_DOT_ATOM}|{_QUOTED_LOCAL})@(?:{_HOSTNAME}|{_ADDRESS_LITERAL})",
    "hostname": _HOSTNAME,
    "ipv4": IPV4,
    "ipv4interface": rf"{IPV4}(?:/(?:3[0-2]|[12]?\d))?",
    "ipv4network": _ipv4_network(),
    "ipv6": _IPV6,
    "ipv6interface": rf"{_IPV6}(?:/(?:12[0-8]|1[01]\d|[1-9]?\d))?",
    "ipv6network": _ipv6_network(),
    "iri": _identifier(more=_UCS, private=_PRIVATE),
    "iri-reference": _identifier(more=_UCS, private=_PRIVATE, relative=True),
    "json-pointer": _JSON_POINTER,
    "python-aware-datetime": rf"{_DATE}T{_PYTHON_TIME}{_PYTHON_OFFSET}",
    "python-datetime": rf"{_DATE}T{_PYTHON_TIME}{_PYTHON_OFFSET}?",
    "python-email": _PYTHON_EMAIL,
    "python-naive-datetime": rf"{_DATE}T{_PYTHON_TIME}",
    "python-time": rf"{_PYTHON_TIME}{_PYTHON_OFFSET}?",
    "python-timedelta": _PYTHON_TIMEDELTA,
    "python-url": _WEB_ADDRESS,
    "python-uuid": _uuid(),
    **{f"python-uuid{version}": _uuid(str(version), "[89ABab]") for version in range(1, 9)},
    "relative-json-pointer": rf"(?:0|[1-9]\d*)(?:#|{_JSON_POINTER})",
    "time": _TIME,
    "uri": _identifier(),
    "uri-reference": _identifier(relative=True),
    "uri-template": _URI_TEMPLATE,
    "uuid": _uuid(),
}
"""What each format matches from the first character to the last."""
_ANY_TEXT = frozenset({"binary", "password", "path"})
"""Formats that say how a text is meant, and admit all."""
_EITHER: Mapping[str, tuple[str, str]] = {
    "ipvanyaddress": ("ipv4", "ipv6"),
    "ipvanyinterface": ("ipv4interface", "ipv6interface"),
    "ipvanynetwork": ("ipv4network", "ipv6network"),
}
"""Formats that are the union of two others."""
_MAX_LENGTHS: Mapping[str, int] = {"hostname": 253, "email": 254, "python-email": 254, "python-url": 2083}
"""The most characters: RFC 1035, section 2.3.4; RFC 5321 with erratum 1690; the limits of Pydantic's types.

They are left to a counter, which needs no states.
"""

FORMATS = frozenset({*_REGEXES, *_ANY_TEXT, *_EITHER})
"""The names of all formats that have a language here."""
STANDARD_FORMATS = FORMATS & {
    *("date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri"),
    *("iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer"),
}
"""The formats of JSON Schema 2020-12 (Validation, section 7.3) that have a language here."""
IRREGULAR = frozenset({"idn-email", "idn-hostname", "regex"})
"""The formats of that section that have none: they are not regular, or not settled."""
PARTLY_CHECKED: Mapping[str, str] = {
    "hostname": "whether a label that begins with xn-- decodes is checked afterwards",
    "email": "whether a label of the domain that begins with xn-- decodes is checked afterwards",
}
"""Formats whose language admits more than the standard, and what is therefore checked afterwards."""


def max_length(name: str) -> int | None:
    """The most code points the format allows, where its language leaves that to a counter."""
    return _MAX_LENGTHS.get(name)


@cache
def format_string(name: str) -> Dfa:
    """The JSON strings, with quotes, of a format in ``FORMATS``; ``UnsupportedSchemaError`` for any other name."""
    if name in _ANY_TEXT:
        return any_string()
    if name in _EITHER:
        return union(*map(format_string, _EITHER[name]))
    if name not in _REGEXES:
        raise UnsupportedSchemaError(f"format {name!r} is not known: expected one of {', '.join(sorted(FORMATS))}")
    return regex_string(_REGEXES[name])
