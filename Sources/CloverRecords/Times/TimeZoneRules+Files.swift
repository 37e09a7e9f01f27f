internal import Glibc

extension TimeZoneRules {
    /// The zone database on Debian.
    package static let databasePath = "/usr/share/zoneinfo"
    private static let sizeLimit = 1 << 20

    /// Reads a zone by its name in the database, such as `Europe/Berlin`; `UTC` needs no database.
    /// - Parameter database: the directory of the zone files.
    /// - Throws: `.unknownZone`, `.unreadableZone`.
    package init(named name: String, database: String = databasePath) throws(RecordFormatError) {
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
        guard isName else { throw .unknownZone(name) }
        let bytes: [UInt8]
        switch Self.read("\(database)/\(name)") {
        case .content(let content): bytes = content
        case .failed(let number) where [ENOENT, ENOTDIR, EISDIR].contains(number): throw .unknownZone(name)
        case .failed(let number): throw .unreadableZone(name, errno: number)
        }
        guard let file = TimeZoneFile(bytes, name: name) else { throw .unknownZone(name) }
        self = file.rules
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
        guard let variable else { return file(systemFile) ?? .utc }
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if name.isEmpty { return .utc }
        if name.hasPrefix("/") { return file(name) }
        do throws(RecordFormatError) {
            return try TimeZoneRules(named: name, database: database)
        } catch {
            guard let rules = RecurringRules(parsing: Array(name.utf8)) else { return nil }
            return TimeZoneRules(
                name: name, transitions: [], offsets: [], firstOffset: rules.standardOffset, future: rules)
        }
    }

    private static func file(_ path: String) -> TimeZoneRules? {
        guard case .content(let bytes) = read(path) else { return nil }
        return TimeZoneFile(bytes, name: path)?.rules
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
