"""Asks a hub for what a rater may not have; run in the world of the page on hubs. Prints method, path and status."""

import base64
import http.client
import ssl
import sys

HOST, ROOTS, USER, PASSWORD, *ASKED = sys.argv[1:]
BASIC = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()


def status(method: str, path: str) -> int:
    context = ssl.create_default_context(cafile=ROOTS)
    connection = http.client.HTTPSConnection(HOST, 443, timeout=20, context=context)
    headers = {"Authorization": f"Basic {BASIC}"}
    if method == "PROPFIND":
        headers["Depth"] = "1"
    elif method == "MOVE":
        path, _, target = path.partition(">")
        headers |= {"Destination": f"https://{HOST}{target}", "Overwrite": "F"}
    connection.request(method, path, b"x" if method == "PUT" else None, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


for one in ASKED:
    asked_method, _, asked_path = one.partition(" ")
    sys.stdout.write(f"{one} {status(asked_method, asked_path)}\n")
