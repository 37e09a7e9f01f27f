package import CloverHTTP
package import CloverJSON
import CloverSystem
import FoundationEssentials

/// Why a request failed. `url` is already redacted.
package enum ServiceError: Error, Sendable {
    /// 401: a bad token and a missing permission look the same (Clover: 401 unauthorized).
    case unauthorized(url: String, message: String?)
    case forbidden(url: String, message: String?)
    case notFound(url: String, message: String?)
    /// Another permanent error: the service understood the request and refused it.
    case refused(status: Int, url: String, message: String?)
    /// 429 until the retries ran out; `limit` is the header that named the limit. `wait` is how long the service asks to
    /// wait, in seconds, if that is longer than `RetryPolicy.longestNamedPause`, or than the client's `longestPause`.
    case rateLimited(url: String, retries: Int, limit: String?, wait: Double?, message: String?)
    /// Not sent, because an earlier 429 has paused all requests for this long, and this request does not wait, or not so long.
    case paused(seconds: Double, url: String, limit: String)
    /// A temporary status (`RetryPolicy.mayPass`) until the retries ran out; 501 or 505 at once; or a web page instead
    /// of a response of the service, with 401, 403 or 404, or for a write with any status. `wait` as for `rateLimited`.
    case failed(status: Int, url: String, retries: Int, wait: Double? = nil, message: String?)
    /// No complete response.
    case unreachable(HTTPTransportError, url: String, retries: Int)
    /// A redirect that is not followed: to another server (`isElsewhere`), which must not get the token; of a write whose
    /// method or body would be lost; or one too many.
    case redirected(status: Int, url: String, location: String, isElsewhere: Bool)
    /// A successful response whose body is not a page of records.
    case unreadable(PageError, url: String, retries: Int)
    /// The service does not filter this endpoint by these fields; it says so in a header and otherwise ignores them.
    case filterIgnored(fields: [String], url: String, allowed: [String])
}

extension ServiceError {
    /// The address of the request, redacted.
    package var url: String {
        switch self {
        case .unauthorized(let url, _), .forbidden(let url, _), .notFound(let url, _), .refused(_, let url, _),
            .rateLimited(let url, _, _, _, _), .paused(_, let url, _), .failed(_, let url, _, _, _),
            .unreachable(_, let url, _), .redirected(_, let url, _, _), .unreadable(_, let url, _),
            .filterIgnored(_, let url, _):
            url
        }
    }

    /// A short description without the URL.
    package var brief: String {
        func after(_ retries: Int) -> String {
            retries == 0 ? "" : retries == 1 ? " after 1 retry" : " after \(retries) retries"
        }
        switch self {
        case .unauthorized: return "401"
        case .forbidden: return "403"
        case .notFound: return "404"
        case .refused(let status, _, _): return "\(status)"
        case .rateLimited(_, let retries, _, _, _): return "429" + after(retries)
        case .paused: return "a pause after a 429"
        case .failed(let status, _, let retries, _, _): return "\(status)" + after(retries)
        case .unreachable(_, _, let retries): return "no complete response" + after(retries)
        case .redirected(let status, _, _, _): return "\(status)"
        case .unreadable(let fault, _, _): return "\(fault)"
        case .filterIgnored: return "a filter was ignored"
        }
    }

    /// Whether other requests of the run may still succeed.
    var concernsOneRequest: Bool {
        switch self {
        case .failed, .unreachable, .unreadable: true
        case .unauthorized, .forbidden, .notFound, .refused, .rateLimited, .paused, .redirected, .filterIgnored: false
        }
    }
}

