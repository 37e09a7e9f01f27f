import Glibc

/// The emulated driver as a program: requests on standard input, responses on standard output, until the input ends.
package struct ReaderDriverProgram {
    private var driver: DriverStateMachine
    private var input: [UInt8] = []
    private let start = ContinuousClock.now

    package init(_ options: ReaderDriverOptions) throws(JournalError) {
        driver = try DriverStateMachine(options)
    }

    /// Runs until the input ends and returns the exit status.
    package mutating func run() -> Int32 {
        while true {
            driver.advance(to: milliseconds)
            guard flush() else { return 0 }
            if let status = driver.exitStatus { return status }
            var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let pause = driver.nextDue.map { Int32(clamping: max(0, $0 - milliseconds)) } ?? -1
            let count = poll(&entry, 1, pause)
            if count < 0, errno != EINTR { return 74 }
            if count > 0, !readInput() { return 0 }
        }
    }

    private var milliseconds: Int { start.duration(to: .now).milliseconds }

    /// Returns false at the end of the input; everything in progress ends with the program.
    private mutating func readInput() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0 { return errno == EINTR }
        if count == 0 { return false }
        input += buffer[..<count]
        driver.advance(to: milliseconds)
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            driver.receive(Array(input[..<end]))
            input.removeFirst(end + 1)
        }
        return true
    }

    /// Returns false when the output has no reader.
    private mutating func flush() -> Bool {
        FileOutput.write(driver.takeOutput(), to: STDOUT_FILENO)
    }
}

/// The payments of the emulated readers, in memory or in a file. An idempotency key has one payment, whichever driver
/// asks.
///
/// The file has a line for each payment, `{"key":...,"externalId":...,"outcome":{...}}`, and one for each update,
/// `{"reader":...,"firmware":...}`. Any number of drivers may use it at once.
struct DriverPaymentStore {
    private let path: String?
    private var entries: [JSONValue] = []

    init(path: String?) {
        self.path = path
    }

    /// The newest entry with this member.
    mutating func entry(_ member: String, _ value: String) throws(JournalError) -> JSONValue? {
        try locked { entries throws(JournalError) in (entries.last { $0[member]?.text == value }, nil) }
    }

    /// The outcome stored under the charge's key; if there is none, it is decided and stored.
    mutating func outcome(of charge: DriverCharge, seed: UInt64) throws(JournalError) -> JSONValue {
        try locked { entries throws(JournalError) in
            if let known = entries.first(where: { $0["key"]?.text == charge.key })?["outcome"] { return (known, nil) }
            let outcome = charge.outcome(seed: seed)
            return (
                outcome,
                ["key": .string(charge.key), "externalId": .string(charge.externalID), "outcome": outcome]
            )
        }
    }

    mutating func note(firmware: String, of reader: String) throws(JournalError) {
        try locked { _ throws(JournalError) in ((), ["reader": .string(reader), "firmware": .string(firmware)]) }
    }

    /// Reads all entries, passes them to `body`, and appends the entry that it returns, under an exclusive lock.
    private mutating func locked<Value>(
        _ body: ([JSONValue]) throws(JournalError) -> (Value, JSONValue?)
    ) throws(JournalError) -> Value {
        guard let path else {
            let (value, entry) = try body(entries)
            if let entry { entries.append(entry) }
            return value
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, errno: errno) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { throw .cannotOpen(path: path, errno: errno) }
        }
        let (value, entry) = try body(Self.read(descriptor, path))
        if let entry, !FileOutput.write(entry.line, to: descriptor) { throw .cannotOpen(path: path, errno: errno) }
        return value
    }

    private static func read(_ descriptor: Int32, _ path: String) throws(JournalError) -> [JSONValue] {
        var entries: [JSONValue] = []
        for line in try Journal.content(of: descriptor, path: path).split(separator: UInt8(ascii: "\n")) {
            guard let entry = JSONParser.value(of: Array(line)) else { throw .notAJournal(path: path) }
            entries.append(entry)
        }
        return entries
    }
}
