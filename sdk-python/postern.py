"""Client of a Postern gateway: messages, files, the event feed, and webhooks. Standard library only.

    from postern import Postern

    postern = Postern()  # POSTERN_BASE_URL, POSTERN_API_KEY, POSTERN_API_SECRET
    sent = postern.send("+12025550100", "Your order is on its way.")
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import mimetypes
import os
import random
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

__version__ = "0.1.0"
Json = dict[str, Any]


class PosternError(Exception):
    """A failed call. Decide by `code` or by class; the message is for people and may change."""

    def __init__(self, message: str, code: str, type: str, **facts: Any) -> None:
        super().__init__(message)
        self.code = code
        self.type = type
        self.status: int | None = facts.get("status")
        # True when the identical call can succeed later. The client has used up its own retries already.
        self.retryable: bool = facts.get("retryable") is True
        self.retry_after: float | None = facts.get("retry_after")
        self.details: list[Json] = facts.get("details") or []
        self.request_id: str | None = facts.get("request_id")
        self.message_id: str | None = facts.get("message_id")
        # Everything else the gateway said: `upstream`, `limit`, `required_scope`, `doc_url`.
        self.facts: Json = facts
        # Repeat a failed POST with this key, and the gateway acts at most once.
        self.idempotency_key: str | None = None


class InvalidRequestError(PosternError):
    """The call itself is wrong: see `details`."""


class AuthenticationError(PosternError):
    """The API key or its secret was rejected."""


class PermissionDeniedError(PosternError):
    """The key is valid and lacks the scope in `facts["required_scope"]`."""


class NotFoundError(PosternError):
    """No such message, template, file, webhook or delivery in this account."""


class RateLimitError(PosternError):
    """A limit of the plan or of Meta: see `retry_after` and `facts["limit"]`."""


class ChannelError(PosternError):
    """WhatsApp rejected the message: see `facts["upstream"]`."""


class ServerError(PosternError):
    """The gateway, or a proxy in front of it, failed."""


class NoResponseError(PosternError):
    """No response arrived: `connection_failed` or `timeout`."""


class WebhookVerificationError(Exception):
    """A request that did not prove where it came from. Respond with 400 and do nothing else."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason  # missing_headers, timestamp_outside_tolerance or no_signature_matches


_CLASSES: dict[str, type[PosternError]] = {
    "invalid_request": InvalidRequestError,
    "authentication": AuthenticationError,
    "permission": PermissionDeniedError,
    "not_found": NotFoundError,
    "rate_limit": RateLimitError,
    "channel": ChannelError,
    "server": ServerError,
    "connection": NoResponseError,
}


