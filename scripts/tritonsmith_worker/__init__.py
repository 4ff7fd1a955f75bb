"""The worker of tritonsmith: answers requests about MLIR modules with one installation of Triton.

`fork_server` is where it starts: a parent process imports libtriton and forks children, of which one serves (`server`)
and one is warm and waits. The modules below them have one job each: `frames` and `printed` keep the protocol apart from
what Triton prints, `installation`, `bindings` and `backends` know what was found of Triton, `modules` reads and prints
IR, `recording`, `pass_texts` and `matching` find out which passes there are and what they are called, `runs` runs them,
`rest` calls what a stage does beside them, `probe` tells what an installation offers, and `kernels` turns Python source
into modules.

It imports the standard library of CPython 3.9 to 3.13 and Triton, nothing else. src/compiler/protocol.rs describes
requests and answers.
"""
