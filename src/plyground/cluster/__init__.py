"""Work on other machines: a Dask cluster, and games that travel there as text."""
