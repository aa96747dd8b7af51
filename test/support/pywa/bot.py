"""A bot as its authors would write it, with the transport of docs/guides/pywa.md. Prints a line of JSON for each step."""

import base64
import json
import os
import threading

import httpx
from flask import Flask
from pywa import WhatsApp, errors
from pywa.types.templates import TemplateLanguage

gateway = httpx.URL(os.environ["GATEWAY"])


class Gateway(httpx.HTTPTransport):
    def handle_request(self, request):
        if request.url.host == "graph.facebook.com":
            path = b"/graph" + request.url.raw_path
            request.url = request.url.copy_with(
                scheme=gateway.scheme, host=gateway.host, port=gateway.port, raw_path=path
            )
            request.headers["host"] = f"{gateway.host}:{gateway.port}"
        return super().handle_request(request)


def say(step, **facts):
    print(json.dumps({"step": step, **facts}), flush=True)


app = Flask("bot")
port = int(os.environ["PORT"])
threading.Thread(target=lambda: app.run("127.0.0.1", port), daemon=True).start()

wa = WhatsApp(
    phone_id=os.environ["PHONE_ID"],
    token=os.environ["TOKEN"],
    app_id=int(os.environ["APP_ID"]),
    app_secret=os.environ["APP_SECRET"],
    server=app,
    callback_url=f"http://localhost:{port}",
    verify_token="from-pywa",
    webhook_challenge_delay=1,
    session=httpx.Client(transport=Gateway(), timeout=15),
)
done = threading.Event()


@wa.on_message
def reply(_, message):
    sent = message.reply(f"You said: {message.text}", tracker="reply-1")
    say("replied", to_message=message.id, id=sent.id)


@wa.on_message_status
def told(_, status):
    say("status", id=status.id, status=status.status.value, tracker=status.tracker)
    if status.status.value == "read":
        done.set()


try:
    wa.send_template(os.environ["CUSTOMER"], name="no_such", language=TemplateLanguage.ENGLISH_US, params=[])
except errors.WhatsAppError as error:
    say("rejected", error=type(error).__name__)
media = wa.upload_media(base64.b64decode(os.environ["PICTURE"]), mime_type="image/png", filename="dot.png")
say("uploaded", bytes=len(wa.get_media_bytes(wa.get_media_url(media.id).url)))
say("ready")
done.wait(30)
