import CloverAuth
import CloverCore
import CloverExport
import CloverOutput
import CloverSystem
import CloverTables

/// Waits for the server of a database while it is away: until `--max-time` ends the run, or for a minute without it.
struct DatabasePatience: Sendable {
    private let name: String
    private let results: ExportResults
    private let environment: CommandEnvironment
    /// In seconds of the clock since the machine started; nil without `--max-time`.
    private let end: Double?

    private static let seconds = 60.0
    /// Seconds between two attempts; the first comes at once, for a connection that was only idle for too long.
    private static let pause = 1.0

    init(name: String, _ run: ExportOpening) {
        self.name = name
        results = run.results
        environment = run.environment
        end = run.end
    }

    /// Runs `body` on a thread that may block, again while the server is away.
    ///
    /// - Parameter database: the database whose waits end when the task does; nil when there is none yet.
    func run<Value: Sendable>(
        _ database: TableDatabase?, _ body: @escaping @Sendable () throws(TableError) -> Value
    ) async throws -> Value {
        var attempts = 0
        let check = DatabaseAddress.check(ofServer: name)
        if database == nil, check != nil { results.waits(for: "no response from \(name)", check: check) }
        // A little before the limit, so that the reason is what the run ends with.
        let end = end.map { $0 - Self.pause } ?? (now + Self.seconds)
        defer { results.waits(for: nil) }
        while true {
            let result = await withTaskCancellationHandler {
                await DedicatedThread.run { Result(catching: body) }
            } onCancel: {
                database?.endWaits()
            }
            switch result {
            case .success(let value): return value
            case .failure(.away(let path, let message)):
                try Task.checkCancellation()
                attempts += 1
                guard attempts > 1 else { continue }
                guard now + Self.pause < end else { throw TableError.away(path: path, message: message) }
                if attempts == 2 {
                    environment.diagnostics.warning("waiting for \(name): \(message)")
                    results.waits(for: "\(name) is away: \(message)", check: check)
                }
                try await environment.sleep(Self.pause)
            case .failure(let error): throw error
            }
        }
    }

    private var now: Double { Double(environment.clock.boot()) / 1000 }
}