class Postern:
    """Client of a gateway. Create one and share it; threads can use it at the same time.

    A failed call is repeated when the gateway says that it can be, or when no response arrived. That is safe for a
    POST because each has an `Idempotency-Key`, the same on every attempt. `timeout` is for a call with its retries.
    """

    def __init__(
        self, base_url: str | None = None, api_key: str | None = None, api_secret: str | None = None,
        *, timeout: float = 30.0, max_retries: int = 2,
    ) -> None:
        url = urlsplit(_setting(base_url, "POSTERN_BASE_URL").rstrip("/"))
        if url.scheme not in ("http", "https") or not url.hostname or url.username or url.query or url.fragment:
            raise ValueError("base_url must be an http or https address without credentials, query and fragment")
        credentials = f"{_setting(api_key, 'POSTERN_API_KEY')}:{_setting(api_secret, 'POSTERN_API_SECRET')}"
        self._authorization = "Basic " + base64.b64encode(credentials.encode()).decode()
        self._url, self._timeout, self._max_retries = url, timeout, max_retries
        self._connect = partial(http.client.HTTPConnection, url.hostname, url.port)
        if url.scheme == "https":
            self._connect = partial(http.client.HTTPSConnection, url.hostname, url.port)
        self._local = threading.local()

    def send(self, to: str, message: str, **fields: Any) -> Json:
        """Sends a text. Outside the customer's 24 hours it raises `customer_window_closed`, or sends its `fallback`."""
        return self.send_kind("send", to, message=message, **fields)

    def send_template(
        self, to: str, template: str, language: str, body: Sequence[Any] | None = None, **fields: Any
    ) -> Json:
        """Sends an approved template: `send_template(to, "order_confirmation", "en_US", ["Ana", "A-1001"])`."""
        if body is not None:
            values = [value if isinstance(value, dict) else {"type": "text", "text": str(value)} for value in body]
            fields["components"] = [*fields.get("components", []), {"type": "body", "parameters": values}]
        return self.send_kind("template", to, template=template, language=language, **fields)

    def send_kind(self, kind: str, to: str, **fields: Any) -> Json:
        """Sends a `media`, `interactive`, `location`, `contacts`, `sticker` or `reaction`.

        Fields are those of the API; `from_` stands for `from`. `idempotency_key`, `timeout`, `max_retries` are options
        of the call, and `dry_run=True` checks everything and sends nothing.
        """
        options = {name: fields.pop(name) for name in ("idempotency_key", "timeout", "max_retries") if name in fields}
        query = {"dry_run": "true"} if fields.pop("dry_run", False) else None
        body = {name.removesuffix("_"): value for name, value in {"to": to, **fields}.items()}
        return self.request("POST", f"/v1/chat/messages/{kind}", query=query, body=body, **options)

    def message(self, message_id: str) -> Json:
        """A message by the id of its send, or by the id that an error carried."""
        return self.request("GET", f"/v1/chat/messages/{quote(message_id, safe='')}")

    def upload(self, file: bytes, filename: str, **options: Any) -> Json:
        """Uploads a file; its `media_id` can be sent for 30 days."""
        boundary = uuid.uuid4().hex
        name = re.sub(r'[\x00-\x1f"]', "_", filename)
        kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        head = f'--{boundary}\r\ncontent-disposition: form-data; name="filename"\r\n\r\n{name}\r\n'
        head += f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n'
        payload = f"{head}content-type: {kind}\r\n\r\n".encode() + file + f"\r\n--{boundary}--\r\n".encode()
        form = f"multipart/form-data; boundary={boundary}", payload
        return self.request("POST", "/v1/chat/media", body=form, **options)

    def download(self, media_id: str, **options: Any) -> bytes:
        """The bytes of a file, your own or a customer's."""
        path = f"/v1/chat/media/{quote(media_id, safe='')}/content"
        return bytes(self._send("GET", path, is_file=True, **options)[0])

    def list(self, path: str, items: str, **filters: Any) -> Iterator[Json]:
        """Every item of every page: `list("/v1/chat/messages", "messages", status="failed")`."""
        query = {name.removesuffix("_"): value for name, value in filters.items()}
        while True:
            data = self.request("GET", path, query=query)
            yield from data[items]
            page = data.get("pagination", {})
            if not page.get("has_more"):
                return
            query["cursor"] = page["next_cursor"]

    def consume_events(
        self, handle: Callable[[Json], object], *, load: Callable[[], str | None], save: Callable[[str], object],
        since: datetime | None = None, stop: threading.Event | None = None, **filters: Any,
    ) -> None:
        """Follows the event feed until `stop` is set, across restarts of this program and of the gateway.

        `save` keeps the position (at most 1,200 characters); `load` returns it, or nothing on the first start, which
        begins at `since` or now. After a crash `handle` can get an event again: deduplicate by its `id`.
        """
        with suppress(_Stopped):
            self._follow(handle, load(), save, since, stop or threading.Event(), filters)

    def _follow(
        self, handle: Any, saved: str | None, save: Any, since: datetime | None, stop: threading.Event, filters: Json
    ) -> None:
        # The position: a time, the cursor before the page that is read, the last event of the page that was handled.
        at, cursor, handled = [*(saved or "").split(" "), "", ""][:3]
        if not at:
            # "Now" is the time of the gateway: the clock of this host could be ahead and skip events.
            now = partial(self._send, "GET", "/v1/events", query={**filters, "limit": 1})
            at = _iso(since or parsedate_to_datetime(_until_it_works(now, stop)[1]["date"]))
            save(at)
        rest = 1.0
        while not stop.is_set():
            query = {**filters, "cursor": cursor} if cursor else {**filters, "since": at}
            try:
                data = _until_it_works(partial(self.request, "GET", "/v1/events", query=query), stop)
            except PosternError as error:
                if not cursor or error.code != "invalid_cursor":
                    raise
                # The feed is in the order of commits: an event can stand behind others that are a minute younger.
                at, cursor, handled = _iso(datetime.fromisoformat(at) - timedelta(minutes=1)), "", ""
                continue
            ids = [event["id"] for event in data["events"]]
            for event in data["events"][ids.index(handled) + 1 if handled in ids else 0 :]:
                _until_it_works(partial(handle, event), stop)
                if stop.is_set():
                    return
                handled = event["id"]
                save(f"{at} {cursor} {handled}")
            latest = max([at, *(event["timestamp"] for event in data["events"])], key=datetime.fromisoformat)
            after = latest, data["pagination"]["next_cursor"] or cursor, ""
            if after != (at, cursor, handled):
                at, cursor, handled = after
                save(f"{at} {cursor}".rstrip())
            if not data["pagination"]["has_more"]:
                rest = 1.0 if ids else rest
                stop.wait(rest)
                rest = min(60.0, rest * 2)

    def request(self, method: str, path: str, **options: Any) -> Json:
        """Calls any operation and returns its `data`: `request("GET", "/v1/chat/templates", query={"limit": 10})`.

        Options: `query`, `body`, `idempotency_key`, `timeout`, `max_retries`.
        """
        data: Json = self._send(method, path, **options)[0]
        return data

    def _send(
        self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = None,
        idempotency_key: str | None = None, timeout: float | None = None, max_retries: int | None = None,
        is_file: bool = False,
    ) -> tuple[Any, http.client.HTTPMessage]:
        headers = {"authorization": self._authorization, "user-agent": f"postern-python/{__version__}"}
        if method == "POST":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if isinstance(body, tuple):
            headers["content-type"], body = body
        elif body is not None:
            headers["content-type"], body = "application/json", json.dumps(body).encode()
        words = urlencode({name: value for name, value in (query or {}).items() if value is not None})
        target = self._url.path + path + (f"?{words}" if words else "")
        ends_at = time.monotonic() + (self._timeout if timeout is None else timeout)
        failures = 0
        while True:
            try:
                return self._exchange(method, target, headers, body, ends_at, is_file)
            except PosternError as error:
                failures += 1
                error.idempotency_key = headers.get("idempotency-key")
                wait = error.retry_after or random.random() * min(8.0, 0.5 * 2 ** (failures - 1))
                may_repeat = error.retryable and failures <= (self._max_retries if max_retries is None else max_retries)
                if not may_repeat or error.code == "timeout" or time.monotonic() + wait >= ends_at:
                    raise
            time.sleep(wait)

    def _exchange(
        self, method: str, target: str, headers: Json, body: bytes | None, ends_at: float, is_file: bool
    ) -> tuple[Any, http.client.HTTPMessage]:
        kept = self._local.__dict__.pop("connection", None)
        connection = kept or self._connect()
        try:
            connection.timeout = max(0.001, ends_at - time.monotonic())
            if connection.sock is not None:
                connection.sock.settimeout(connection.timeout)
            connection.request(method, target, body, headers)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as cause:
            connection.close()
            if kept and isinstance(cause, ConnectionError):
                # The gateway had closed a connection that was kept: that says nothing about this call.
                return self._exchange(method, target, headers, body, ends_at, is_file)
            code = "timeout" if isinstance(cause, TimeoutError) else "connection_failed"
            reason = getattr(cause, "strerror", None) or type(cause).__name__
            message = f"{method} {target.split('?')[0]} got no response from {self._url.hostname}: {reason}"
            raise NoResponseError(message, code, "connection", retryable=True) from cause
        self._local.connection = connection
        if is_file and response.status == 200:
            return content, response.headers
        envelope = _parse(content)
        if response.status < 300 and envelope.get("success") is True:
            return envelope.get("data"), response.headers
        raise _error_of(response.status, response.headers, envelope)

