"""Python to native code: the only package that knows Numba and LLVM."""
