"""The field's protocols, one file each: our engine in other programs, and their engines as players of ours."""
