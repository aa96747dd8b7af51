import base64
import hashlib
import hmac
import json
import os
import time

from fastapi import BackgroundTasks, FastAPI, Request
from fastapi.responses import PlainTextResponse

secret = os.environ["WEBHOOK_SECRET"]
app = FastAPI()
# A real receiver keeps the ids for three days, in its database.
seen: set[str] = set()


def is_genuine(body: bytes, headers) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(one, expected) for one in headers.get("webhook-signature", "").split(" "))


@app.post("/hooks")
async def receive(request: Request, work: BackgroundTasks) -> PlainTextResponse:
    body = await request.body()  # the bytes: the signature is over them
    if not is_genuine(body, request.headers):
        return PlainTextResponse("wrong signature", status_code=400)
    event = json.loads(body)
    if event["type"] == "webhook.verification":
        return PlainTextResponse(event["challenge"])
    work.add_task(handle, event)  # after the answer
    return PlainTextResponse("ok")


def handle(event: dict) -> None:
    if event["id"] in seen:
        return
    seen.add(event["id"])
    data = event["data"]
    if event["type"] == "message.received":
        print(event["type"], data["from"], (data["content"] or {}).get("text"), flush=True)
    else:
        print(event["type"], data.get("message_id", ""), flush=True)
