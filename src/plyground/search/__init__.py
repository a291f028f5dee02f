"""Native kernels: plain functions over numbers and addresses, compiled together with the rules of one game."""
