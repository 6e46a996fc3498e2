"""The content of bundles, results and signatures as frozen structs; their zips, read as untrusted, written the same."""
