"""Whose certificates count."""

from __future__ import annotations

import ssl

import certifi


def trust(more: str = "") -> ssl.SSLContext:
    """The roots that browsers know, those of this computer, and those of the PEM file `more`.

    A company that looks into the traffic of its laptops has its own root among those of the computer.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # checks the certificate and the name
    context.load_verify_locations(certifi.where())
    context.load_default_certs()
    if more:
        context.load_verify_locations(more)
    return context
