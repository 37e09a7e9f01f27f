import FoundationEssentials
package import NIOCore

/// Reads what token calls bring.
package enum TokenBody {
    /// - Throws: `OAuthRefusal.malformed` for what is no JSON object, and for members that are missing or no strings.
    package static func read<Request: Decodable>(_ body: ByteBuffer) throws(OAuthRefusal) -> Request {
        do {
            return try JSONDecoder().decode(Request.self, from: Data(body.readableBytesView))
        } catch DecodingError.keyNotFound(let key, _) {
            throw .malformed("\(key.stringValue) is missing")
        } catch DecodingError.typeMismatch(_, let context) {
            guard let key = context.codingPath.last else { throw .malformed("the body is no JSON object") }
            throw .malformed("\(key.stringValue) is not a string")
        } catch DecodingError.valueNotFound(_, let context) {
            guard let key = context.codingPath.last else { throw .malformed("the body is no JSON object") }
            throw .malformed("\(key.stringValue) is not a string")
        } catch {
            throw .malformed("the body is not JSON")
        }
    }

    /// The legacy call with its values in the query.
    package static func legacy(_ query: QueryString) throws(OAuthRefusal) -> LegacyTokenRequest {
        func value(_ name: String) throws(OAuthRefusal) -> String {
            guard let value = query.values(name).last else { throw .malformed("\(name) is missing") }
            return value
        }
        return LegacyTokenRequest(
            clientID: try value("client_id"), clientSecret: try value("client_secret"), code: try value("code"))
    }
}
