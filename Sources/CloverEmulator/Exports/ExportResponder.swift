import HTTPTypes
import Hummingbird
import NIOCore

/// Answers what belongs to exports but is no V3 request: the files, and `/emulator/exports`.
struct ExportResponder: Sendable {
    /// The faults that a file can have.
    private static let fileFaults: Set<FaultKind> = [
        .reset, .serverError, .unavailable, .truncate, .notJSON, .noElements,
    ]

    let office: ExportOffice
    /// Counts the files that are fetched.
    let faults: CountedFaultPlan

    static func serves(_ path: String) -> Bool {
        path == "/emulator/exports" || path.hasPrefix(ExportOffice.filePrefix)
    }

    /// What addresses of files begin with: the address that the client used.
    static func base(_ request: Request) -> String { "http://\(request.head.authority ?? "127.0.0.1")" }

    /// - Throws: when the connection is reset on purpose.
    func answer(_ path: String, _ query: QueryString, _ request: Request, _ context: EmulatorContext) async throws
        -> Answer
    {
        guard path.hasPrefix(ExportOffice.filePrefix) else { return control(query, request) }
        guard request.method == .get || request.method == .head else { return Answer(.methodNotAllowed(["GET"])) }
        let fault = faults.next(path: path, kinds: Self.fileFaults)
        switch fault {
        case .reset: try await ConnectionReset.perform(on: context.channel)
        case .serverError: return .message(500, "500 Internal Server Error")
        case .unavailable: return .proxyPage(503, "503 Service Temporarily Unavailable")
        case .notJSON: return .proxyPage(200, "We'll be right back")
        case .noElements: return Answer(status: 200, json: .object([]))
        default: break
        }
        var answer = office.file(path, query, hasToken: request.headers[.authorization] != nil)
        if fault == .truncate { answer.cut(after: answer.body.readableBytes / 2) }
        return answer
    }

    /// `GET` tells the exports and their clock; `POST` moves the clock, by `advance=DURATION` or to `now=INSTANT`.
    private func control(_ query: QueryString, _ request: Request) -> Answer {
        switch request.method {
        case .get: break
        case .post:
            if let text = query.values("now").last {
                guard let instant = InstantText.milliseconds(text) else {
                    return Answer(.badRequest("now must be an instant such as 2026-01-31T23:00:00Z"))
                }
                office.setClock(instant)
            }
            if let text = query.values("advance").last {
                guard let time = DurationText.duration(text) else {
                    return Answer(.badRequest("advance must be a duration such as 90s or 24h"))
                }
                office.advance(time.milliseconds)
            }
        default: return Answer(.methodNotAllowed(["GET", "POST"]))
        }
        return Answer(status: 200, json: office.report(base: Self.base(request)))
    }
}
