"""Games that were kept: a database, and the notations of the field."""
