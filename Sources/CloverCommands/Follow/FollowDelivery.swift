import CloverAPI
import CloverAuth
import CloverCore
import CloverFeed
import CloverJSON
import CloverOutput
import CloverSystem
import Synchronization

/// Delivers changes to standard output, or to the command of `--exec`, and confirms each portion in the store.
///
/// A portion is written and confirmed even if the run is cancelled meanwhile, so that only a kill repeats something.
final class FollowDelivery: Sendable {
    private let request: FollowRequest
    private let schema: RecordSchema
    private let client: ServiceClient
    private let merchantID: String
    private let health: FollowHealth
    private let environment: CommandEnvironment
    private let hasBegun = Atomic(false)

    private static let portionSize = 500
    /// How often the command is run for one change.
    private static let maximumTries = 5

    init(
        _ request: FollowRequest, _ schema: RecordSchema, _ client: ServiceClient, merchantID: String,
        _ health: FollowHealth, in environment: CommandEnvironment
    ) {
        self.request = request
        self.schema = schema
        self.client = client
        self.merchantID = merchantID
        self.health = health
        self.environment = environment
    }

    /// Compiles the program, and checks the format.
    func check() async throws {
        _ = try plan(isFirst: true)
        guard request.program != nil else { return }
        _ = try await filter(isFirst: true, []).finish()
    }

    /// Finds what an earlier run wrote to the same file and did not confirm, and completes a torn line.
    func resume(_ store: FeedStore) async throws {
        guard request.isPlain else { return }
        let output = environment.standardOutput
        if let known = try await store.output().flatMap({ OutputFileEnd(text: $0) }),
            let end = try await output.synchronizedFileEnd(), end.device == known.device, end.inode == known.inode,
            end.size > known.size,
            let tail = await output.fileContents(from: known.size, limit: Self.largestTail)
        {
            let portion = try await store.portion(limit: Self.portionSize)
            let found = InterruptedOutput(tail, portion)
            if found.count > 0 {
                try await output.write(found.rest)
                try await store.confirm(
                    through: portion[found.count - 1].sequence, output: output.synchronizedFileEnd()?.text)
            }
        }
        if let end = try await output.synchronizedFileEnd(), end.size > 0,
            let last = await output.fileContents(from: end.size - 1, limit: 1), last != [UInt8(ascii: "\n")]
        {
            environment.diagnostics.notice("the file ended within a line that is not of this feed; it is ended first")
            try await output.write([UInt8(ascii: "\n")])
        }
        // Only one portion is ever in doubt, and it begins here.
        if let text = try await output.synchronizedFileEnd()?.text { try await store.note(output: text) }
    }

    /// A portion is at most 1 MB, or one record.
    private static let largestTail = 72 << 20

    /// Delivers everything that is published.
    func deliver(_ store: FeedStore) async throws {
        while true {
            try Task.checkCancellation()
            let portion = try await store.portion(limit: request.command == nil ? Self.portionSize : 1)
            guard let last = portion.last else { return }
            if let command = request.command {
                try await run(command, for: last, store)
            } else {
                try await Self.whole { [self] in
                    try await print(portion)
                    let end = request.isPlain ? try await environment.standardOutput.synchronizedFileEnd() : nil
                    try await store.confirm(through: last.sequence, output: end?.text)
                }
            }
            health.step(at: environment.clock.boot())
            health.add(delivered: portion.count)
        }
    }

    /// Runs `body` to its end, whether the task is cancelled or not.
    private static func whole<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
        -> Value
    {
        // Awaited here and never cancelled.
        try await Task { try await body() }.value
    }

    private func print(_ changes: [FeedChange]) async throws {
        var batch = RecordBatch()
        for change in changes { change.line.withUnsafeBytes { batch.append($0) } }
        let isFirst = !hasBegun.exchange(true, ordering: .sequentiallyConsistent)
        if request.isPlain {
            if isFirst, environment.terminal.isOutputTerminal { await environment.standardOutput.sanitize(.json) }
            return try await environment.standardOutput.write(batch.bytes)
        }
        let filter = try await filter(isFirst: isFirst, changes)
        _ = try await filter.consume(batch)
        let report = try await filter.finish()
        if let halt = report.halt { throw FollowHalt(status: halt.status, message: halt.message) }
        health.add(delivered: 0, failures: report.failures)
    }

    private func plan(isFirst: Bool) throws -> FormatPlan {
        var printing = request.printing
        // Not `hasHeader`, which is what the user chose: other formats refuse it.
        if !isFirst { printing.format.defaults.hasHeader = false }
        printing.format.hasByteOrderMark = isFirst && printing.format.hasByteOrderMark
        return try printing.plan(schema, in: environment)
    }

    private func filter(isFirst: Bool, _ changes: [FeedChange]) async throws -> any RecordFilter {
        var printing = request.printing
        printing.recordName = { number in
            guard changes.indices.contains(number) else { return nil }
            let change = changes[number]
            return "change \(change.sequence) (\(change.resource) \(change.id))"
        }
        return try await printing.makeFilter(
            plan(isFirst: isFirst), .unknown, client, merchantID: merchantID, in: environment)
    }

    /// Runs the command until it takes the change.
    private func run(_ command: String, for change: FeedChange, _ store: FeedStore) async throws {
        let variables = [
            "CLOVER_CHANGE": change.kind.rawValue, "CLOVER_CHANGE_RESOURCE": change.resource,
            "CLOVER_CHANGE_ID": change.id, "CLOVER_CHANGE_SEQUENCE": "\(change.sequence)",
        ]
        var pause = 1.0
        for attempt in 1...Self.maximumTries {
            let status = try await environment.runToEnd(command, variables, change.line + [UInt8(ascii: "\n")])
            if status == 0 { return try await Self.whole { try await store.confirm(through: change.sequence) } }
            guard attempt < Self.maximumTries else {
                throw FollowFailure.commandFailed(status: status, change.resource, id: change.id, tries: attempt)
            }
            environment.diagnostics.warning(
                "the command ended with status \(status) for \(change.resource) \(change.id); it is run again")
            health.step(at: environment.clock.boot())
            try await environment.sleep(pause)
            pause *= 2
        }
    }
}
