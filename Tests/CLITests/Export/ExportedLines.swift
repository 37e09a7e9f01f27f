import CloverTestSupport
import Foundation
import Testing

/// Lines of an export's files.
enum ExportedLines {
    /// The lines of all files of a resource, in the order of their names.
    static func all(in sandbox: Sandbox, _ directory: String, _ resource: String) throws -> [String] {
        let folder = sandbox.directory["\(directory)/\(resource)"]
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try names.flatMap { name in
            try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    /// The newest version of each record, by id: a later line is newer unless its modification time is older.
    static func newest(_ lines: [String]) throws -> [String: String] {
        var newest: [String: (time: Int, line: String)] = [:]
        for line in lines {
            let record = try JSONValue(line)
            let id = try #require(record["id"]?.string)
            let time = record["modifiedTime"]?.integer ?? 0
            if let known = newest[id], known.time > time { continue }
            newest[id] = (time, line)
        }
        return newest.mapValues(\.line)
    }
}
