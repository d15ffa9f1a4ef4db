"""``python -m sdk``: the command line."""

from __future__ import annotations

from sdk.cli import main

if __name__ == "__main__":
    main()
