import CloverAPI
import CloverHTTP
import FoundationEssentials
import Synchronization

/// A session with a Clover device. The service holds no link, so it is one only as long as the device answers.
final class CloudSession: ReaderSession {
    /// What is told next.
    private enum Step {
        case initializing
        case ready
        /// The device is asked from time to time whether it is there.
        case following
        case disconnected
        case over
    }

    let reader: Reader
    private let serial: String
    private let display: PayDisplay
    private let pollInterval: Double
    private let sleep: @Sendable (Double) async throws -> Void
    private let step = Mutex(Step.initializing)
    /// So that whoever waits hears of the end at once.
    private let ending = Mailbox(false)

    /// One unanswered question is no proof.
    private static let patience = 2

    init(
        _ reader: Reader, serial: String, display: PayDisplay, pollInterval: Double,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) {
        var reader = reader
        reader.connected = true
        self.reader = reader
        self.serial = serial
        self.display = display
        self.pollInterval = pollInterval
        self.sleep = sleep
    }

    func nextEvent() async throws -> ReaderEvent? {
        let now = step.withLock { step in
            defer { step = Self.step(after: step) }
            return step
        }
        switch now {
        case .initializing: return .state(.initializing)
        case .ready: return .state(.ready)
        case .disconnected: return .state(.disconnected)
        case .over: return nil
        case .following:
            try await untilGone()
            step.withLock { $0 = .over }
            return .state(.disconnected)
        }
    }

    func disconnect() async {
        step.withLock { step in
            if step != .over { step = .disconnected }
        }
        ending.update { $0 = true }
    }

    private static func step(after step: Step) -> Step {
        switch step {
        case .initializing: .ready
        case .ready, .following: .following
        case .disconnected, .over: .over
        }
    }

    /// Returns when the device does not answer any more, or the session was ended.
    private func untilGone() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [ending] in try await ending.next { $0 ? () : nil } }
            group.addTask { [self] in
                var misses = 0
                while misses < Self.patience {
                    try await sleep(pollInterval)
                    misses = try await display.isConnected(serial) ? 0 : misses + 1
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// The calls of REST Pay Display that do not move money (Clover documentation, REST Pay Display basics, ping, status).
struct PayDisplay: Sendable {
    let client: ServiceClient
    /// Names us to the device; Clover requires one.
    let posID: String

    /// How long Clover waits for the device, in seconds.
    private static let patience = 5
    private static let answerLimit = 64 << 10

    private struct Ping: Decodable {
        let connected: Bool?
    }

    private struct Status: Decodable {
        let state: String?
    }

    /// Whether the device answers. False too for one that is off, or whose Pay Display is not open.
    /// - Throws: `ServiceError` where the service, not the device, is the trouble.
    func isConnected(_ serial: String) async throws -> Bool {
        guard let body = try await ask("ping", serial) else { return false }
        return try decode(Ping.self, body)?.connected ?? false
    }

    /// What the device is at. A device that does not know the call is taken for free.
    func state(_ serial: String) async throws -> CloudDeviceState {
        guard let body = try await ask("status", serial) else { return .free }
        return CloudDeviceState(word: try decode(Status.self, body)?.state)
    }

    /// The answer of the device; nil when it is not there, or cannot do it.
    private func ask(_ call: String, _ serial: String) async throws -> [UInt8]? {
        // Both by POST: a device that is away answers 503, and a GET would be sent again and again.
        let request = ServiceRequest(
            .post, client.url(path: "/connect/v1/device/\(call)", query: ""),
            body: HTTPRequestBody(bytes: Array("{}".utf8)),
            additions: [
                HTTPHeader(name: "X-Clover-Device-Id", value: serial), HTTPHeader(name: "X-POS-Id", value: posID),
                HTTPHeader(name: "X-Clover-Timeout", value: String(Self.patience)),
            ])
        var attempt = ServiceClient.Attempt()
        do {
            return try await client.send(request, attempt: &attempt).body.prefix(Self.answerLimit)
        } catch let error as ServiceError {
            if isDevices(error) { return nil }
            throw error
        } catch let error as UnknownOutcome {
            // Nothing was asked that could have had an effect.
            if isDevices(error.cause) { return nil }
            throw error.cause
        }
    }

    /// The service reached us, and the device did not answer it, or not as we hoped.
    private func isDevices(_ error: ServiceError) -> Bool {
        switch error {
        case .refused, .notFound: true
        case .failed(let status, _, _, _): [408, 501, 503, 504].contains(status)
        case .unauthorized, .forbidden, .rateLimited, .paused, .unreachable, .redirected, .unreadable, .filterIgnored:
            false
        }
    }

    /// Nil for an answer that is none of the service's: something else answers in its place.
    private func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value? {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch is DecodingError {
            return nil
        }
    }
}
