"""Python to native code: the only room that knows Numba and LLVM."""
