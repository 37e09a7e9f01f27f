/// A request the emulator refuses, with the body the service answers.
package enum APIError: Error, Sendable, Equatable {
    /// 400. The bodies of refused filters were never recorded; this is the plain form seen elsewhere.
    case badRequest(String)
    /// 401: no token, an unknown one, or another merchant's path. The service does not tell which.
    case unauthorized
    /// 404 with the details of the record type.
    case notFound(details: String)
    /// 404 of the inventory (live sandbox notes).
    case invalidID
    /// 404 for a path nobody serves.
    case unknownPath
    /// 405 with the methods the path has; its body was never recorded.
    case methodNotAllowed([String])
    /// 413: a body larger than any call needs.
    case contentTooLarge
    /// 415: a body that is not declared as JSON.
    case unsupportedMediaType
    /// 500 on purpose.
    case serverError

    /// HTTP status.
    package var status: Int {
        switch self {
        case .badRequest: 400
        case .unauthorized: 401
        case .notFound, .invalidID, .unknownPath: 404
        case .methodNotAllowed: 405
        case .contentTooLarge: 413
        case .unsupportedMediaType: 415
        case .serverError: 500
        }
    }

    /// The JSON body.
    package var body: JSONValue {
        switch self {
        case .badRequest(let message): .object([("message", .string(message))])
        case .unauthorized: .object([("message", .string("401 Unauthorized"))])
        case .notFound(let details): .object([("message", .string("Not Found")), ("details", .string(details))])
        case .invalidID: .object([("message", .string("invalid ID"))])
        case .unknownPath: .object([("message", .string("Not Found"))])
        case .methodNotAllowed: .object([("message", .string("405 Method Not Allowed"))])
        case .contentTooLarge: .object([("message", .string("413 Content Too Large"))])
        case .unsupportedMediaType: .object([("message", .string("415 Unsupported Media Type"))])
        case .serverError: .object([("message", .string("500 Internal Server Error"))])
        }
    }
}
