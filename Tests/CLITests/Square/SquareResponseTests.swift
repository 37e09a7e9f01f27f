import CloverTestSupport
import Testing

@Suite("charge square response")
struct SquareResponseTests {
    @Test("a payment is printed with its ids and its state, and exits with 0")
    func paid() async throws {
        try await Sandbox.run { sandbox in
            let url = try SquareCallback.url(SquareCallback.paid)
            let result = try await sandbox.square("response", url)
            expectSuccess(result)
            let answer = try JSONValue(result.outputText)
            #expect(
                answer.keys == ["clientTransactionId", "error", "ok", "state", "success", "transactionId", "url"])
            #expect(answer["url"]?.string == url)
            #expect(answer["ok"] == .bool(true) && answer["success"] == .bool(true))
            #expect(answer["transactionId"]?.string == "T-1" && answer["clientTransactionId"]?.string == "C-1")
            #expect(answer["state"]?.string == "table-9" && answer["error"] == .null)
        }
    }

    @Test("a payment that failed ends with 81, with the cause and what to do")
    func notPaid() async throws {
        try await Sandbox.run { sandbox in
            let url = try SquareCallback.url(SquareCallback.cancelled)
            let result = try await sandbox.square("response", url)
            expectFailure(
                result, status: 81, saying: "not paid: the payment was cancelled", "payment_canceled", output: nil)
            let error = try #require(try JSONValue(result.outputText)["error"])
            #expect(error.keys == ["domain", "message", "name", "number", "remedy", "wire"])
            #expect(error["domain"]?.string == "SCCAPIErrorDomain" && error["number"]?.integer == 1)
            #expect(error["wire"]?.string == "payment_canceled")
            let json = try JSONValue(try await sandbox.square("response", "--json", url).errorText)
            #expect(json["error"]?["code"]?.string == "SCCAPIErrorCodePaymentCanceled")
            #expect(json["error"]?["status"]?.integer == 81)
            #expect(json["error"]?["domain"]?.string == "SCCAPIErrorDomain" && json["error"]?["number"]?.integer == 1)
            #expect(json["error"]?["name"] == json["error"]?["code"])
        }
    }

    @Test("an error that no SDK knows does not show whether it was paid: 80, never 81")
    func unknown() async throws {
        try await Sandbox.run { sandbox in
            let url = try SquareCallback.url(["status": "error", "error_code": "xyz", "state": "table-9"])
            let result = try await sandbox.square("response", "--no-journal", url)
            expectFailure(result, status: 80, saying: "unknown whether it was paid", "(xyz)", output: nil)
            let prefix = "com.squareup.pos."
            for code in ["ERROR_UNEXPECTED", "ERROR_NO_RESULT", "ERROR_OF_NEXT_YEAR"] {
                let lost = "https://cafe.example/paid?\(prefix)ERROR_CODE=\(prefix)\(code)"
                expectFailure(
                    try await sandbox.square("response", "--platform", "android-web", lost), status: 80,
                    saying: "unknown whether it was paid", output: nil)
            }
            let cancelled = try SquareCallback.url(SquareCallback.cancelled)
            expectFailure(
                try await sandbox.square("response", url, cancelled, "x://y"), status: 80,
                saying: "and 1 does not show whether it was paid", output: nil)
        }
    }

    struct NoResponse: Sendable, CustomTestStringConvertible {
        let url: String
        let name: String
        var testDescription: String { url }
    }

    static let noResponses = [
        NoResponse(url: "corner-cafe://paid", name: "MissingOrInvalidResponseData"),
        NoResponse(url: "corner-cafe://paid?data=%7B%7D&data=", name: "MissingOrInvalidResponseData"),
        NoResponse(url: "corner-cafe://paid?data=%C3%28", name: "MissingOrInvalidResponseData"),
        NoResponse(url: "corner-cafe://paid?data=%5B%5D", name: "MissingOrInvalidResponseJSONData"),
        NoResponse(url: "corner-cafe://paid?data=e30", name: "MissingOrInvalidResponseJSONData"),
        NoResponse(url: "corner-cafe://paid?data=%7B%7D", name: "MissingOrInvalidResponseStatus"),
        NoResponse(url: "corner-cafe://paid?data=%7B%22status%22:1%7D", name: "MissingOrInvalidResponseStatus"),
        NoResponse(
            url: "corner-cafe://paid?data=%7B%22status%22:%22error%22%7D", name: "MissingOrInvalidResponseErrorCode"),
    ]

    @Test("a URL that is not a response exits with 65 and the name of the SDK's code", arguments: noResponses)
    func noResponse(_ row: NoResponse) async throws {
        let result = try await Sandbox.run { try await $0.square("response", row.url) }
        expectFailure(
            result, status: 65, saying: "not a response of the Square app", "SCCErrorCode\(row.name)", output: nil)
        let answer = try JSONValue(result.outputText)
        #expect(answer.keys == ["error", "ok", "url"] && answer["ok"] == .bool(false))
        #expect(answer["error"]?["name"]?.string == "SCCErrorCode\(row.name)")
        #expect(answer["error"]?["domain"]?.string == "SCCErrorDomain")
    }

    struct WireText: Sendable {
        let wire: String
        let number: Int
        let newest: String
        var register: String { newest == "LocationIDMismatch" ? "MerchantIDMismatch" : newest }

        init(_ wire: String, _ number: Int, _ name: String) {
            self.wire = wire
            self.number = number
            newest = name
        }
    }

    /// Every text of the SDKs, with what they make of it; both texts of a location mismatch are understood.
    static let wireTexts = [
        WireText("payment_canceled", 1, "PaymentCanceled"), WireText("data_invalid", 2, "PayloadMissingOrInvalid"),
        WireText("not_logged_in", 3, "AppNotLoggedIn"), WireText("location_id_mismatch", 5, "LocationIDMismatch"),
        WireText("user_id_mismatch", 5, "LocationIDMismatch"), WireText("user_not_active", 6, "UserNotActivated"),
        WireText("currency_code_missing", 7, "CurrencyMissingOrInvalid"),
        WireText("unsupported_currency_code", 8, "CurrencyUnsupported"),
        WireText("currency_code_mismatch", 9, "CurrencyMismatch"),
        WireText("amount_invalid_format", 10, "AmountMissingOrInvalid"),
        WireText("amount_too_small", 11, "AmountTooSmall"), WireText("amount_too_large", 12, "AmountTooLarge"),
        WireText("invalid_tender_type", 13, "InvalidTenderType"),
        WireText("unsupported_tender_type", 14, "UnsupportedTenderType"),
        WireText("could_not_perform", 15, "CouldNotPerform"),
        WireText("no_network_connection", 16, "NoNetworkConnection"),
        WireText("client_not_authorized_for_user", 0, "Unknown"),
        WireText("unsupported_api_version", 18, "UnsupportedAPIVersion"),
        WireText("invalid_version_number", 19, "InvalidVersionNumber"),
        WireText("customer_management_not_supported", 20, "CustomerManagementNotSupported"),
        WireText("invalid_customer_id", 21, "InvalidCustomerID"), WireText("login_code_invalid", 0, "Unknown"),
        WireText("PAYMENT_CANCELED", 0, "Unknown"), WireText(" ", 0, "Unknown"),
    ]

    @Test("every text of the app has its number and name", arguments: ["pos-3.5.4", "register-2.1"])
    func texts(sdk: String) async throws {
        try await Sandbox.run { sandbox in
            let urls = try Self.wireTexts.map { try SquareCallback.url(["status": "error", "error_code": $0.wire]) }
            let result = try await sandbox.square(
                "response", "--sdk", sdk, input: .text(urls.joined(separator: "\n") + "\n"))
            // Some of them do not show whether it was paid.
            #expect(result.status == 80, "\(result)")
            let answers = try JSONValue.lines(result.lines)
            try #require(answers.count == Self.wireTexts.count)
            for (row, answer) in zip(Self.wireTexts, answers) {
                let error = try #require(answer["error"])
                let name = sdk == "register-2.1" ? row.register : row.newest
                #expect(error["number"]?.integer == row.number && error["wire"]?.string == row.wire, "\(answer)")
                #expect(error["name"]?.string == "SCCAPIErrorCode\(name)", "\(answer)")
                #expect(error["message"]?.string?.isEmpty == false && error["remedy"]?.string?.isEmpty == false)
            }
        }
    }

    @Test("--check-marker adds whether the URL has the mark")
    func marker() async throws {
        try await Sandbox.run { sandbox in
            for (address, isMarked) in [("corner-cafe://paid/square_request", true), ("corner-cafe://paid", false)] {
                let url = try SquareCallback.url(SquareCallback.paid, to: address)
                let answer = try JSONValue(try await sandbox.square("response", "--check-marker", url).outputText)
                #expect(answer["isSquareResponse"] == .bool(isMarked))
                // The older SDK knows no mark, and nor does the app on Android.
                let older = try await sandbox.square("response", "--check-marker", "--sdk", "register-2.1", url)
                #expect(older.status == 0 && older.errorText.contains("isSquareResponse is null: register-2.1"))
                #expect(try JSONValue(older.outputText)["isSquareResponse"] == .null)
                let android = try await sandbox.square("response", "--check-marker", "--platform", "android-web", url)
                #expect(try JSONValue(android.outputText)["isSquareResponse"] == .null)
            }
        }
    }

    @Test("of several URLs the worst decides, and each has its line")
    func several() async throws {
        try await Sandbox.run { sandbox in
            let paid = try SquareCallback.url(SquareCallback.paid)
            let cancelled = try SquareCallback.url(SquareCallback.cancelled)
            let rows: [(urls: [String], status: Int32, message: String)] = [
                ([paid, paid], 0, ""),
                ([paid, cancelled, paid], 81, "of 3 URLs 1 says 'not paid'\n"),
                ([cancelled, cancelled], 81, "of 2 URLs 2 say 'not paid'\n"),
                ([paid, "x://y"], 65, "of 2 URLs 1 is not a response of the Square app\n"),
                (
                    [cancelled, "x://y", "x", paid], 65,
                    "of 4 URLs 1 says 'not paid', and 2 are not responses of the Square app\n"
                ),
            ]
            for row in rows {
                let byArgument = try await sandbox.clover(
                    arguments: ["charge", "square", "response"] + row.urls, input: .nothing)
                #expect(byArgument.status == row.status, "\(byArgument)")
                #expect(byArgument.lines.count == row.urls.count)
                #expect(byArgument.errorText.contains(row.message) || row.message.isEmpty, "\(byArgument)")
                let byLine = try await sandbox.square(
                    "response", input: .text("\r\n" + row.urls.map { "  \($0) \r\n" }.joined()))
                #expect(byLine.status == row.status && byLine.output == byArgument.output, "\(byLine)")
            }
            let codes = [(cancelled, "not_paid"), ("x://y", "not_answer")]
            for (url, code) in codes {
                let result = try await sandbox.square("response", "--json", paid, url)
                #expect(try JSONValue(result.errorText)["error"]?["code"]?.string == code, "\(result)")
            }
            expectFailure(try await sandbox.square("response"), status: 64, saying: "no URL was given")
        }
    }

    @Test("a state cannot move the cursor of a terminal, and is the same as a value")
    func controlCharacters() async throws {
        let state = "a\u{1B}[2J\u{7F}\u{85}\u{9B}31m☕️"
        let url = try SquareCallback.url(["status": "ok", "state": state])
        let result = try await Sandbox.run { try await $0.square("response", url) }
        expectSuccess(result)
        #expect(try JSONValue(result.outputText)["state"]?.string == state)
        let controls = result.outputText.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls.map(\.value) == [10])
    }

    @Test("the response of the app on Android")
    func android() async throws {
        try await Sandbox.run { sandbox in
            let prefix = "com.squareup.pos."
            let paid = "https://cafe.example/paid?\(prefix)SERVER_TRANSACTION_ID=T-1&\(prefix)REQUEST_METADATA=a%20b"
            let result = try await sandbox.square("response", "--platform", "android-web", paid)
            expectSuccess(result)
            #expect(try JSONValue(result.outputText)["state"]?.string == "a b")
            expectFailure(
                try await sandbox.square("response", paid), status: 65, saying: "--platform android-web", output: nil)
            let failed = "https://cafe.example/paid?\(prefix)ERROR_CODE=\(prefix)ERROR_TRANSACTION_CANCELED"
            expectFailure(
                try await sandbox.square("response", "--platform", "android-web", failed), status: 81,
                saying: "not paid", output: nil)
        }
    }
}
