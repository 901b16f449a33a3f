"""The real fprintd with libfprint's virtual reader, on a bus of its own, and somebody at the reader.

    fingers.py FOLDER

FOLDER/bus becomes the bus. Commands come as lines, and each is answered with "ok" or "no: why":
"does success", "does fail" and "does cancel" say what finger is shown when one is asked for: the right one, a wrong one,
none; "enrols NAME,NAME" and "enrols none" what is enrolled. It ends with its input, and ends what it has started.
As root, because fprintd counts only as root.
"""
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import dbus
import dbus.bus
import dbus.mainloop.glib
from gi.repository import GLib

folder = sys.argv[1]
address = "unix:path=%s/bus" % folder
reader = folder + "/reader"
DEVICE = "net.reactivated.Fprint.Device"
CONFIGURATION = """<busconfig><type>custom</type><listen>%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/>
<allow send_type="method_call"/><allow send_type="signal"/><allow send_type="method_return"/><allow send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="signal"/><allow receive_type="method_return"/>
<allow receive_type="error"/></policy></busconfig>""" % address
programs = []


def start(line, **variables):
    environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=address, **variables)
    programs.append(subprocess.Popen(line, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))


def eventually(isDone, what):
    # On a machine that does much else a service takes long to start.
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if isDone():
            return
        time.sleep(0.01)
    raise RuntimeError(what)


def send(command):
    """Has the reader do something; false while it does not listen, which it does from when it is claimed."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(reader)
        connection.sendall(command.encode())
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(256):
            pass
        return True
    except OSError:
        return False
    finally:
        connection.close()


class Person:
    def __init__(self):
        self.answer = "cancel"
        self.fingers = []
        self.enrolling = None
        self.stages = []

    def asked(self, *_):
        # Not at once: the reader takes a finger only when the verification has begun.
        if self.answer != "cancel":
            finger = self.fingers[0] if self.fingers and self.answer == "success" else "nobody"
            GLib.timeout_add(20, lambda: send("SCAN " + finger) and False)

    def stage(self, result, isDone):
        self.stages.append((str(result), bool(isDone)))
        if not isDone:
            GLib.timeout_add(5, lambda: send("SCAN " + self.enrolling) and False)

    def enrols(self, device, names):
        """Deletes what is enrolled, and enrols these: what the reader sees of a finger is its name."""
        device.Claim("")
        try:
            if self.fingers:
                device.DeleteEnrolledFingers2()
            self.fingers = []
            for name in names:
                self.enrolling, self.stages = name, []
                device.EnrollStart(name)
                eventually(lambda: send("SCAN " + name), "the reader does not listen")
                eventually(lambda: any(isDone for _, isDone in self.stages), "nothing is enrolled")
                device.EnrollStop()
                if self.stages[-1][0] != "enroll-completed":
                    raise RuntimeError(self.stages[-1][0])
                self.fingers.append(name)
        finally:
            device.Release()


def owns(bus, name):
    return lambda: bus.name_has_owner(name)


def main():
    os.makedirs(folder + "/state", mode=0o700)
    with open(folder + "/bus.conf", "w") as file:
        file.write(CONFIGURATION)
    start(["dbus-daemon", "--config-file=" + folder + "/bus.conf", "--nofork", "--nopidfile"])
    eventually(lambda: os.path.exists(folder + "/bus"), "no bus")
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(address)
    start(["/usr/lib/polkit-1/polkitd", "--no-debug"])
    eventually(owns(bus, "org.freedesktop.PolicyKit1"), "no polkit")
    start(
        ["/usr/libexec/fprintd", "--no-timeout"], FP_VIRTUAL_DEVICE_STORAGE=reader,
        FP_DRIVERS_WHITELIST="virtual_device_storage", STATE_DIRECTORY=folder + "/state")
    eventually(owns(bus, "net.reactivated.Fprint"), "no fprintd")

    person = Person()
    manager = bus.get_object("net.reactivated.Fprint", "/net/reactivated/Fprint/Manager")
    path = manager.GetDefaultDevice(dbus_interface="net.reactivated.Fprint.Manager")
    device = dbus.Interface(bus.get_object("net.reactivated.Fprint", path), DEVICE)
    device.connect_to_signal("VerifyFingerSelected", person.asked)
    device.connect_to_signal("EnrollStatus", person.stage)
    loop = GLib.MainLoop()
    threading.Thread(target=loop.run, daemon=True).start()
    print("ok", flush=True)
    for line in sys.stdin:
        try:
            verb, argument = line.split()
            if verb == "does":
                person.answer = argument
            else:
                person.enrols(device, [] if argument == "none" else argument.split(","))
            print("ok", flush=True)
        except Exception as error:
            print("no: %s" % str(error).replace("\n", " "), flush=True)


try:
    main()
except Exception as error:
    print("no: %s" % error, flush=True)
finally:
    for program in reversed(programs):
        program.send_signal(signal.SIGKILL)
        program.wait()
