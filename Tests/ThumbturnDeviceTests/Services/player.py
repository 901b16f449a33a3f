"""One connection to a bus, which does what it is told: it owns names and sends signals, true or forged ones.

    player.py ADDRESS [UID]

Says its unique name, then reads commands from standard input, one a line, words between tabs, and says "ok" when the
bus has taken in what a command sent. It ends with its input.
"""
import os
import sys

if len(sys.argv) > 2:
    os.setgroups([])
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))

import dbus
import dbus.bus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import Gio, GLib

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(sys.argv[1])
loop = GLib.MainLoop()


def signal(destination, path, interface, member, *arguments):
    """A signal to everybody (-), to each connection (*), or to one. An argument is a truth value or a text."""
    if destination == "*":
        destinations = [n for n in bus.list_names() if n.startswith(":") and n != bus.get_unique_name()]
    else:
        destinations = [None if destination == "-" else destination]
    for name in destinations:
        message = dbus.lowlevel.SignalMessage(path, interface, member)
        if name:
            message.set_destination(name)
        for argument in arguments:
            truth = {"true": True, "false": False}.get(argument)
            if truth is None:
                message.append(argument, signature="s")
            else:
                message.append(truth, signature="b")
        bus.send_message(message)


def many(count, *words):
    for _ in range(int(count)):
        signal(*words)


def own(name):
    assert bus.request_name(name) in (1, 4)


def queue(name):
    """Owns a name as soon as its owner has gone."""
    assert bus.request_name(name) == 2


def answer(count):
    """Answers of calls number 1 to count, which nobody sent here, to each connection."""
    # Another library and connection: the first one crashes when it is to set the number of a call.
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    forger = Gio.DBusConnection.new_for_address_sync(sys.argv[1], flags, None, None)
    for name in [n for n in bus.list_names() if n.startswith(":") and n != forger.get_unique_name()]:
        for number in range(1, int(count) + 1):
            message = Gio.DBusMessage()
            message.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
            message.set_destination(name)
            message.set_reply_serial(number)
            message.set_body(GLib.Variant("(s)", ("forged",)))
            forger.send_message(message, Gio.DBusSendMessageFlags.NONE)
    forger.flush_sync(None)
    forger.call_sync(
        "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId", None, None, Gio.DBusCallFlags.NONE, -1, None)


def call(name, path, interface, member, *arguments):
    """A call with texts, whose answer is waited for."""
    bus.call_blocking(name, path, interface, member, "s" * len(arguments), arguments)


class Manager(dbus.service.Object):
    @dbus.service.method("org.freedesktop.login1.Manager", in_signature="", out_signature="a(susso)")
    def ListSessions(self):
        return [("c1", dbus.UInt32(1000), "someone", "seat0", dbus.ObjectPath("/org/freedesktop/login1/session/c1"))]


    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return dbus.Boolean(name == "PreparingForSleep")

    @dbus.service.method("org.freedesktop.login1.Manager", in_signature="ssss", out_signature="h")
    def Inhibit(self, what, who, why, mode):
        return dbus.types.UnixFd(0)


class Session(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return dbus.Boolean(name == "LockedHint")


objects = []


def locked_logind():
    """A logind with one session, which is locked from the first moment on, and the machine about to sleep."""
    objects.append(Manager(bus, "/org/freedesktop/login1"))
    objects.append(Session(bus, "/org/freedesktop/login1/session/c1"))
    own("org.freedesktop.login1")


commands = {
    "own": own, "answer": answer, "call": call, "lockedLogind": locked_logind, "queue": queue, "release": bus.release_name,
    "signal": signal, "many": many,
}


def read(stream, condition):
    line = stream.readline()
    if not line:
        loop.quit()
        return False
    words = line.rstrip("\n").split("\t")
    commands[words[0]](*words[1:])
    # The bus answers in order, so it has taken in everything before this.
    bus.get_name_owner("org.freedesktop.DBus")
    print("ok", flush=True)
    return True


print(bus.get_unique_name(), flush=True)
# Unbuffered: a watch does not see what a buffer holds.
GLib.io_add_watch(os.fdopen(0, "r", buffering=1), GLib.IO_IN | GLib.IO_HUP, read)
loop.run()
