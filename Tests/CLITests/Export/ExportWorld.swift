import CloverTestSupport
import Foundation
import Testing

/// The contents of an export's directory.
struct ExportFolder {
    let sandbox: Sandbox
    let name: String

    var path: String { sandbox.directory[name] }

    /// Paths of all files except the export's own, relative to the directory.
    var files: [String] {
        sandbox.directory.files(below: name).map { String($0.dropFirst(name.count + 1)) }
            .filter { !$0.hasPrefix(".clover-export/") && $0 != "manifest.ndjson" }
    }

    func read(_ file: String) throws -> [UInt8] { try sandbox.directory.read("\(name)/\(file)") }

    /// The lines of a file, compressed or not.
    func lines(of file: String) throws -> [String] {
        let bytes =
            switch file.split(separator: ".").last {
            case "gz": try Self.output(of: "/bin/gzip", "-dc", "\(path)/\(file)")
            case "zst": try Self.output(of: "/usr/bin/zstd", "-dc", "\(path)/\(file)")
            default: try read(file)
            }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every file with its bytes.
    func contents() throws -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: try files.map { ($0, try read($0)) })
    }

    func manifest() throws -> [JSONValue] { try JSONValue.lines(try lines(of: "manifest.ndjson")) }

    /// Records of a resource, in the order in which their files were published. A growing file is read once.
    func records(of resource: String) throws -> [JSONValue] {
        var read: Set<String> = []
        return try manifest().filter { $0["resource"]?.string == resource }.compactMap { $0["file"]?.string }
            .filter { read.insert($0).inserted }.flatMap { try JSONValue.lines(try lines(of: $0)) }
    }

    /// Each record by its id, as it was published last.
    func newest(of resource: String) throws -> [String: JSONValue] {
        Dictionary(try records(of: resource).map { ($0["id"]?.string ?? "", $0) }) { $1 }
    }

    /// The rows of a current file by their ids; fails when an id is there twice.
    func rows(of file: String) throws -> [String: JSONValue] {
        let records = try JSONValue.lines(try lines(of: file))
        let rows = Dictionary(records.map { ($0["id"]?.string ?? "", $0) }) { $1 }
        #expect(rows.count == records.count, "\(file) has a record twice")
        return rows
    }

    /// What a log of changes says that a list has.
    func replay(_ log: String) throws -> [String: JSONValue] {
        var rows: [String: JSONValue] = [:]
        for line in try JSONValue.lines(try lines(of: log)) {
            let id = line["id"]?.string ?? ""
            rows[id] = line["change"]?.string == "removed" ? nil : line["record"]
        }
        return rows
    }

    /// The line items of each order, as they were published last.
    func lineItems() throws -> [String: Set<String>] {
        var newest: [String: Set<String>] = [:]
        for line in try manifest() where line["resource"]?.string == "orders.line_items" {
            let records = try JSONValue.lines(try lines(of: line["file"]?.string ?? ""))
            for (order, items) in Dictionary(grouping: records, by: { $0["parentId"]?.string ?? "" }) {
                newest[order] = Set(items.compactMap { $0["id"]?.string })
            }
        }
        return newest
    }

    /// Expects that all files are complete, and that the manifest matches them.
    func expectWhole(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let own = sandbox.directory.files(below: name + "/.clover-export").map { $0.split(separator: "/").last ?? "" }
        #expect(own == ["id", "lock"], sourceLocation: sourceLocation)
        let lines = try manifest()
        let listed = lines.compactMap { $0["file"]?.string }
        #expect(Set(listed) == Set(files), sourceLocation: sourceLocation)
        for line in lines where line["offset"] == nil {
            let file = line["file"]?.string ?? ""
            let bytes = try read(file)
            #expect(line["bytes"]?.integer == bytes.count, "\(file)", sourceLocation: sourceLocation)
        }
        let sums = try sums(of: lines)
        #expect(sums.count == lines.count, sourceLocation: sourceLocation)
        for (line, sum) in zip(lines, sums) {
            let file = line["file"]?.string ?? ""
            #expect(line["sha256"]?.string == sum, "\(file)", sourceLocation: sourceLocation)
        }
    }

    /// The SHA-256 of what each line of the manifest is about, by Python's own code for it.
    private func sums(of lines: [JSONValue]) throws -> [String] {
        let places = lines.map { line in
            let (start, count) = (line["offset"]?.integer ?? 0, line["bytes"]?.integer ?? 0)
            return "\(start) \(count) \(path)/\(line["file"]?.string ?? "")\n"
        }
        try sandbox.directory.write("places", places.joined().utf8)
        let sums = try Self.output(of: "/usr/bin/python3", "-I", "-S", "-c", Self.hashing, sandbox.directory["places"])
        return String(decoding: sums, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static let hashing = """
        import hashlib, sys

        for place in open(sys.argv[1], encoding="utf-8"):
            start, count, path = place.rstrip("\\n").split(" ", 2)
            with open(path, "rb") as file:
                file.seek(int(start))
                print(hashlib.sha256(file.read(int(count))).hexdigest())
        """

    private static func output(of program: String, _ arguments: String...) throws -> [UInt8] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) \(arguments)")
        return bytes
    }
}

extension Sandbox {
    func exports(_ name: String) -> ExportFolder { ExportFolder(sandbox: self, name: name) }

    /// The entry of a resource in the `--summary`.
    func summary(_ result: CommandResult, _ resource: String) throws -> JSONValue {
        let line = try #require(result.lines.last)
        return try #require(try JSONValue(line)["resources"]?[resource])
    }
}

extension EmulatorProcess {
    /// Makes changes in the shop, and waits for them.
    func churn(_ count: Int) async throws {
        // The shop gives each change a separate millisecond, so changes can run ahead of the clock that sets a run's end.
        let newest = try #require(try await control("/emulator/churn?changes=\(count)")["time"]?.integer)
        while Int(Date().timeIntervalSince1970 * 1000) <= newest { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// Current records of a list.
    func truth(_ list: String) async throws -> [String: JSONValue] {
        let records = try JSONValue.lines(try await recordLines(list))
        return Dictionary(uniqueKeysWithValues: records.map { ($0["id"]?.string ?? "", $0) })
    }
}
