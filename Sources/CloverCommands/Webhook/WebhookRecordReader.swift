import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverRateLimit
import CloverWebhooks
import Synchronization

/// Reads the records that events are about, within the request budget of all processes and after their work.
struct WebhookRecordReader: Sendable {
    /// What an event's record is now.
    enum Outcome: Sendable, Equatable {
        /// The record as JSON on one line, with sensitive fields masked.
        case record(String)
        /// It was deleted.
        case gone
        /// It was not read: the merchant is not signed in, there is no request for it, or the request failed.
        case notRead
    }

    /// Maximum size of a record in bytes.
    private static let sizeLimit = 16 << 20
    /// Number of records that are requested at once; below Clover's limit for a token.
    private static let concurrency = 4

    private let retries: Int
    private let environment: CommandEnvironment
    private let accounts = Accounts()

    init(retries: Int, in environment: CommandEnvironment) {
        self.retries = retries
        self.environment = environment
    }

    /// Reads the records of events, each once, several at a time.
    func outcomes(of events: [WebhookEvent]) async throws -> [Outcome] {
        var outcomes = [Outcome](repeating: .notRead, count: events.count)
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var rest = events.indices.makeIterator()
            func start() {
                guard let place = rest.next() else { return }
                group.addTask { (place, try await outcome(of: events[place])) }
            }
            for _ in 0..<Self.concurrency { start() }
            for try await (place, outcome) in group {
                outcomes[place] = outcome
                start()
            }
        }
        return outcomes
    }

    private func outcome(of event: WebhookEvent) async throws -> Outcome {
        if event.type == WebhookAction.deleted.type { return .gone }
        guard let path = event.path, let account = try await account(of: event.merchant) else { return .notRead }
        do {
            return .record(try await account.record(at: path))
        } catch ServiceError.notFound {
            return .gone
        } catch {
            guard case .report(let report) = ErrorReport.ending(of: error) else { throw error }
            environment.diagnostics.failure(
                "cannot read \(path) of merchant \(event.merchant): \(report.message)", code: report.code,
                status: report.status.rawValue)
            return .notRead
        }
    }

    /// The account of a merchant; nil if there is no sign-in to it, which is reported once.
    private func account(of merchant: String) async throws -> Account? {
        if let known = accounts.known(merchant) { return known }
        let account: Account?
        do {
            let connection = try await connection(to: merchant)
            account = try connection.map { try Account($0, retries: retries, in: environment) }
        } catch {
            guard case .report(let report) = ErrorReport.ending(of: error) else { throw error }
            environment.diagnostics.notice(
                "merchant \(merchant): \(report.message); its events are printed without records")
            accounts.add(merchant, nil)
            return nil
        }
        if account == nil {
            environment.diagnostics.notice(
                "the token in CLOVER_ACCESS_TOKEN is not for merchant \(merchant); its events are printed without records"
            )
        }
        accounts.add(merchant, account)
        return account
    }

    /// Nil if a token was given, and it is for another merchant.
    private func connection(to merchant: String) async throws -> Connection? {
        if let given = try await ConnectionChoice().staticCredential(in: environment) {
            return given.key.merchantID == merchant
                ? try await Connection.resolve(ConnectionChoice(), in: environment) : nil
        }
        return try await Connection.resolve(ConnectionChoice(merchantID: merchant), in: environment)
    }

    /// The connection to one merchant.
    private struct Account: Sendable {
        private let merchant: String
        private let client: ServiceClient
        private let diagnostics: Diagnostics

        init(_ connection: Connection, retries: Int, in environment: CommandEnvironment) throws {
            var pacing = RateLimitOptions()
            pacing.pacingClass = .bulk
            pacing.command = "webhook listen"
            merchant = connection.merchantID
            client = try connection.makeClient(retries: retries, pacing: pacing, in: environment)
            diagnostics = environment.diagnostics
        }

        private func object(at url: String, _ attempt: inout ServiceClient.Attempt) async throws -> RecordBatch {
            while true {
                let body = try await client.object(of: url, limit: sizeLimit, attempt: &attempt)
                do throws(PageError) {
                    var scanner = PageScanner(expecting: .oneObject)
                    var batch = RecordBatch()
                    try scanner.scan(body, into: &batch)
                    try scanner.finish(into: &batch)
                    return batch
                } catch {
                    try await client.recover(from: error, url: url, attempt: &attempt)
                }
            }
        }

        func record(at text: String) async throws -> String {
            let path = try ResourcePath(parsing: text, identifier: nil, merchantID: merchant, isChecked: true)
            let inspection = try RecordInspection(
                path, isEnvelope: false, showsSensitive: false, validates: false, diagnostics)
            var attempt = ServiceClient.Attempt()
            let url = client.url(path: path.encoded, query: "")
            let batch = try await object(at: url, &attempt)
            // What has another ID, or none, does not show what was asked for.
            guard let record = batch.records.first, batch.id(of: record) == path.segments.last else {
                throw ServiceError.unreadable(.noRecord, url: Redaction.url(url), retries: attempt.retries)
            }
            let masked = try inspection.pass(batch)
            return masked.records.first.map { String(decoding: masked.bytes[$0.range], as: UTF8.self) } ?? "null"
        }
    }

    /// The merchants met so far. There are few: a listener serves one app.
    private final class Accounts: Sendable {
        /// Further ones are looked up each time.
        private static let limit = 1000

        private let accounts = Mutex<[String: Account?]>([:])

        /// The outer nil stands for a merchant that was not met yet.
        func known(_ merchant: String) -> Account?? { accounts.withLock { $0[merchant] } }

        func add(_ merchant: String, _ account: Account?) {
            accounts.withLock { if $0.count < Self.limit { $0[merchant] = .some(account) } }
        }
    }
}
