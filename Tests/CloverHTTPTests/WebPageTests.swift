import CloverHTTP
import Testing

@Suite("Web pages in place of a response")
struct WebPageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var type: String?
        let isPage: Bool
    }

    static let rows = [
        Row(testDescription: "a document", body: "<!DOCTYPE html><title>Just a moment...</title>", isPage: true),
        Row(testDescription: "another spelling", body: "<!doctype HTML>", isPage: true),
        Row(testDescription: "blanks and a mark before it", body: "\u{FEFF}\r\n <HTML lang=en>", isPage: true),
        Row(testDescription: "XHTML", body: #"<?xml version="1.0"?><html xmlns="x">"#, isPage: true),
        Row(testDescription: "by its type alone", body: "Log in", type: "Text/HTML; charset=utf-8", isPage: true),
        Row(testDescription: "JSON under a wrong type", body: #" {"message":"no"}"#, type: "text/html", isPage: false),
        Row(testDescription: "JSON", body: #"{"message":"<html>"}"#, type: "application/json", isPage: false),
        Row(testDescription: "text", body: "403 Forbidden <html>", type: "text/plain", isPage: false),
        Row(testDescription: "nothing", body: "", isPage: false),
        Row(
            testDescription: "an error of a file store",
            body: #"<?xml version="1.0"?><Error><Code>AccessDenied</Code>"#,
            type: "application/xml", isPage: false),
    ]

    @Test("are distinguished from a service's JSON, XML or text", arguments: rows)
    func isPage(_ row: Row) {
        let headers = row.type.map { [HTTPHeader(name: "content-type", value: $0)] } ?? []
        let response = HTTPResponse(status: 403, headers: headers, body: EmptyBody())
        #expect(response.isWebPage(Array(row.body.utf8)) == row.isPage)
    }

    private final class EmptyBody: HTTPBody {
        func next() async throws(HTTPTransportError) -> [UInt8]? { nil }
        func cancel() {}
    }
}
