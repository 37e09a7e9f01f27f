import CloverTestSupport
import Foundation
import Testing

/// Exports to one directory, each with other resources and options than the one before. The shop changes between them,
/// some are killed, and the directory is moved or replaced by a backup.
struct RandomExports {
    enum Kind: String, CaseIterable, CustomTestStringConvertible, Sendable {
        /// Separate files for each run; no version of a record is exported twice.
        case files
        /// The same, with restored backups, --full runs, and days and other ranges between incremental runs.
        case restored
        /// Orders, some runs with their line items and some without.
        case parts
        /// Growing files.
        case growing

        var testDescription: String { rawValue }
    }

    /// Lists with modification times.
    private static let changing = ["orders", "payments", "items", "categories"]
    private static let whole = ["customers", "tenders"]

    let kind: Kind
    let sandbox: Sandbox
    let emulator: EmulatorProcess
    private var random: SeededGenerator
    private var folder: ExportFolder
    private var backup: String?
    /// Log of the steps, for debugging a failure.
    private(set) var history: [String]
    private(set) var complete = 0
    private(set) var killed = 0
    /// Lists with a complete run. The first run of a list with --since leaves out what is before.
    private var exported: Set<String> = []

    init(_ kind: Kind, seed: UInt64, _ sandbox: Sandbox, _ emulator: EmulatorProcess) {
        self.kind = kind
        self.sandbox = sandbox
        self.emulator = emulator
        random = SeededGenerator(seed: seed)
        folder = sandbox.exports("out")
        history = ["seed \(seed)"]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[.random(in: 0..<values.count, using: &random)]
    }

    /// Changes the shop, does something to the directory, and exports.
    mutating func step(_ number: Int) async throws {
        if chance(70) { try await emulator.churn(one(of: [1, 5, 30])) }
        try disturb(number)
        let (lists, options, isApart) = choice()
        let arguments = ["export"] + lists + options + ["--to", folder.path]
        var sandbox = sandbox
        if chance(35) {
            // Anywhere, or where a file is published.
            var point = KillPoint(number: .random(in: 1...250, using: &random), side: one(of: [.before, .after]))
            if chance(50) {
                point = KillPoint(
                    number: .random(in: 1...3, using: &random), side: point.side,
                    among: KillPoint.Calls(name: "rename", about: "ndjson"))
            }
            sandbox = try await point.arm(sandbox, log: "run-\(number).log", everywhere: true)
            history.append("\(arguments) until \(point)")
        } else {
            history.append("\(arguments)")
        }
        let result = try await sandbox.clover(arguments)
        guard result.ending != .signalled(9) else { return killed += 1 }
        #expect(result.status == 0, "\(result) \(history)")
        guard result.status == 0 else { return }
        complete += 1
        if !isApart { exported.formUnion(lists) }
        try folder.expectWhole()
        let verified = try await self.sandbox.clover("export", "verify", folder.path)
        #expect(verified.status == 0, "\(verified) \(history)")
        if !isApart { try await compare(lists, withParts: options.contains("--with"), number) }
    }

    /// Moves the directory, makes a backup of it, or restores the last backup.
    private mutating func disturb(_ number: Int) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: folder.path + "/manifest.ndjson") else { return }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<5:
            let moved = sandbox.exports("out-\(number)")
            try files.moveItem(atPath: folder.path, toPath: moved.path)
            folder = moved
            history.append("moved")
        case 5..<15 where kind == .restored || kind == .parts:
            backup = sandbox.directory["backup-\(number)"]
            try files.copyItem(atPath: folder.path, toPath: backup ?? "")
            history.append("backup")
        case 15..<23:
            guard let backup else { return }
            try files.removeItem(atPath: folder.path)
            try files.copyItem(atPath: backup, toPath: folder.path)
            history.append("restored")
        default: break
        }
    }

    /// The resources and options of a run, and whether it is separate from the incremental runs.
    private mutating func choice() -> (lists: [String], options: [String], isApart: Bool) {
        var options: [String] = []
        if chance(30) { options += ["--window", one(of: ["1d", "10d", "89d"])] }
        if chance(15) { options += ["--in-flight", one(of: ["1", "3"])] }
        guard kind != .growing else {
            return (lists(of: Self.changing + ["customers"]), options + ["--append"], false)
        }
        if chance(20) { options += ["--compress", one(of: ["gzip", "zstd"])] }
        if chance(15) {
            let names = [
                "{resource}/{date}.{extension}", "x/{resource}-{window}.{extension}",
                "{resource}/{from}_{to}.{extension}",
            ]
            options += ["--name", one(of: names)]
        }
        if kind == .parts {
            if chance(60) { options += ["--with", one(of: ["line_items", "line_items,payments"])] }
            return (["orders"], options, false)
        }
        if kind == .restored, complete > 0 {
            if chance(8) {
                let lists = lists(of: Self.changing + Self.whole)
                return (lists, applicable(options, to: lists) + ["--full"], false)
            }
            let known = exported.intersection(["orders", "payments", "items"]).sorted()
            if chance(8), !known.isEmpty {
                let ranges = [["--day", "yesterday"], ["--day", "today"], ["--since", "-20d", "--until", "-2d"]]
                return (lists(of: known), options + one(of: ranges), true)
            }
        }
        let lists = lists(of: Self.changing + Self.whole)
        return (lists, applicable(options, to: lists), false)
    }

    /// The options without `--name` where it would name nothing: current files keep their names.
    private func applicable(_ options: [String], to lists: [String]) -> [String] {
        guard lists.allSatisfy(Self.whole.contains), let place = options.firstIndex(of: "--name") else {
            return options
        }
        return Array(options[..<place] + options[(place + 2)...])
    }

    private mutating func lists(of all: [String]) -> [String] {
        Array(all.shuffled(using: &random).prefix(.random(in: 1...4, using: &random)))
    }

    /// Expects that the directory has the current lists.
    private func compare(_ lists: [String], withParts: Bool, _ number: Int) async throws {
        for list in lists {
            let truth = try await emulator.truth(list)
            if Self.whole.contains(list), kind != .growing {
                let last = try folder.manifest().last { $0["resource"]?.string == list }?["file"]?.string
                let records = try JSONValue.lines(try folder.lines(of: try #require(last)))
                #expect(Dictionary(records.map { ($0["id"]?.string ?? "", $0) }) { $1 } == truth, "\(list) \(history)")
                #expect(records.count == truth.count, "\(list) \(history)")
                continue
            }
            let records = try folder.records(of: list)
            let newest = Dictionary(records.map { ($0["id"]?.string ?? "", $0) }) { $1 }
            let others = truth.filter { newest[$0.key] != $0.value }.keys
            #expect(others.isEmpty, "\(list) \(others) \(history)")
            if kind == .files || kind == .growing && Self.changing.contains(list) {
                #expect(Set(records).count == records.count, "\(list) has a version twice: \(history)")
            }
        }
        guard withParts else { return }
        let fresh = sandbox.exports("fresh-\(number)")
        expectSuccess(
            try await sandbox.withState("state-of-fresh-\(number)").clover(
                "export", "orders", "--with", "line_items", "--to", fresh.path))
        let (expected, found) = (try fresh.lineItems(), try folder.lineItems())
        #expect(expected.isEmpty == false)
        let others = expected.filter { found[$0.key] != $0.value }.keys
        #expect(others.isEmpty, "line items of \(others) \(history)")
    }
}
