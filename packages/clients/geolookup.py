"""Locates the visitors of a web application with a geolookup service. Copy this file; it needs only Python 3.9 or newer.

    geo = Geolookup("https://geo.example.com", os.environ["GEO_KEY"], trusted_proxies=["127.0.0.1", "10.0.0.0/8"])
    record = geo.locate(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR"))  # a dict; None if the lookup fails

`trusted_proxies` lists every proxy between your visitors and your application: addresses and CIDRs, and "unix" if the last
one connects through a Unix socket. X-Forwarded-For is read only from these, so visitors can't choose their location.
"""

import http.client
import ipaddress
import json
import logging
import re
import threading
import time
import urllib.parse

_log = logging.getLogger("geolookup")
_MAX_ENTRIES = 10_000
_MAX_BODY_BYTES = 65_536
_LOG_INTERVAL_SECONDS = 60


class Geolookup:
    """Thread-safe: create one for the whole application. `timeout` is the deadline of a whole lookup, in seconds."""

    def __init__(self, url, key, trusted_proxies=(), timeout=0.5):
        self._key = (key or "").strip()
        self._url = urllib.parse.urlsplit(url)
        if self._url.scheme not in ("http", "https") or not self._url.hostname or not self._key:
            raise ValueError("url must be the base address of the API, and key must not be empty")
        self._trusts_unix = "unix" in trusted_proxies
        self._proxies = [ipaddress.ip_network(each, strict=False) for each in trusted_proxies if each != "unix"]
        self._timeout = timeout
        self._cache = {}
        self._lock = threading.Lock()
        self._logged = "", 0.0

    def visitor(self, peer, forwarded_for=None):
        """The visitor's address: the peer or, if that is one of your proxies, the last entry of X-Forwarded-For that isn't.

        None if the peer has no address.
        """
        current = _parse(peer or "")
        if current is None and not self._trusts_unix:
            return None
        for hop in reversed((forwarded_for or "").split(",")):
            if current is not None and not any(current in network for network in self._proxies):
                break
            entry = _parse_hop(hop)
            if entry is None:
                break
            current = entry
        return None if current is None else str(current)

    def locate(self, peer, forwarded_for=None):
        """The record of the visitor who sent a request; None if the lookup fails."""
        visitor = self.visitor(peer, forwarded_for)
        if visitor is None:
            return None
        with self._lock:
            record, expires = self._cache.get(visitor, (None, 0.0))
        if time.monotonic() < expires:
            return dict(record)
        # Timeouts of sockets are for each read. The thread limits the whole lookup.
        result = []
        thread = threading.Thread(target=self._look_up, args=(visitor, result), daemon=True)
        thread.start()
        thread.join(self._timeout)
        if not result:
            self._warn(f"no response within {self._timeout} s")
        return result[0] if result else None

    def _look_up(self, visitor, result):
        try:
            record, max_age = self._request(visitor)
            with self._lock:
                self._cache.pop(visitor, None)
                if len(self._cache) >= _MAX_ENTRIES:
                    del self._cache[next(iter(self._cache))]
                self._cache[visitor] = dict(record), time.monotonic() + max_age
        except Exception as error:  # A failed lookup never breaks a page.
            record = None
            self._warn(f"{type(error).__name__}: {error}")
        result.append(record)

    def _request(self, visitor):
        secure = self._url.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(self._url.hostname, self._url.port, timeout=self._timeout)
        try:
            headers = {"Authorization": f"Bearer {self._key}", "X-Forwarded-For": visitor}
            connection.request("GET", self._url.path.rstrip("/") + "/v1/geo", headers=headers)
            response = connection.getresponse()
            body = json.loads(response.read(_MAX_BODY_BYTES))
        finally:
            connection.close()
        if response.status != 200:
            raise RuntimeError(f"{body['error']['message']} {body['error'].get('docs', '')}")
        varies = re.split(r"\s*,\s*", response.getheader("Vary", "").lower())
        ip = body.get("ip")
        # Without an address to compare, the service's notice tells whose location this is.
        is_own = "own location" in response.getheader("X-Geolookup-Notice", "") if ip is None else ip != visitor
        if "x-forwarded-for" not in varies or is_own:
            raise RuntimeError("this key can't look up visitors. Ask the operator for one issued with --forward")
        age = re.search(r"\bmax-age=(\d+)", response.getheader("Cache-Control", ""))
        return body, int(age[1]) if age else 0

    def _warn(self, message):
        """Logs a failure; the same one again only after a minute."""
        last, at = self._logged
        if message != last or time.monotonic() >= at + _LOG_INTERVAL_SECONDS:
            self._logged = message, time.monotonic()
            _log.warning("%s", message)


def _parse(text):
    try:
        address = ipaddress.ip_address(text.split("%")[0] if ":" in text else text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _parse_hop(hop):
    """An entry of X-Forwarded-For: an address, possibly with brackets or port."""
    match = re.fullmatch(r"\[([^\]]*:[^\]]*)\](?::\d{1,5})?|([^:]*):\d{1,5}|(.*)", hop.strip())
    return _parse(match[1] or match[2] or match[3] or "") if match else None
