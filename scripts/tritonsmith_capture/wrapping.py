"""`triton.compile` and the stages of every backend that it makes, wrapped."""
from __future__ import annotations

import functools
import sys
from typing import Any, Callable

from .cache import report
from .compiles import Compile, running
from .events import event, quietly
from .pending import Pending


def wrapped_stage(stage: str, function: Callable[..., Any], backend: Any, options: Any,
                  language: str | None) -> Callable[..., Any]:
    begin = quietly(Pending)

    def run(module: Any, *args: Any, **named: Any) -> Any:
        pending = begin(stage, module, backend, options, language)
        try:
            result = function(module, *args, **named)
        except Exception as error:
            if pending:
                quietly(pending.failed)(error)
            if running.stack:
                running.stack[-1].reported = True
            raise
        except BaseException:
            if pending:
                quietly(pending.done)()
            raise
        if pending:
            quietly(pending.done)()
        return result

    return run


def wrapped_backend(backend: Any) -> Any:
    add_stages = backend.add_stages

    def add(stages: dict[str, Any], options: Any, *args: Any, **named: Any) -> Any:
        result = add_stages(stages, options, *args, **named)
        language = next((word.name.lower() for word in [*args, *named.values()] if hasattr(word, "name")), None)
        for name, function in list(stages.items()):
            stages[name] = wrapped_stage(name, function, backend, options, language)
        return result

    backend.add_stages = add
    return backend


@quietly
def patch_compiler(module: Any) -> None:
    """Wraps what the module triton.compiler.compiler offers."""
    make_backend, compile_kernel = module.make_backend, module.compile

    @functools.wraps(make_backend)
    def make(*args: Any, **named: Any) -> Any:
        backend = make_backend(*args, **named)
        return quietly(wrapped_backend)(backend) or backend

    @functools.wraps(compile_kernel)
    def compile_and_watch(*args: Any, **named: Any) -> Any:
        compiling = Compile(args[0] if args else named.get("src"))
        running.stack.append(compiling)
        try:
            return compile_kernel(*args, **named)
        except Exception as error:
            if not compiling.reported:
                report(compiling, error)
            raise
        finally:
            running.stack.pop()

    module.make_backend, module.compile = make, compile_and_watch
    triton = sys.modules.get("triton")
    event(event="loaded", triton=getattr(triton, "__version__", None), python=sys.executable)
