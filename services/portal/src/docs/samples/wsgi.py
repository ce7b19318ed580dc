# pip install requests
from concurrent.futures import ThreadPoolExecutor, TimeoutError

import requests

lookups = ThreadPoolExecutor()


def locate(visitor):
    """The location of a visitor; empty if the lookup fails."""
    if not visitor:  # A Unix socket: the visitor is known only to the proxy.
        return {}
    lookup = lookups.submit(
        requests.get,
        "https://geo.example.com/v1/geo",
        headers={"Authorization": "Bearer YOUR_KEY", "X-Forwarded-For": visitor},
        timeout=0.5,
    )
    try:
        # The timeout of requests is for each read; this one is for the whole lookup.
        response = lookup.result(timeout=0.5)
        body = response.json()
    except (requests.RequestException, TimeoutError):
        return {}
    if "error" in body:
        print(body["error"]["message"], body["error"]["docs"])
        return {}
    if "X-Forwarded-For" not in response.headers.get("Vary", ""):
        print("This key can't forward visitors. Issue one with --forward.")
        return {}
    return body


# Any WSGI server runs this. In Flask, the visitor is request.remote_addr; in Django, request.META["REMOTE_ADDR"].
def app(environ, start_response):
    city = locate(environ["REMOTE_ADDR"]).get("city") or "visitor"
    start_response("200 OK", [("Content-Type", "text/plain; charset=utf-8")])
    return [f"Hello, {city}!".encode()]
