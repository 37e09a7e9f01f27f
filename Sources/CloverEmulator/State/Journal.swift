import Glibc
import NIOCore

/// The file that stores writes: one line of JSON about the shop, then one line per change, in order. A line is written
/// before its response is sent. An unterminated last line belongs to a write that was never acknowledged and is cut
/// off.
///
/// One ledger uses a journal, one change at a time. Changes are not synced to disk: the file has to survive the end of
/// the emulator, not of the machine.
package final class Journal: Sendable {
    private static let version = 1

    package let path: String
    /// The entries of the file when it was opened.
    package let entries: [JournalEntry]
    /// The end of the history of the shop in the file, in milliseconds since 1970.
    package let now: Int
    private let descriptor: Int32

    /// Opens a file, or creates one for the shop.
    ///
    /// - Parameters:
    ///   - settings: settings of the shop.
    ///   - keepsNow: whether the file's end of history replaces that of the settings.
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

    /// Tries for a second, in case another emulator is just exiting. Until a new process calls exec it holds its
    /// parent's descriptors, and with them the lock.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<50 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            usleep(20_000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Reads the file or writes its first line; afterwards the file offset is at the end.
    private static func begin(
        _ descriptor: Int32, _ path: String, _ settings: ShopSettings, keepsNow: Bool
    ) throws(JournalError) -> (now: Int, entries: [JournalEntry]) {
        let bytes = try content(of: descriptor, path: path)
        if bytes.isEmpty {
            var header: JSONValue = [
                "state": .integer(version), "seed": .string(String(settings.seed)),
                "orders": .integer(settings.orderCount), "now": .integer(settings.now),
            ]
            if let days = settings.days { header.append("days", .integer(days)) }
            guard FileOutput.write(header.line, to: descriptor) else { throw .cannotOpen(path: path, errno: errno) }
            return (settings.now, [])
        }
        // A file without a line break is not a journal; only journals are modified.
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lines = bytes[..<end].split(separator: UInt8(ascii: "\n")).map { JSONParser.value(of: Array($0)) }
        guard let header = lines.first ?? nil, header["state"]?.integer == version, let seed = header["seed"]?.text,
            let orders = header["orders"]?.integer, let now = header["now"]?.integer
        else { throw .notAJournal(path: path) }
        guard seed == String(settings.seed), orders == settings.orderCount, header["days"]?.integer == settings.days,
            keepsNow || now == settings.now
        else { throw .otherShop(path: path, seed: seed, orders: orders) }
        let entries = try lines.enumerated().dropFirst().map { place, line throws(JournalError) in
            guard let entry = line.flatMap({ JournalEntry($0) }) else {
                throw .cannotReplay(path: path, line: place + 1)
            }
            return entry
        }
        if end < bytes.count, ftruncate(descriptor, off_t(end)) != 0 { throw .cannotOpen(path: path, errno: errno) }
        guard lseek(descriptor, off_t(end), SEEK_SET) >= 0 else { throw .cannotOpen(path: path, errno: errno) }
        return (now, entries)
    }

    deinit {
        // Unlocked before it is closed: a child process that is just starting may still hold the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Appends a change. Returns false if it was not written in full; then nothing of it remains.
    func append(_ entry: JournalEntry) -> Bool {
        let end = lseek(descriptor, 0, SEEK_CUR)
        if FileOutput.write(entry.json.line, to: descriptor) { return true }
        _ = ftruncate(descriptor, end)
        lseek(descriptor, end, SEEK_SET)
        return false
    }

    /// Reads a file to its end.
    static func content(of descriptor: Int32, path: String) throws(JournalError) -> [UInt8] {
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
}

/// Output through file descriptors.
package enum FileOutput {
    package static func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8), to: descriptor)
    }

    /// Writes all bytes unbuffered, with a single write(2) unless the system splits it. Returns false on failure.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
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

