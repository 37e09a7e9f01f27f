import CloverTestSupport
import Testing

@Suite("get: each refusal has the service's message and a hint")
struct RefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let http: Int
        let reason: String
        let body: String
        let code: String
        let status: Int32
        let parts: [String]
        var headers = ["Content-Type: application/json"]
        var testDescription: String { "\(http) \(reason): \(body)" }

        init(
            _ http: Int, _ reason: String, _ body: String, code: String, status: Int32, headers: [String] = [],
            _ parts: String...
        ) {
            self.http = http
            self.reason = reason
            self.body = body
            self.code = code
            self.status = status
            self.headers += headers
            self.parts = parts
        }
    }

    static let refusals = [
        Refusal(
            400, "Bad Request", #"{"message":"bad limit","details":"must be a number"}"#, code: "refused", status: 64,
            "bad limit: must be a number", "clover endpoints orders"),
        Refusal(
            400, "Bad Request", #"{"message":"400","error":{"code":400,"message":"no such x","details":"at y"}}"#,
            code: "refused", status: 64, "no such x: at y"),
        Refusal(
            403, "Forbidden", #"{"message":"Forbidden"}"#, code: "forbidden", status: 77, "says: Forbidden",
            "the permission ORDERS_R"),
        Refusal(
            404, "Not Found", #"{"message":"Not Found","details":"Order not found"}"#, code: "not_found", status: 66,
            "Not Found: Order not found", "clover get orders --filter id=X1"),
        Refusal(
            405, "Method Not Allowed", #"{"message":"HTTP method not allowed"}"#, code: "method_not_allowed",
            status: 64, "HTTP method not allowed", "cannot be read", "clover endpoints orders"),
        Refusal(
            409, "Conflict", #"{"message":"was changed"}"#, code: "conflict", status: 64, "was changed", "read it again"
        ),
        Refusal(410, "Gone", "", code: "refused", status: 64, "(410)", "removed permanently"),
        Refusal(
            415, "Unsupported Media Type", "", code: "unsupported_media_type", status: 64, "(415)", "only JSON"),
        Refusal(
            429, "Too Many Requests", #"{"message":"429 Too Many Requests"}"#, code: "rate_limited", status: 75,
            headers: ["X-RateLimit-tokenLimit: 16", "Retry-After: 0"], "X-RateLimit-tokenLimit",
            "says: 429 Too Many Requests", "clover limits"),
        Refusal(
            429, "Too Many Requests", "", code: "rate_limited", status: 75,
            headers: ["X-RateLimit-crossTokenLimit: 50", "Retry-After: 0"], "X-RateLimit-crossTokenLimit",
            "other merchants"),
        Refusal(
            500, "Internal Server Error", #"{"message":"oops","details":"in there"}"#, code: "service_failed",
            status: 69, "oops: in there", "try again later"),
        Refusal(
            502, "Bad Gateway", "<html><head><TITLE>502 Bad\nGateway</TITLE></head></html>", code: "service_failed",
            status: 69, "an HTML page, '502 Bad Gateway'"),
        Refusal(
            503, "Service Unavailable", "export runs 10:00-15:00", code: "service_failed", status: 69,
            "export runs 10:00-15:00"),
        Refusal(
            408, "Request Timeout", "", code: "service_failed", status: 69, "the service failed with 408",
            "to retry longer, use --retry N"),
        Refusal(
            520, "Unknown Error", "error code: 520", code: "service_failed", status: 69,
            "the service failed with 520", "to retry longer, use --retry N"),
        Refusal(
            501, "Not Implemented", "", code: "service_failed", status: 69, "does not support this: check the path"),
        Refusal(
            505, "HTTP Version Not Supported", "", code: "service_failed", status: 69, "no proxy changes the request"),
        Refusal(
            401, "Unauthorized", "<html><title>Log in</title></html>", code: "service_failed", status: 69,
            headers: ["Content-Type: text/html"], "a web page with status 401 came instead of a response", "'Log in'",
            "the login page of a network"),
        Refusal(
            403, "Forbidden", "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>",
            code: "service_failed", status: 69, "a web page with status 403 came instead of a response",
            "'Just a moment...'", "a firewall"),
        Refusal(
            404, "Not Found", "<html><title>404 Not Found</title></html>", code: "service_failed", status: 69,
            "a web page with status 404 came instead of a response"),
        Refusal(504, "Gateway Timeout", "", code: "service_failed", status: 69, "504"),
        Refusal(200, "OK", "<!DOCTYPE html><html></html>", code: "unreadable", status: 76, "HTML", "proxy"),
    ]

    @Test("as text and as JSON: code, status, message, hint, http and path", arguments: refusals)
    func refusal(_ row: Refusal) async throws {
        let answer = LoopbackResponse(status: "\(row.http) \(row.reason)", headers: row.headers, body: row.body.utf8)
        try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
            let words = try await sandbox.clover("get", "orders/X1", "--retry", "0")
            expectFailure(words, status: row.status)
            for part in row.parts { #expect(words.errorText.contains(part), "no '\(part)' in \(words)") }
            if row.code == "service_failed" { #expect(!words.errorText.contains("permission"), "\(words)") }
            let json = try await sandbox.with(["CLOVER_ERRORS": "json"]).clover("get", "orders/X1", "--retry", "0")
            #expect(json.ending == .exited(row.status))
            let error = try JSONValue(json.errorText)["error"]
            #expect(error?["code"]?.string == row.code)
            #expect(error?["status"]?.integer == Int(row.status))
            #expect(error?["http"]?.integer == row.http)
            #expect(error?["path"]?.string == "/v3/merchants/\(Sandbox.merchantID)/orders/X1")
            #expect(error?["message"]?.string?.isEmpty == false)
            #expect(error?["hint"]?.string?.isEmpty == false)
        }
    }
}
