import CloverHTTP
import FoundationEssentials

/// The bodies of successful OAuth calls. What cannot be understood is nil, never a guess.
enum OAuthAnswer {
    /// The pair of tokens. An access token that no request can carry makes the whole answer unreadable; such a refresh
    /// token is none.
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

    /// The code that a legacy token was turned into.
    static func code(in body: [UInt8]) -> Secret? {
        guard let code = decode(Migration.self, body).map({ Secret($0.code) }), Credential.isUsable(code) else {
            return nil
        }
        return code
    }

    private struct Fields: Decodable {
        let accessToken: String?
        let refreshToken: Text?
        let accessTokenExpires: Moment?
        let refreshTokenExpires: Moment?

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case accessTokenExpires = "access_token_expiration"
            case refreshTokenExpires = "refresh_token_expiration"
        }
    }

    /// A string; what is none takes nothing beside it along.
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

    /// A moment as a number or as digits in a string. Documented are seconds; what can only be milliseconds is taken
    /// as such: 10^11 seconds are the year 5138.
    private struct Moment: Decodable {
        /// Seconds since 1970; nil for values that are no moment.
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
                    // What is neither says nothing of when; the tokens beside it are good all the same.
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
            // Foundation's reason may quote the body, which holds tokens.
            return nil
        }
    }
}
