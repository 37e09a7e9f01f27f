# Tests the program with a real bluetoothd.
export CLOVER_ACCESS_TOKEN=token CLOVER_MERCHANT_ID=MERCHANT CLOVER_ENVIRONMENT=http://127.0.0.1:9
export CLOVER_STATE_DIR=/tmp/state CLOVER_CONFIG_DIR=/tmp/config CLOVER_ERRORS=json
scan="clover reader scan --adapter hci0 --json"

# check WHAT COMMAND...: checks that the command succeeds.
check() {
    what=$1
    shift
    if "$@" >/run/check.log 2>&1; then
        echo "ok    $what" >&3
    else
        echo "FAIL  $what: out: $(tr '\n' ' ' </run/out) err: $(tr '\n' ' ' </run/err)" >&3
        echo "      status ${status:-none}; $(tr '\n' ' ' </run/check.log)" >&3
    fi
}

# run COMMAND...: runs it, and keeps output, errors and status.
run() {
    "$@" >/run/out 2>/run/err </dev/null
    status=$?
}

# begin COMMAND...: the same in the background.
begin() {
    : >/run/out
    : >/run/err
    "$@" >/run/out 2>/run/err </dev/null &
    begun=$!
}

# Waits for its end, for up to a minute.
end() {
    (sleep 60 && kill -9 "$begun") &
    guard=$!
    wait "$begun"
    status=$?
    kill "$guard" 2>/dev/null
}

# refused STATUS CODE
refused() { [ "$status" -eq "$1" ] && jq -e --arg code "$2" 'select(.error).error.code == $code' /run/err; }
printed() { jq -es "$1" /run/out; }
has_printed() { grep -q "$1" /run/out; }

run $scan --timeout 2
check "reports a missing system bus" refused 69 no_system_bus
start_bus
run $scan --timeout 2
check "reports a missing bluetoothd" refused 69 no_bluetooth_service
start_bluetoothd
run $scan --timeout 2
check "reports a missing adapter" refused 69 no_adapter
start_controllers

run su refused -c "CLOVER_STATE_DIR=/tmp/refused $scan --timeout 2"
check "reports that the bus refuses the user" refused 77 not_permitted

wait_until set_power hci0 false
wait_until adapter_has hci0 Powered false
run $scan --timeout 2
check "an adapter that is off is named" refused 69 adapter_off
set_block hci0 1
run $scan --timeout 2 --power-on
check "an adapter that rfkill blocks is named" refused 69 adapter_blocked
set_block hci0 0
run $scan --timeout 2 --power-on
check "no reader nearby is status 66" refused 66 no_reader
check "--power-on turns the adapter on" adapter_has hci0 Powered true

wait_until set_power hci1 true
dbus-monitor --system "type='method_call',interface='org.bluez.Adapter1'" >/run/monitor.log 2>&1 &
monitor=$!
start_reader Clover_Go_630094 57

run $scan --timeout 60 --first
check "scan --first finds the reader and ends" test "$status" -eq 0
check "the reader has its name, address and transport" printed \
    'length == 1 and (.[0] | .id == "00:AA:01:01:00:01" and .name == "Clover_Go_630094" and .transport == "ble")'
# The virtual controller reports 127, which means "unknown" (Core specification, LE Advertising Report event).
check "unknown properties are null" printed '.[0] | .rssi == null and .battery == null and .firmware == null'
check "it was not connected before" printed '.[0] | (.connected or .previouslyConnected or .paired) | not'
check "discovery has been stopped" adapter_has hci0 Discovering false

begin $scan --timeout 0
wait_until adapter_has hci0 Discovering true
kill -TERM $begun
end
check "a terminated scan ends by that signal" test "$status" -eq 143
check "discovery has been stopped after SIGTERM" wait_until adapter_has hci0 Discovering false
# In the foreground, because a shell without job control makes background commands ignore SIGINT.
(wait_until adapter_has hci0 Discovering true && kill -INT "$(pidof clover)") &
run timeout -s KILL 60 $scan --timeout 0
check "an interrupted scan ends by that signal" test "$status" -eq 130
check "discovery has been stopped after SIGINT" wait_until adapter_has hci0 Discovering false

run clover reader connect --adapter hci0 --json --timeout 5 00:AA:01:01:00:02
check "an absent reader is not found" refused 66 no_reader

run clover reader connect --adapter hci0 --json --timeout 60 Clover_Go_630094
check "connect makes the reader ready" test "$status" -eq 0
[ "$status" -eq 0 ] || tail -n 40 /run/bluetoothd.log /run/reader.log >&3
check "it was initializing first" printed '.[0].state == "initializing"'
check "it is ready with its battery level, firmware and serial number" printed \
    '.[-1] | .state == "ready" and .battery == 57 and .firmware == "1.0.14" and .serial == "C041"'
run clover reader list --json
check "the reader is listed as known" printed '.[0].id == "00:AA:01:01:00:01"'

begin clover reader watch --adapter hci0 --json
wait_until has_printed '"battery":57'
check "watch starts with the state of the connection that connect kept" printed '.[-1].state == "ready"'
set_battery 0x38
check "watch reports a changed battery level" wait_until has_printed '"battery":56'
set_battery 0x13
check "watch reports a low battery" wait_until has_printed '"state":"lowBattery"'
tell_reader "disconnect $client_address" "Successful disconnected\|Connected: no"
check "watch reports the disconnection" wait_until has_printed '"state":"disconnected"'
end
check "watch then ends" test "$status" -eq 0
check "no event was reported twice" printed 'map(del(.at)) | length == (unique | length)'

run clover reader connect --adapter hci0 --json --timeout 60
check "without an ID the last reader is used" test "$status" -eq 0
run clover reader disconnect --json
check "disconnect ends the connection" test "$status" -eq 0
check "the reader is no longer connected" wait_until reader_has Connected false

kill "$monitor"
starts=$(grep -c member=StartDiscovery /run/monitor.log)
stops=$(grep -c member=StopDiscovery /run/monitor.log)
check "each of $starts discoveries was stopped" test "$starts" -eq "$stops" -a "$starts" -ge 4

begin $scan --timeout 0
wait_until adapter_has hci0 Discovering true
set_power hci0 false
end
check "reports an adapter that is turned off during a session" refused 69 adapter_off
wait_until set_power hci0 true
begin $scan --timeout 0
wait_until adapter_has hci0 Discovering true
kill -9 $bluetoothd
end
check "reports a bluetoothd that is killed during a session" refused 69 bluetooth_service_lost
