"""Results as Parquet tables: written schema, build from results zips, and what reads them."""
