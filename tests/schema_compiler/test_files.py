"""What is written atomically is there whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from schema_compiler.files import replace_atomically


def test_a_file_takes_the_place_of_the_old_one_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "numbers.bin"
    path.write_bytes(b"old")
    with replace_atomically(path) as scratch:
        scratch.write_bytes(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with replace_atomically(path) as scratch:
        scratch.mkdir()
        (scratch / "config.json").write_text("{}")
        assert not path.exists()
    assert (path / "config.json").read_text() == "{}"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interruption_leaves_what_was_there(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "numbers.bin"
    path.write_bytes(b"old")

    def write_half() -> None:
        with replace_atomically(path) as scratch:
            scratch.write_bytes(b"half")
            raise error

    with pytest.raises(error):
        write_half()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replace_atomically(tmp_path / "nowhere" / "file"):
        pass


def test_a_block_that_writes_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replace_atomically(tmp_path / "file"):
        pass
    assert list(tmp_path.iterdir()) == []
