package import CloverHTTP
import CloverJSON
import CloverSystem
import FoundationEssentials

/// A successful response to an OAuth call. Anything unintelligible is an error, never a guess.
struct OAuthResponse {
    let status: Int
    let body: [UInt8]
    let serverTime: Int64?
    let askedAt: TokenClock.Reading

    /// The issued tokens. A token that no request can carry is treated as absent, and a response without any is unreadable.
    func tokens() throws(OAuthError) -> IssuedTokens {
        let fields: Fields = try decode()
        let refresh = fields.refreshToken?.value.map { Secret($0) }.flatMap { Credential.isUsable($0) ? $0 : nil }
        let access = fields.accessToken?.value.map { Secret($0) }.flatMap { Credential.isUsable($0) ? $0 : nil }
        guard let access else {
            guard let refresh else { throw .outcomeUnknown(.unreadable(status: status)) }
            throw .outcomeUnknown(
                .noAccessToken(status: status, refreshToken: refresh, expires: fields.refreshTokenExpires?.seconds))
        }
        return IssuedTokens(
            accessToken: access, refreshToken: refresh, accessTokenExpires: fields.accessTokenExpires?.seconds,
            refreshTokenExpires: fields.refreshTokenExpires?.seconds, serverTime: serverTime, askedAt: askedAt)
    }

    /// The code that a legacy token was exchanged for.
    func code() throws(OAuthError) -> Secret {
        let migration: Migration = try decode()
        return try usable(migration.code)
    }

    private struct Fields: Decodable {
        let accessToken: Lenient<String>?
        let refreshToken: Lenient<String>?
        let accessTokenExpires: Timestamp?
        let refreshTokenExpires: Timestamp?

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case accessTokenExpires = "access_token_expiration"
            case refreshTokenExpires = "refresh_token_expiration"
        }
    }

    private struct Migration: Decodable {
        let code: String

        private enum CodingKeys: String, CodingKey {
            case code = "authorization_code"
        }
    }

    /// A time as a number or as digits in a string. It is documented in seconds; values that can only be milliseconds
    /// are read as such: 10^11 seconds are the year 5138.
    private struct Timestamp: Decodable {
        /// Seconds since 1970; nil for values that are not a time.
        let seconds: Int64?

        init(from decoder: any Decoder) throws {
            let number =
                Lenient<Double>(from: decoder).value ?? Lenient<String>(from: decoder).value.flatMap { Double($0) }
            seconds = number.flatMap { $0 >= 1 && $0 < 1e15 ? Int64($0 > 1e11 ? $0 / 1000 : $0) : nil }
        }
    }

    private func decode<Value: Decodable>() throws(OAuthError) -> Value {
        let value: Value
        do {
            value = try JSONDecoder().decode(Value.self, from: Data(body))
        } catch {
            // Foundation's error may quote the body, which contains tokens.
            throw .outcomeUnknown(.unreadable(status: status))
        }
        // After the decoder, which bounds the depth.
        guard !JSONTree.isAmbiguous(body) else { throw .outcomeUnknown(.unreadable(status: status)) }
        return value
    }

    private func usable(_ text: String?) throws(OAuthError) -> Secret {
        guard let secret = text.map({ Secret($0) }), Credential.isUsable(secret) else {
            throw .outcomeUnknown(.unreadable(status: status))
        }
        return secret
    }
}

/// A value of any type; one of another type than this is nil and leaves the fields beside it readable.
private struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) {
        do {
            value = try Value(from: decoder)
        } catch {
            value = nil
        }
    }
}

/// Extracts the service's message from the response to an OAuth call and makes it safe to display.
///
/// Clover documents no form for errors, so every form that has been seen is accepted: `message`, `details`,
/// `error_description`, `error` as text or as an object with `message`, or plain text.
enum OAuthErrorParser {
    /// Maximum number of characters shown.
    static let limit = 200
    /// Maximum number of bytes examined of a body that is not JSON, or of a very long message.
    private static let examined = 4096

    /// The message in the body; nil if there is none, or if it is a web page.
    ///
    /// - Parameter secrets: the secrets that were sent; hidden even if the service repeats them.
    static func parse(_ body: [UInt8], hiding secrets: [Secret]) -> String? {
        if isPage(body) { return nil }
        if let error = decode(body) { return error.words.flatMap { clean($0, hiding: secrets) } }
        return clean(String(decoding: body.prefix(examined), as: UTF8.self), hiding: secrets)
    }

    /// Whether a refused renewal concerns the refresh token itself: the code `invalid_grant` (RFC 6749, section 5.2),
    /// or a message that calls a token invalid, expired or used. Clover documents neither.
    static func concernsToken(_ body: [UInt8]) -> Bool {
        let code = decode(body)?.code?.lowercased()
        if code == "invalid_grant" { return true }
        if let code, otherErrorCodes.contains(code) { return false }
        guard let words = parse(body, hiding: [])?.lowercased() else { return false }
        if words.contains("invalid_grant") { return true }
        return ["token", "grant"].contains(where: words.contains) && rejectionWords.contains(where: words.contains)
            && !otherCauses.contains(where: words.contains)
    }

