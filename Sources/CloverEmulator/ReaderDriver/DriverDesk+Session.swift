extension DriverDesk {
    /// What a reader needs for new firmware, in percent.
    private static let updateBattery = 30

    mutating func connect(_ id: Int, _ value: JSONValue) {
        guard let name = value["reader"]?.text, let place = readers.firstIndex(where: { $0.id == name }) else {
            return refuse(id, "not_found", "no reader has this id")
        }
        guard connected == nil else { return refuse(id, "in_progress", "a reader is connected") }
        guard !has(.outOfRange, place) else { return refuse(id, "out_of_range", "the reader does not answer") }
        guard !has(.busy, place) else { return refuse(id, "busy", "the reader is connected to a phone") }
        session += 1
        connected = place
        isReady = false
        pendingUpdates = []
        if readers[place].needsFirmware { pendingUpdates.append(true) }
        if readers[place].needsKeys { pendingUpdates.append(false) }
        answer(id, [("reader", readers[place].sighting(isConnected: true))])
        plan(.say(Self.state("initializing"), session: session), after: 100)
        plan(.say(event("reader", [("reader", readers[place].details)]), session: session), after: 300)
        if has(.startFailed, place) {
            plan(
                .lose(Self.error("initialization_failed", "terminal parameters are not available"), session: session),
                after: 500)
        } else {
            plan(.prepare(session: session), after: 500)
        }
    }

    /// The next update, or the end of the preparation.
    mutating func prepare() {
        guard let place = connected else { return }
        guard let isFirmware = pendingUpdates.first else {
            isReady = true
            say(Self.state("ready"))
            plan(.drain(session: session), after: 30_000, atLeast: 1000)
            if has(.drop, place) {
                plan(.lose(Self.error("lost", "the reader went out of range"), session: session), after: 1000)
            }
            return
        }
        isUpdateOpen = true
        var members: [(key: String, value: JSONValue)] = [("what", .string(isFirmware ? "firmware" : "keys"))]
        if isFirmware { members.append(("version", .string(EmulatedReader.newestFirmware))) }
        say(event("update", members))
    }

    mutating func update(_ id: Int, _ value: JSONValue) {
        guard isUpdateOpen, let place = connected, let isFirmware = pendingUpdates.first else {
            return refuse(id, "bad_request", "no update waits")
        }
        guard let mayBegin = value["begin"]?.boolean else { return refuse(id, "bad_request", "'begin' is missing") }
        if mayBegin, isFirmware, readers[place].battery < Self.updateBattery {
            return refuse(
                id, "low_battery", "the reader needs \(Self.updateBattery) percent for an update",
                [("battery", .integer(readers[place].battery))])
        }
        isUpdateOpen = false
        answer(id)
        guard mayBegin else { return endSession(nil) }
        say(Self.state("updatingFW"))
        let steps = 10
        for step in 0...steps {
            if has(.dropInUpdate, place), step > steps / 2 {
                plan(
                    .lose(Self.error("update_failed", "the reader went away in mid-update"), session: session),
                    after: 200 * step)
                return
            }
            plan(
                .say(event("progress", [("progress", .number(step == steps ? "1" : "0.\(step)"))]), session: session),
                after: 200 * step)
        }
        plan(.updated(firmware: isFirmware, session: session), after: 200 * steps + 100)
    }

    mutating func finishUpdate(_ isFirmware: Bool) {
        guard let place = connected else { return }
        pendingUpdates.removeFirst()
        if isFirmware {
            readers[place].firmware = EmulatedReader.newestFirmware
        } else {
            readers[place].needsKeys = false
        }
        say(Self.state("initializing"))
        say(event("reader", [("reader", readers[place].details)]))
        if pendingUpdates.isEmpty {
            do throws(JournalError) {
                try book.note(firmware: readers[place].firmware, of: readers[place].id)
            } catch {
                return endSession(Self.error("update_failed", "\(error)"))
            }
        }
        plan(.prepare(session: session), after: 300)
    }

    /// One percent less, every half minute.
    mutating func drain() {
        guard let place = connected else { return }
        readers[place].battery = max(1, readers[place].battery - 1)
        say(event("battery", [("battery", .integer(readers[place].battery))]))
        plan(.drain(session: session), after: 30_000, atLeast: 1000)
    }

    mutating func disconnect(_ id: Int) {
        if connected != nil { endSession(nil) }
        answer(id)
    }

    mutating func endSession(_ error: JSONValue?) {
        connected = nil
        isReady = false
        isUpdateOpen = false
        var members: [(key: String, value: JSONValue)] = [("state", .string("disconnected"))]
        if let error { members.append(("error", error)) }
        say(event("state", members))
        loseCharge()
    }

    func event(_ name: String, _ members: [(key: String, value: JSONValue)]) -> JSONValue {
        .object([("event", .string(name))] + members)
    }

    private static func state(_ name: String) -> JSONValue {
        .object([("event", .string("state")), ("state", .string(name))])
    }
}
