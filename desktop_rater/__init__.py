"""Judge, offline and with evidence, whether what an AI wrote is true."""

__version__ = "0.1.0"
