package import CloverJSON

/// The server's side of the Model Context Protocol on one connection: decides what to do with each line of input. Reads
/// and writes nothing itself.
///
/// Since its revision of 28 July 2026 the protocol has no handshake: each request names its version. Earlier revisions
/// begin with `initialize`. Both are served, each request by what it says (specification 2026-07-28, "Versioning and
/// Compatibility").
package struct MCPSession: Sendable {
    /// What to do next.
    package enum Action: Equatable, Sendable {
        /// Write this line, which has no line break yet.
        case send(String)
        case call(ToolCall)
        /// Stop a call; no response to it is sent.
        case cancel(ToolCall.Number)
    }

    /// What the server says about itself.
    package struct Server: Sendable {
        let name: String
        let version: String
        /// What a model should know about all tools.
        let instructions: String

        package init(name: String, version: String, instructions: String) {
            self.name = name
            self.version = version
            self.instructions = instructions
        }

        var json: String {
            var line = JSONLine()
            line.add("name", name)
            line.add("version", version)
            return line.text
        }
    }

    /// How a request was made, which its response follows.
    private enum Era: Sendable { case modern, legacy }

    package static let modernVersions = ["2026-07-28"]
    /// Newest first. Not 2025-03-26, which requires batches of messages.
    package static let legacyVersions = ["2025-11-25", "2025-06-18", "2024-11-05"]
    /// Maximum number of calls at once.
    package static let maximumCalls = 16

    private static let versionKey = "io.modelcontextprotocol/protocolVersion"
    private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

    private let server: Server
    private let tools: [Tool]
    private var isInitialized = false
    private var callCount = 0
    private var calls: [ToolCall.Number: (id: RequestID, era: Era)] = [:]

    package init(_ server: Server, tools: [Tool]) {
        self.server = server
        self.tools = tools
    }

    /// - Parameter line: one line of input, without its line break.
    package mutating func receive(_ line: [UInt8]) -> [Action] {
        switch ClientMessage(parsing: line) {
        case .request(let id, let method, let parameters):
            guard !calls.values.contains(where: { $0.id == id }) else {
                return [refusal(id, ProtocolError(.invalidRequest, "a request with this id is in progress"))]
            }
            do throws(ProtocolError) {
                return try [respond(id, method, parameters)]
            } catch {
                return [refusal(id, error)]
            }
        case .notification("notifications/cancelled", let parameters):
            let id = RequestID(parameters["requestId"])
            guard let call = calls.first(where: { $0.value.id == id })?.key else { return [] }
            calls[call] = nil
            return [.cancel(call)]
        case .notification, .response: return []
        case .malformed(let id, let error): return [refusal(id, error)]
        }
    }

    /// The same for a line that was too long to be kept.
    /// - Parameter limit: in bytes.
    package func refuseLongLine(limit: Int) -> Action {
        refusal(nil, ProtocolError(.invalidRequest, "the message is longer than \(limit) bytes"))
    }

    /// Ends a call.
    ///
    /// - Parameter content: the result's content, without secrets.
    /// - Returns: the response; nil if the client has cancelled the call.
    package mutating func finish(_ call: ToolCall.Number, _ result: ToolResult, content: String) -> String? {
        guard let (id, era) = calls.removeValue(forKey: call) else { return nil }
        return response(to: id, era, result.members(content: content))
    }

    private func refusal(_ id: RequestID?, _ error: ProtocolError) -> Action { .send(error.response(to: id)) }

    private func response(to id: RequestID, _ era: Era, _ members: JSONLine) -> String {
        var result = members
        if era == .modern {
            result.add("resultType", "complete")
            var meta = JSONLine()
            meta.add("io.modelcontextprotocol/serverInfo", json: server.json)
            result.add("_meta", json: meta.text)
        }
        return JSONRPC.response(to: id, "result", json: result.text)
    }

    private mutating func respond(
        _ id: RequestID, _ method: String, _ parameters: [String: JSONTree]
    ) throws(ProtocolError) -> Action {
        if method == "initialize" { return try .send(initialize(id, parameters)) }
        let era = try era(of: method, parameters)
        switch (method, era) {
        case ("ping", .legacy): return .send(response(to: id, era, JSONLine()))
        case ("server/discover", .modern):
            var result = JSONLine()
            result.add("supportedVersions", Self.modernVersions)
            result.add("capabilities", json: Self.capabilities)
            result.add("instructions", server.instructions)
            return .send(response(to: id, era, cacheable(result)))
        case ("tools/list", _):
            var result = JSONLine()
            result.add("tools", json: "[" + tools.map(\.json).joined(separator: ",") + "]")
            return .send(response(to: id, era, era == .modern ? cacheable(result) : result))
        case ("tools/call", _): return try call(id, era, parameters)
        default: throw ProtocolError(.unknownMethod, "there is no method '\(method)'")
        }
    }

    private static let capabilities = #"{"tools":{}}"#

    /// The tools depend on how the server was started, so that a client may keep them, but not share them.
    private func cacheable(_ result: JSONLine) -> JSONLine {
        var result = result
        result.add("ttlMs", Int64(300_000))
        result.add("cacheScope", "private")
        return result
    }

    private mutating func initialize(
        _ id: RequestID, _ parameters: [String: JSONTree]
    ) throws(ProtocolError) -> String {
        guard let requested = parameters["protocolVersion"]?.string else {
            throw ProtocolError(.invalidParameters, "initialize needs a protocolVersion")
        }
        isInitialized = true
        // Versions are dates. A client that asks for one in between may know the one before it.
        let version = Self.legacyVersions.first { $0 <= requested } ?? Self.legacyVersions[0]
        var result = JSONLine()
        result.add("protocolVersion", version)
        result.add("capabilities", json: Self.capabilities)
        result.add("serverInfo", json: server.json)
        result.add("instructions", server.instructions)
        return response(to: id, .legacy, result)
    }

    private func era(of method: String, _ parameters: [String: JSONTree]) throws(ProtocolError) -> Era {
        guard let version = parameters["_meta"]?[Self.versionKey] else {
            // Without a version, only what came before this one counts.
            guard isInitialized || method == "ping" else {
                throw ProtocolError(
                    .invalidParameters,
                    "\(method) needs \(Self.versionKey) in _meta, or an initialize request before it")
            }
            return .legacy
        }
        guard let name = version.string, Self.modernVersions.contains(name) else {
            var data = JSONLine()
            data.add("supported", Self.modernVersions)
            data.add("requested", json: version.text)
            throw ProtocolError(.unsupportedVersion, "unsupported protocol version", data: data.text)
        }
        guard parameters["_meta"]?[Self.capabilitiesKey]?.isObject ?? false else {
            throw ProtocolError(.invalidParameters, "\(method) needs \(Self.capabilitiesKey) in _meta, as an object")
        }
        return .modern
    }

    private mutating func call(
        _ id: RequestID, _ era: Era, _ parameters: [String: JSONTree]
    ) throws(ProtocolError) -> Action {
        guard let name = parameters["name"]?.string else {
            throw ProtocolError(.invalidParameters, "tools/call needs the name of a tool")
        }
        guard let tool = tools.first(where: { $0.name == name }) else {
            throw ProtocolError(
                .invalidParameters,
                "there is no tool '\(name)'; tools: " + tools.map(\.name).joined(separator: ", "))
        }
        var arguments: [String: JSONTree] = [:]
        switch parameters["arguments"] {
        case nil, .null: break
        case .object(let members): arguments = members
        default: throw ProtocolError(.invalidParameters, "arguments of \(name) is not an object")
        }
        // An error that the model can correct is a result, not an error of the protocol.
        let failure: ToolResult
        do throws(ToolArgumentError) {
            try tool.check(arguments)
            if calls.count < Self.maximumCalls { return start(name, arguments, id, era) }
            failure = .failure(
                code: "busy", status: 75, message: "\(Self.maximumCalls) calls are in progress",
                hint: "wait until one of them has ended")
        } catch {
            failure = .failure(code: "usage", status: 64, message: error.message, hint: error.hint)
        }
        return .send(response(to: id, era, failure.members(content: failure.content)))
    }

    private mutating func start(
        _ tool: String, _ arguments: [String: JSONTree], _ id: RequestID, _ era: Era
    ) -> Action {
        callCount += 1
        let number = ToolCall.Number(callCount)
        calls[number] = (id, era)
        return .call(ToolCall(number: number, tool: tool, arguments: arguments))
    }
}

/// A call of a tool, with arguments that the tool takes.
package struct ToolCall: Equatable, Sendable {
    /// Identifies the call on its connection; ids of requests may come again.
    package struct Number: Hashable, Sendable {
        private let value: Int

        init(_ value: Int) { self.value = value }
    }

    package let number: Number
    package let tool: String
    package let arguments: [String: JSONTree]
}
