"""Realistic models to measure with: what people extract, by the shapes that compilers find easy or hard."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

__all__ = ["MODELS"]


class Currency(StrEnum):
    """ISO 4217, a few."""

    EUR = "EUR"
    USD = "USD"
    GBP = "GBP"
    JPY = "JPY"


class LineItem(BaseModel):
    """A line of an invoice."""

    description: str = Field(min_length=1, max_length=200)
    quantity: int = Field(ge=1, le=10_000)
    unit_price: Decimal = Field(ge=0, max_digits=10, decimal_places=2)


class Invoice(BaseModel):
    """Bounded numbers and strings, a pattern, dates, a list of objects."""

    number: str = Field(pattern=r"^INV-\d{4}-\d{1,6}$")
    issued: date
    due: date | None = None
    seller: str
    buyer: str
    currency: Currency
    items: list[LineItem] = Field(min_length=1)
    tax_rate: float = Field(ge=0, le=1)
    total: Decimal = Field(ge=0, max_digits=12, decimal_places=2)
    paid: bool = False


class Address(BaseModel):
    """A postal address."""

    street: str
    city: str
    postal_code: str = Field(pattern=r"^[A-Z0-9][A-Z0-9 -]{2,9}$")
    country: str = Field(min_length=2, max_length=2)
    kind: Literal["home", "work", "billing"] = "home"


class Person(BaseModel):
    """Optional fields and a nested list."""

    name: str
    birth_date: date | None = None
    email: str | None = None
    age: int | None = Field(default=None, ge=0, le=150)
    addresses: list[Address] = Field(default_factory=list, max_length=10)
    tags: set[str] = Field(default_factory=set)


class Size(StrEnum):
    """Sizes of clothes."""

    S = "small"
    M = "medium"
    L = "large"
    XL = "extra large"


class Clothing(BaseModel):
    """One member of the catalogue's union."""

    kind: Literal["clothing"]
    sku: str = Field(pattern=r"^[A-Z]{3}\d{5}$")
    sizes: list[Size]
    material: str
    price: float = Field(gt=0)


class Electronics(BaseModel):
    """One member of the catalogue's union."""

    kind: Literal["electronics"]
    sku: str = Field(pattern=r"^[A-Z]{3}\d{5}$")
    voltage: Literal[110, 230] | None = None
    ports: dict[str, int]
    price: float = Field(gt=0)


class Book(BaseModel):
    """One member of the catalogue's union."""

    kind: Literal["book"]
    isbn: str = Field(pattern=r"^97[89]-?\d{10}$")
    authors: list[str] = Field(min_length=1)
    pages: int = Field(gt=0)
    price: float = Field(gt=0)


class Catalogue(BaseModel):
    """A discriminated union, enums, literals, a dictionary."""

    shop: str
    products: list[Annotated[Clothing | Electronics | Book, Field(discriminator="kind")]]


class Event(BaseModel):
    """Dates with times, durations, identifiers."""

    id: UUID
    title: str = Field(min_length=3, max_length=120)
    start: datetime
    end: datetime
    reminder: timedelta | None = None
    attendees: list[str] = Field(default_factory=list, max_length=50)
    status: Literal["tentative", "confirmed", "cancelled"]


class Comment(BaseModel):
    """A recursive model."""

    author: str
    text: str
    likes: int = Field(ge=0)
    replies: list[Comment] = Field(default_factory=list)


class Article(BaseModel):
    """Flat, open to extra fields."""

    model_config = {"extra": "allow"}
    headline: str
    published: date
    language: Literal["en", "de", "fr", "es"]
    topics: list[str] = Field(max_length=5)


class Measurement(BaseModel):
    """Numbers with bounds."""

    sensor: Annotated[int, Field(ge=1, le=65_535)]
    celsius: float = Field(ge=-90, le=60)
    humidity: int = Field(ge=0, le=100, multiple_of=5)
    samples: list[float] = Field(min_length=1, max_length=1000)


class Answer(BaseModel):
    """The smallest useful model."""

    reasoning: str
    verdict: Literal["yes", "no", "unclear"]


