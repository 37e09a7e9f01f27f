internal import Glibc

/// The rules of a time zone, read from the system's zone database.
///
/// Independent of the process's own zone: `localtime(3)` supports only one zone at a time, for all threads. The files
/// are those of tzfile(5) and RFC 9636.
package struct TimeZoneRules: Sendable, Equatable {
    /// The requested name, such as `America/New_York`.
    package let name: String
    /// The times at which the offset changes, in seconds since 1970, ascending.
    let transitions: [Int]
    /// The offset from each transition on, in seconds east of UTC.
    let offsets: [Int]
    /// The offset before the first transition.
    let firstOffset: Int
    /// The rules after the last transition.
    let future: RecurringRules?

    /// A time range with one offset.
    package struct Span: Sendable, Equatable {
        /// Seconds since 1970; `until` is exclusive.
        var from: Int
        var until: Int
        /// Seconds east of UTC.
        package var offset: Int

        package func contains(_ seconds: Int) -> Bool {
            seconds >= from && seconds < until
        }
    }

    package static let utc = TimeZoneRules(name: "UTC", transitions: [], offsets: [], firstOffset: 0, future: nil)

    /// Whether instants are written with `Z`.
    package var isUTC: Bool {
        transitions.isEmpty && firstOffset == 0 && future.map { $0.standardOffset == 0 && $0.summer == nil } ?? true
    }

    /// The offset at an instant, given in seconds since 1970; in seconds east of UTC.
    package func offset(at seconds: Int) -> Int {
        span(at: seconds).offset
    }

    /// The range around an instant, given in seconds since 1970, in which the offset is the same.
    package func span(at seconds: Int) -> Span {
        // The number of transitions up to this time.
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        let from = low == 0 ? Int.min : transitions[low - 1]
        if low == transitions.count, let future {
            var span = future.span(at: seconds)
            span.from = max(span.from, from)
            return span
        }
        return Span(
            from: from, until: low < transitions.count ? transitions[low] : Int.max,
            offset: low == 0 ? firstOffset : offsets[low - 1])
    }
}

extension TimeZoneRules {
    /// A zone with a fixed offset.
    /// - Parameter offset: seconds east of UTC.
    package init(offset: Int) {
        self.init(name: "", transitions: [], offsets: [], firstOffset: offset, future: nil)
    }

    /// The local date at an instant, in days since 1970-01-01.
    /// - Parameter milliseconds: since 1970.
    package func day(at milliseconds: Int64) -> Int64 {
        let seconds = Self.floored(milliseconds, 1000)
        return Self.floored(seconds + Int64(offset(at: Int(seconds))), Self.secondsPerDay)
    }

    /// The instant of a local date and time: the first one if the clocks show it twice, and the instant of the change
    /// if they skip it.
    /// - Parameters:
    ///   - day: the date, in days since 1970-01-01.
    ///   - second: local seconds after midnight.
    /// - Returns: milliseconds since 1970.
    package func milliseconds(day: Int64, second: Int64 = 0) -> Int64 {
        let local = day * Self.secondsPerDay + second
        // The offset is always one of those a day before and a day after.
        let offsets = [-Self.secondsPerDay, Self.secondsPerDay].map { Int64(offset(at: Int(local + $0))) }
        let candidates = offsets.map { local - $0 }.sorted()
        let exact = candidates.first { $0 + Int64(offset(at: Int($0))) == local }
        return (exact ?? skipped(from: candidates[0], to: candidates[1])) * 1000
    }

    /// The first instant with the later offset.
    private func skipped(from: Int64, to: Int64) -> Int64 {
        let before = offset(at: Int(from))
        var low = from
        var high = to
        while high - low > 1 {
            let middle = (low + high) / 2
            if offset(at: Int(middle)) == before { low = middle } else { high = middle }
        }
        return high
    }

    private static let secondsPerDay: Int64 = 86_400

