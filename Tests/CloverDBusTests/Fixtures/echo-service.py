"""A service on a bus that was not made with the library under test: it answers, fails, stays silent or dies.

Prints `ready`, then one line for each method that is called.
"""
import os
import sys

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

NAME = "org.example.Echo"
PATH = "/org/example/Echo"


def say(line):
    print(line, flush=True)


def emit(connection, member, *values):
    signal = dbus.lowlevel.SignalMessage(PATH, NAME, member)
    signal.append(*values)
    connection.send_message(signal)


def answer(connection, message):
    if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL or message.get_interface() != NAME:
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
    member = message.get_member()
    values = message.get_args_list()
    say(member)
    if member == "Echo":
        reply = dbus.lowlevel.MethodReturnMessage(message)
        reply.append(*values, signature=message.get_signature())
        connection.send_message(reply)
    elif member == "Fail":
        connection.send_message(dbus.lowlevel.ErrorMessage(message, str(values[0]), str(values[1])))
    elif member == "Emit":
        for number in range(values[1]):
            emit(connection, values[0], dbus.UInt32(number))
        connection.send_message(dbus.lowlevel.MethodReturnMessage(message))
    elif member == "Die":
        os._exit(0)
    # Anything else, such as Mute, is never answered.
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
bus.add_message_filter(answer)
bus.request_name(NAME)
say("ready")
GLib.MainLoop().run()
