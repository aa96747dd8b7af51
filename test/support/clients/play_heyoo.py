"""Plays the calls of heyoo and prints what each gave. Its host is built in: BASE stands in for it."""

import json
import os

import requests
from heyoo import WhatsApp

base, meta = os.environ["BASE"], "https://graph.facebook.com"
send = requests.Session.request


def elsewhere(session, method, url, **given):
    return send(session, method, url.replace(meta, base), **given)


requests.Session.request = elsewhere
to, inbound = os.environ["CUSTOMER"], os.environ["INBOUND"]
client = WhatsApp(os.environ["TOKEN"], phone_number_id=os.environ["NUMBER"])
button = {"type": "button", "body": {"text": "Sure?"}}
button["action"] = {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Yes"}}]}
sections = [{"title": "Sizes", "rows": [{"id": "s", "title": "Small", "description": ""}]}]
listed = {"header": "Shop", "body": "Which?", "footer": "Thanks", "action": {"button": "Choose", "sections": sections}}


def upload():
    return client.upload_media(os.environ["PICTURE"])["id"]


calls = {
    "text": lambda: client.send_message("Hello", to),
    "reply": lambda: client.reply_to_message(inbound, to, "As I said"),
    "reaction": lambda: client.send_reaction("👍", inbound, to),
    "template": lambda: client.send_template("hello_world", to, components=[], lang="en_US"),
    "location": lambda: client.send_location(-9.1, 38.7, "Shop", "Rua 1", to),
    "image": lambda: client.send_image(upload(), to, caption="A dot", link=False),
    "buttons": lambda: client.send_reply_button(button, to),
    "list": lambda: client.send_button(listed, to),
    "read": lambda: client.mark_as_read(inbound),
    "bytes of an upload": lambda: len(requests.get(client.query_media_url(upload()), headers=client.headers).content),
    "deletion of an upload": lambda: client.delete_media(upload()),
    "rejected template": lambda: client.send_template("no_such", to, components=[], lang="en_US"),
}
given = {}
for name, call in calls.items():
    try:
        given[name] = call()
    except Exception as error:  # What a caller of the library would see.
        given[name] = {"thrown": type(error).__name__}
print(json.dumps(given))
