"""The engine's search. Here: its options, one bit per technique."""

# The first seven, EXACT_OPTIONS, never change the value of a search to a fixed depth.
USE_TABLE = 1  # an earlier result for the same state can cut here
USE_PVS = 2  # once a best move is found, a null window shows that the others are worse
USE_ORDER = 4  # the game's own hint on what to try first
USE_KILLERS = 8  # a move that refuted a sibling is tried early
USE_HISTORY = 16  # a move that has often caused cutoffs anywhere is tried early
USE_DISTANCE = 32  # a faster win already found makes slower ones not worth searching
USE_SYMMETRY = 64  # symmetric positions share an entry
EXACT_OPTIONS = 127
USE_QUIET = 128  # at the horizon, loud moves are played out until the position is quiet
USE_NULL = 256  # a position so good that even a pass fails high is not searched in full
USE_REDUCTIONS = 512  # late moves are first searched less deeply; in games of chance instead, unlikely outcomes are
USE_INTERNAL = 1024  # a node without a hash move is searched one ply less deeply
USE_EXTENSIONS = 2048  # forced replies do not count as depth
USE_DEEPER = 4096  # entries from deeper searches are trusted too
USE_REPLIES = 8192  # if the game says that only some replies matter, only these are searched
HASH_EVALUATE = 1 << 14  # for tests: a hash of the state, with many ties, instead of the game's evaluate
USE_LIKELY = 1 << 15  # if the game says which moves are worth searching, only these are searched
USE_PROOFS = 1 << 16  # only entries free of estimates cut: for a search whose answer must be exact
USE_ROLLOUTS = 1 << 17  # if the game has no evaluation, random games evaluate the leaves; otherwise they are worth 0
USE_LOOKOUT = 1 << 18  # with random games, a deeper search without them comes first: forced wins that it has proven cut
LOOKS_OUT = 1 << 19  # set while that search is running
USE_REVERSE_FUTILITY = 1 << 20  # a node so far above beta that a shallow search hardly ever ends below it is not searched
USE_FUTILITY = 1 << 21  # if a node is so far below alpha that it hardly ever ends above it, its quiet moves are not searched
MEASURE = 1 << 22  # count how often both are so: `engine/futility.py` derives the margins from the counts
USE_THREATS = 1 << 23  # wins by continuous threats, of either side, are proven before the search
