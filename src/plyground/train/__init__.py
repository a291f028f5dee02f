"""Training nets by self-play, on threads here or on a cluster."""
