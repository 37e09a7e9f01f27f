import CloverAuth
import CloverHTTP
import CloverSystem
import ProbeSupport
import Testing

@Suite("Renewing tokens: failures, refusals and lost responses")
struct FailedRenewalTests {
    private let bench: RefreshBench

    init() throws {
        bench = try RefreshBench()
    }

    private var key: CredentialKey { bench.key }

    private static let gone = HTTPTransportError.connectionLost(host: "service", detail: "reset")
    private static let unreachable = HTTPTransportError.notConnected(host: "service", detail: "refused")

    // MARK: Failures that cost nothing

    struct Harmless: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fault: RotatingService.Fault
        let error: RefreshError
        var requests = 1
    }

    @Test(
        "A failure that spent nothing leaves no trace, and a token that is still good is used",
        arguments: [
            Harmless(testDescription: "unreachable", fault: .unreachable, error: .unreachable(unreachable)),
            Harmless(
                testDescription: "forbidden", fault: .answer(403, #"{"message":"no"}"#),
                error: .service(.otherStatus(403, message: "no"))),
            Harmless(
                testDescription: "not found", fault: .answer(404, ""), error: .service(.otherStatus(404, message: nil))),
            Harmless(
                testDescription: "a proxy's 401", fault: .answer(401, "<html>"),
                error: .service(.otherStatus(401, message: nil))),
            Harmless(
                testDescription: "a redirect", fault: .answer(307, ""),
                error: .service(.redirected(status: 307, location: nil))),
            Harmless(
                testDescription: "too many requests", fault: .answer(429, ""), error: .rateLimited(retryAfter: nil),
                requests: 3),
        ])
    func harmless(row: Harmless) async throws {
        try await bench.signInExpired(secondsLeft: 30)
        let service = bench.service(fault: { _ in row.fault })
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-0"))
        #expect(bench.notices.notices == [.stillUsable(key, secondsLeft: 30, row.error)])
        #expect(try await service.counts().requests == row.requests)
        bench.time.advance(seconds: 30)
        await #expect(throws: row.error) { try await bench.refresher(service).current(key) }
        #expect(try await bench.journal() == nil)
        #expect(try bench.temporary.names("credentials") == ["us_M1_APP.json", "us_M1_APP.json.lock"])
        #expect(try await bench.refresher(bench.service()).current(key).accessToken == Secret("a-1"))
    }

    // MARK: Refusals

    @Test("A refusal is remembered for this refresh token, and no process asks again", arguments: [400, 401])
    func refused(status: Int) async throws {
        try await bench.signInExpired(secondsLeft: 30)
        let before = try bench.temporary.read(bench.credentialFile)
        let service = bench.service(fault: { _ in .answer(status, #"{"message":"token r-0 is invalid"}"#) })
        let at = bench.time.clock.wall()
        func expected(_ status: Int?) -> RefreshError {
            .refused(status: status, message: "token (redacted) is invalid", at: at)
        }
        // The access token has not ended, and a refusal says nothing against it: that is reported once.
        let refresher = bench.refresher(service)
        for _ in 0..<2 { #expect(try await refresher.current(key).accessToken == Secret("a-0")) }
        let end = try await bench.store.load(key)?.accessTokenExpires
        let last = TokenNotice.lastToken(key, until: end, expected(status))
        #expect(bench.notices.notices == [last])
        let stored = try #require(try await bench.store.load(key))
        #expect(try await bench.refresher(service).settled(key, stored) == stored)
        // What was not sent again has no status.
        #expect(bench.notices.notices == [last, .lastToken(key, until: end, expected(nil))])
        bench.time.advance(seconds: 100)
        await #expect(throws: expected(nil)) { try await bench.refresher(service).settled(key, stored) }
        await #expect(throws: expected(nil)) { try await bench.refresher(service).current(key) }
        await #expect(throws: expected(nil)) { try await bench.refresher(service).refreshNow(key) }
        #expect(try await service.counts().requests == 1)
        #expect(try bench.temporary.read(bench.credentialFile) == before)
        // A new sign-in is not held up by it.
        try await bench.store.save(bench.credential())
        try await bench.store.save(bench.credential(5))
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-5"))
        #expect(try await bench.journal() == nil)
    }

    @Test(
        "A refusal of the app says nothing about the token: it is asked again",
        arguments: [#"{"error":"invalid_client"}"#, #"{"error":"unauthorized_client","error_description":"off"}"#])
    func refusedApp(body: String) async throws {
        try await bench.signInExpired()
        let service = bench.service(fault: { $0 == 1 ? .answer(401, body) : nil })
        await #expect { try await bench.refresher(service).current(key) } throws: {
            if case RefreshError.service = $0 { true } else { false }
        }
        #expect(try await bench.journal() == nil)
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-1"))
    }

    @Test(
        "A journal about another refresh token is passed over", arguments: [RefreshJournal.State.refused, .lost, .sent])
    func otherJournal(state: RefreshJournal.State) async throws {
        try await bench.signInExpired()
        try await bench.write(state, about: 99)
        #expect(try await bench.refresher(bench.service()).current(key).accessToken == Secret("a-1"))
        #expect(try await bench.journal() == nil)
    }

    @Test("What a journal says about this refresh token is the end of it")
    func journalled() async throws {
        try await bench.signInExpired()
        let service = bench.service()
        try await bench.write(.refused)
        await #expect(throws: RefreshError.refused(status: nil, message: "gone", at: 5)) {
            try await bench.refresher(service).current(key)
        }
        try await bench.write(.lost)
        await #expect(throws: RefreshError.lost(at: 5)) { try await bench.refresher(service).current(key) }
        #expect(try await service.counts().requests == 0)
    }

    // MARK: Lost responses

    @Test("A response lost after the rotation is reported as the loss of the sign-in")
    func lostAnswer() async throws {
        try await bench.signInExpired(secondsLeft: 30)
        let before = try bench.temporary.read(bench.credentialFile)
        let service = bench.service(fault: { $0 == 1 ? .loseAnswer : nil })
        let at = bench.time.clock.wall()
        await #expect(throws: RefreshError.lost(at: at)) { try await bench.refresher(service).current(key) }
        #expect(bench.notices.notices == [.tryingAgain(key, .transport(Self.gone))])
        #expect(bench.pauses.pauses.count == 1)
        #expect(try await bench.journal()?.state == .lost)
        #expect(try await bench.journal()?.httpStatus == 401)
        bench.time.advance(seconds: 5)
        await #expect(throws: RefreshError.lost(at: at)) { try await bench.refresher(service).current(key) }
        #expect(try await service.counts() == .init(generation: 1, refused: 1, requests: 2))
        #expect(try bench.temporary.read(bench.credentialFile) == before)
    }

    struct Unknown: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fault: RotatingService.Fault
        let cause: OAuthError.Unknown
    }

    private static let undone: [Unknown] = [
        Unknown(
            testDescription: "no answer", fault: .loseRequest,
            cause: .transport(.timedOut(host: "service", detail: "no answer"))),
        Unknown(testDescription: "500", fault: .answer(500, ""), cause: .status(500, message: nil)),
        Unknown(testDescription: "503 page", fault: .answer(503, "<html>"), cause: .status(503, message: nil)),
        Unknown(testDescription: "unreadable", fault: .answer(200, "hello"), cause: .unreadable(status: 200)),
    ]

    @Test("A request that may have been lost on the way is sent once more, and may succeed", arguments: undone)
    func secondTry(row: Unknown) async throws {
        try await bench.signInExpired()
        let service = bench.service(fault: { $0 == 1 ? row.fault : nil })
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-1"))
        #expect(bench.notices.notices == [.tryingAgain(key, row.cause), .refreshed(key, generation: 1)])
        #expect(try await bench.journal() == nil)
    }

    @Test("Two failures leave the outcome open, and the next process asks once", arguments: undone)
    func stillUnknown(row: Unknown) async throws {
        try await bench.signInExpired()
        let service = bench.service(fault: { $0 <= 3 ? row.fault : nil })
        await #expect(throws: RefreshError.unavailable(row.cause)) { try await bench.refresher(service).current(key) }
        #expect(try await bench.journal()?.state == .sent)
        #expect(try await service.counts().requests == 2)
        await #expect(throws: RefreshError.unavailable(row.cause)) { try await bench.refresher(service).current(key) }
        #expect(try await service.counts().requests == 3)
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-1"))
        #expect(try await service.counts().requests == 4)
        #expect(try await bench.journal() == nil)
    }

    @Test("An open outcome lets a token that is still good be used")
    func unknownButUsable() async throws {
        try await bench.signInExpired(secondsLeft: 30)
        let service = bench.service(fault: { _ in .loseRequest })
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-0"))
        #expect(bench.notices.notices.count == 2)
    }

    @Test(
        "Garbage after the rotation is the loss of the sign-in",
        arguments: [RotatingService.Fault.cutOff, .garbage(200, "{}"), .garbage(500, "oops")])
    func garbage(fault: RotatingService.Fault) async throws {
        try await bench.signInExpired()
        let service = bench.service(fault: { $0 == 1 ? fault : nil })
        await #expect(throws: RefreshError.lost(at: bench.time.clock.wall())) {
            try await bench.refresher(service).current(key)
        }
    }

    private static let halfPair = RotatingService.Fault.garbage(200, #"{"refresh_token":"r-1"}"#)

    @Test("A refresh token that comes without an access token is kept, and brings the access token")
    func halfPair() async throws {
        try await bench.signInExpired()
        let service = bench.service(fault: { $0 == 1 ? Self.halfPair : nil })
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-2"))
        #expect(try await service.counts() == .init(generation: 2, refused: 0, requests: 2))
        #expect(
            bench.notices.notices == [
                .tryingAgain(key, .noAccessToken(status: 200, refreshToken: Secret("r-1"), expires: nil)),
                .refreshed(key, generation: 1),
            ])
        #expect(try await bench.journal() == nil)
    }

    @Test("A refresh token that comes without an access token outlives the process, and is never spent twice")
    func halfPairs() async throws {
        try await bench.signInExpired()
        let service = bench.service(fault: {
            $0 <= 3 ? .garbage(200, #"{"refresh_token":"r-\#($0)","access_token":""}"#) : nil
        })
        let cause = OAuthError.Unknown.noAccessToken(status: 200, refreshToken: Secret("r-2"), expires: nil)
        await #expect(throws: RefreshError.unavailable(cause)) { try await bench.refresher(service).current(key) }
        #expect(try await bench.journal() == nil)
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-4"))
        #expect(try await service.counts() == .init(generation: 4, refused: 0, requests: 4))
    }

    @Test("A renewal left open by a dead process is tried once, and may succeed")
    func deadProcessBeforeSending() async throws {
        try await bench.signInExpired()
        try await bench.write(.sent)
        let service = bench.service()
        #expect(try await bench.refresher(service).current(key).accessToken == Secret("a-1"))
        #expect(try await service.counts().requests == 1)
    }

    @Test("What a dead process left open is lost when the service refuses the token")
    func deadProcessAfterSending() async throws {
        try await bench.signInExpired()
        try await bench.write(.sent, at: 77)
        let service = bench.service(fault: { _ in .answer(401, "invalid_grant") })
        await #expect(throws: RefreshError.lost(at: 77)) { try await bench.refresher(service).current(key) }
        #expect(try await service.counts().requests == 1)
        #expect(try await bench.journal()?.state == .lost)
        #expect(try await bench.journal()?.at == 77)
    }

    @Test(
        "A failure that says nothing leaves an open outcome open",
        arguments: [RotatingService.Fault.unreachable, .answer(403, ""), .answer(429, "")])
    func openStaysOpen(fault: RotatingService.Fault) async throws {
        try await bench.signInExpired()
        try await bench.write(.sent, at: 77)
        let service = bench.service(fault: { _ in fault })
        await #expect(throws: RefreshError.self) { try await bench.refresher(service).current(key) }
        #expect(try await bench.journal()?.state == .sent)
        #expect(try await bench.journal()?.at == 77)
    }
}
