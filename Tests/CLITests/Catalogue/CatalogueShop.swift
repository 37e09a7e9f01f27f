import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// An emulated shop that has something of everything, read in two ways: by `clover`, and by curl and jq.
final class CatalogueShop: Sendable {
    /// With this seed the newest orders have refunds, voids and credits of every kind.
    static let flags = ["--orders", "1200", "--seed", "150", "--no-limits"]
    /// The end of the shop's history, in milliseconds since 1970.
    static let now = 1_769_900_400_000

    /// What makes `clover get` show members that it masks, for comparisons with curl.
    static let unmasked = ["CLOVER_SHOW_SENSITIVE": "1"]

    let sandbox: Sandbox
    let emulator: EmulatorProcess
    private let paths: CataloguePaths
    private let commands = Mutex(0)
    private let turnstile = WeightedSemaphore(capacity: 4)

    private init(_ sandbox: Sandbox, _ emulator: EmulatorProcess) {
        self.sandbox = sandbox
        self.emulator = emulator
        paths = CataloguePaths()
    }

    static func run<Value>(
        flags: [String] = CatalogueShop.flags, _ body: (CatalogueShop) async throws -> Value
    ) async throws -> Value {
        try await Sandbox.run(emulator: flags, weight: 4) { sandbox, emulator in
            try await body(CatalogueShop(sandbox.with(unmasked), emulator))
        }
    }

    /// The service of the tests that only read, and ask one command after the other.
    private static let common = Task { try await EmulatorProcess(CatalogueShop.flags, limit: .seconds(14_400)) }

    /// The same with a shop that other tests read from as well.
    static func read<Value>(_ body: (CatalogueShop) async throws -> Value) async throws -> Value {
        try await Sandbox.run { sandbox in
            let emulator = try await common.value
            return try await body(CatalogueShop(sandbox.using(emulator).with(unmasked), emulator))
        }
    }

    /// Calls `body` for each value, four at a time.
    func forEach<Value: Sendable>(_ values: [Value], _ body: @escaping @Sendable (Value) async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, value) in values.enumerated() {
                if place >= 4 { try await group.next() }
                group.addTask { try await body(value) }
            }
            try await group.waitForAll()
        }
    }

    /// The readable V3 operations, as the program lists them.
    func readable() async throws -> [CatalogueOperation] {
        let result = try await sandbox.clover("endpoints", "--method", "GET")
        expectSuccess(result)
        return try result.lines.map { try CatalogueOperation(line: $0) }.filter { $0.api == "v3" }
    }

    /// The sandbox of the next command. What is proved here is not the pace: a few commands share a budget, the next have one
    /// of their own.
    var unpaced: Sandbox {
        let number = commands.withLock { count in
            count += 1
            return count
        }
        return sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["state-\(number / 2)"]])
    }

    /// Runs `clover get`.
    func get(_ arguments: [String]) async throws -> CommandResult {
        try await turnstile.withWeight(1) { try await unpaced.clover(["get"] + arguments) }
    }

    /// The absolute path of one as users type it.
    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path.replacingOccurrences(of: "{mId}", with: emulator.merchantID) }
        return "/v3/merchants/\(emulator.merchantID)" + (path == "merchant" ? "" : "/\(path)")
    }

    /// The answers to these targets, one after the other, through curl and a jq program; the lines of its output.
    func raw(_ targets: [String], jq program: String, options: String = "") async throws -> [String] {
        guard !targets.isEmpty else { return [] }
        let name = commands.withLock { count in
            count += 1
            return "raw-\(count)"
        }
        let urls = targets.map { "url = \"\(emulator.url)\($0)\"" }.joined(separator: "\n")
        let head = "header = \"Authorization: Bearer \(emulator.accessToken)\"\nsilent\nshow-error\nfail\ngloboff\n"
        try sandbox.directory.write(name + ".curl", Array((head + urls + "\n").utf8))
        try sandbox.directory.write(name + ".jq", Array(program.utf8))
        let line = "set -o pipefail; curl -q -K \(name).curl | jq -cr \(options) -f \(name).jq"
        let result = try await turnstile.withWeight(1) { try await sandbox.shell(line) }
        #expect(result.status == 0, "\(targets.first ?? ""): \(result)")
        return result.lines
    }

    /// All records of a list, through a jq program.
    func rawList(_ path: String, query: String = "", page: Int, jq program: String, options: String = "")
        async throws -> [String]
    {
        let address = absolute(path)
        let count = try await raw(
            (0..<4).map { "\(address)?limit=\(page)&offset=\($0 * page)" }, jq: ".elements|length"
        ).compactMap(Int.init).reduce(0, +)
        try #require(count < 4 * page, "\(path) has too many records for this test")
        let pages = max(1, (count + page - 1) / page)
        return try await raw(
            (0..<pages).map { "\(address)?limit=\(page)&offset=\($0 * page)\(query.isEmpty ? "" : "&" + query)" },
            jq: program, options: options)
    }

    /// A write that sets the scene, with curl; the `id` of the answer.
    func post(_ path: String, _ body: String) async throws -> String {
        let line = """
            curl -q -sS --fail -H 'Authorization: Bearer \(emulator.accessToken)' -H 'Content-Type: application/json' \
            -d '\(body)' '\(emulator.url)\(absolute(path))' | jq -r .id
            """
        let result = try await sandbox.shell(line)
        try #require(result.status == 0, "\(result)")
        return result.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Paths that a template stands for, such as `orders/A1B2` for `orders/{orderId}`.
    func concrete(_ template: String) async throws -> [String] {
        try await paths.of(template, in: self)
    }
}
