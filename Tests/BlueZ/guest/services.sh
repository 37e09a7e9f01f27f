# Starts and queries the system bus, the virtual controllers and BlueZ.

# Waits until a command succeeds, for up to a minute, because the machine is emulated.
wait_until() {
    attempts=0
    until "$@" >/dev/null 2>&1; do
        attempts=$((attempts + 1))
        [ "$attempts" -lt 600 ] || return 1
        sleep 0.1
    done
}

ask() { dbus-send --system --print-reply --reply-timeout=60000 "$@"; }

has_name() {
    ask --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner "string:$1" | grep -q true
}

has_controller() { [ -e "/sys/class/bluetooth/$1" ]; }

# adapter_has ADAPTER PROPERTY TEXT
adapter_has() {
    ask --dest=org.bluez "/org/bluez/$1" org.freedesktop.DBus.Properties.Get string:org.bluez.Adapter1 "string:$2" |
        grep -q "$3"
}

set_power() {
    ask --dest=org.bluez "/org/bluez/$1" org.freedesktop.DBus.Properties.Set string:org.bluez.Adapter1 \
        string:Powered "variant:boolean:$2"
}

start_bus() {
    dbus-daemon --system --nofork --nopidfile &
    wait_until test -S /run/dbus/system_bus_socket || finish "the system bus does not start"
}

# Started as Debian's unit does.
start_bluetoothd() {
    bluetoothd -n >>/run/bluetoothd.log 2>&1 &
    bluetoothd=$!
    wait_until has_name org.bluez || finish "bluetoothd does not start: $(tail -n 3 /run/bluetoothd.log | tr '\n' ' ')"
}

start_controllers() {
    btvirt -L -l2 >/run/btvirt.log 2>&1 &
    wait_until has_controller hci1 || finish "there are no virtual controllers"
    wait_until adapter_has hci0 Address string && wait_until adapter_has hci1 Address string ||
        finish "bluetoothd does not see the virtual controllers"
}

# set_block ADAPTER 0|1: does what rfkill(8) does.
set_block() {
    for switch in /sys/class/rfkill/rfkill*; do
        [ "$(cat "$switch/name")" != "$1" ] || echo "$2" >"$switch/soft"
    done
}
