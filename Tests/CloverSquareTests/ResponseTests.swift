import CloverSquare
import Testing

@Suite("Responses")
struct ResponseTests {
    /// A callback with this JSON, encoded.
    private static func url(_ json: String) -> String {
        "my-app://paid?data=\(PercentEncoding.encoded(json))"
    }

    struct Success: Sendable, CustomTestStringConvertible {
        var json: String
        var transactionID: SquareText?
        var clientTransactionID: SquareText?
        var state: SquareText?
        var testDescription: String { json }
    }

    @Test(
        "payments",
        arguments: [
            Success(
                json: #"{"status":"ok","transaction_id":"T-501","client_transaction_id":"9b1e-02","state":"table-9"}"#,
                transactionID: "T-501", clientTransactionID: "9b1e-02", state: "table-9"),
            Success(json: #"{"status":"ok"}"#),
            Success(
                json: #"{"status":"ok","client_transaction_id":"9b1e-02"}"#, clientTransactionID: "9b1e-02"),
            Success(
                json: #"{"status":"ok","transaction_id":"","client_transaction_id":"","state":""}"#,
                transactionID: "", clientTransactionID: "", state: ""),
            Success(json: #"{"status":"ok","transaction_id":null,"client_transaction_id":null,"state":null}"#),
            Success(json: #"{"status":"ok","transaction_id":7,"client_transaction_id":["a"],"state":{"a":1}}"#),
            Success(json: #"{"status":"ok","transaction_id":true,"state":1.5}"#),
            Success(json: #"{"status":"ok","error_code":"0","state":"s"}"#, state: "s"),
            Success(json: #"{"status":"ok","error_code":"payment_canceled"}"#),
            Success(json: #"{"status":"ok","payment_id":"P","offline_payment_id":"O","future":[1,{}]}"#),
            Success(json: #" { "status" : "ok" , "state":"\u0000\n\ud83d\ude00\/" } "#, state: "\0\n😀/"),
            Success(json: #"{"status":"error","status":"ok"}"#),
            Success(json: #"{"status":"ok","a":[1,],}"#),
            Success(json: "\u{FEFF}{\"status\":\"ok\"}"),
            Success(
                json: #"{"status":"ok","a":"# + String(repeating: "[", count: 511)
                    + String(repeating: "]", count: 511) + "}"),
        ], SquareProfile.allCases)
    func successes(row: Success, profile: SquareProfile) throws {
        let response = try SquareResponse(url: Self.url(row.json), profile: profile)
        #expect(response.isSuccess)
        #expect(response.error == nil)
        #expect(response.transactionID == row.transactionID)
        #expect(response.clientTransactionID == row.clientTransactionID)
        #expect(response.state == row.state)
    }

    @Test("a failure keeps its state and loses its ids", arguments: SquareProfile.allCases)
    func failure(profile: SquareProfile) throws {
        let json =
            #"{"status":"error","error_code":"payment_canceled","state":"s","transaction_id":"T","#
            + #""client_transaction_id":"C"}"#
        let response = try SquareResponse(url: Self.url(json), profile: profile)
        #expect(!response.isSuccess)
        #expect(response.error?.code == .paymentCanceled)
        #expect(response.state == "s")
        #expect(response.transactionID == nil)
        #expect(response.clientTransactionID == nil)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var json: String
        var code: Int
        var testDescription: String { "\(json.prefix(80)) \(code)" }
    }

    @Test(
        "data that is not a response",
        arguments: [
            Refused(json: "", code: 8), Refused(json: "[]", code: 9), Refused(json: "\"ok\"", code: 9),
            Refused(json: "1", code: 9), Refused(json: "null", code: 9), Refused(json: "true", code: 9),
            Refused(json: "{", code: 9), Refused(json: #"{"status":"ok",,}"#, code: 9),
            Refused(json: #"{"status":"ok"} x"#, code: 9), Refused(json: "{'status':'ok'}", code: 9),
            Refused(json: #"{"status":"ok" /* */}"#, code: 9), Refused(json: #"{"status":"ok","a":NaN}"#, code: 9),
            Refused(json: #"{"status":"ok","a":01}"#, code: 9),
            Refused(json: "{\"status\":\"ok\",\"a\":\"\n\"}", code: 9),
            Refused(json: #"{"status":"ok","state":"\ud83d"}"#, code: 9),
            Refused(json: #"{"status":"ok","state":"\ude00\ud83d"}"#, code: 9),
            Refused(json: "eyJzdGF0dXMiOiJvayJ9", code: 9), Refused(json: " ", code: 9),
            Refused(json: #"%7B%22status%22%3A%22ok%22%7D"#, code: 9),
            Refused(
                json: #"{"status":"ok","a":"# + String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
                    + "}",
                code: 9),
            Refused(json: "{}", code: 10), Refused(json: #"{"status":null}"#, code: 10),
            Refused(json: #"{"status":1}"#, code: 10), Refused(json: #"{"status":true}"#, code: 10),
            Refused(json: #"{"status":["ok"]}"#, code: 10), Refused(json: #"{"status":""}"#, code: 10),
            Refused(json: #"{"status":"OK"}"#, code: 10), Refused(json: #"{"status":"ok "}"#, code: 10),
            Refused(json: #"{"status":"INVALID"}"#, code: 10), Refused(json: #"{"Status":"ok"}"#, code: 10),
            Refused(json: #"{"data":{"status":"ok"}}"#, code: 10), Refused(json: #"{"status":"Error"}"#, code: 10),
            Refused(json: #"{"status":"error"}"#, code: 11),
            Refused(json: #"{"status":"error","error_code":""}"#, code: 11),
            Refused(json: #"{"status":"error","error_code":null}"#, code: 11),
            Refused(json: #"{"status":"error","error_code":1}"#, code: 11),
            Refused(json: #"{"status":"error","error_code":["payment_canceled"]}"#, code: 11),
        ], SquareProfile.allCases)
    func refusals(row: Refused, profile: SquareProfile) {
        #expect(
            failureCode { () throws(SquareFailure) in _ = try SquareResponse(url: Self.url(row.json), profile: profile)
            }
                == row.code)
    }

    private static let ok = "%7B%22status%22%3A%22ok%22%2C%22state%22%3A%22first%22%7D"
    private static let other = "%7B%22status%22%3A%22ok%22%2C%22state%22%3A%22last%22%7D"

    struct Items: Sendable, CustomTestStringConvertible {
        var url: String
        /// nil for a failure.
        var state: SquareText?
        var code: Int?
        var testDescription: String { url }
    }

    @Test(
        "items of the query",
        arguments: [
            Items(url: "my-app://paid?data=\(ok)", state: "first"),
            Items(url: "my-app://paid?a=b&data=\(ok)&c", state: "first"),
            Items(url: "my-app://paid?data=\(ok)&data=\(other)", state: "last"),
            Items(url: "my-app://paid?data=\(ok)&data", code: 8), Items(url: "my-app://paid?data=\(ok)&data=", code: 8),
            Items(url: "my-app://paid?data&data=\(ok)", state: "first"),
            Items(url: "my-app://paid?data=\(ok)&data=%FF", code: 8),
            Items(url: "my-app://paid?data=\(ok)&data=x", code: 9),
            Items(url: "my-app://paid?d%61ta=\(ok)", state: "first"), Items(url: "my-app://paid?Data=\(ok)", code: 8),
            Items(url: "my-app://paid?%20data=\(ok)", code: 8), Items(url: "my-app://paid?data%00=\(ok)", code: 8),
            Items(url: "my-app://paid?%FF=1&data=\(ok)", state: "first"),
            Items(url: "my-app://paid?data=\(ok)#data=\(other)", state: "first"),
            Items(url: "my-app://paid#?data=\(ok)", code: 8), Items(url: "my-app://paid", code: 8),
            Items(url: "my-app://paid?", code: 8), Items(url: "my-app://paid?foo=bar", code: 8),
            Items(url: "", code: 8),
            Items(url: "?data=\(ok)", state: "first"), Items(url: "my-app:paid?data=\(ok)", state: "first"),
            Items(url: "https://anyone.example/?x?data=1&data=\(ok)", state: "first"),
            Items(url: "my-app://paid?data=\(ok);data=\(other)", code: 9),
            Items(url: "my-app://paid?data={\"status\":\"ok\",\"state\":\"a=b=c\"}", state: "a=b=c"),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%22s%22%7D", state: "s"),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%22a+b%2B%22%7D", state: "a+b+"),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%22%2525%22%7D", state: "%25"),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%22%25zz%22%7D", state: "%zz"),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%22a&b%22%7D", code: 9),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%22\u{C3}\u{28}%FF%22%7D", code: 8),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%22%ED%A0%80%22%7D", code: 8),
            Items(url: "my-app://paid?data=%7B%22status%22:%22ok%22,%22state%22:%2250%%22%7D", code: 8),
            Items(url: "my-app://paid?data=%7b%22status%22:%22ok%22,%22state%22:%22%c3%a9%22%7d", state: "é"),
            Items(url: "my-app://paid?status=ok&transaction_id=T", code: 8),
        ], SquareProfile.allCases)
    func items(row: Items, profile: SquareProfile) {
        do {
            let response = try SquareResponse(url: row.url, profile: profile)
            #expect(row.code == nil)
            #expect(response.state == row.state)
        } catch {
            #expect(error.code.rawValue == row.code)
        }
    }

    @Test("a failure to read has the SDK's number, name and words")
    func words() throws {
        do {
            _ = try SquareResponse(url: "my-app://paid", profile: .pointOfSale354)
            Issue.record("a URL without data was taken")
        } catch {
            #expect(
                error.json.written()
                    == #"{"domain":"SCCErrorDomain","number":8,"name":"SCCErrorCodeMissingOrInvalidResponseData","#
                    + #""message":"the URL has no readable 'data' item","#
                    + #""remedy":"pass the unchanged callback URL, quoted for the shell, with everything after its "#
                    + #"question mark"}"#)
        }
    }
}
