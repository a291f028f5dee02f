"""Python to native code and to WebAssembly: the only room that knows Numba and LLVM."""
