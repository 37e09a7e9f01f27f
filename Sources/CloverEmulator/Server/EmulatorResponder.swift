import Glibc
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers every request: first the limits, then the faults, then the token, then the shop.
struct EmulatorResponder: HTTPResponder {
    /// Parts of a slow answer and the pause between them.
    private static let slowParts = 16
    private static let slowPause = Duration.milliseconds(100)

    let api: ShopAPI
    let meter: TrafficMeter
    let faults: FaultPlan
    let latency: Duration

    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        let target = request.head.path ?? "/"
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(halves[0])
        let isHead = request.method == .head
        guard let name = InternalHeader.ticket, let number = request.headers[name].flatMap({ Int($0) }),
            let ticket = meter.ticket(number)
        else {
            return Self.response(answerOutsideV3(path, request.method), isHead: isHead)
        }
        if case .refused(let refusal, let wait) = ticket.verdict {
            return Self.response(tooMany(refusal, wait), isHead: isHead)
        }
        let fault = faults.fault(forRequest: ticket.number, path: path)
        if fault != nil { meter.spoiled() }
        if latency > .zero { try await Task.sleep(for: latency) }
        if let fault, let spoiled = try await spoil(fault, ticket, context) {
            return Self.response(spoiled, isHead: isHead)
        }
        let answer = answer(path, halves.count > 1 ? String(halves[1]) : "", request.method, ticket)
        switch fault {
        case .slow: return Self.slow(answer)
        case .truncate:
            var answer = answer
            if let cut = InternalHeader.cut {
                let length = faults.cut(forRequest: ticket.number, length: answer.body.readableBytes)
                answer.headers.append((cut.rawName, String(length)))
            }
            return Self.response(answer, isHead: isHead)
        default: return Self.response(answer, isHead: isHead)
        }
    }

    // MARK: Answers

    private func answerOutsideV3(_ path: String, _ method: HTTPRequest.Method) -> Answer {
        guard path == "/emulator/stats" else { return Answer(.unknownPath) }
        guard method == .get else { return Answer(.methodNotAllowed) }
        return Answer(status: 200, json: meter.statistics.json)
    }

    private func answer(_ path: String, _ query: String, _ method: HTTPRequest.Method, _ ticket: Ticket) -> Answer {
        guard ticket.token != nil else { return Answer(.unauthorized) }
        let segments = path.split(separator: "/").map { QueryString.decode($0) }
        guard segments.count >= 3, segments[1] == "merchants" else { return Answer(.unknownPath) }
        guard method == .get else { return Answer(.methodNotAllowed) }
        do {
            return try api.answer(path: Array(segments.dropFirst(2)), query: QueryString(query))
        } catch {
            return Answer(error)
        }
    }

    private func tooMany(_ refusal: Refusal, _ wait: Int?) -> Answer {
        var answer = Answer(status: 429, json: .object([("message", .string("429 Too Many Requests"))]))
        answer.headers.append((refusal.header, String(refusal.limit(in: meter.limits))))
        if let wait { answer.headers.append(("Retry-After", String(wait))) }
        return answer
    }

    // MARK: Faults

    /// The answer of a fault that has one of its own; nil for those that spoil the true answer.
    private func spoil(_ fault: FaultKind, _ ticket: Ticket, _ context: EmulatorContext) async throws -> Answer? {
        switch fault {
        case .truncate, .slow: return nil
        case .reset:
            try await Self.reset(context.channel)
            throw ChannelError.ioOnClosedChannel
        case .serverError:
            return Answer(status: 500, json: .object([("message", .string("500 Internal Server Error"))]))
        case .unavailable: return Self.html(503, "503 Service Temporarily Unavailable")
        case .notJSON: return Self.html(200, "We'll be right back")
        case .noElements:
            return Answer(status: 200, json: .object([("href", .string("http://api.clover.com/v3/merchants"))]))
        case .tokenRate: return tooMany(.tokenRate, nil)
        case .tokenConcurrency:
            let wait = meter.faultWait(ticket.number, at: Int(NIODeadline.now().uptimeNanoseconds))
            return tooMany(.tokenConcurrency, wait)
        }
    }

    /// Closes with a reset instead of an orderly end: lingering for no time drops what is unsent and sends RST (socket(7),
    /// SO_LINGER).
    private static func reset(_ channel: any Channel) async throws {
        if let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close().get()
    }

    private static func html(_ status: Int, _ title: String) -> Answer {
        let text =
            "<html>\r\n<head><title>\(title)</title></head>\r\n<body><center><h1>\(title)</h1></center></body>\r\n</html>\r\n"
        var answer = Answer(status: status, body: ByteBuffer(string: text))
        answer.contentType = "text/html"
        return answer
    }

    // MARK: HTTP

    private static func headers(_ answer: Answer) -> HTTPFields {
        var fields = HTTPFields()
        fields[.contentType] = answer.contentType
        if let names = answer.filterFields, let name = HTTPField.Name("X-Clover-Allowed-Filter-Fields") {
            fields[name] = names
        }
        for header in answer.headers {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return fields
    }

    private static func response(_ answer: Answer, isHead: Bool) -> Response {
        var fields = headers(answer)
        fields[.contentLength] = String(answer.body.readableBytes)
        let body = isHead ? ResponseBody() : ResponseBody(byteBuffer: answer.body)
        return Response(status: .init(code: answer.status), headers: fields, body: body)
    }

    private static func slow(_ answer: Answer) -> Response {
        let body = answer.body
        let writing = ResponseBody(contentLength: body.readableBytes) { writer in
            var rest = body
            let size = max(1, (rest.readableBytes + slowParts - 1) / slowParts)
            while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
                try await writer.write(part)
                if rest.readableBytes > 0 { try await Task.sleep(for: slowPause) }
            }
            try await writer.finish(nil)
        }
        return Response(status: .init(code: answer.status), headers: headers(answer), body: writing)
    }
}
