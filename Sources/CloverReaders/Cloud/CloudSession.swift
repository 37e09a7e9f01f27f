import CloverAPI
import CloverHTTP
import CloverJSON
import FoundationEssentials
import Synchronization

/// A session with a Clover device. The service keeps no connection, so the session lasts only as long as the device
/// responds.
final class CloudSession: ReaderSession {
    /// The next event to report.
    private enum Step {
        case initializing
        case ready
        /// The device is pinged at intervals.
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
    /// Set when the session ends, so that a waiting task wakes at once.
    private let ending = AsyncState(false)

    /// Failed pings in a row that end the session. A single failure proves nothing.
    private static let maximumMisses = 2

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
            try await waitUntilGone()
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

    /// Returns when the device no longer responds, or the session was ended.
    private func waitUntilGone() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [ending] in try await ending.next { $0 ? () : nil } }
            group.addTask { [self] in
                var misses = 0
                while misses < Self.maximumMisses {
                    try await sleep(pollInterval)
                    misses = try await display.isConnected(serial) ? 0 : misses + 1
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// The requests of REST Pay Display that do not move money (Clover documentation, REST Pay Display basics, ping, status).
struct PayDisplay: Sendable {
    let client: ServiceClient
    /// The name of this program for the device; Clover requires one.
    let posID: String

    /// Seconds that Clover waits for the device.
    private static let deviceTimeout = 5
    private static let responseLimit = 64 << 10

    private struct Ping: Decodable {
        let connected: Bool?
    }

    private struct Status: Decodable {
        let state: String?
    }

    /// Whether the device responds. Also false if it is off, or its Pay Display app is not open.
    /// - Throws: `ServiceError` if the service, not the device, is the cause.
    func isConnected(_ serial: String) async throws -> Bool {
        guard let body = try await send("ping", serial) else { return false }
        return try decode(Ping.self, body)?.connected ?? false
    }

    /// The state of a device that is busy with another request, unchanged, from Clover's Remote Pay models; nil if it is
    /// free. A device that does not support the request counts as free.
    /// - Throws: `ServiceError`; `.unreadable` for a response that is too large or is not a status, because the device
    ///   may be busy.
    func busyState(_ serial: String) async throws -> String? {
        guard let body = try await send("status", serial) else { return nil }
        guard let status = try decode(Status.self, body) else {
            throw ServiceError.unreadable(
                Self.fault(of: body), url: Redaction.url(client.url(path: Self.path("status"), query: "")), retries: 0)
        }
        // WAITING_FOR_POS only shows the end of an earlier request. Any other state is no reason not to try.
        return status.state.flatMap { ["BUSY", "WAITING_FOR_CUSTOMER"].contains($0) ? $0 : nil }
    }

    /// Why a body is not a device's response.
    private static func fault(of body: [UInt8]) -> PageError {
        if body.count > responseLimit { return .recordTooLarge(at: 0, limit: responseLimit) }
        guard let first = body.first else { return .cutOff(at: 0) }
        return first == UInt8(ascii: "<") ? .html : .notAnObject(at: 0)
    }

    private static func path(_ call: String) -> String { "/connect/v1/device/\(call)" }

    /// The device's response; nil if the device is not there, or does not support the request. Of a response that is
    /// larger than `responseLimit`, one byte more than that is read.
    private func send(_ call: String, _ serial: String) async throws -> [UInt8]? {
        // Sent by POST: an absent device responds with 503, after which a GET would be retried again and again.
        var request = ServiceRequest(
            .post, client.url(path: Self.path(call), query: ""),
            body: HTTPRequestBody(bytes: Array("{}".utf8)),
            additions: [
                HTTPHeader(name: "X-Clover-Device-Id", value: serial), HTTPHeader(name: "X-POS-Id", value: posID),
                HTTPHeader(name: "X-Clover-Timeout", value: String(Self.deviceTimeout)),
            ])
        request.isHarmless = true
        var attempt = ServiceClient.Attempt()
        do {
            return try await client.send(request, attempt: &attempt).body.prefix(Self.responseLimit + 1)
        } catch let error as ServiceError {
            if isCausedByDevice(error) { return nil }
            throw error
        } catch let error as IndeterminateWriteError {
            // The request could not have had any effect.
            if isCausedByDevice(error.cause) { return nil }
            throw error.cause
        }
    }

    /// Whether the service was reached, but the device did not respond, or not as expected.
    private func isCausedByDevice(_ error: ServiceError) -> Bool {
        switch error {
        case .refused, .notFound: true
        case .failed(let status, _, _, _, _): [408, 501, 503, 504].contains(status)
        case .unauthorized, .forbidden, .rateLimited, .paused, .unreachable, .redirected, .unreadable, .filterIgnored:
            false
        }
    }

    /// Returns nil for a response that is too large, or that does not come from the service, but from something in its
    /// place.
    private func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws -> Value? {
        guard body.count <= Self.responseLimit else { return nil }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch is DecodingError {
            return nil
        }
    }
}
