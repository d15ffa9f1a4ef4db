"""Results as a page that shows where each value stands: one file, without scripts, which loads nothing."""

from __future__ import annotations

from sdk.report.report import fragment, page, write_report

__all__ = ["fragment", "page", "write_report"]
