"""Bundle and results zips: read as untrusted input, and written reproducibly."""