    private static let rejectionWords = [
        "invalid", "not valid", "valid any", "no longer", "validate", "expired", "revoked", "spent", "used", "reuse",
        "unknown", "not found", "not exist", "dead", "rejected",
    ]
    /// Words about the app, the request or the service, whose problems may be fixed there.
    private static let otherCauses = ["client", "secret", "temporar", "unavailable", "later", "required", "missing"]
    private static let otherErrorCodes = [
        "invalid_client", "unauthorized_client", "invalid_request", "unsupported_grant_type", "invalid_scope",
        "temporarily_unavailable", "server_error",
    ]

    /// Whether the body is HTML or XML: it then comes from a proxy or portal, not from the service.
    static func isPage(_ body: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = body.starts(with: mark) ? body.dropFirst(mark.count) : body[...]
        return rest.first { !Character(UnicodeScalar($0)).isWhitespace } == UInt8(ascii: "<")
    }

    /// One line of at most 200 characters, without secrets and without terminal control characters.
    static func clean(_ text: String, hiding secrets: [Secret]) -> String? {
        let examined = String(decoding: text.utf8.prefix(examined), as: UTF8.self)
        let masked = TextRedaction.redacted(SecretMask(hiding: secrets).masked(examined))
        var line = String.UnicodeScalarView()
        for scalar in TerminalText.line(masked).unicodeScalars {
            switch scalar.properties.generalCategory {
            // Format characters include those that reverse the direction of text.
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: line.append(" ")
            default: line.append(scalar)
            }
        }
        let words = String(line).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(limit))
    }

    private struct ErrorBody: Decodable {
        private let message: Lenient<String>?
        private let errorDescription: Lenient<String>?
        private let details: Lenient<String>?
        private let error: ErrorField?

        private enum CodingKeys: String, CodingKey {
            case message, details, error
            case errorDescription = "error_description"
        }

        /// A plain word, as in RFC 6749, or an object.
        private struct ErrorField: Decodable {
            struct Object: Decodable {
                let code: Lenient<String>?
                let message: Lenient<String>?
            }

            let word: String?
            let object: Object?

            init(from decoder: any Decoder) {
                word = Lenient(from: decoder).value
                object = Lenient(from: decoder).value
            }
        }

        /// The error code, as in RFC 6749, section 5.2, or beside the message.
        var code: String? { error?.object?.code?.value ?? error?.word }

        var words: String? {
            let first = message?.value ?? errorDescription?.value ?? error?.object?.message?.value ?? error?.word
            let parts = [first, details?.value].compactMap(\.self).filter { !$0.isEmpty }
            return parts.isEmpty ? nil : parts.joined(separator: ": ")
        }
    }

    /// Nil if the body is not a JSON object.
    private static func decode(_ body: [UInt8]) -> ErrorBody? {
        do {
            return try JSONDecoder().decode(ErrorBody.self, from: Data(body))
        } catch {
            return nil
        }
    }
}

/// Why an OAuth call failed. What matters most is whether the service may have acted: the first call that arrives uses
/// up a refresh token. Messages are the service's, without any secret that was sent.
package enum OAuthError: Error, Equatable, Sendable {
    /// The service refused (400 or 401); nothing was issued.
    case refused(status: Int, message: String?)
    /// The service refused a renewal (400 or 401) without mentioning the token: the cause may be the app, the request,
    /// or the service itself. Nothing was issued.
    case refusedOtherwise(status: Int, message: String?)
    /// Nothing was sent (`SendGate.withdraw()`).
    case notSent(HTTPTransportError)
    /// The request was sent, and no usable response arrived: the service may have issued tokens that were lost.
    case outcomeUnknown(Unknown)
    /// Too many requests (429), even after waiting; nothing was issued. `retryAfter` is in seconds.
    case rateLimited(retryAfter: Double?)
    /// The address has changed. Redirects are never followed, because the body contains secrets.
    case redirected(status: Int, location: String?)
    /// Another response that issued nothing: 403, 404, a page of a proxy, ...
    case otherStatus(Int, message: String?)

    /// Why the outcome is unknown.
    package enum Unknown: Equatable, Sendable {
        /// The connection was lost, or no response arrived in time.
        case transport(HTTPTransportError)
        /// The service failed in a way that may be temporary (`RetryPolicy.mayPass`).
        case status(Int, message: String?)
        /// Success (2xx), but the body is too long, not JSON, or has no token that a request can carry.
        case unreadable(status: Int)
        /// Success (2xx) with a refresh token and no access token that a request can carry. The refresh token that was sent
        /// is used up, and this one is its successor; `expires` is in seconds since 1970 by the service's clock.
        case noAccessToken(status: Int, refreshToken: Secret, expires: Int64?)
    }
}

extension OAuthError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let status, let message), .refusedOtherwise(let status, let message):
            "the service refused (\(status))" + Self.appendix(message)
        case .notSent: "the service cannot be reached"
        case .outcomeUnknown(.transport): "the service's response was lost"
        case .outcomeUnknown(.status(let status, let message)):
            "the service failed (\(status))" + Self.appendix(message)
        case .outcomeUnknown(.unreadable(let status)): "the service's response (\(status)) could not be understood"
        case .outcomeUnknown(.noAccessToken(let status, _, _)):
            "the service's response (\(status)) contains a refresh token and no access token"
        case .rateLimited: "the service limits the number of requests (429)"
        case .redirected(let status, let location):
            "the service redirects (\(status))" + (location.map { " to \($0)" } ?? "")
        case .otherStatus(let status, let message):
            "the service returned \(status)" + Self.appendix(message)
        }
    }

    private static func appendix(_ message: String?) -> String {
        message.map { ": " + $0 } ?? ""
    }
}
