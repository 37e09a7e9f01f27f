package import CloverHTTP
import CloverSystem
import FoundationEssentials

/// A token service that keeps its state in a directory, so that several processes can be its clients. Refresh token
/// `r-N` is good while N is the current generation; spending it makes generation N+1.
package struct RotatingService: HTTPTransport {
    /// What goes wrong with one request.
    package enum Fault: Sendable {
        /// No connection stands.
        case unreachable
        /// The request is sent, and lost before anything is done.
        case loseRequest
        /// The work is done, and the response is lost.
        case loseAnswer
        /// The work is done, and the body ends too early.
        case cutOff
        /// This response instead of the work.
        case answer(Int, String, headers: [HTTPHeader] = [])
        /// The work is done, and this is the response.
        case garbage(Int, String)
        /// The response arrives only when the task is cancelled, and then the connection is gone.
        case hang
    }

    /// What the service has counted.
    package struct Counts: Equatable, Sendable {
        package var generation = 0
        package var refused = 0
        package var requests = 0

        package init(generation: Int = 0, refused: Int = 0, requests: Int = 0) {
            self.generation = generation
            self.refused = refused
            self.requests = requests
        }
    }

    private let state: StateDirectory
    private let life: Int64
    private let now: @Sendable () -> Int64
    private let fault: @Sendable (_ request: Int) async -> Fault?
    private let onRotation: @Sendable () async -> Void

    /// - Parameters:
    ///   - path: the directory of its state, made when it is missing.
    ///   - life: of an access token, in seconds.
    ///   - now: seconds since 1970.
    ///   - fault: asked for each request, which are numbered from 1 on over all processes, when it arrives.
    ///   - onRotation: called when the work is done, before the response is sent.
    package init(
        path: String, life: Int64 = 1800, now: @escaping @Sendable () -> Int64 = { 1_700_000_000 },
        fault: @escaping @Sendable (_ request: Int) async -> Fault? = { _ in nil },
        onRotation: @escaping @Sendable () async -> Void = {}
    ) {
        state = StateDirectory(path: path)
        self.life = life
        self.now = now
        self.fault = fault
        self.onRotation = onRotation
    }

    /// What has been counted so far.
    package func counts() async throws -> Counts {
        try await change { $0 }
    }

    package func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        do {
            return try await answer(request, departure: departure)
        } catch let error as HTTPTransportError {
            throw error
        } catch {
            throw .other(code: 0, detail: "\(error)")
        }
    }

    private func answer(_ request: HTTPRequest, departure: SendGate) async throws -> HTTPResponse {
        let number = try await change { counts in
            counts.requests += 1
            return counts.requests
        }
        let fault = await fault(number)
        if case .unreachable = fault { throw HTTPTransportError.notConnected(host: "service", detail: "refused") }
        _ = departure.leave()
        switch fault {
        case .loseRequest: throw HTTPTransportError.timedOut(host: "service", detail: "no answer")
        case .hang:
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: .seconds(3600))
                } catch {
                    break
                }
            }
            throw HTTPTransportError.cancelled
        case .answer(let status, let text, let headers):
            return HTTPResponse(status: status, headers: headers, body: CannedBody(text))
        default: break
        }
        let spent = try JSONDecoder().decode(Spent.self, from: Data(request.body?.bytes ?? [])).refreshToken
        let generation = try await change { counts -> Int? in
            guard spent == "r-\(counts.generation)" else {
                counts.refused += 1
                return nil
            }
            counts.generation += 1
            return counts.generation
        }
        await onRotation()
        switch fault {
        case .loseAnswer: throw HTTPTransportError.connectionLost(host: "service", detail: "reset")
        case .garbage(let status, let text): return HTTPResponse(status: status, headers: [], body: CannedBody(text))
        default: break
        }
        guard let generation else {
            return HTTPResponse(status: 401, headers: [], body: CannedBody(#"{"message":"Invalid refresh token"}"#))
        }
        let text = """
            {"access_token":"a-\(generation)","access_token_expiration":\(now() + life),\
            "refresh_token":"r-\(generation)","refresh_token_expiration":\(now() + 1000 * life)}
            """
        if case .cutOff = fault {
            return HTTPResponse(
                status: 200, headers: [],
                body: CannedBody(String(text.prefix(40)), failure: .cutOff(host: "service", detail: "short")))
        }
        return HTTPResponse(status: 200, headers: [], body: CannedBody(text))
    }

    private struct Spent: Decodable {
        let refreshToken: String

        private enum CodingKeys: String, CodingKey {
            case refreshToken = "refresh_token"
        }
    }

    /// Changes the state under a separate lock, which serializes processes.
    private func change<Value: Sendable>(_ body: @escaping @Sendable (inout Counts) -> Value) async throws -> Value {
        try await DedicatedThread.run { () throws(StorageError) -> Value in
            let directory = try state.prepare()
            let lock = try FileLock.acquire("service.lock", in: directory)
            let bytes = try PrivateFile.read("service", in: directory, limit: 100)
            let numbers = String(decoding: bytes ?? [], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            var counts = Counts()
            if numbers.count == 3 {
                counts = Counts(generation: numbers[0], refused: numbers[1], requests: numbers[2])
            }
            let value = body(&counts)
            let text = "\(counts.generation) \(counts.refused) \(counts.requests)"
            try AtomicFile.replace("service", in: directory, with: Array(text.utf8), durable: false, holding: lock)
            return value
        }
    }
}
