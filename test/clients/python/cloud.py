"""The client, and waits by the account's events."""

import datetime
import os
import time

from linode_api4 import LinodeClient
from linode_api4.errors import ApiError
from linode_api4.objects import Instance

PASSWORD = "Correct-Horse-42-battery"
PLACE = {"ltype": "g6-standard-1", "region": "us-east"}
WAIT_SECONDS = 60


client = LinodeClient(
    os.environ["CLIENTS_TOKEN"], base_url=os.environ["CLIENTS_ORIGIN"] + "/v4"
)


def now():
    """The moment before a request: only events since then count."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")


def finished(since, action, kind, id):
    """Waits until the action on the object is finished, by a filter on the account's events, and gives the event."""
    wanted = {
        "action": action,
        "entity.type": kind,
        "entity.id": id,
        "created": {"+gte": since},
        "+order_by": "created",
        "+order": "desc",
    }
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        for event in client.get("/account/events", filters=wanted)["data"]:
            if event["status"] == "failed":
                raise AssertionError("%s failed" % action)
            if event["status"] == "finished":
                return event
        time.sleep(0.1)
    raise AssertionError("%s of %s %s did not finish" % (action, kind, id))


def retried(call):
    """Repeats a call while the instance is busy, as programs on this client do."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return call()
        except ApiError as error:
            busy = error.json == {"errors": [{"reason": "Linode busy."}]}
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def instance(label, **more):
    """An instance that is deployed and runs."""
    since = now()
    made = client.linode.instance_create(
        **PLACE, image="linode/debian11", root_pass=PASSWORD, label=label, **more
    )
    finished(since, "linode_create", "linode", made.id)
    finished(since, "linode_boot", "linode", made.id)
    return client.load(Instance, made.id)


def empty(label, **more):
    """An instance without disks."""
    return client.linode.instance_create(**PLACE, label=label, **more)
