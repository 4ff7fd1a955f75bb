"""Where things are, and the archives as the binary carries them."""
from __future__ import annotations

import io
import os
import zipfile

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAKES = os.path.join(SCRIPTS, "tests", "fakes")


def archive(package: str) -> bytes:
    """A package packed as build.rs packs it."""
    data = io.BytesIO()
    directory = os.path.join(SCRIPTS, package)
    with zipfile.ZipFile(data, "w") as packed:
        for name in sorted(os.listdir(directory)):
            if name.endswith(".py"):
                packed.write(os.path.join(directory, name), f"{package}/{name}")
    return data.getvalue()


def source(package: str, name: str) -> str:
    with open(os.path.join(SCRIPTS, package, name), encoding="utf-8") as file:
        return file.read()