def verify_webhook(body: bytes, headers: Mapping[str, str], secret: str, tolerance: float = 300) -> Json:
    """Checks that a request comes from your gateway, and returns its event. `body` is the raw body, byte for byte."""
    if not isinstance(body, bytes):
        raise TypeError("body must be the raw request body in bytes, not a parsed object")
    _webhook_key(secret)
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookVerificationError("missing_headers", f"The header {name} is missing")
    seconds = given["webhook-timestamp"]
    if not re.fullmatch(r"[0-9]{1,12}", seconds) or not abs(time.time() - int(seconds)) <= tolerance:
        raise WebhookVerificationError("timestamp_outside_tolerance", f"webhook-timestamp is not within {tolerance} s")
    expected = sign_webhook(given["webhook-id"], body, secret, int(seconds))["webhook-signature"].encode()
    if not any(hmac.compare_digest(one.encode(), expected) for one in given["webhook-signature"].split(" ")):
        message = "No signature matches: check the secret, and that the body is passed as it arrived, byte for byte"
        raise WebhookVerificationError("no_signature_matches", message)
    return _parse(body)


def sign_webhook(id: str, body: bytes, secret: str, timestamp: float | None = None) -> dict[str, str]:
    """Signs a body as the gateway does, to test your own receiver."""
    seconds = str(int(time.time() if timestamp is None else timestamp))
    digest = hmac.new(_webhook_key(secret), f"{id}.{seconds}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature}


def _webhook_key(secret: str) -> bytes:
    """An empty or damaged secret must never verify a request."""
    if re.fullmatch(r"whsec_([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", secret or ""):
        key = base64.b64decode(secret[6:])
        if 24 <= len(key) <= 64 and base64.b64encode(key).decode() == secret[6:]:
            return key
    elif re.fullmatch(r"(?!whsec_|whsk_)[ -~]{1,256}", secret or ""):
        return secret.encode()
    raise ValueError("A webhook secret is whsec_ with base64 of 24 to 64 bytes, or 1 to 256 printable ASCII characters")


class _Stopped(Exception):
    """What it interrupted is repeated by the next start."""


def _until_it_works(work: Callable[[], Any], stop: threading.Event) -> Any:
    """Repeats while the gateway restarts; half of a wait is chance, so that clients come back one by one."""
    for failures in count():
        try:
            return work()
        except PosternError as error:
            if not error.retryable:
                raise
            wait = min(60.0, 2.0 ** min(failures, 6)) * (0.5 + random.random() / 2)
            if stop.wait(min(3600.0, error.retry_after or wait)):
                raise _Stopped from None


def _retry_after(header: str | None, now: float) -> float | None:
    """Seconds that a `Retry-After` asks for, from 1 to a day, in any of its forms; proxies like to send a date."""
    value = (header or "").strip()
    if re.fullmatch(r"[+-]?[0-9]+", value):
        seconds = float(value)
    elif re.fullmatch(r"([A-Z][a-z]{2,8}, .* GMT)|([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})", value):
        seconds = -((now - parsedate_to_datetime(value).replace(tzinfo=UTC).timestamp()) // 1)
    else:
        return None
    return min(max(seconds, 1.0), 86_400.0)


def _error_of(status: int, headers: Any, envelope: Json) -> PosternError:
    by_status = {401: "authentication", 403: "permission", 404: "not_found", 429: "rate_limit"}
    family = by_status.get(status, "invalid_request" if 400 <= status < 500 else "server")
    facts: Json = {"request_id": headers.get("x-request-id")}
    facts["retry_after"] = _retry_after(headers.get("retry-after"), time.time())
    if isinstance(envelope.get("error"), dict):
        facts |= {"code": "unknown_error", "message": "The gateway gave no reason", "type": family} | envelope["error"]
    else:
        hint = " Does base_url point at the gateway itself?" if status < 400 else ""
        message = f"The response ({status}) did not come from the gateway.{hint}"
        may_pass = status in (408, 429) or status >= 500
        facts |= {"code": "unexpected_response", "message": message, "type": family, "retryable": may_pass}
    return _CLASSES.get(facts["type"], _CLASSES[family])(**facts | {"status": status})


def _parse(content: bytes) -> Json:
    """The parser's own message is dropped: it quotes the body, and with it a customer's words."""
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _setting(value: str | None, variable: str) -> str:
    text = os.environ.get(variable, "") if value is None else value
    if not text:
        raise ValueError(f"{variable} is not set: set it, or pass the value to Postern()")
    return text


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