/// Recognizes the form of Clover's error bodies. A proxy may respond with any status; only this form shows that Clover
/// itself has judged the request.
///
/// Forms: `{"message","error":{"type","code","message"}}`, `{"code","message","type"}`,
/// `{"message","requestType","type"}`, and `{"message":"401 Unauthorized"}` alone (Clover: ecommerce response codes;
/// REST Pay Display; recorded responses).
package enum ServiceErrorForm {
    /// - Parameter status: the response's status, which a message on its own repeats.
    package static func matches(status: Int, _ body: [UInt8]) -> Bool {
        guard let answer: Answer = decode(body) else { return false }
        if let inner = answer.error { return inner.type != nil || inner.code != nil }
        guard let message = answer.message else { return false }
        return answer.isDetailed || message.hasPrefix("\(status) ")
    }

    /// Whether it says more than a message, which gateways in front of the service send, too.
    package static func isDetailed(_ body: [UInt8]) -> Bool {
        guard let answer: Answer = decode(body) else { return false }
        return answer.error != nil || answer.isDetailed
    }

    /// The form of the V3 REST API, which may be no more than `{"message":"invalid ID"}` (recorded responses). Not
    /// enough for a charge.
    package static func hasMessage(_ body: [UInt8]) -> Bool {
        guard let answer: Answer = decode(body) else { return false }
        return answer.message?.isEmpty == false
    }

    private struct Answer: Decodable {
        var message: String?
        var type: String?
        var requestType: String?
        var code: Word?
        var error: Inner?

        var isDetailed: Bool { type != nil || requestType != nil || code != nil }

        struct Inner: Decodable {
            var type: String?
            var code: Word?
        }

        /// A code is a string or a number.
        struct Word: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                do {
                    _ = try container.decode(String.self)
                } catch {
                    _ = try container.decode(Int.self)
                }
            }
        }
    }
}

/// Extracts the service's own message from the body of a refusal.
enum ServiceMessage {
    /// The first of `error.message` and `message`, with `details`; or up to 200 characters of the raw text; or the
    /// title of an HTML page. One line without control characters; nil if the body has no text.
    ///
    /// - Parameter values: values that were sent and are hidden even if the service repeats them.
    static func parse(_ body: [UInt8], hiding values: SensitiveValues) -> String? {
        /// Hides secrets before truncating, because part of a secret would not be found.
        func shown(_ text: String, limit: Int) -> String {
            String(oneLine(values.hidden(in: TextRedaction.redacted(TerminalText.line(text)))).prefix(limit))
        }
        if let answer: Answer = decode(body), let message = answer.error?.message ?? answer.message {
            let details = answer.error?.details ?? answer.details
            return shown([message, details].compactMap(\.self).joined(separator: ": "), limit: 400)
        }
        if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
            return title(body).map { "an HTML page, '\(shown($0, limit: 400))'" }
        }
        let text = shown(BodyRedaction(codesAreSecret: false).text(of: body), limit: 200)
        return text.isEmpty ? nil : text
    }

    private struct Answer: Decodable {
        var message: String?
        var details: String?
        var error: Inner?

        struct Inner: Decodable {
            var message: String?
            var details: String?
        }
    }

    /// The title of an HTML page, from a proxy or from the service's front end.
    private static func title(_ body: [UInt8]) -> String? {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        let lowered = text.lowercased()
        guard let start = lowered.firstRange(of: "<title>"), let end = lowered.firstRange(of: "</title>"),
            start.upperBound < end.lowerBound, text.utf8.count == lowered.utf8.count
        else { return nil }
        let title = String(decoding: text.utf8[start.upperBound..<end.lowerBound], as: UTF8.self)
        return oneLine(title).isEmpty ? nil : title
    }

    private static func oneLine(_ text: String) -> String {
        TerminalText.line(text).split(separator: " ").joined(separator: " ")
    }
}

/// Nil if the body is not JSON or has other types.
private func decode<Answer: Decodable>(_ body: [UInt8]) -> Answer? {
    do {
        return try JSONDecoder().decode(Answer.self, from: Data(body))
    } catch {
        return nil
    }
}

/// Something that a client did along the way and that its user may want to know.
package enum ServiceEvent: Sendable {
    /// A request will be retried after `seconds`.
    case retry(reason: Reason, url: String, seconds: Double)
    /// The service rate-limits us; every process with this token waits. `limit` names the header that reported it.
    case paused(limit: String, url: String, seconds: Double)
    /// A request may be sent now, with details of its wait.
    case admitted(Admittance)
    /// A request waited for the shared budget.
    case waited(seconds: Double)

    /// The service refused a request, which is not retried, or the response to a write cannot be understood.
    case refused(Refusal)

    /// A response in the service's own words, without secrets.
    package struct Refusal: Sendable, Equatable {
        package let status: Int
        package let headers: [HTTPHeader]
        package let body: String
    }

    package enum Reason: Sendable {
        case status(Int)
        case connection(HTTPTransportError)
        case unreadable(String)
    }

    package struct Admittance: Sendable, Equatable {
        /// Total seconds waited.
        package let waited: Double
        /// Seconds during which all in-flight slots were taken.
        package let waitedForSlot: Double
        /// The request's slot, from 0.
        package let slot: Int
        /// The cause of the pause that it waited for; nil if there was none.
        package let pause: String?
        /// Seconds since the time that the ledger records for it.
        package let age: Double
    }
}
