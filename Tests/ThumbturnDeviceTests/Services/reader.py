"""A fprintd that does what the real one does not, or not when a test wants it.

    reader.py ADDRESS TRICK [UID]

Says "ready" once it owns its name, and ends when its input does.
"""
import os
import sys
import time

if len(sys.argv) > 3:
    os.setgroups([])
    os.setgid(int(sys.argv[3]))
    os.setuid(int(sys.argv[3]))

import dbus
import dbus.bus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

trick = sys.argv[2]
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(sys.argv[1])
loop = GLib.MainLoop()
DEVICE = "net.reactivated.Fprint.Device"
PATH = "/net/reactivated/Fprint/Device/0"
is_gone = False
is_released = False


class Manager(dbus.service.Object):
    @dbus.service.method("net.reactivated.Fprint.Manager", in_signature="", out_signature="o")
    def GetDefaultDevice(self):
        if trick == "slow":
            time.sleep(1.5)
        return PATH

    @dbus.service.method("net.reactivated.Fprint.Manager", in_signature="", out_signature="ao")
    def GetDevices(self):
        return [] if is_gone else [PATH]


class Reader(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        if trick == "slow":
            time.sleep(1.2)
        return {"name": "A reader", "num-enroll-stages": dbus.Int32(-1), "scan-type": "press"}[name]

    @dbus.service.method(DEVICE, in_signature="s", out_signature="as")
    def ListEnrolledFingers(self, user):
        if trick == "slow":
            time.sleep(1.2)
        if trick == "names":
            return ["toe", "right-index-finger", "left-thumb", "left-thumb", "any", "../left-thumb", ""]
        if trick == "toe":
            return ["toe"]
        # So a test sees that the reader was let go.
        return ["left-thumb", "right-thumb"] if is_released else ["left-thumb"]

    @dbus.service.method(DEVICE, in_signature="s")
    def Claim(self, user):
        if trick == "before":
            # As of a program that had the reader until now.
            self.VerifyStatus("verify-match", True)

    @dbus.service.method(DEVICE)
    def Release(self):
        global is_released
        is_released = True
        if trick == "slowEnding":
            time.sleep(1.2)

    @dbus.service.method(DEVICE, in_signature="s")
    def VerifyStart(self, finger):
        global is_gone
        self.VerifyFingerSelected("left-thumb")
        if trick == "elsewhere":
            elsewhere.VerifyStatus("verify-match", True)
        elif trick in ("disconnected", "gone"):
            is_gone = trick == "gone"
            self.VerifyStatus("verify-disconnected", True)
        elif trick == "unfinished":
            self.VerifyStatus("verify-match", False)
        elif trick == "unknownWord":
            self.VerifyStatus("verify-perhaps", False)
            self.VerifyStatus("verify-no-match", True)
        elif trick == "unknownEnd":
            self.VerifyStatus("verify-perhaps", True)
        elif trick == "nonsense":
            self.Nonsense()
        elif trick in ("endless", "endlessElsewhere"):
            GLib.timeout_add(1, self.go_on)
        elif trick == "waiting":
            for _ in range(100):
                self.VerifyStatus("verify-retry-scan", False)
        elif trick == "flood":
            for _ in range(2000):
                self.VerifyStatus("verify-retry-scan", False)

    @dbus.service.method(DEVICE)
    def VerifyStop(self):
        if trick == "slowStop":
            time.sleep(0.3)
        if trick == "slowEnding":
            time.sleep(1.2)
        if trick == "after":
            self.VerifyStatus("verify-match", True)

    @dbus.service.signal(DEVICE, signature="sb")
    def VerifyStatus(self, word, is_end):
        pass

    def go_on(self):
        for _ in range(20):
            (self if trick == "endless" else elsewhere).VerifyStatus("verify-retry-scan", False)
        return True

    def Nonsense(self):
        message = dbus.lowlevel.SignalMessage(PATH, DEVICE, "VerifyStatus")
        message.append(True, 7, signature="bu")
        bus.send_message(message)

    @dbus.service.signal(DEVICE, signature="s")
    def VerifyFingerSelected(self, name):
        pass


manager = Manager(bus, "/net/reactivated/Fprint/Manager")
reader = Reader(bus, PATH)
elsewhere = Reader(bus, "/net/reactivated/Fprint/Device/9")
assert bus.request_name("net.reactivated.Fprint") in (1, 4)
print("ready", flush=True)
GLib.io_add_watch(0, GLib.IO_HUP, lambda *_: loop.quit())
loop.run()
