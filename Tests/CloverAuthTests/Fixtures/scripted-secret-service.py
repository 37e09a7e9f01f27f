"""A Secret Service that misbehaves, or does what the usual one never does.

Its arguments are words about that; see `answer`. Prints `ready`, then one line for each method that is called.
"""
import os
import sys

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

WORDS = set(sys.argv[1:])
SERVICE = "/org/freedesktop/secrets"
SESSION = SERVICE + "/session/s1"
COLLECTION = SERVICE + "/collection/kept"
ITEM = COLLECTION + "/1"
PROMPT = SERVICE + "/prompt/p1"
# What the last CreateItem brought.
CREATED = []
NO_OBJECT = dbus.ObjectPath("/")


def path(text):
    return dbus.ObjectPath(text)


def usual(member):
    """Signature and values of a well-behaved answer about a keyring with one item."""
    secret = b"\xff\xfe not text" if "binary" in WORDS else b"kept"
    for word in WORDS:
        if word.startswith("holds:"):
            with open(word.split(":", 1)[1], "rb") as file:
                secret = file.read()
    if CREATED:
        secret = CREATED[-1]
    prompt = path(PROMPT if "prompting" in WORDS else "/")
    content = (path(SESSION), dbus.ByteArray(b""), dbus.ByteArray(secret), "text/plain")
    return {
        "OpenSession": ("vo", ["", path(SESSION)]),
        "ReadAlias": ("o", [NO_OBJECT if "no-default" in WORDS else path(COLLECTION)]),
        "Get": ("v", [dbus.Boolean("locked" in WORDS)]),
        "SearchItems": ("ao", [[path(ITEM)]]),
        "GetSecret": ("(oayays)", [content]),
        "CreateItem": ("oo", [NO_OBJECT if "prompting" in WORDS else path(ITEM), prompt]),
        "Delete": ("o", [prompt]),
        "Dismiss": ("", []),
        "Prompt": ("", []),
    }[member]


def reply(connection, message, signature, values):
    answer = dbus.lowlevel.MethodReturnMessage(message)
    answer.append(*values, signature=signature)
    connection.send_message(answer)
    return False


def answer(connection, message):
    """`holds:FILE` is what the item is. `mute:MEMBER`, `die:MEMBER`, `nonsense:MEMBER`, `error:MEMBER:NAME` and
    `locks-after:MEMBER`, which answers the first call, are about one method; `forgets` keeps nothing; `slow` makes every answer take half a
    second."""
    interface = message.get_interface() or ""
    if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL or not (
        interface.startswith("org.freedesktop.Secret.") or interface == "org.freedesktop.DBus.Properties"
    ):
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    member = message.get_member()
    print(member, flush=True)
    if "die:" + member in WORDS:
        os._exit(0)
    if "mute:" + member in WORDS:
        return dbus.lowlevel.HANDLER_RESULT_HANDLED
    for word in WORDS:
        if word.startswith("error:" + member + ":"):
            name = word.split(":", 2)[2]
            connection.send_message(dbus.lowlevel.ErrorMessage(message, name, "scripted\n\x1b[31mtext"))
            return dbus.lowlevel.HANDLER_RESULT_HANDLED
    if "locks-after:" + member in WORDS:
        WORDS.add("error:" + member + ":org.freedesktop.Secret.Error.IsLocked")
    if member == "CreateItem" and not WORDS & {"forgets", "binary"}:
        CREATED.append(bytes(message.get_args_list()[1][2]))
    signature, values = ("s", ["nonsense"]) if "nonsense:" + member in WORDS else usual(member)
    if "slow" in WORDS:
        GLib.timeout_add(500, reply, connection, message, signature, values)
    else:
        reply(connection, message, signature, values)
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
bus.add_message_filter(answer)
bus.request_name("org.freedesktop.secrets")
print("ready", flush=True)
GLib.MainLoop().run()
