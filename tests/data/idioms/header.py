from typing import NamedTuple
import collections
import functools
import itertools
import math
import operator

import helpers
from enum import IntEnum, Enum
from collections import deque
from itertools import chain, combinations, pairwise, permutations, product
from functools import reduce
from dataclasses import dataclass
from plyground.bits import bitreverse, bits, byteswap, highest, lowest, popcount, put, u64
class State(NamedTuple):
    cells: tuple[int, ...]
    n: int
PAIRS = ((0, 1), (2, 3), (1, 1), (4, 5), (5, 5))
LONG = (3, 1, 4, 1, 5, 9, 2, 6)
RAGGED = ((1, 2), (3, 4, 5), (6,))
SHORT = (1, 2, 3)
D = {0: 5, 1: 7, 2: 9}
class P(IntEnum):
    A = 2
    B = 3
class C(Enum):
    X = 1
    Y = 2
class K:
    TOP = 4

    class Inner:
        LOW = 6
