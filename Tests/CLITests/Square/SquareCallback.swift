import CloverTestSupport
import Foundation
import Testing

/// What the Square app would send.
enum SquareCallback {
    static let paid = ["status": "ok", "transaction_id": "T-1", "client_transaction_id": "C-1", "state": "table-9"]
    static let cancelled = ["status": "error", "error_code": "payment_canceled", "state": "table-9"]

    /// A callback URL with this as its `data`, encoded by Foundation.
    static func url(
        _ data: [String: String], to address: String = "corner-cafe://paid/square_request"
    ) throws -> String {
        let json = String(decoding: try JSONSerialization.data(withJSONObject: data), as: UTF8.self)
        let bare = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return "\(address)?data=\(try #require(json.addingPercentEncoding(withAllowedCharacters: bare)))"
    }
}

extension Sandbox {
    /// Runs `clover charge square`.
    func square(_ arguments: String..., input: CommandRunner.Input = .nothing) async throws -> CommandResult {
        try await clover(arguments: ["charge", "square"] + arguments, input: input)
    }

    /// The rows of `clover charge list`, the newest first.
    func handOffs() async throws -> [JSONValue] {
        let result = try await clover("charge", "list")
        expectSuccess(result)
        return try JSONValue.lines(result.lines)
    }

    /// The same with a request that lacks nothing but what `arguments` say.
    func squareRequest(_ arguments: [String]) async throws -> CommandResult {
        try await clover(
            arguments: [
                "charge", "square", "request", "--client-id", "sq0idp-app", "--callback-url", "corner-cafe://paid",
            ] + arguments, input: .nothing)
    }
}
