"""Python to native code and to WebAssembly: the only package that knows Numba and LLVM."""
