"""What `tritonsmith capture` does inside of somebody's program.

`sitecustomize` is the start-up hook that every Python process of the program finds; it stands in a directory with a zip
archive of this package, which it loads when Triton is imported. `wrapping` then wraps `triton.compile` and the stages
of backends; `compiles` says what is known about a compile, `pending` writes it down as a case, `cache` explains broken
entries of Triton's cache, and `events` tells src/capture what happened.

It changes nothing that the program can tell from its own behaviour: exceptions are the same objects, and nothing that
goes wrong in here reaches the program.
"""
