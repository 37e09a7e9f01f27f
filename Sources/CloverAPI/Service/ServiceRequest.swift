package import CloverHTTP
import FoundationEssentials
import Synchronization

/// One request to the service, without its token.
package struct ServiceRequest: Sendable {
    package var method: HTTPMethod
    /// The absolute URL, percent-encoded.
    package var url: String
    /// Nil sends no body.
    package var body: HTTPRequestBody?
    /// True if it takes, refunds or voids money, or records that it happened. Such a request is never sent again while
    /// the outcome of the first transmission is unknown.
    package var movesMoney: Bool
    /// The caller judges refusals by their bodies: any response is returned as it is, except a redirect, a 429, and a
    /// 401 that a new token may fix. A read is retried first if its failure may be temporary.
    package var returnsRefusals = false
    /// Carrying it out once more than is known does no harm, although it is sent by POST: it asks a device for its state,
    /// or for an export.
    package var isHarmless = false
    /// Whether a refusal only counts in Clover's own form: for every write.
    var requiresCloverErrorForm: Bool { method != .get && !isHarmless }
    /// Whether a successful response holds the one record that was written, with its ID.
    package var returnsRecord = false
    /// The ID that the record in a successful response must have; nil for any.
    package var recordID: String?
    /// Whether the body of a successful response is one record, even if it is a list.
    package var keepsEnvelope = false
    /// The response arrives only once a person has acted, which may take minutes: the request releases its in-flight
    /// slot as soon as it is sent. The limit is documented for data requests, and five tills waiting for cards would
    /// block everything else, including the request that cancels one of them.
    package var awaitsPerson = false
    /// Whether the access token is sent; a service with its own key gets that in a header.
    package var isAuthorized = true

    /// Header fields in addition to the token and those that belong to the body.
    package var headers: [HTTPHeader]

    /// - Parameter additions: header fields in addition to the usual ones; an `Accept` replaces the usual one.
    package init(
        _ method: HTTPMethod = .get, _ url: String, body: HTTPRequestBody? = nil, additions: [HTTPHeader] = [],
        movesMoney: Bool = false
    ) {
        self.method = method
        self.url = url
        self.body = body
        self.movesMoney = movesMoney
        let usual =
            additions.first(named: "Accept") == nil ? [HTTPHeader(name: "Accept", value: "application/json")] : []
        headers = usual + additions
    }

    /// Whether sending it twice has the same effect as sending it once (RFC 9110, section 9.2.2).
    package var isRepeatable: Bool { method.isIdempotent && !movesMoney }
}

extension ServiceRequest {
    /// Expects the record that a write to the path makes or changes. A 200 with anything else may come from something other
    /// than the service. The response to a deletion is empty, or is about the record.
    package mutating func expectRecord(at path: ResourcePath) {
        guard method != .get else { return }
        // A path that can be read, too, names the record.
        let model = EndpointCatalogue.endpoint(at: path.segments)?.model.flatMap { ModelCatalogue.model(named: $0) }
        if path.endpoint?.path.last == "}", model?.field(named: "id") != nil { recordID = path.segments.last }
        guard method != .delete else { return }
        // What takes or returns money shows it, but for REST Pay Display, which shows it within the response.
        let movesMoney = method == .post && path.movesMoney && path.segments.first != "connect"
        returnsRecord = path.endpoint?.returnsRecord ?? movesMoney
    }
}

/// What an unsuccessful response means for the request.
extension ServiceRequest {
    /// Whether a refusal shows that the request was not carried out. A proxy may send any status after the service did
    /// its work, so for a write, only a body in Clover's own form does, or a 429 that names the limit.
    func isRefused(by response: HTTPResponse, _ body: [UInt8]) -> Bool {
        guard requiresCloverErrorForm else { return true }
        let status = response.status
        if response.isRedirect { return false }
        if status == 429, response.headers.contains(where: { $0.name.lowercased().hasPrefix("x-ratelimit-") }) {
            return true
        }
        return ServiceErrorForm.matches(status: status, body)
            || !returnsRefusals && ServiceErrorForm.hasMessage(body)
    }