extension JSONValue {
    /// The encoded value as a line.
    var line: [UInt8] { encoded + [UInt8(ascii: "\n")] }
}

/// A change of the shop, with everything needed to replay it.
package struct JournalEntry: Sendable {
    enum Change: Sendable {
        case request(APIRequest)
        /// A row deleted by drift.
        case removal(list: String, id: String)
        /// A row inserted by drift.
        case insertion(list: String, number: Int)
        /// The changes of a payment call, and the number of ids generated so far. The call itself is not stored: it may
        /// contain a card number.
        case money([PaymentChange], identifiers: Int)
    }

    /// Milliseconds since 1970.
    let time: Int
    let change: Change

    var json: JSONValue {
        var json: JSONValue = ["at": .integer(time)]
        switch change {
        case .request(let request):
            let query = request.query.parameters.map { [.string($0.name), .string($0.value)] as JSONValue }
            json.append("method", .string(request.method))
            json.append("path", .array(request.path.map { .string($0) }))
            json.append("query", .array(query))
            json.append("type", .string(request.contentType ?? ""))
            json.append("body", .string(String(buffer: request.body)))
            if let account = request.accountID { json.append("account", .string(account)) }
        case .removal(let list, let id):
            json.append("removedFrom", .string(list))
            json.append("id", .string(id))
        case .insertion(let list, let number):
            json.append("insertedInto", .string(list))
            json.append("number", .integer(number))
        case .money(let changes, let identifiers):
            json.append("identifiers", .integer(identifiers))
            json.append("money", .array(changes.map(\.json)))
        }
        return json
    }
}

extension JournalEntry {
    /// Parses the form that `json` produces; fails for anything else.
    init?(_ json: JSONValue) {
        guard let time = json["at"]?.integer else { return nil }
        if let list = json["removedFrom"]?.text, let id = json.id {
            self.init(time: time, change: .removal(list: list, id: id))
        } else if let list = json["insertedInto"]?.text, let number = json["number"]?.integer {
            self.init(time: time, change: .insertion(list: list, number: number))
        } else if let list = json["money"]?.list, let identifiers = json["identifiers"]?.integer {
            let changes = list.compactMap { PaymentChange($0) }
            guard changes.count == list.count else { return nil }
            self.init(time: time, change: .money(changes, identifiers: identifiers))
        } else if let method = json["method"]?.text, let path = json["path"]?.list, let query = json["query"]?.list,
            let body = json["body"]?.text
        {
            let pairs = query.map { pair in
                QueryString.Parameter(name: pair.elements.first?.text ?? "", value: pair.elements.last?.text ?? "")
            }
            let request = APIRequest(
                method: method, path: path.compactMap(\.text), query: QueryString(parameters: pairs),
                body: ByteBuffer(string: body), contentType: json["type"]?.text, accountID: json["account"]?.text)
            self.init(time: time, change: .request(request))
        } else {
            return nil
        }
    }
}

/// Why a state file cannot be used.
package enum JournalError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be opened, read or created, with the error number.
    case cannotOpen(path: String, errno: Int32)
    /// Not a state file, or one of a newer version.
    case notAJournal(path: String)
    /// The file belongs to a shop with another seed, number of orders, days or end of history.
    case otherShop(path: String, seed: String, orders: Int)
    /// A line, counted from 1, that is not a change or cannot be replayed.
    case cannotReplay(path: String, line: Int)
    /// Another emulator has it open.
    case inUse(path: String)

    package var description: String {
        switch self {
        case .cannotOpen(let path, let errno): "cannot open \(path): error \(errno)"
        case .notAJournal(let path): "\(path) is not a state file of this version"
        case .otherShop(let path, let seed, let orders):
            "\(path) belongs to another shop; start with --seed \(seed) --orders \(orders) and its --now and --days"
        case .cannotReplay(let path, let line): "\(path): cannot replay line \(line)"
        case .inUse(let path): "\(path) is in use by another emulator"
        }
    }
}
