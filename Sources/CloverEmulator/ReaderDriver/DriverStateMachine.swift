/// The state machine of the emulated reader driver: requests and times in, output lines out. It has no clock and no
/// file descriptor.
///
/// The protocol is that of clover-reader-driver(5), version 1. Times are in milliseconds.
struct DriverStateMachine {
    static let version = 1

    let options: ReaderDriverOptions
    var readers: [EmulatedReader]
    var store: DriverPaymentStore
    /// Complete lines for standard output.
    private(set) var output: [UInt8] = []
    /// Set when the program must exit.
    var exitStatus: Int32?
    private(set) var now = 0
    private var schedule: [(due: Int, step: DriverStep)] = []

    // The discovery in progress; each has a number, to recognize steps of an earlier one.
    var isScanning = false
    var discovery = 0
    private var moves = 0

    // The session in progress.
    var session = 0
    var connected: Int?
    var isReady = false
    var pendingUpdates: [Bool] = []
    var isUpdateOpen = false

    // The charge in progress.
    var charge = 0
    var charging: DriverCharge?
    var cardsShown = 0

    init(_ options: ReaderDriverOptions) throws(JournalError) {
        self.options = options
        readers = (0..<options.readers).map { EmulatedReader(seed: options.seed, place: $0) }
        store = DriverPaymentStore(path: options.statePath)
        for place in readers.indices {
            if has(.lowBattery, place) { readers[place].battery = 12 }
            if let firmware = try store.firmware(of: readers[place].id) {
                readers[place].firmware = firmware
                readers[place].needsKeys = false
            }
            if has(.needsUpdate, place) { readers[place].firmware = "1.0.12" }
            if has(.needsKeys, place) { readers[place].needsKeys = true }
            if has(.dropInUpdate, place) {
                readers[place].firmware = "1.0.12"
                readers[place].battery = max(readers[place].battery, 60)
            }
        }
    }

    /// Whether the reader at this index has the fault.
    func has(_ kind: ReaderFault.Kind, _ place: Int) -> Bool {
        options.faults.contains { $0.kind == kind && ($0.number ?? place + 1) == place + 1 }
    }

    /// The time of the next scheduled step; nil for none.
    var nextDue: Int? { schedule.map(\.due).min() }

    /// Performs all steps due at a time.
    mutating func advance(to time: Int) {
        while exitStatus == nil, let next = schedule.indices.min(by: { schedule[$0].due < schedule[$1].due }),
            schedule[next].due <= time
        {
            let (due, step) = schedule.remove(at: next)
            now = max(now, due)
            perform(step)
        }
        now = max(now, time)
    }

    /// Schedules a step. Repeating steps need a minimum delay: with `--pace 0` nothing else would ever run.
    mutating func plan(_ step: DriverStep, after milliseconds: Int, atLeast least: Int = 0) {
        schedule.append((now + max(least, Int(Double(milliseconds) * options.pace)), step))
    }