    /// The target of a redirect on the same server. A write only follows redirects that keep its method and body (RFC
    /// 9110, section 15.4).
    func target(of response: HTTPResponse, isAllowed: Bool) throws(ServiceError) -> String {
        let isKept = method == .get || response.status == 307 || response.status == 308
        guard isAllowed, isKept, let target = target(of: response) else { throw redirected(response) }
        return target
    }

    /// The error for a redirect that is not followed.
    func redirected(_ response: HTTPResponse) -> ServiceError {
        let location = response.headers.first(named: "Location")
        return .redirected(
            status: response.status, url: Redaction.url(url), location: Redaction.url(location ?? ""),
            isElsewhere: location != nil && target(of: response) == nil)
    }

    /// The absolute URL that a redirect leads to; nil if scheme, host or port differ.
    private func target(of response: HTTPResponse) -> String? {
        guard let base = URL(string: url), let location = response.headers.first(named: "Location"),
            let target = URL(string: location, relativeTo: base)?.absoluteURL,
            target.scheme?.lowercased() == base.scheme?.lowercased(),
            target.host()?.lowercased() == base.host()?.lowercased(), target.port == base.port, target.user() == nil
        else { return nil }
        return target.absoluteString
    }
}

extension HTTPResponse {
    /// Whether the status sends the client to another URL.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

/// Hooks and cancellation for one send.
package struct SendHooks: Sendable {
    /// Cancels the request's waits; nil waits without limit.
    package var waits: WaitCanceller?
    /// True if cancelling ends every wait. Otherwise it only ends long pauses by the service, because the request is
    /// still wanted.
    package var endsEveryWait = false
    /// Called before each transmission, before the first byte is sent. If it throws, the request is not sent.
    package var willSend: @Sendable () async throws -> Void = {}
    /// Called when a transmission had no effect, because it was held back or refused with a 429 (`isRefused`), and will
    /// be retried.
    package var hadNoEffect: @Sendable (_ isRefused: Bool) async -> Void = { _ in }

    package static let usual = SendHooks()

    package init() {}
}

/// Observes the transmissions of a request. Both closures are called on any thread and must return quickly.
package struct SendObserver: Sendable {
    /// Called just before the request is sent; it may be carried out from then on. Returns false to withdraw it, so
    /// that it is not sent. Called under the lock that decides (`SendGate`).
    package var departed: @Sendable () -> Bool
    /// Called when a transmission was not sent after all, was refused, or lost its response: it is no longer in flight.
    /// `mayHaveActed` says whether it may still have been carried out.
    package var failed: @Sendable (_ mayHaveActed: Bool) -> Void

    package static let unobserved = SendObserver(departed: { true }, failed: { _ in })

    package init(
        departed: @escaping @Sendable () -> Bool, failed: @escaping @Sendable (_ mayHaveActed: Bool) -> Void
    ) {
        self.departed = departed
        self.failed = failed
    }
}

/// Cancels what runs in `during`, such as the waits of a request that is not yet in flight. After the first `end`, every
/// later wait ends at once.
package final class WaitCanceller: Sendable {
    private struct State {
        var reason: (any Error)?
        var number = 0
        var cancels: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Why waits were ended; nil if they were not.
    package var reason: (any Error)? { state.withLock(\.reason) }

    package var isWaiting: Bool { state.withLock { !$0.cancels.isEmpty } }

    /// Ends current and future waits; the first reason is kept.
    package func end(_ reason: any Error) {
        let cancels = state.withLock { state in
            if state.reason == nil { state.reason = reason }
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    /// Runs `body` in a task that `end` cancels.
    package func during<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Awaited below; cancelled by `end`, and when the waiting task is cancelled.
        let task = Task { try await body() }
        let place = begin { task.cancel() }
        defer { state.withLock { $0.cancels[place] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func begin(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (place, isOver) = state.withLock { state in
            state.number += 1
            state.cancels[state.number] = cancel
            return (state.number, state.reason != nil)
        }
        if isOver { cancel() }
        return place
    }
}
