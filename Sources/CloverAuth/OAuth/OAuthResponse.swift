package import CloverHTTP
import CloverJSON
import CloverSystem
import FoundationEssentials

/// Parses the bodies of successful OAuth calls. Anything unintelligible is nil, never a guess.
enum OAuthResponse {
    /// The issued tokens. If no request can carry the access token, the whole response is unreadable; such a refresh
    /// token is treated as absent.
    static func tokens(
        in body: [UInt8], serverTime: Int64?, askedAt: TokenClock.Reading
    ) -> IssuedTokens? {
        guard let fields = decode(Fields.self, body), let access = fields.accessToken.map({ Secret($0) }),
            Credential.isUsable(access)
        else { return nil }
        let refresh = fields.refreshToken?.text.map { Secret($0) }
        return IssuedTokens(
            accessToken: access, refreshToken: refresh.flatMap { Credential.isUsable($0) ? $0 : nil },
            accessTokenExpires: fields.accessTokenExpires?.seconds,
            refreshTokenExpires: fields.refreshTokenExpires?.seconds, serverTime: serverTime, askedAt: askedAt)
    }

    /// The code that a legacy token was exchanged for.
    static func code(in body: [UInt8]) -> Secret? {
        guard let code = decode(Migration.self, body).map({ Secret($0.code) }), Credential.isUsable(code) else {
            return nil
        }
        return code
    }

    private struct Fields: Decodable {
        let accessToken: String?
        let refreshToken: Text?
        let accessTokenExpires: Timestamp?
        let refreshTokenExpires: Timestamp?

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case accessTokenExpires = "access_token_expiration"
            case refreshTokenExpires = "refresh_token_expiration"
        }
    }

    /// A string; a value of another type is nil and leaves the other fields readable.
    private struct Text: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            do {
                text = try decoder.singleValueContainer().decode(String.self)
            } catch {
                text = nil
            }
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
            let value = try decoder.singleValueContainer()
            let number: Double?
            do {
                number = try value.decode(Double.self)
            } catch {
                do {
                    number = Double(try value.decode(String.self))
                } catch {
                    // Neither type: the time is unknown, but the tokens beside it are valid.
                    number = nil
                }
            }
            guard let number, number >= 1, number < 1e15 else {
                seconds = nil
                return
            }
            seconds = Int64(number > 1e11 ? number / 1000 : number)
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) -> Value? {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            // Foundation's error may quote the body, which contains tokens.
            return nil
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
        let words: String?
        /// The error code, as in RFC 6749, section 5.2, or beside the message.
        let code: String?

        private enum Key: String, CodingKey {
            case message, details, error
            case errorDescription = "error_description"
        }

        private struct Inner: Decodable {
            let code: String?
            let message: String?

            private enum Key: String, CodingKey {
                case code, message
            }

            init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: Key.self)
                func text(_ key: Key) -> String? {
                    do { return try fields.decodeIfPresent(String.self, forKey: key) } catch { return nil }
                }
                code = text(.code)
                message = text(.message)
            }
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            /// The text of a field. A field of another type is nil and leaves the others readable.
            func text(_ key: Key) -> String? {
                do {
                    return try fields.decodeIfPresent(String.self, forKey: key)
                } catch {
                    return nil
                }
            }
            var inner: Inner?
            do {
                inner = try fields.decodeIfPresent(Inner.self, forKey: .error)
            } catch {
                // `error` is a plain word, as in RFC 6749, or an unknown form.
                inner = nil
            }
            let first = text(.message) ?? text(.errorDescription) ?? inner?.message ?? text(.error)
            code = inner?.code ?? text(.error)
            let parts = [first, text(.details)].compactMap(\.self).filter { !$0.isEmpty }
            words = parts.isEmpty ? nil : parts.joined(separator: ": ")
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
