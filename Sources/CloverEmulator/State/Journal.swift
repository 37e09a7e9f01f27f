import Glibc

/// The file that writes are kept in: a line of JSON about the shop, then one for each change, in order. A line is in the
/// file before its answer leaves. A last line without an end belongs to a write that was never answered and is cut off.
///
/// One ledger uses a journal, one change at a time. Changes are not forced to the disk: the file is there to survive the end of the emulator, not of the machine.
package final class Journal: Sendable {
    private static let version = 1

    package let path: String
    /// What the file held when it was opened.
    package let entries: [JournalEntry]
    /// When the history of the shop in the file ends, in milliseconds since 1970.
    package let now: Int
    private let descriptor: Int32

    /// Opens a file, or makes one for the shop.
    ///
    /// - Parameters:
    ///   - settings: of the shop.
    ///   - keepsNow: whether the file's end of history counts instead of that of the settings.
    package init(path: String, settings: ShopSettings, keepsNow: Bool) throws(JournalError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, errno: errno) }
        do throws(JournalError) {
            guard Self.lock(descriptor) else { throw .inUse(path: path) }
            let content = try Self.begin(descriptor, path, settings, keepsNow: keepsNow)
            self.path = path
            self.descriptor = descriptor
            now = content.now
            entries = content.entries
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Waits a second for one who is just ending. A process that is being started has the descriptors of its parent, and with
    /// them the lock, until it becomes another program.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<50 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(20_000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Reads the file, or writes its first line; afterwards it stands at its end.
    private static func begin(
        _ descriptor: Int32, _ path: String, _ settings: ShopSettings, keepsNow: Bool
    ) throws(JournalError) -> (now: Int, entries: [JournalEntry]) {
        let bytes = try content(of: descriptor, path: path)
        if bytes.isEmpty {
            var header: JSONValue = .object([
                ("state", .integer(version)), ("seed", .string(String(settings.seed))),
                ("orders", .integer(settings.orderCount)), ("now", .integer(settings.now)),
            ])
            if let days = settings.days { header.append("days", .integer(days)) }
            guard write(header, to: descriptor) else { throw .cannotOpen(path: path, errno: errno) }
            return (settings.now, [])
        }
        // Bytes without a line end are somebody else's file, and only a file that is ours is changed.
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))
        guard let header = lines.first else { throw .notAJournal(path: path) }
        let now = try check(Array(header), path, settings, keepsNow: keepsNow)
        let entries = try entries(lines.dropFirst(), path)
        if end < bytes.count, ftruncate(descriptor, off_t(end)) != 0 { throw .cannotOpen(path: path, errno: errno) }
        guard lseek(descriptor, off_t(end), SEEK_SET) >= 0 else { throw .cannotOpen(path: path, errno: errno) }
        return (now, entries)
    }

    deinit {
        // Unlocked before it is closed: a child process that is just being started may hold the file open a moment longer.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Adds a change; false when the file did not take it whole, and then nothing of it stays.
    func append(_ entry: JournalEntry) -> Bool {
        let end = lseek(descriptor, 0, SEEK_CUR)
        if Self.write(entry.json, to: descriptor) { return true }
        _ = ftruncate(descriptor, end)
        lseek(descriptor, end, SEEK_SET)
        return false
    }

    private static func check(
        _ line: [UInt8], _ path: String, _ settings: ShopSettings, keepsNow: Bool
    ) throws(JournalError) -> Int {
        guard let header = JSONParser.value(of: line), header["state"]?.integer == version,
            let seed = header["seed"]?.text, let orders = header["orders"]?.integer, let now = header["now"]?.integer
        else { throw .notAJournal(path: path) }
        guard seed == String(settings.seed), orders == settings.orderCount, header["days"]?.integer == settings.days,
            keepsNow || now == settings.now
        else {
            throw .otherShop(path: path, seed: seed, orders: orders)
        }
        return now
    }

    private static func entries(
        _ lines: ArraySlice<ArraySlice<UInt8>>, _ path: String
    ) throws(JournalError) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        for (place, line) in lines.enumerated() {
            guard let json = JSONParser.value(of: Array(line)), let entry = JournalEntry(json) else {
                throw .cannotReplay(path: path, line: place + 2)
            }
            entries.append(entry)
        }
        return entries
    }

    private static func content(of descriptor: Int32, path: String) throws(JournalError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { throw .cannotOpen(path: path, errno: errno) }
            } else if count == 0 {
                return bytes
            } else {
                bytes += part[..<count]
            }
        }
    }

    /// One call of write(2) for a whole line, so that a line is there or not.
    private static func write(_ json: JSONValue, to descriptor: Int32) -> Bool {
        let bytes = json.encoded + [UInt8(ascii: "\n")]
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { return false }
            } else {
                rest = rest.dropFirst(count)
            }
        }
        return true
    }
}