    private static func floored(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension TimeZoneRules {
    /// The zone database on Debian.
    package static let databasePath = "/usr/share/zoneinfo"
    private static let sizeLimit = 1 << 20

    /// Reads a zone by its name in the database, such as `Europe/Berlin`; `UTC` needs no database.
    /// - Parameter database: the directory of the zone files.
    /// - Throws: `.unknown`, `.unreadable`.
    package init(named name: String, database: String = databasePath) throws(TimeZoneError) {
        if ["UTC", "Z", "GMT", "Etc/UTC"].contains(name) {
            self = .utc
            return
        }
        // Names are relative paths without dots, so that only files in the database can be read.
        let isName =
            !name.isEmpty && name.utf8.count <= 255
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy(Self.isNameByte)
            }
        guard isName else { throw .unknown(name) }
        let bytes: [UInt8]
        switch Self.read("\(database)/\(name)") {
        case .content(let content): bytes = content
        case .failed(let number) where [ENOENT, ENOTDIR, EISDIR].contains(number): throw .unknown(name)
        case .failed(let number): throw .unreadable(name, errno: number)
        }
        guard let rules = TimeZoneRules(file: bytes, name: name) else { throw .unknown(name) }
        self = rules
    }

    /// The names in the database, sorted; empty if it cannot be read. Excludes directories with copies of the database.
    package static func names(database: String = databasePath) -> [String] {
        var names: [String] = []
        func walk(_ folder: String, _ prefix: String) {
            guard let stream = opendir(folder) else { return }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                // Names of zones and their directories begin with a capital letter.
                guard name.first?.isUppercase == true, name.utf8.allSatisfy(isNameByte) else { continue }
                var found = stat()
                guard stat("\(folder)/\(name)", &found) == 0 else { continue }
                if found.st_mode & S_IFMT == S_IFDIR {
                    walk("\(folder)/\(name)", prefix + name + "/")
                } else {
                    names.append(prefix + name)
                }
            }
        }
        walk(database, "")
        return names.sorted()
    }

    /// The zone of this computer: the variable TZ, else `/etc/localtime`, else UTC.
    /// - Parameter variable: the value of TZ; nil if it is not set.
    /// - Returns: nil if TZ names an unknown zone.
    package static func local(
        variable: String?, database: String = databasePath, systemFile: String = "/etc/localtime"
    ) -> TimeZoneRules? {
        guard let variable else { return file(systemFile, database: database) ?? .utc }
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if name.isEmpty { return .utc }
        if name.hasPrefix("/") { return file(name, database: database) }
        do throws(TimeZoneError) {
            return try TimeZoneRules(named: name, database: database)
        } catch {
            guard let rules = RecurringRules(parsing: Array(name.utf8)) else { return nil }
            return TimeZoneRules(
                name: name, transitions: [], offsets: [], firstOffset: rules.standardOffset, future: rules)
        }
    }

    /// The zone of a file. A link into the database, as `/etc/localtime` is, has the name of the zone that it leads to.
    private static func file(_ path: String, database: String) -> TimeZoneRules? {
        guard case .content(let bytes) = read(path) else { return nil }
        var name = path
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            let target = String(cString: resolved)
            if target.hasPrefix(database + "/") { name = String(target.dropFirst(database.count + 1)) }
        }
        return TimeZoneRules(file: bytes, name: name)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private enum Outcome {
        case content([UInt8])
        case failed(Int32)
    }

    /// Reads a file of up to 1 MiB; zone files have a few KiB.
    private static func read(_ path: String) -> Outcome {
        // Non-blocking, in case the path is a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failed(errno) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while content.count < sizeLimit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                return .failed(errno)
            }
            if count == 0 { return .content(content) }
            content.append(contentsOf: buffer[..<count])
        }
        return .failed(EFBIG)
    }
}

extension TimeZoneRules {
    /// The local time for people: `2026-11-21 02:14`, or `2026-11-21 02:14:03` with `hasSeconds`; `?` for a year that
    /// does not have four digits.
    /// - Parameter milliseconds: since 1970.
    package func text(milliseconds: Int64, hasSeconds: Bool = false) -> String {
        var writer = InstantWriter(self)
        var bytes: [UInt8] = []
        guard writer.appendISO(milliseconds, unit: .milliseconds, to: &bytes) else { return "?" }
        return String(decoding: bytes.prefix(hasSeconds ? 19 : 16), as: UTF8.self).replacing("T", with: " ")
    }
}

/// Why the rules of a time zone cannot be read.
package enum TimeZoneError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The zone database has no such zone, or its file is not a zone file (tzfile(5)).
    case unknown(String)
    /// The zone's file cannot be read.
    case unreadable(String, errno: Int32)

    package var description: String {
        switch self {
        case .unknown(let name): "unknown time zone '\(name)'"
        case .unreadable(let name, _): "cannot read the rules of time zone '\(name)'"
        }
    }
}
