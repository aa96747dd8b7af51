"""Runs beside a gateway: POSTERN_BASE_URL, POSTERN_API_KEY, POSTERN_API_SECRET, SANDBOX_URL, and VECTORS, a JSON file."""

import json
import os
import threading
import time
import unittest
import urllib.request
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import postern as sdk
from postern import Postern, PosternError, WebhookVerificationError, sign_webhook, verify_webhook

VECTORS = json.loads(Path(os.environ["VECTORS"]).read_text())
CUSTOMER = "+12025550123"


@contextmanager
def a_gateway(*replies):
    """Gives each request the next reply: (status, headers, body), or None, which closes the connection."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _reply(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            seen.append((self.command, self.path, dict(self.headers.items()), body))
            reply = replies[min(len(seen), len(replies)) - 1]
            if reply is None:
                self.close_connection = True
                return
            status, headers, content = reply
            payload = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(payload))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        do_GET = do_POST = do_DELETE = _reply

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Postern(f"http://127.0.0.1:{server.server_port}", "ptk_1", "pts_1", timeout=5), seen
    finally:
        server.shutdown()
        server.server_close()


def ok(data):
    return 200, {}, {"success": True, "data": data}


def failed(status, code, **facts):
    error = {"code": code, "message": "words", "type": facts.pop("type", "server"), **facts}
    return status, {"x-request-id": "req_1"}, {"success": False, "error": error}


class Requests(unittest.TestCase):
    def test_a_send_is_repeated_with_the_same_key_until_a_response_arrives(self):
        unavailable = failed(503, "service_unavailable", retryable=True)
        with a_gateway(None, unavailable, ok({"message_id": "wamid.1"})) as (client, seen):
            self.assertEqual(client.send(CUSTOMER, "Olá 👋", from_="+15550100001")["message_id"], "wamid.1")
        keys = {headers["idempotency-key"] for _, _, headers, _ in seen}
        self.assertEqual((len(seen), len(keys)), (3, 1))
        self.assertEqual(json.loads(seen[0][3]), {"to": CUSTOMER, "message": "Olá 👋", "from": "+15550100001"})
        self.assertTrue(seen[0][2]["authorization"].startswith("Basic "))

    def test_what_cannot_succeed_is_not_repeated_and_says_why(self):
        details = [{"field": "to", "message": "Add the country code."}]
        rejected = failed(400, "validation_failed", type="invalid_request", details=details, doc_url="https://x.test")
        with a_gateway(rejected) as (client, seen):
            with self.assertRaises(sdk.InvalidRequestError) as caught:
                client.send("123", "Hello", idempotency_key="mine")
        self.assertEqual(len(seen), 1)
        error = caught.exception
        self.assertEqual((error.code, error.status, error.request_id), ("validation_failed", 400, "req_1"))
        self.assertEqual((error.details, error.idempotency_key), (details, "mine"))

    def test_each_family_has_its_class_and_an_unknown_one_that_of_its_status(self):
        families = {"permission": 403, "rate_limit": 429, "channel": 400, "connection": 502, "brand_new": 404}
        classes = [sdk.PermissionDeniedError, sdk.RateLimitError, sdk.ChannelError, sdk.NoResponseError, sdk.NotFoundError]
        for (family, status), kind in zip(families.items(), classes, strict=True):
            with a_gateway(failed(status, "some_code", type=family)) as (client, _), self.assertRaises(kind):
                client.request("GET", "/v1/auth/me")

    def test_a_wait_that_does_not_fit_the_time_limit_is_not_begun(self):
        limited = failed(429, "rate_limit_exceeded", type="rate_limit", retryable=True, retry_after=60)
        with a_gateway(limited) as (client, seen), self.assertRaises(sdk.RateLimitError) as caught:
            client.request("GET", "/v1/auth/me")
        self.assertEqual((len(seen), caught.exception.retry_after), (1, 60))

    def test_something_else_at_the_address_is_named_and_not_followed(self):
        with a_gateway((302, {"location": "http://other.test"}, b"<html>secret words")) as (client, seen):
            with self.assertRaises(PosternError) as caught:
                client.request("GET", "/v1/auth/me")
        self.assertEqual((len(seen), caught.exception.code), (1, "unexpected_response"))
        self.assertNotIn("secret words", str(caught.exception))
        self.assertIn("base_url", str(caught.exception))

    def test_no_gateway_is_an_error_without_credentials(self):
        client = Postern("http://127.0.0.1:9", "ptk_1", "pts_private", max_retries=0)
        with self.assertRaises(sdk.NoResponseError) as caught:
            client.send(CUSTOMER, "Hello")
        self.assertEqual((caught.exception.code, caught.exception.retryable), ("connection_failed", True))
        self.assertNotIn("pts_private", str(caught.exception))

    def test_addresses_and_credentials_that_cannot_work_are_rejected_at_once(self):
        for url in ("", "chat.example.test", "ftp://chat.example.test", "https://u:p@chat.example.test", "https://x.test/?a"):
            with self.assertRaises(ValueError):
                Postern(url, "ptk_1", "pts_1")

    def test_retry_after_is_read_as_in_the_other_clients(self):
        for header, seconds in VECTORS["retryAfter"]:
            self.assertEqual(sdk._retry_after(header, VECTORS["nowMs"] / 1000), seconds, header)


class Webhooks(unittest.TestCase):
    def test_signatures_of_the_reference_library(self):
        for vector in VECTORS["webhooks"]:
            headers = {name.upper(): value for name, value in vector["headers"].items()}
            event = verify_webhook(vector["body"].encode(), headers, vector["secret"], tolerance=10**10)
            self.assertEqual(event, json.loads(vector["body"]))

    def test_what_is_rejected(self):
        secret, body = VECTORS["webhooks"][0]["secret"], b'{"id":"evt_1"}'
        headers = sign_webhook("evt_1", body, secret)
        old = sign_webhook("evt_1", body, secret, time.time() - 302)
        older = sign_webhook("evt_1", body, "another secret", int(headers["webhook-timestamp"]))["webhook-signature"]
        rotating = {**headers, "webhook-signature": f"{older} {headers['webhook-signature']}"}
        self.assertEqual(verify_webhook(body, rotating, secret), {"id": "evt_1"})
        for reason, case in {
            "missing_headers": (body, {}, secret),
            "timestamp_outside_tolerance": (body, old, secret),
            "no_signature_matches": (body + b" ", headers, secret),
        }.items():
            with self.assertRaises(WebhookVerificationError) as caught:
                verify_webhook(*case)
            self.assertEqual(caught.exception.reason, reason)
        for change in ({"webhook-timestamp": "now"}, {"webhook-signature": headers["webhook-signature"][:20]}):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, {**headers, **change}, secret)
        with self.assertRaises(TypeError):
            verify_webhook({"id": "evt_1"}, headers, secret)

    def test_secrets_that_must_never_verify(self):
        for secret in VECTORS["brokenSecrets"]:
            with self.assertRaises(ValueError, msg=repr(secret)):
                verify_webhook(b"{}", sign_webhook("evt_1", b"{}", "plain"), secret)


class Feed(unittest.TestCase):
    def feed(self, pages, **options):
        """Follows made pages; the cursor is the number of the page. Stops at the end of the last."""
        handled, saved, stop = [], list(options.pop("saved", [])), threading.Event()

        def page(number):
            if number >= len(pages):
                stop.set()
            at = f"2026-01-01T00:0{number}:00.000Z"
            events = [{"id": one, "timestamp": at} for one in (pages[number] if number < len(pages) else [])]
            more = number + 1 < len(pages)
            return ok({"events": events, "pagination": {"has_more": more, "next_cursor": str(min(number + 1, len(pages)))}})

        client = Postern("http://gateway.test", "ptk_1", "pts_1")
        queries = []

        def request(method, path, *, query):
            queries.append(query)
            return page(int(query.get("cursor", 0)))[2]["data"]

        client.request = request
        handle = options.pop("handle", lambda event: handled.append(event["id"]))
        client.consume_events(
            handle, load=lambda: saved[-1] if saved else None, save=saved.append,
            since=datetime(2026, 1, 1, tzinfo=UTC), stop=stop, **options,
        )
        return handled, saved, queries

    def test_hands_over_every_event_and_saves_its_position_as_the_other_clients_do(self):
        handled, saved, queries = self.feed([["e1", "e2"], ["e3"]], type="message.sent")
        start = "2026-01-01T00:00:00.000Z"
        later = "2026-01-01T00:01:00.000Z"
        self.assertEqual(handled, ["e1", "e2", "e3"])
        self.assertEqual(saved, [start, f"{start}  e1", f"{start}  e2", f"{start} 1", f"{start} 1 e3", f"{later} 2"])
        self.assertEqual(queries[:2], [{"type": "message.sent", "since": start}, {"type": "message.sent", "cursor": "1"}])

    def test_goes_on_behind_the_event_that_was_handled_last(self):
        handled, _, _ = self.feed([["e1", "e2"], ["e3", "e4"]], saved=["2026-01-01T00:00:00.000Z 1 e3"])
        self.assertEqual(handled, ["e4"])


class Story(unittest.TestCase):
    """Beside a real gateway and its sandbox."""

    def setUp(self):
        self.client = Postern()

    def inbound(self, text):
        body = json.dumps({"from": CUSTOMER, "type": "text", "text": text}).encode()
        request = urllib.request.Request(
            os.environ["SANDBOX_URL"] + "/_sandbox/inbound", body, {"content-type": "application/json"}
        )
        urllib.request.urlopen(request).close()

    def test_a_conversation(self):
        events, position, stop = [], [], threading.Event()

        def handle(event):
            events.append(event)
            if event["type"] == "message.read":
                stop.set()

        follow = {"load": lambda: position[-1] if position else None, "save": position.append, "stop": stop}
        thread = threading.Thread(target=self.client.consume_events, args=(handle,), kwargs=follow, daemon=True)
        since = time.monotonic()
        thread.start()
        while not position and time.monotonic() - since < 30:
            thread.join(0.05)
        self.inbound("Is my order ready?")
        while not any(event["type"] == "message.received" for event in events) and time.monotonic() - since < 30:
            thread.join(0.05)
        sent = self.client.send(CUSTOMER, "It is.", client_reference="python-1")
        thread.join(60)
        self.assertFalse(thread.is_alive())
        mine = [event["type"] for event in events if event["data"].get("message_id") == sent["message_id"]]
        self.assertEqual(mine[-1], "message.read")
        self.assertEqual(self.client.message(sent["message_id"])["status"], "read")
        listed = list(self.client.list("/v1/chat/messages", "messages", limit=1))
        self.assertIn(sent["message_id"], [message["message_id"] for message in listed])

    def test_a_file_goes_up_and_comes_down(self):
        pixel = bytes.fromhex(VECTORS["png"])
        stored = self.client.upload(pixel, "receipt.png")
        self.assertEqual(self.client.download(stored["media_id"]), pixel)

    def test_one_key_is_one_message(self):
        key = f"python-{time.time_ns()}"
        first = self.client.send_template(CUSTOMER, "hello_world", "en_US", idempotency_key=key)
        again = self.client.send_template(CUSTOMER, "hello_world", "en_US", idempotency_key=key)
        self.assertEqual(first["message_id"], again["message_id"])

    def test_a_dry_run_sends_nothing(self):
        self.assertIs(self.client.send_template(CUSTOMER, "hello_world", "en_US", dry_run=True)["dry_run"], True)

    def test_an_error_of_the_gateway(self):
        with self.assertRaises(sdk.InvalidRequestError) as caught:
            self.client.send("not a number", "Hello")
        self.assertEqual((caught.exception.code, caught.exception.details[0]["field"]), ("validation_failed", "to"))


if __name__ == "__main__":
    unittest.main()
