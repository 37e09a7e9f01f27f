# Simulates a Clover Go reader for BlueZ: the second controller advertises its name and has a battery, a firmware and a
# serial number. It is bluetoothctl, controlled through a pipe.
reader_address=00:AA:01:01:00:01
client_address=00:AA:01:00:00:00

reader_said() { [ "$(grep -c -- "$1" /run/reader.log)" -gt "$2" ]; }

# tell_reader LINE OUTPUT: sends a line, and waits until the output has appeared once more.
tell_reader() {
    before=$(grep -c -- "$2" /run/reader.log)
    echo "$1" >&8
    wait_until reader_said "$2" "$before" ||
        finish "the reader does not respond to '$1' with '$2': $(tail -n 5 /run/reader.log | tr '\n\r' '  ')"
}

# characteristic UUID FLAGS VALUE: adds it to the service that was registered last.
characteristic() {
    tell_reader "register-characteristic $1 $2" "Enter value:"
    tell_reader "$3" "bluetooth"
}

service() {
    tell_reader "register-service $1" "Primary (yes/no):"
    tell_reader yes "bluetooth"
}

# start_reader NAME BATTERY
start_reader() {
    rm -f /run/reader
    mkfifo /run/reader
    : >/run/reader.log
    # Kept open, because bluetoothctl exits when its input ends.
    exec 8<>/run/reader
    bluetoothctl <&8 >/run/reader.log 2>&1 &
    reader=$!
    wait_until reader_said "Agent registered" 0 || finish "bluetoothctl does not start"
    tell_reader "select $reader_address" "bluetooth"
    tell_reader show "Controller $reader_address (public)"
    # After connecting, this name is used.
    tell_reader "system-alias $1" "succeeded"
    tell_reader "menu gatt" "Menu gatt:"
    service 0x180F
    characteristic 0x2A19 read,write,notify "$2"
    service 0x180A
    characteristic 0x2A26 read "0x31 0x2e 0x30 0x2e 0x31 0x34"
    characteristic 0x2A25 read "0x43 0x30 0x34 0x31 0x00"
    tell_reader register-application "Application registered"
    tell_reader back "Menu main:"
    tell_reader "advertise.name $1" "LocalName\|$1"
    tell_reader "advertise.uuids 0x180F" "0x180F"
    tell_reader "advertise on" "ActiveInstances: 0x01"
}

# reader_has PROPERTY TEXT: checks a property on the client's side.
reader_has() {
    ask --dest=org.bluez "/org/bluez/hci0/dev_$(echo "$reader_address" | tr : _)" org.freedesktop.DBus.Properties.Get \
        string:org.bluez.Device1 "string:$1" | grep -q "$2"
}

# Sets the reader's battery level, 0x00 to 0x64. The client writes it, because bluetoothctl cannot change its own values.
set_battery() {
    level=$(ask --dest=org.bluez / org.freedesktop.DBus.ObjectManager.GetManagedObjects | awk '
        /object path "\/org\/bluez\/hci0\/.*char[0-9a-f]*"/ { path = $3 }
        /00002a19-/ { print path; exit }' | tr -d '"')
    gdbus call --system --dest org.bluez --object-path "$level" \
        --method org.bluez.GattCharacteristic1.WriteValue "[byte $1]" "{}" ||
        finish "the reader's battery cannot be set at $level"
}