    mutating func say(_ value: JSONValue) {
        output += value.encoded + [UInt8(ascii: "\n")]
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    mutating func answer(_ id: Int, _ result: [(key: String, value: JSONValue)] = []) {
        say(["id": .integer(id), "result": .object(result)])
    }

    mutating func refuse(_ id: Int, _ code: String, _ message: String, _ more: [(key: String, value: JSONValue)] = []) {
        say(["id": .integer(id), "error": Self.error(code, message, more)])
    }

    static func error(
        _ code: String, _ message: String, _ more: [(key: String, value: JSONValue)] = []
    ) -> JSONValue {
        .object([("code", .string(code)), ("message", .string(message))] + more)
    }

    /// A request line.
    mutating func receive(_ line: [UInt8]) {
        guard let value = JSONParser.value(of: line), let id = value["id"]?.integer,
            let request = value["request"]?.text
        else { return refuse(0, "bad_request", "not a request") }
        switch request {
        case "hello": hello(id, value)
        case "ping": answer(id)
        case "scan": scan(id)
        case "stopScan": stopScan(id)
        case "connect": connect(id, value)
        case "update": update(id, value)
        case "disconnect": disconnect(id)
        case "charge": startCharge(id, value)
        case "cancel": cancelCharge(id)
        case "payment": lookUp(id, value)
        default: refuse(id, "unknown_request", "unknown request '\(request)'")
        }
    }

    private mutating func hello(_ id: Int, _ value: JSONValue) {
        guard value["versions"]?.elements.contains(where: { $0.integer == Self.version }) == true else {
            return refuse(
                id, "version", "this driver speaks version 1 only",
                [("versions", .array([.integer(Self.version)]))])
        }
        answer(
            id,
            [
                ("version", .integer(Self.version)), ("driver", .string("clover-emulator")),
                ("driverVersion", .string("1")),
                ("capabilities", .array(capabilities.map { .string($0) })),
            ])
    }

    /// Without a file, payments are lost when the program exits.
    private var capabilities: [String] {
        ["scan", "connect", "charge"] + (options.statePath == nil ? [] : ["recall"])
    }

    private mutating func perform(_ step: DriverStep) {
        switch step {
        case .sight(let place, let number): if isScanning, number == discovery { sight(place) }
        case .say(let value, let number): if number == session, connected != nil { say(value) }
        case .lose(let error, let number): if number == session, connected != nil { endSession(error) }
        case .updated(let firmware, let number): if number == session, connected != nil { finishUpdate(firmware) }
        case .prepare(let number): if number == session, connected != nil { prepare() }
        case .drain(let number): if number == session, connected != nil { drain() }
        case .present(let number): if number == charge { present() }
        case .giveUp(let number): if number == charge { giveUp() }
        case .settle(let number): if number == charge { settle() }
        }
    }

    // MARK: - Discovery

    private mutating func scan(_ id: Int) {
        guard !isScanning else { return refuse(id, "in_progress", "a scan is in progress") }
        isScanning = true
        discovery += 1
        answer(id)
        for place in readers.indices where !has(.outOfRange, place) {
            plan(.sight(place, discovery: discovery), after: 300 + 700 * place)
        }
    }

    private mutating func stopScan(_ id: Int) {
        isScanning = false
        answer(id)
    }

    /// Reports a reader with a varying signal, and schedules the next report a second later.
    private mutating func sight(_ place: Int) {
        moves += 1
        var random = SeededRandom(seed: options.seed, stream: .reader, index: 1000 + moves)
        readers[place].rssi = max(-100, min(-30, readers[place].signal + random.within(-4...4)))
        say(["event": "found", "reader": readers[place].sighting(isConnected: has(.busy, place))])
        // A minimum delay, whatever the pace.
        schedule.append((now + max(100, Int(1000 * options.pace)), .sight(place, discovery: discovery)))
    }
}

extension DriverStateMachine {
    /// Minimum battery level for a firmware update, in percent.
    private static let updateBattery = 30

    mutating func connect(_ id: Int, _ value: JSONValue) {
        guard let name = value["reader"]?.text, let place = readers.firstIndex(where: { $0.id == name }) else {
            return refuse(id, "not_found", "no reader has this id")
        }
        guard connected == nil else { return refuse(id, "in_progress", "a reader is already connected") }
        guard !has(.outOfRange, place) else { return refuse(id, "out_of_range", "the reader does not respond") }
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

    /// Announces the next update, or ends the preparation.
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
            return refuse(id, "bad_request", "no update is pending")
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
                    .lose(Self.error("update_failed", "the reader disconnected during the update"), session: session),
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
                try store.note(firmware: readers[place].firmware, of: readers[place].id)
            } catch {
                return endSession(Self.error("update_failed", "\(error)"))
            }
        }
        plan(.prepare(session: session), after: 300)
    }

    /// Drains one percent every half minute.
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
        ["event": "state", "state": .string(name)]
    }
}

/// A scheduled step of the emulated driver.
enum DriverStep {
    /// Reports the reader at this index, in the discovery with this number.
    case sight(Int, discovery: Int)
    /// Sends this line, in the session with this number.
    case say(JSONValue, session: Int)
    /// The session loses its reader.
    case lose(JSONValue, session: Int)
    /// The session's firmware or keys are done.
    case updated(firmware: Bool, session: Int)
    /// Continues the session's preparation.
    case prepare(session: Int)
    /// Drains one percent of the battery.
    case drain(session: Int)
    /// A card is presented in the charge with this number.
    case present(charge: Int)
    /// The wait for a card times out.
    case giveUp(charge: Int)
    /// The charge comes to its end.
    case settle(charge: Int)
}
