"""Hubs: what every one of them promises, tried on servers that teams really have."""
