import CloverJSON

/// The id of a request, which its response repeats (JSON-RPC 2.0, section 4).
package enum RequestID: Hashable, Sendable {
    case text(String)
    case number(Int64)

    /// Returns nil for anything but a string or a whole number: the Model Context Protocol allows no other ids.
    init?(_ value: JSONTree?) {
        switch value {
        case .text(let text): self = .text(text)
        case .integer(let number): self = .number(number)
        default: return nil
        }
    }

    var json: String {
        switch self {
        case .text(let text): JSONString.quoted(text)
        case .number(let number): "\(number)"
        }
    }
}

/// An error of the protocol, as opposed to one of a tool.
struct ProtocolError: Error, Equatable, Sendable {
    /// JSON-RPC 2.0, section 5.1; those below -32000 are the Model Context Protocol's.
    enum Code: Int, Sendable {
        case notJSON = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case unsupportedVersion = -32022
    }

    var code: Code
    var message: String
    /// More about the error, as JSON.
    var data: String?

    init(_ code: Code, _ message: String, data: String? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// The response to the request; without an id, to a message whose id is unknown.
    func response(to id: RequestID?) -> String {
        var error = JSONLine()
        error.add("code", Int64(code.rawValue))
        error.add("message", message)
        if let data { error.add("data", json: data) }
        return JSONRPC.response(to: id, "error", json: error.text)
    }
}

/// The outer form of the messages of a server.
enum JSONRPC {
    /// One line without its line break.
    static func response(to id: RequestID?, _ kind: String, json: String) -> String {
        var line = JSONLine()
        line.add("jsonrpc", "2.0")
        line.add("id", json: id?.json ?? "null")
        line.add(kind, json: json)
        return line.text
    }
}

/// A message that a client sent.
enum ClientMessage: Equatable, Sendable {
    case request(RequestID, method: String, parameters: [String: JSONTree])
    case notification(method: String, parameters: [String: JSONTree])
    /// A response. This server sends no requests, so it belongs to none.
    case response
    /// Not a message; the response to it.
    case malformed(RequestID?, ProtocolError)

    /// - Parameter line: one line of input, without its line break.
    init(parsing line: [UInt8]) {
        guard let tree = JSONTree(line) else {
            self = .malformed(nil, ProtocolError(.notJSON, "the line is not JSON; a message is one JSON object a line"))
            return
        }
        guard case .object(let members) = tree else {
            self = .malformed(nil, ProtocolError(.invalidRequest, "a message is one JSON object; send each separately"))
            return
        }
        let id = RequestID(members["id"])
        guard tree["jsonrpc"]?.string == "2.0" else {
            self = .malformed(id, ProtocolError(.invalidRequest, "the message has no \"jsonrpc\":\"2.0\""))
            return
        }
        guard let method = tree["method"]?.string else {
            let isResponse = members["result"] != nil || members["error"] != nil
            self =
                isResponse
                ? .response : .malformed(id, ProtocolError(.invalidRequest, "the message has no method"))
            return
        }
        if members["id"] != nil, id == nil {
            self = .malformed(nil, ProtocolError(.invalidRequest, "an id is a string or a whole number"))
            return
        }
        var parameters: [String: JSONTree] = [:]
        switch members["params"] {
        case nil: break
        case .object(let members): parameters = members
        default:
            self = .malformed(id, ProtocolError(.invalidParameters, "params of \(method) is not an object"))
            return
        }
        self =
            id.map { .request($0, method: method, parameters: parameters) }
            ?? .notification(method: method, parameters: parameters)
    }
}