class Step(BaseModel):
    """A tool call in a plan."""

    tool: Literal["search", "calculate", "write"]
    arguments: dict[str, str | int | float | bool | None]
    depends_on: list[int] = Field(default_factory=list)


class Plan(BaseModel):
    """Unions of scalars as dictionary values."""

    goal: str
    steps: list[Step] = Field(min_length=1, max_length=20)


class Job(BaseModel):
    """Many optional fields, of which any subset may be present."""

    title: str
    company: str | None = None
    location: str | None = None
    remote: bool | None = None
    salary_min: int | None = Field(default=None, ge=0)
    salary_max: int | None = Field(default=None, ge=0)
    currency: Currency | None = None
    skills: list[str] | None = None
    seniority: Literal["junior", "senior", "lead"] | None = None
    posted: date | None = None


MODELS: Mapping[str, tuple[Any, str]] = MappingProxyType(
    {
        "invoice": (
            Invoice,
            '{"number": "INV-2024-118", "issued": "2024-03-03", "seller": "Ace Books", "buyer": "Ann Lee", '
            '"currency": "EUR", "items": [{"description": "Atlas, second hand", "quantity": 2, "unit_price": 19.5}, '
            '{"description": "Postage", "quantity": 1, "unit_price": 4.9}], "tax_rate": 0.07, "total": 46.97}',
        ),
        "person": (
            Person,
            '{"name": "José Ñuñez", "birth_date": "1980-02-29", "email": null, "age": 44, "addresses": [{"street": '
            '"12 High Street", "city": "York", "postal_code": "YO1 7HT", "country": "GB", "kind": "work"}], '
            '"tags": ["lead", "vip"]}',
        ),
        "catalogue": (
            Catalogue,
            '{"shop": "Corner", "products": [{"kind": "clothing", "sku": "TSH00042", "sizes": ["small", "extra large"'
            '], "material": "cotton", "price": 14.99}, {"kind": "electronics", "sku": "HUB00007", "voltage": 230, '
            '"ports": {"usb-c": 3, "hdmi": 1}, "price": 39.0}, {"kind": "book", "isbn": "978-0140449136", '
            '"authors": ["Homer"], "pages": 541, "price": 9.5}]}',
        ),
        "event": (
            Event,
            '{"id": "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "title": "Planning", "start": "2024-05-01T09:30:00Z", '
            '"end": "2024-05-01T10:15:00+02:00", "reminder": "PT15M", "attendees": ["Ann", "Bo"], '
            '"status": "confirmed"}',
        ),
        "comment": (
            Comment,
            '{"author": "ann", "text": "First!", "likes": 3, "replies": [{"author": "bo", "text": "No, I was.", '
            '"likes": 0, "replies": [{"author": "cy", "text": "\\"Sure\\"", "likes": 12}]}]}',
        ),
        "article": (
            Article,
            '{"headline": "Rain expected", "published": "2023-11-05", "language": "en", "topics": ["weather", "york"], '
            '"editor": "Kim"}',
        ),
        "measurement": (
            Measurement,
            '{"sensor": 4711, "celsius": -12.75, "humidity": 85, "samples": [0.1, 2.5, -3, 1e-05, 12.125]}',
        ),
        "answer": (Answer, '{"reasoning": "The receipt names no date at all.", "verdict": "unclear"}'),
        "plan": (
            Plan,
            '{"goal": "Find the cheapest flight", "steps": [{"tool": "search", "arguments": {"query": "York to Oslo", '
            '"limit": 5, "direct": true}}, {"tool": "calculate", "arguments": {"rate": 1.17}, "depends_on": [0]}]}',
        ),
        "job": (
            Job,
            '{"title": "Engineer", "location": "Berlin", "remote": true, "salary_min": 70000, "currency": "EUR", '
            '"skills": ["python", "numpy"], "posted": "2024-01-15"}',
        ),
    }
)
"""Ten models by name, each with a document it admits. The first five are those whose compile time is measured."""
