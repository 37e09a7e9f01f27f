/// The state machine of the emulated reader driver: requests and times in, output lines out. It has no clock and no
/// file descriptor.
///
/// The protocol is that of clover-reader-driver(5), version 1. Times are in milliseconds.
struct DriverStateMachine {
    /// What a scheduled step belongs to; it is dropped when that has ended.
    enum Scope {
        case discovery, session, charge
    }

    private struct Step {
        let due: Int
        let scope: Scope
        let number: Int?
        let body: (inout DriverStateMachine) -> Void
    }

    private static let version = 1
    /// Minimum battery level for a firmware update, in percent.
    private static let updateBattery = 30

    let options: ReaderDriverOptions
    private var readers: [EmulatedReader]
    var store: DriverPaymentStore
    /// Complete lines for standard output.
    private(set) var output: [UInt8] = []
    /// Set when the program must exit.
    var exitStatus: Int32?
    private(set) var now = 0
    private var schedule: [Step] = []
    /// The number of the newest discovery, session and charge, to recognize steps of an earlier one.
    var numbers: [Scope: Int] = [.discovery: 0, .session: 0, .charge: 0]

    private var isScanning = false
    private var moves = 0

    // The session in progress.
    private var connected: Int?
    private(set) var isReady = false
    /// True for firmware, false for keys.
    private var pendingUpdates: [Bool] = []
    private var isUpdateOpen = false

    // The charge in progress.
    var charging: DriverCharge?
    var cardsShown = 0

