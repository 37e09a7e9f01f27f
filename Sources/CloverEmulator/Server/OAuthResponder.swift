import HTTPTypes
import Hummingbird
import NIOCore

/// Answers the requests of the token side: reads the body, then the pauses and faults around the work of the office.
struct OAuthResponder: Sendable {
    /// No call of the service brings more than a few hundred bytes.
    private static let largestBody = 65_536

    let office: OAuthOffice
    let meter: TrafficMeter
    let faults: CountedFaultPlan
    let latency: Duration
    let answerDelay: Duration

    /// - Throws: when the connection is gone, on purpose or not.
    func respond(to request: Request, route: OAuthRoute, query: String, context: EmulatorContext) async throws -> Answer
    {
        guard route.methods.contains(request.method.rawValue) else {
            return Answer(.methodNotAllowed(route.methods))
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.largestBody)
        } catch is NIOTooManyBytesError {
            return .message(413, "413 Content Too Large")
        }
        let work = {
            office.answer(
                route, method: request.method.rawValue, query: query,
                token: AccessToken.read(authorization: request.headers[.authorization], target: ""), body: body)
        }
        guard route.isTokenCall else { return work() }
        return try await answer(work, fault: faults.next(path: route.rawValue), channel: context.channel)
    }

    /// Faults that stand for a broken way to the service come before the work; the two that lose an answer, after it.
    private func answer(_ work: () -> Answer, fault: FaultKind?, channel: any Channel) async throws -> Answer {
        if fault != nil { meter.spoiled() }
        if latency > .zero { try await Task.sleep(for: latency) }
        switch fault {
        case .reset: try await ConnectionReset.perform(on: channel)
        case .serverError: return .message(500, "500 Internal Server Error")
        case .unavailable: return .proxyPage(503, "503 Service Temporarily Unavailable")
        case .notJSON: return .proxyPage(200, "We'll be right back")
        default: break
        }
        var answer = work()
        if fault == .loseAnswer { office.answerLost() }
        if answerDelay > .zero { try await Task.sleep(for: answerDelay) }
        switch fault {
        case .loseAnswer: try await ConnectionReset.perform(on: channel)
        case .truncate: answer.cut(after: answer.body.readableBytes / 2)
        default: break
        }
        return answer
    }
}
