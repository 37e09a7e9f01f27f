import CloverAPI
import Testing

@Suite("Bodies that are shown without their secrets")
struct BodyRedactionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        let shown: String
        var areCodesSecret = false
        var testDescription: String { body }
    }

    static let rows = [
        Row(body: #"{"id":"E","pin":"1234"}"#, shown: #"{"id":"E","pin":"(redacted)"}"#),
        Row(body: #"{"pin" : 1234 , "a":1}"#, shown: #"{"pin" : "(redacted)", "a":1}"#),
        Row(body: #"{"pin":1234}"#, shown: #"{"pin":"(redacted)"}"#),
        Row(body: #"[{"token":{"a":["x","]"]},"b":2}]"#, shown: #"[{"token":"(redacted)","b":2}]"#),
        Row(body: #"{"pi\u006e":"1"}"#, shown: #"{"pi\u006e":"(redacted)"}"#),
        Row(body: #"{"name":"pin","x":"1"}"#, shown: #"{"name":"pin","x":"1"}"#),
        Row(body: #"{"note":"\"pin\":\"1\""}"#, shown: #"{"note":"\"pin\":\"(redacted)\""}"#),
        Row(
            body: #"{"a":{"access_token":"1","PIN":"2","pinned":true}}"#,
            shown: #"{"a":{"access_token":"(redacted)","PIN":"(redacted)","pinned":true}}"#),
        Row(body: "code=c&client_secret=s", shown: "code=(redacted)&client_secret=(redacted)", areCodesSecret: true),
        Row(
            body: #"{"access_token":"a","refresh_token":"r","client_secret":"s","code":"c"}"#,
            shown:
                #"{"access_token":"(redacted)","refresh_token":"(redacted)","client_secret":"(redacted)","code":"(redacted)"}"#,
            areCodesSecret: true),
        Row(
            body: #"{"authorization_code":"c-1","expiration":1700000000}"#,
            shown: #"{"authorization_code":"(redacted)","expiration":1700000000}"#, areCodesSecret: true),
        Row(body: "authorization_code=c1", shown: "authorization_code=(redacted)", areCodesSecret: true),
        Row(body: #"{"authorizationCode":"OK1234"}"#, shown: #"{"authorizationCode":"OK1234"}"#),
        Row(body: #"{"code":"not_found"}"#, shown: #"{"code":"not_found"}"#),
        Row(
            body: #"{"id":"clv_1TSTS","message":"bad source clv_1TSTSUqRJ9 for KIM"}"#,
            shown: #"{"id":"(redacted)","message":"bad source (redacted) for KIM"}"#),
        Row(
            body: #"{"details":{"card":{"name":"KIM"},"type":"card"},"firstName":"Kim","cards":[{"a":1}]}"#,
            shown: #"{"details":{"card":"(redacted)","type":"card"},"firstName":"Kim","cards":"(redacted)"}"#),
        // Cut off anywhere, nothing of a secret is left.
        Row(body: #"{"pin":"12"#, shown: #"{"pin":"(redacted)""#),
        Row(body: #"{"token":{"a":"b"#, shown: #"{"token":"(redacted)""#),
        Row(body: #"{"pin":"#, shown: #"{"pin":"#),
        Row(body: #"{"pin"#, shown: #"{"pin"#),
        Row(body: #"{"pin":"1\"#, shown: #"{"pin":"(redacted)""#),
        Row(body: #"{"href":"x?filter=pin%3D1234&limit=1"}"#, shown: #"{"href":"x?filter=(redacted)&limit=1"}"#),
        Row(body: "{\n  \"a\": 1\n}", shown: #"{   "a": 1 }"#),
        Row(body: "<html>\r\nhello", shown: "<html> hello"),
        Row(body: "", shown: ""),
    ]

    @Test("secrets of any kind are removed anywhere", arguments: rows)
    func redaction(_ row: Row) {
        #expect(BodyRedaction(codesAreSecret: row.areCodesSecret).text(of: Array(row.body.utf8)) == row.shown)
    }

    @Test("no cut of a body shows more of a secret than the whole body does")
    func everyCut() {
        let body = Array(#"{"a":1,"pin":"SECRET-1","n":{"token":["SECRET-2",{"x":"SECRET-3"}]},"z":"end"}"#.utf8)
        for length in 0...body.count {
            let shown = BodyRedaction(codesAreSecret: false).text(of: Array(body.prefix(length)))
            #expect(!shown.contains("SECRET"), "\(length)")
        }
    }
}