    init(_ options: ReaderDriverOptions) throws(JournalError) {
        self.options = options
        readers = (0..<options.readers).map { EmulatedReader(seed: options.seed, place: $0) }
        store = DriverPaymentStore(path: options.statePath)
        for place in readers.indices {
            if has(.lowBattery, place) { readers[place].battery = 12 }
            if let firmware = try store.entry("reader", readers[place].id)?["firmware"]?.text {
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

    private func has(_ kind: ReaderFault.Kind, _ place: Int) -> Bool {
        options.faults.contains { $0.kind == kind && ($0.number ?? place + 1) == place + 1 }
    }

    var nextDue: Int? { schedule.map(\.due).min() }

    /// Performs all steps due at a time.
    mutating func advance(to time: Int) {
        while exitStatus == nil, let next = schedule.indices.min(by: { schedule[$0].due < schedule[$1].due }),
            schedule[next].due <= time
        {
            let step = schedule.remove(at: next)
            now = max(now, step.due)
            if step.number == numbers[step.scope], isRunning(step.scope) { step.body(&self) }
        }
        now = max(now, time)
    }

    private func isRunning(_ scope: Scope) -> Bool {
        switch scope {
        case .discovery: isScanning
        case .session: connected != nil
        case .charge: charging != nil
        }
    }

    /// Schedules a step. Repeating steps need a minimum delay: with `--pace 0` nothing else would ever run.
    mutating func plan(
        _ scope: Scope, after milliseconds: Int, atLeast least: Int = 0,
        _ body: @escaping (inout DriverStateMachine) -> Void
    ) {
        let due = now + max(least, Int(Double(milliseconds) * options.pace))
        schedule.append(Step(due: due, scope: scope, number: numbers[scope], body: body))
    }

    mutating func say(_ value: JSONValue) {
        output += value.line
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    mutating func answer(_ id: Int, _ result: JSONValue = [:]) {
        say(["id": .integer(id), "result": result])
    }

    mutating func refuse(_ id: Int, _ code: String, _ message: String, _ more: JSONValue = [:]) {
        var error: JSONValue = ["code": .string(code), "message": .string(message)]
        error.merge(more)
        say(["id": .integer(id), "error": error])
    }

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
                id, "version", "this driver speaks version 1 only", ["versions": [.integer(Self.version)]])
        }
        // Without a file, payments are lost when the program exits.
        let capabilities: JSONValue =
            options.statePath == nil ? ["scan", "connect", "charge"] : ["scan", "connect", "charge", "recall"]
        answer(
            id,
            [
                "version": .integer(Self.version), "driver": "clover-emulator", "driverVersion": "1",
                "capabilities": capabilities,
            ])
    }

    // MARK: - Discovery

    private mutating func scan(_ id: Int) {
        guard !isScanning else { return refuse(id, "in_progress", "a scan is in progress") }
        isScanning = true
        numbers[.discovery, default: 0] += 1
        answer(id)
        for place in readers.indices where !has(.outOfRange, place) {
            plan(.discovery, after: 300 + 700 * place) { $0.sight(place) }
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
        plan(.discovery, after: 1000, atLeast: 100) { $0.sight(place) }
    }

    // MARK: - Sessions

    private mutating func connect(_ id: Int, _ value: JSONValue) {
        guard let name = value["reader"]?.text, let place = readers.firstIndex(where: { $0.id == name }) else {
            return refuse(id, "not_found", "no reader has this id")
        }
        guard connected == nil else { return refuse(id, "in_progress", "a reader is already connected") }
        guard !has(.outOfRange, place) else { return refuse(id, "out_of_range", "the reader does not respond") }
        guard !has(.busy, place) else { return refuse(id, "busy", "the reader is connected to a phone") }
        numbers[.session, default: 0] += 1
        connected = place
        isReady = false
        pendingUpdates = []
        if readers[place].needsFirmware { pendingUpdates.append(true) }
        if readers[place].needsKeys { pendingUpdates.append(false) }
        answer(id, ["reader": readers[place].sighting(isConnected: true)])
        plan(.session, after: 100) { $0.tell(state: "initializing") }
        plan(.session, after: 300) { $0.say(["event": "reader", "reader": $0.readers[place].details]) }
        let fails = has(.startFailed, place)
        plan(.session, after: 500) { driver in
            guard fails else { return driver.prepare() }
            driver.endSession(("initialization_failed", "terminal parameters are not available"))
        }
    }

    /// Announces the next update, or ends the preparation.
    private mutating func prepare() {
        guard let place = connected else { return }
        guard let isFirmware = pendingUpdates.first else {
            isReady = true
            tell(state: "ready")
            plan(.session, after: 30_000, atLeast: 1000) { $0.drain() }
            if has(.drop, place) {
                plan(.session, after: 1000) { $0.endSession(("lost", "the reader went out of range")) }
            }
            return
        }
        isUpdateOpen = true
        var event: JSONValue = ["event": "update", "what": isFirmware ? "firmware" : "keys"]
        if isFirmware { event.append("version", .string(EmulatedReader.newestFirmware)) }
        say(event)
    }

    private mutating func update(_ id: Int, _ value: JSONValue) {
        guard isUpdateOpen, let place = connected, let isFirmware = pendingUpdates.first else {
            return refuse(id, "bad_request", "no update is pending")
        }
        guard let mayBegin = value["begin"]?.boolean else { return refuse(id, "bad_request", "'begin' is missing") }
        if mayBegin, isFirmware, readers[place].battery < Self.updateBattery {
            return refuse(
                id, "low_battery", "the reader needs \(Self.updateBattery) percent for an update",
                ["battery": .integer(readers[place].battery)])
        }
        isUpdateOpen = false
        answer(id)
        guard mayBegin else { return endSession(nil) }
        tell(state: "updatingFW")
        let steps = 10
        for step in 0...steps {
            if has(.dropInUpdate, place), step > steps / 2 {
                return plan(.session, after: 200 * step) {
                    $0.endSession(("update_failed", "the reader disconnected during the update"))
                }
            }
            let progress: JSONValue = .number(step == steps ? "1" : "0.\(step)")
            plan(.session, after: 200 * step) { $0.say(["event": "progress", "progress": progress]) }
        }
        plan(.session, after: 200 * steps + 100) { $0.finishUpdate(isFirmware) }
    }

    private mutating func finishUpdate(_ isFirmware: Bool) {
        guard let place = connected else { return }
        pendingUpdates.removeFirst()
        if isFirmware {
            readers[place].firmware = EmulatedReader.newestFirmware
        } else {
            readers[place].needsKeys = false
        }
        tell(state: "initializing")
        say(["event": "reader", "reader": readers[place].details])
        if pendingUpdates.isEmpty {
            do throws(JournalError) {
                try store.note(firmware: readers[place].firmware, of: readers[place].id)
            } catch {
                return endSession(("update_failed", "\(error)"))
            }
        }
        plan(.session, after: 300) { $0.prepare() }
    }

    /// Drains one percent every half minute.
    private mutating func drain() {
        guard let place = connected else { return }
        readers[place].battery = max(1, readers[place].battery - 1)
        say(["event": "battery", "battery": .integer(readers[place].battery)])
        plan(.session, after: 30_000, atLeast: 1000) { $0.drain() }
    }

    private mutating func disconnect(_ id: Int) {
        if connected != nil { endSession(nil) }
        answer(id)
    }

    /// - Parameter error: why the session was lost; nil if it ended in order.
    private mutating func endSession(_ error: (code: String, message: String)?) {
        connected = nil
        isReady = false
        isUpdateOpen = false
        var event: JSONValue = ["event": "state", "state": "disconnected"]
        if let error {
            event.append("error", ["code": .string(error.code), "message": .string(error.message)])
        }
        say(event)
        loseCharge()
    }

    private mutating func tell(state: String) {
        say(["event": "state", "state": .string(state)])
    }
}
