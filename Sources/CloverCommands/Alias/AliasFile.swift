import CloverSystem

/// The user's own names for command lines: the file `aliases` beside the configuration file, with a line `NAME = WORDS` for
/// each. It is read only when the first word of a command line is no command.
struct AliasFile {
    struct Entry: Sendable, Equatable {
        let name: String
        /// The command line without `clover`, as typed: words, with quotes around those that hold spaces.
        let command: String
    }

    private static let name = "aliases"
    private static let sizeLimit = 1 << 16
    private static let head = "# Aliases of clover: 'clover alias list' shows them.\n"

    /// An absolute path, without a trailing slash.
    let directory: String

    var path: String { "\(directory)/\(Self.name)" }

    /// - Parameter variables: the environment of this process, which says where the configuration is.
    init(variables: [String: String]) throws(AliasError) {
        directory = try AliasError.storing { () throws(StorageError) in
            try UserDirectory.path(
                variable: "CLOVER_CONFIG_DIR", base: "XDG_CONFIG_HOME", fallback: ".config", in: variables)
        }
    }

    /// The aliases in the order of the file; none if there is no file. No other user may be able to change the file: it
    /// determines what is run.
    func read() throws(AliasError) -> [Entry] { try Self.entries(try text() ?? "", path: path) }

    /// Adds an alias, or changes one. Everything else in the file is unchanged. Blocks while another process changes it.
    func set(_ entry: Entry) throws(AliasError) {
        try change { lines in
            let line = "\(entry.name) = \(entry.command)"
            if let index = lines.firstIndex(where: { Self.name(in: $0) == entry.name }) {
                lines[index] = line
            } else {
                lines.append(line)
            }
        }
    }

    /// Removes an alias.
    func delete(_ name: String) throws(AliasError) {
        let known = try read().map(\.name)
        guard known.contains(name) else { throw .unknown(name, known: known) }
        try change { lines in lines.removeAll { Self.name(in: $0) == name } }
    }

    private func text() throws(AliasError) -> String? {
        let (path, limit) = (path, Self.sizeLimit)
        let bytes = try AliasError.storing { () throws(StorageError) in
            try PrivateFile.read(following: path, rule: .ownOrSystem, limit: limit)
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private func change(_ edit: (inout [String]) -> Void) throws(AliasError) {
        // Before anything is created: a file that cannot be read is not replaced.
        _ = try read()
        let directory = directory
        try AliasError.storing { () throws(StorageError) in try UserDirectory.make(directory) }
        do throws(StorageError) {
            let folder = try OpenDirectory(path: directory, rule: .own, followingLinks: true)
            let lock = try FileLock.acquire("." + Self.name + ".lock", in: folder)
            let bytes = try PrivateFile.read(following: path, rule: .ownOrSystem, limit: Self.sizeLimit)
            let old = bytes.map { String(decoding: $0, as: UTF8.self) } ?? Self.head
            var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if lines.last == "" { lines.removeLast() }
            edit(&lines)
            let new = lines.map { $0 + "\n" }.joined()
            try AtomicFile.replace(Self.name, in: folder, with: Array(new.utf8), keepsMode: bytes != nil, holding: lock)
        } catch {
            throw .storage(error)
        }
    }

    private static func entries(_ text: String, path: String) throws(AliasError) -> [Entry] {
        var entries: [Entry] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let first = line.first(where: { $0 != " " && $0 != "\t" }), first != "#" else { continue }
            guard let name = name(in: String(line)), let mark = line.firstIndex(of: "=") else {
                throw .malformed(path: path, line: index + 1)
            }
            let command = line[line.index(after: mark)...].drop { $0 == " " || $0 == "\t" }
            guard CommandLineSplitter.split(String(command)).isClosed, !command.isEmpty else {
                throw .malformed(path: path, line: index + 1)
            }
            entries.append(Entry(name: name, command: String(command)))
        }
        return entries
    }

    /// The name at the beginning of a line; nil if it holds none.
    private static func name(in line: String) -> String? {
        guard let mark = line.firstIndex(of: "=") else { return nil }
        let name = line[..<mark].filter { $0 != " " && $0 != "\t" }
        return AliasExpansion.isName(name) ? name : nil
    }
}

/// Why an alias cannot be kept or used.
enum AliasError: Error, Equatable, Sendable {
    case storage(StorageError)
    case malformed(path: String, line: Int)
    case badName(String)
    /// The name of a command.
    case command(String)
    /// The command line does not begin with a command.
    case notACommand(String)
    case openQuote(String)
    case unknown(String, known: [String])
    /// The command line needs more words than were given.
    case argumentMissing(alias: String, command: String, number: Int)

    static func storing<Value>(_ work: () throws(StorageError) -> Value) throws(AliasError) -> Value {
        do throws(StorageError) {
            return try work()
        } catch {
            throw .storage(error)
        }
    }
}
