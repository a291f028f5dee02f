"""The techniques of the search, a bit each: what each is, in a sentence."""

# The exact ones never change the value of a search to a fixed depth.
USE_TABLE = 1  # what was found about a state before cuts here too
USE_PVS = 2  # once a best move is found, the others only have to be shown worse: a null window
USE_ORDER = 4  # the game's own hint on what to try first
USE_KILLERS = 8  # what refuted a sibling is tried early
USE_HISTORY = 16  # what has cut often, anywhere, is tried early
USE_DISTANCE = 32  # a win already found nearer to the root makes longer ones not worth a look
USE_SYMMETRY = 64  # positions that mirror each other share an entry
EXACT_OPTIONS = 127
USE_QUIET = 128  # at the horizon, loud moves are played out until the position is quiet
USE_NULL = 256  # a position so good that even passing holds beta is not searched in full
USE_REDUCTIONS = 512  # late moves are searched less deep first
USE_INTERNAL = 1024  # a node without a known best move is searched a ply less deep
USE_EXTENSIONS = 2048  # forced replies do not count as depth
USE_DEEPER = 4096  # an entry of a deeper search is believed too
USE_REPLIES = 8192  # where the game knows that only some replies matter, only these are searched
HASH_EVALUATE = 1 << 14  # for tests: a hash of the state, with many ties, instead of the game's evaluate
USE_LIKELY = 1 << 15  # where the game knows which moves are worth a search, no others are searched
USE_PROOFS = 1 << 16  # only entries without any estimate cut: for a search whose answer must be exact
