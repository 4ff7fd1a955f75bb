"""The child that serves: it reads requests, answers them, and leaves after a crash that was caught."""
from __future__ import annotations

import json
import os
import select
import sys
import traceback
from typing import Callable

from . import frames
from .frames import JsonObject, Refused
from .installation import Installation, describe
from .kernels import computed_constants, describe_kernel, front_end
from .matching import Pipelines
from .modules import Modules
from .pass_texts import PassTexts
from .printed import PrintedFile
from .probe import probe
from .processes import resident_bytes
from .progress import BUSY, IDLE, READING, WRITING, Progress
from .runs import Runner


class Server:
    """Answers requests in one child process."""

    def __init__(self, installation: Installation, texts: dict[str, str], parent: int,
                 progress: Progress, printed: PrintedFile) -> None:
        self.installation, self.progress, self.printed = installation, progress, printed
        self.modules = Modules(installation)
        self.texts = PassTexts(self.modules, printed, texts, parent)
        self.pipelines = Pipelines(self.modules, self.texts)
        self.runner = Runner(self.modules, self.pipelines, printed, progress)
        self.answers: dict[str, Callable[[JsonObject], JsonObject]] = {
            "hello": self.hello, "probe": self.probe, "pipeline": self.pipeline, "run": self.runner.run,
            "print": self.print, "verify": self.verify, "kernel": self.kernel, "front": self.front,
            "heuristics": self.heuristics,
        }
        self.warm_up()

    def warm_up(self) -> None:
        """A first pass manager: the first one of a process is not guarded against crashes in 3.3 and 3.4, every later
        one is."""
        manager = self.installation.pass_manager(self.modules.context)
        self.installation.bind("passes.common.add_cse")(manager)
        self.installation.run_manager(manager, self.modules.parse("module {\n}\n"))
        self.printed.cut()
        self.resident = resident_bytes()

    def hello(self, request: JsonObject) -> JsonObject:
        return {"python": sys.version.split()[0], "executable": sys.executable, "triton": self.installation.version,
                "backends": [name for name, _ in self.installation.backends],
                "pipeline_text": self.installation.has_pipeline_text, "library": self.installation.lib.__file__}

    def probe(self, request: JsonObject) -> JsonObject:
        return probe(self.modules, self.texts)

    def pipeline(self, request: JsonObject) -> JsonObject:
        return self.pipelines.recording(request["target"], request.get("options") or {}, request["stage"]).answer()

    def print(self, request: JsonObject) -> JsonObject:
        self.progress.at("parse")
        module, text = self.modules.parse(request["text"]), None
        if module is not None:
            self.progress.at("print")
            text = self.modules.show(module, bool(request.get("locations")))
        return {"text": text, "stderr": self.printed.text()}

    def verify(self, request: JsonObject) -> JsonObject:
        found = []
        for index, text in enumerate(request["texts"]):
            start = self.printed.size()
            self.progress.at("parse", index)
            valid = self.modules.parse(text) is not None
            found.append({"valid": valid, "stderr": self.printed.text(start)})
            self.modules.refresh_if_used_up()
        return {"results": found}

    def kernel(self, request: JsonObject) -> JsonObject:
        self.progress.at("resolve")
        return describe_kernel(self.modules, request)

    def heuristics(self, request: JsonObject) -> JsonObject:
        self.progress.at("resolve")
        return computed_constants(self.modules, request)

    def front(self, request: JsonObject) -> JsonObject:
        self.progress.at("resolve")
        return front_end(self.modules, request)

    def serve(self, protocol: int) -> None:
        """Answers requests until there are no more, or until this process is not to be used again."""
        while not self.runner.remains:
            self.progress.set(IDLE)
            self.modules.refresh_if_used_up()
            select.select([protocol], [], [])
            self.progress.set(READING)
            data = frames.read_frame(protocol)
            if data is None:
                os._exit(0)
            # From here on the stream is between frames again, so a death costs the request and not the worker.
            self.progress.set(BUSY)
            try:
                request = json.loads(data.decode())
                identity = int(request["id"])
            except (ValueError, KeyError, TypeError):
                request, identity = None, 0
            self.progress.set(BUSY, request=identity)
            # The other side's clock starts here, and it knows which process to watch.
            frames.write_frame(protocol, {"id": identity, "pid": os.getpid(), "resident": self.resident})
            self.printed.cut()
            reply = self.reply(request)
            self.progress.set(WRITING, request=identity)
            frames.write_frame(protocol, {"id": identity, **reply})
        self.progress.set(IDLE)

    def reply(self, request: JsonObject | None) -> JsonObject:
        try:
            if request is None:
                raise Refused("request", "the request is no JSON object with an id")
            if request.get("v") != frames.VERSION:
                raise Refused("request", f"this worker speaks version {frames.VERSION} of the protocol")
            answer = self.answers.get(request["do"])
            if answer is None:
                raise Refused("request", f"unknown request `{request['do']}`")
            return {"answer": answer(request)}
        except Refused as refusal:
            return {"refused": {"kind": refusal.kind, "message": str(refusal)}}
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{os.path.basename(where.filename)}, line {where.lineno}"
            return {"refused": {"kind": "internal", "message": f"{describe(error)} ({place})"}}
