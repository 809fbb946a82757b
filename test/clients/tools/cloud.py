"""The emulator, and the line of commands of linode-cli."""

import json
import os
import subprocess
import sys
import time
from urllib.parse import urlsplit

ORIGIN = os.environ["CLIENTS_ORIGIN"]
TOKEN = os.environ["CLIENTS_TOKEN"]
PASSWORD = "Correct-Horse-42-battery"
WAIT_SECONDS = 60

ENVIRONMENT = {
    **os.environ,
    "LINODE_CLI_TOKEN": TOKEN,
    "LINODE_CLI_API_HOST": urlsplit(ORIGIN).netloc,
    "LINODE_CLI_API_SCHEME": "http",
    "LINODE_CLI_API_VERSION": "v4",
    "HOME": os.environ["CLIENTS_HOME"],
    "XDG_CONFIG_HOME": os.environ["CLIENTS_HOME"],
}


def linode(*words):
    """Runs linode-cli and returns the objects that it prints. Fails with its messages."""
    command = [sys.executable, "-m", "linodecli", *map(str, words), "--json", "--all-columns", "--suppress-warnings"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError("linode-cli %s: %s%s" % (" ".join(map(str, words)), done.stdout, done.stderr))
    return json.loads(done.stdout) if done.stdout.strip() else []


def until(read, fits):
    """Reads again until the value fits."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        value = read()
        if fits(value):
            return value
        if time.monotonic() > deadline:
            raise AssertionError("still %r" % value)
        time.sleep(0.2)
