import CloverAPI
import CloverHTTP
import CloverJSON
import Synchronization
import Testing

@Suite("service client: writes")
struct WriteClientTests {
    private static let url = "https://service.invalid/v3/merchants/M/items"
    private static let body = HTTPRequestBody(bytes: Array(#"{"name":"Latte"}"#.utf8))

    private struct Outcome {
        var transport: ScriptedTransport
        var status: Int?
        var error: (any Error)?
        var attempt: ServiceClient.Attempt
    }

    private func send(
        _ method: HTTPMethod, movesMoney: Bool = false, retries: Int = 3,
        _ script: @escaping @Sendable (HTTPRequest, Int) -> ScriptedTransport.Answer
    ) async throws -> Outcome {
        let transport = ScriptedTransport(script)
        let client = try ServiceClient.scripted(transport, retries: retries)
        var attempt = ServiceClient.Attempt()
        let request = ServiceRequest(method, Self.url, body: Self.body, movesMoney: movesMoney)
        do {
            let response = try await client.send(request, attempt: &attempt)
            return Outcome(transport: transport, status: response.status, attempt: attempt)
        } catch {
            return Outcome(transport: transport, error: error, attempt: attempt)
        }
    }

    @Test("the method and the body are sent unchanged", arguments: [HTTPMethod.post, .put, .delete])
    func sent(method: HTTPMethod) async throws {
        let outcome = try await send(method) { _, _ in .init(chunks: ["{}"]) }
        #expect(outcome.status == 200)
        #expect(outcome.transport.requests.map(\.method) == [method])
        #expect(outcome.transport.requests.first?.body == Self.body)
    }

    @Test("a write refused with 429 is retried with its body")
    func limited() async throws {
        let outcome = try await send(.post) { _, time in
            time == 1
                ? .init(
                    status: 429, headers: [HTTPHeader(name: "Retry-After", value: "0")],
                    chunks: [#"{"message":"429 Too Many Requests"}"#]) : .init()
        }
        #expect(outcome.status == 200)
        #expect(outcome.transport.requests.map(\.body) == [Self.body, Self.body])
    }

    @Test("a final 429 leaves no doubt about the outcome")
    func limitedForever() async throws {
        let limit = HTTPHeader(name: "X-RateLimit-tokenLimit", value: "16")
        let outcome = try await send(.post) { _, _ in .init(status: 429, headers: [limit]) }
        guard case ServiceError.rateLimited? = outcome.error else {
            Issue.record("\(String(describing: outcome.error))")
            return
        }
        #expect(!outcome.attempt.mayHaveActed)
    }

    @Test("after a failure or a lost response, a POST is not retried and its outcome is unknown")
    func lostPost() async throws {
        let lost = HTTPTransportError.connectionLost(host: "service.invalid", detail: "reset")
        let page = ScriptedTransport.Answer(status: 403, chunks: ["<html></html>"])
        let statuses = [408, 425, 500, 503, 520, 524].map { ScriptedTransport.Answer(status: $0) }
        for answer in statuses + [page, .init(failure: lost)] {
            let outcome = try await send(.post) { _, _ in answer }
            let unknown = try #require(outcome.error as? IndeterminateWriteError)
            #expect(unknown.method == .post && unknown.url == Self.url && !unknown.movesMoney)
            #expect(outcome.transport.requests.count == 1)
        }
    }

    @Test(
        "a refusal of a PUT or DELETE that is not in Clover's form proves nothing",
        arguments: [HTTPMethod.put, .delete])
    func foreignRefusals(method: HTTPMethod) async throws {
        for status in [400, 401, 403, 409, 302] {
            let outcome = try await send(method) { _, _ in
                .init(status: status, headers: [HTTPHeader(name: "Location", value: "/login")])
            }
            let unknown = try #require(
                outcome.error as? IndeterminateWriteError, "\(status): \(String(describing: outcome.error))")
            #expect(unknown.method == method && unknown.doubt == nil, "\(status)")
            #expect(outcome.attempt.mayHaveActed)
        }
        let refused = try await send(method) { _, _ in .init(status: 400, chunks: [#"{"message":"Bad"}"#]) }
        guard case ServiceError.refused(400, _, _)? = refused.error else {
            Issue.record("\(String(describing: refused.error))")
            return
        }
    }

    @Test(
        "a 429 without Clover's form is followed by another try, and leaves a doubt",
        arguments: [HTTPMethod.put, .delete])
    func foreignLimit(method: HTTPMethod) async throws {
        let pause = HTTPHeader(name: "Retry-After", value: "0")
        let outcome = try await send(method) { _, time in time == 1 ? .init(status: 429, headers: [pause]) : .init() }
        #expect(outcome.status == 200 && outcome.transport.requests.count == 2 && outcome.attempt.mayHaveActed)
    }

    @Test("a refusal after an attempt that may have been carried out says nothing about that one")
    func refusedAfterDoubt() async throws {
        for (status, message) in [(400, "Bad"), (401, "401 Unauthorized"), (403, "Forbidden")] {
            let outcome = try await send(.delete) { _, time in
                time == 1 ? .init(status: 500) : .init(status: status, chunks: [#"{"message":"\#(message)"}"#])
            }
            let unknown = try #require(outcome.error as? IndeterminateWriteError, "\(status)")
            #expect(unknown.doubt == .failed(status: 500), "\(status)")
        }
    }

    @Test(
        "a POST whose 200 has another record, or none, is unknown",
        arguments: [
            ("items", "{}", false), ("items", #"{"message":"validation failed"}"#, false),
            ("items", #"{"id":"A"}"#, true),
            ("items/A", #"{"id":"B"}"#, false), ("items/A", #"{"id":"a"}"#, true), ("items/A", "{}", false),
            ("item_stocks/A", #"{"quantity":1}"#, true),
        ])
    func recordOfPost(_ path: String, _ body: String, _ isDone: Bool) async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: [body]) }
        let client = try ServiceClient.scripted(transport)
        let path = try ResourcePath(parsing: path, identifier: nil, merchantID: "M", isChecked: true, method: .post)
        var request = ServiceRequest(.post, client.url(of: path, query: ""), body: Self.body)
        request.expectRecord(at: path)
        do {
            _ = try await client.write(request)
            #expect(isDone)
        } catch let error as IndeterminateWriteError {
            guard case .unreadable = error.cause, !isDone else {
                Issue.record("another error: \(error)")
                return
            }
        }
    }

    @Test(
        "a deletion is believed with an empty response, or one about the record",
        arguments: [
            ("", true), ("{}", true), (#"{"id":"A"}"#, true), (#"{"id":"B"}"#, false), (#"{"message":"no"}"#, false),
            (#"{"elements":[{"id":"B"}]}"#, false),
        ])
    func responseOfDeletion(_ body: String, _ isDone: Bool) async throws {
        let client = try ServiceClient.scripted(ScriptedTransport { _, _ in .init(chunks: body.isEmpty ? [] : [body]) })
        let path = try ResourcePath(
            parsing: "items/A", identifier: nil, merchantID: "M", isChecked: true, method: .delete)
        var request = ServiceRequest(.delete, client.url(of: path, query: ""))
        request.expectRecord(at: path)
        do {
            _ = try await client.write(request)
            #expect(isDone)
        } catch is IndeterminateWriteError {
            #expect(!isDone)
        }
    }

    @Test(
        "a cut response proves a write only if it shows the record's ID",
        arguments: [
            (#"{"href":"x", "id":"A","na"#, true), (#"{"id":"B","na"#, false), (#"{"message":"validation fai"#, false),
            ("", false), ("{", false),
        ])
    func cutResponse(_ start: String, _ isProof: Bool) async throws {
        let lost = HTTPTransportError.cutOff(host: "service.invalid", detail: "x")
        let client = try ServiceClient.scripted(
            ScriptedTransport { _, _ in .init(chunks: start.isEmpty ? [] : [start], bodyFailure: lost) })
        let path = try ResourcePath(
            parsing: "items/A", identifier: nil, merchantID: "M", isChecked: true, method: .post)
        var request = ServiceRequest(.post, client.url(of: path, query: ""), body: Self.body)
        request.expectRecord(at: path)
        do {
            _ = try await client.write(request)
            Issue.record("no error")
        } catch is ResponseLostError {
            #expect(isProof)
        } catch is IndeterminateWriteError {
            #expect(!isProof)
        }
    }

    @Test("PUT and DELETE are sent again: twice is the same as once", arguments: [HTTPMethod.put, .delete])
    func idempotent(method: HTTPMethod) async throws {
        let outcome = try await send(method) { _, time in time < 3 ? .init(status: 502) : .init() }
        #expect(outcome.status == 200)
        #expect(outcome.transport.requests.count == 3)
        #expect(outcome.attempt.mayHaveActed)
    }

    @Test(
        "a read whose refusals the caller judges is retried on a temporary failure without Retry-After",
        arguments: [408, 500, 503, 520])
    func judgedReads(status: Int) async throws {
        func send(_ request: ServiceRequest, _ headers: [HTTPHeader] = []) async throws -> [Int] {
            let transport = ScriptedTransport { _, time in
                time < 3 ? .init(status: status, headers: headers) : .init(chunks: ["{}"])
            }
            var request = request
            request.returnsRefusals = true
            var attempt = ServiceClient.Attempt()
            let response = try await ServiceClient.scripted(transport).send(request, attempt: &attempt)
            return [response.status, transport.requests.count]
        }
        #expect(try await send(ServiceRequest(.get, Self.url)) == [200, 3])
        #expect(
            try await send(ServiceRequest(.get, Self.url), [HTTPHeader(name: "Retry-After", value: "60")]) == [
                status, 1,
            ])
        let device = [HTTPHeader(name: "X-Clover-Device-Id", value: "D")]
        #expect(try await send(ServiceRequest(.get, Self.url, additions: device)) == [status, 1])
        #expect(try await send(ServiceRequest(.post, Self.url, movesMoney: true)) == [status, 1])
    }

    @Test("a request that moves money is never retried, whatever its method")
    func money() async throws {
        let outcome = try await send(.put, movesMoney: true) { _, _ in .init(status: 502) }
        let unknown = try #require(outcome.error as? IndeterminateWriteError)
        #expect(unknown.movesMoney)
        #expect(outcome.transport.requests.count == 1)
    }

    @Test("a request that was never sent is retried and leaves no doubt")
    func neverLeft() async throws {
        let late = HTTPTransportError.timedOut(host: "service.invalid", detail: "connecting")
        let outcome = try await send(.post, movesMoney: true) { _, time in
            time == 1 ? .init(failure: late, leaves: false) : .init()
        }
        #expect(outcome.status == 200)
        let never = try await send(.post) { _, _ in .init(failure: late, leaves: false) }
        guard case ServiceError.unreachable? = never.error else {
            Issue.record("\(String(describing: never.error))")
            return
        }
        #expect(!never.attempt.mayHaveActed)
    }

    @Test("a lost response remains in doubt even if the service is then unreachable")
    func doubtStays() async throws {
        let outcome = try await send(.put) { _, time in
            time == 1
                ? .init(failure: .connectionLost(host: "service.invalid", detail: "reset"))
                : .init(failure: .tls(host: "service.invalid", detail: "expired"), leaves: false)
        }
        #expect(outcome.error is IndeterminateWriteError)
    }

    @Test("a PUT follows only redirects that keep its method and body, and the error says where the others lead")
    func redirects() async throws {
        let location = HTTPHeader(name: "Location", value: "/v3/merchants/M/items/")
        let kept = try await send(.put) { request, _ in
            request.url.hasSuffix("/") ? .init() : .init(status: 308, headers: [location])
        }
        #expect(kept.transport.requests.map(\.method) == [.put, .put])
        #expect(kept.transport.requests.last?.body == Self.body)
        let elsewhere = HTTPHeader(name: "Location", value: "https://elsewhere.invalid/")
        for (status, header) in [301, 302, 303].flatMap({ [($0, location), ($0, elsewhere)] }) {
            let changed = try await send(.put) { _, _ in .init(status: status, headers: [header]) }
            let unknown = try #require(
                changed.error as? IndeterminateWriteError, "\(String(describing: changed.error))")
            guard case .redirected(status, _, _, let isElsewhere) = unknown.cause else {
                Issue.record("\(unknown)")
                return
            }
            #expect(isElsewhere == (header == elsewhere))
        }
    }

    @Test(
        "a refusal that is not in Clover's form leaves the outcome of a POST unknown, and it is not sent again",
        arguments: [301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 501],
        ["", "{}", "<html><title>Proxy</title></html>", #"{"error":"no"}"#, "no"])
    func foreignRefusal(status: Int, body: String) async throws {
        let location = HTTPHeader(name: "Location", value: "/v3/merchants/M/items/")
        for (method, movesMoney) in [(HTTPMethod.post, false), (.post, true), (.put, true)] {
            let outcome = try await send(method, movesMoney: movesMoney) { _, _ in
                .init(status: status, headers: [location], chunks: [body])
            }
            #expect(outcome.error is IndeterminateWriteError, "\(String(describing: outcome.error))")
            #expect(outcome.attempt.mayHaveActed)
            #expect(outcome.transport.requests.count == 1)
        }
    }

    @Test(
        "a refusal in Clover's form proves that a POST was not carried out",
        arguments: [400, 401, 403, 404, 409, 429])
    func ownRefusal(status: Int) async throws {
        for body in [#"{"message":"no"}"#, #"{"message":"Not Found","details":"Item not found"}"#] {
            let outcome = try await send(.post, movesMoney: true, retries: 1) { _, _ in
                .init(status: status, chunks: [body])
            }
            #expect(outcome.error is ServiceError, "\(String(describing: outcome.error))")
            #expect(!outcome.attempt.mayHaveActed)
            #expect(outcome.transport.requests.count == (status == 429 ? 2 : 1))
        }
    }

    @Test("an observer learns that a write with a foreign refusal may have been carried out", arguments: [400, 429])
    func watchedRefusal(status: Int) async throws {
        let doubts = Mutex<[Bool]>([])
        let watch = SendObserver(
            departed: { true }, failed: { mayHaveActed in doubts.withLock { $0.append(mayHaveActed) } })
        for body in ["{}", #"{"message":"no"}"#] {
            let transport = ScriptedTransport { _, _ in .init(status: status, chunks: [body]) }
            let client = try ServiceClient.scripted(transport, retries: 0)
            await #expect(throws: (any Error).self) {
                _ = try await client.write(ServiceRequest(.post, Self.url), watch: watch)
            }
        }
        #expect(doubts.withLock(\.self) == [true, false])
    }

    @Test(
        "a response without the record that was written leaves its outcome unknown",
        arguments: ["", " ", "[]", #"{"elements":[]}"#])
    func noRecord(body: String) async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: body.isEmpty ? [] : [body]) }
        let client = try ServiceClient.scripted(transport)
        var request = ServiceRequest(.post, Self.url, body: Self.body)
        _ = try await client.write(request)
        request.returnsRecord = true
        let error = await #expect(throws: IndeterminateWriteError.self) { _ = try await client.write(request) }
        guard case .unreadable(.noRecord, _, _)? = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Gives `T1`, and `T2` in exchange.
    private final class Tokens: AccessTokenSource {
        private let isReplaced = Mutex(false)

        func token() async -> Secret { Secret(isReplaced.withLock(\.self) ? "T2" : "T1") }

        func replacement(for refused: Secret, isGood: () async throws -> Bool) async throws -> Secret? {
            isReplaced.withLock { $0 = true }
            return Secret("T2")
        }
    }

    @Test("a refused token is exchanged, and the body sent once more with the other")
    func exchanged() async throws {
        let transport = ScriptedTransport { request, _ in
            request.bearer == Secret("T2")
                ? .init() : .init(status: 401, chunks: [#"{"message":"401 Unauthorized"}"#])
        }
        let client = ServiceClient(
            environment: try ServiceEnvironment(parsing: "https://service.invalid"), tokens: Tokens(),
            transport: transport, ledger: nil, policy: RetryPolicy(maximumRetries: 0),
            sleep: { _ in try Task.checkCancellation() }, onEvent: { _ in })
        let answer = try await client.write(ServiceRequest(.post, Self.url, body: Self.body, movesMoney: true))
        #expect(answer.status == 200)
        #expect(transport.requests.map { $0.bearer?.exposed } == ["T1", "T2"])
        #expect(transport.requests.map(\.body) == [Self.body, Self.body])
    }

    @Test("an observer learns of every transmission and every failure")
    func watched() async throws {
        let transport = ScriptedTransport { _, time in time < 3 ? .init(status: 502) : .init() }
        let events = Mutex<[String]>([])
        let watch = SendObserver(
            departed: {
                events.withLock { $0.append("departed") }
                return true
            },
            failed: { _ in events.withLock { $0.append("failed") } }
        )
        _ = try await ServiceClient.scripted(transport).write(ServiceRequest(.put, Self.url), watch: watch)
        #expect(events.withLock(\.self) == ["departed", "failed", "departed", "failed", "departed"])
    }

    @Test("a write that its observer withdraws is not sent and leaves no doubt")
    func refusedByWatch() async throws {
        let outcomes = Mutex<[Bool]>([])
        let transport = ScriptedTransport { _, _ in .init() }
        let client = try ServiceClient.scripted(transport)
        let watch = SendObserver(
            departed: { false },
            failed: { mayHaveActed in outcomes.withLock { $0.append(mayHaveActed) } })
        await #expect(throws: CancellationError.self) {
            _ = try await client.write(ServiceRequest(.post, Self.url), watch: watch)
        }
        #expect(outcomes.withLock(\.self) == [false])
        #expect(try await transport.isClosed())
    }

    @Test("a write cancelled after sending is in doubt; before sending, it is not")
    func cancelled() async throws {
        for leaves in [true, false] {
            let transport = ScriptedTransport { _, _ in .init(failure: .cancelled, leaves: leaves) }
            let client = try ServiceClient.scripted(transport)
            do {
                _ = try await client.write(ServiceRequest(.post, Self.url))
                Issue.record("it was not cancelled")
            } catch let error {
                #expect(leaves ? error is IndeterminateWriteError : error is CancellationError, "\(error)")
            }
        }
    }
}
