from types import SimpleNamespace

from .compiler import FakeBackend

backends = {"fake": SimpleNamespace(compiler=FakeBackend)}
