import CloverTestSupport
import Foundation
import Testing

/// An export that is started repeatedly from nothing, killed somewhere each time, and must end like one that was not.
struct KilledExport: CustomTestStringConvertible, Sendable {
    let resources: [String]
    var options: [String] = []
    /// Whether it keeps to the service's rate limits, which takes longer.
    var isPaced = false
    /// Number of kills in `make soak`.
    var full = 50

    /// Exports of lists with and without times, in each form that a file can have.
    static let all: [KilledExport] = [
        KilledExport(resources: ["orders", "customers", "employees"], full: 200),
        KilledExport(resources: ["customers", "orders"], options: ["--append", "--name", "{resource}.ndjson"]),
        KilledExport(resources: ["orders"], options: ["--with", "line_items,payments", "--compress", "gzip"]),
        KilledExport(
            resources: ["orders", "customers"],
            options: ["--append", "--name", "{resource}.csv", "--format", "csv", "--compress", "zstd"]),
        KilledExport(
            resources: ["orders"],
            options: ["--append", "--name", "orders.csv", "--format", "csv", "--fields", "id,total,employee.id"]),
        KilledExport(
            resources: ["customers", "employees"],
            options: ["--name", "{resource}.{extension}", "--format", "csv", "--fields", "id", "--compress", "gzip"]),
    ]

    var testDescription: String { (resources + options).joined(separator: " ") }

    /// The undisturbed run.
    struct Calm: Sendable {
        /// The calls that change something, in order.
        let calls: [String]
        fileprivate let files: [String: [[UInt8]]]
        fileprivate let lines: [String]
    }

    /// Number of kills.
    struct Deaths {
        /// Between its first request and its end.
        var onTheWay = 0
        var early = 0
        var runs = 0
    }

    private func arguments(to folder: ExportFolder) -> [String] {
        ["export"] + resources + options + (isPaced ? [] : ["--no-pacing"]) + ["--to", folder.path]
    }

    func calm(_ sandbox: Sandbox) async throws -> Calm {
        let armed = try await KillPoint(number: nil, side: .after)
            .arm(sandbox.withState("state-of-calm"), log: "calm.log", everywhere: true)
        let folder = sandbox.exports("calm")
        expectSuccess(try await armed.clover(arguments(to: folder)))
        try folder.expectWhole()
        return Calm(
            calls: try KillPoint.calls(in: sandbox, log: "calm.log"), files: try Self.files(folder),
            lines: try Self.lines(folder))
    }

    /// Kills it and passes the remains to `again`, which must complete it, until enough runs were killed midway. A run
    /// killed before its first request must come to the same end, but does not count.
    func die(
        _ times: Int, cuts: [KillPoint.Cut?] = [nil], _ sandbox: Sandbox, _ calm: Calm,
        again: (_ sandbox: Sandbox, _ arguments: [String]) async throws -> CommandResult
    ) async throws -> Deaths {
        var deaths = Deaths()
        while deaths.onTheWay < times {
            let run = deaths.runs
            try #require(run < 2 * times + 20, "\(deaths)")
            let (name, number) = ("run-\(run)", Self.place(of: run, of: times, in: calm.calls.count))
            let point = KillPoint(number: number, side: run % 2 == 0 ? .after : .before, cut: cuts[run % cuts.count])
            let (folder, own) = (sandbox.exports(name), sandbox.withState("state-of-\(name)"))
            let result = try await point.arm(own, log: name + ".log", everywhere: true).clover(arguments(to: folder))
            if result.ending == .signalled(9) {
                let calls = try KillPoint.calls(in: sandbox, log: name + ".log")
                if calls.contains(where: { $0.hasPrefix("send") }) { deaths.onTheWay += 1 } else { deaths.early += 1 }
            } else {
                expectSuccess(result)
            }
            expectSuccess(try await again(own, arguments(to: folder)))
            let place = "\(point) \(calm.calls[number - 1])"
            #expect(try Self.files(folder) == calm.files, "\(place)")
            #expect(try Self.lines(folder) == calm.lines, "\(place)")
            try folder.expectWhole()
            let left = sandbox.directory.files(below: own.stateFolder).filter { $0.hasSuffix("-journal") }
            #expect(left == [], "\(place)")
            for path in [folder.path, sandbox.directory[own.stateFolder]] {
                try FileManager.default.removeItem(atPath: path)
            }
            deaths.runs += 1
        }
        return deaths
    }

    /// The number of the call at which a run is killed: every third one evenly spaced, so that the whole run is covered, and
    /// the others at random.
    private static func place(of run: Int, of runs: Int, in count: Int) -> Int {
        run % 3 == 0 ? 1 + (count - 1) * (run % runs) / max(1, runs - 1) : Int.random(in: 1...count)
    }

    /// Bytes by file name, or by list name where the file name has the time of the run.
    static func files(_ folder: ExportFolder) throws -> [String: [[UInt8]]] {
        let whole = Set(
            try folder.manifest().filter { $0["field"]?.string == nil }.compactMap { $0["file"]?.string })
        return try Dictionary(grouping: folder.files) { file in
            whole.contains(file) && file.contains("/") ? String(file.prefix { $0 != "/" }) : file
        }.mapValues { try $0.map { try bytes($0, folder) }.sorted { $0.lexicographicallyPrecedes($1) } }
    }

    /// A log has the time of the run in each line.
    private static func bytes(_ file: String, _ folder: ExportFolder) throws -> [UInt8] {
        guard file.hasSuffix(".log") else { return try folder.read(file) }
        let changes = try folder.lines(of: file).map { line in
            let change = try JSONValue(line)
            return "\(change["change"]?.string ?? "") \(change["id"]?.string ?? "")\n"
        }
        return Array(changes.sorted().joined().utf8)
    }

    /// The manifest without times and numbers of calls, which vary between runs.
    static func lines(_ folder: ExportFolder) throws -> [String] {
        try folder.manifest().map { line in
            var names = ["resource", "records", "results", "bytes", "offset", "firstId", "lastId", "field"]
            if line["role"]?.string != "log" { names.append("sha256") }
            if line["field"]?.string != nil { names += ["file", "from", "to"] }
            return names.map { "\($0): \(line[$0].map { "\($0)" } ?? "-")" }.joined(separator: ", ")
        }
    }
}
