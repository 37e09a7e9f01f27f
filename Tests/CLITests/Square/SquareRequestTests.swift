import CloverTestSupport
import Testing

@Suite("charge square request")
struct SquareRequestTests {
    @Test("every option goes where the newest SDK puts it")
    func everything() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.squareRequest([
                "--amount", "12.50", "--currency", "USD", "--state", "t%9 ☕️", "--notes", "flat \"white\"",
                "--location", "L-77", "--customer", "C-12", "--tender", "cash,card", "--clear-default-fees",
                "--auto-return", "--disable-keyed-in", "--skip-receipt",
            ])
            expectSuccess(result)
            let answer = try JSONValue(result.outputText)
            #expect(answer.keys == ["data", "url"])
            let wanted = try JSONValue(
                #"""
                {"client_id":"sq0idp-app","sdk_version":"3.5.0","version":"1.3","state":"t%9 ☕️",
                "amount_money":{"amount":1250,"currency_code":"USD"},"notes":"flat \"white\"","location_id":"L-77",
                "customer_id":"C-12","callback_url":"corner-cafe://paid/square_request",
                "options":{"supported_tender_types":["CREDIT_CARD","CASH"],"clear_default_fees":true,
                "auto_return":true,"disable_cnp":true,"skip_receipt":true}}
                """#)
            #expect(answer["data"] == wanted)
            #expect(try await Self.decoded(#require(answer["url"]?.string)) == wanted)
        }
    }

    @Test("the Register SDK 2.1 has its own keys, and what it lacks is left out with a notice")
    func register() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.squareRequest([
                "--sdk", "register-2.1", "--minor", "0", "--currency", "JPY", "--merchant-id", "L-77", "--skip-receipt",
            ])
            #expect(result.status == 0, "\(result)")
            #expect(result.errorText == "clover: skipReceipt is unknown to register-2.1 and is not sent\n")
            let wanted = try JSONValue(
                #"""
                {"client_id":"sq0idp-app","sdk_version":"2.0","version":"1.2","merchant_id":"L-77",
                "amount_money":{"amount":0,"currency_code":"JPY"},"callback_url":"corner-cafe://paid",
                "options":{"supported_tender_types":["CREDIT_CARD","CASH","OTHER","SQUARE_GIFT_CARD","CARD_ON_FILE"],
                "clear_default_fees":false,"auto_return":false}}
                """#)
            #expect(try JSONValue(result.outputText)["data"] == wanted)
        }
    }

    /// What Python makes of the URL's one item.
    private static func decoded(_ url: String) async throws -> JSONValue {
        let program = """
            import sys, urllib.parse
            parts = urllib.parse.urlsplit(sys.argv[1])
            assert (parts.scheme, parts.netloc, parts.path) == ("square-commerce-v1", "payment", "/create")
            name, value = parts.query.split("=", 1)
            assert name == "data"
            sys.stdout.reconfigure(encoding="utf-8")
            print(urllib.parse.unquote(value, errors="strict"))
            """
        let python = CommandRunner(executable: "/usr/bin/python3", environment: ["LANG": "C.UTF-8"])
        let result = try await python.run(["-I", "-c", program, url])
        #expect(result.status == 0, "\(result)")
        return try JSONValue(result.outputText)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        /// nil when the profile takes the request.
        let newest: String?
        let register: String?

        init(_ description: String, _ arguments: [String], newest: String?, register: String?) {
            testDescription = description
            self.arguments = arguments
            self.newest = newest
            self.register = register
        }
    }

    private static let whole = ["--client-id", "ID", "--callback-url", "a://b"]
    private static let dollar = ["--minor", "1", "--currency", "USD"]

    static let refusals = [
        Refusal(
            "no currency comes before everything else", ["--minor", "-1", "--currency", ""],
            newest: "MissingCurrencyCode", register: "MissingCurrencyCode"),
        Refusal(
            "an amount in major units without a currency", whole + ["--amount", "12"],
            newest: "MissingCurrencyCode", register: "MissingCurrencyCode"),
        Refusal(
            "a currency outside the list of 2.1", ["--minor", "-1", "--currency", "EUR"],
            newest: "MissingRequestClientID", register: "UnsupportedCurrencyCode"),
        Refusal(
            "a currency in small letters", whole + ["--amount", "1.00", "--currency", "usd"],
            newest: nil, register: "UnsupportedCurrencyCode"),
        Refusal(
            "no application id comes before the amount", ["--minor", "-1", "--currency", "USD"],
            newest: "MissingRequestClientID", register: "MissingRequestClientID"),
        Refusal(
            "an empty application id", dollar + ["--client-id", "", "--callback-url", "a://b"],
            newest: "MissingRequestClientID", register: "MissingRequestClientID"),
        Refusal(
            "a negative amount comes before the callback URL",
            ["--minor", "-100", "--currency", "USD", "--client-id", "ID"],
            newest: "InvalidRequestAmount", register: "InvalidRequestAmount"),
        Refusal(
            "no amount", whole + ["--currency", "USD"],
            newest: "InvalidRequestAmount", register: "InvalidRequestAmount"),
        Refusal(
            "nothing to pay", whole + ["--minor", "0", "--currency", "USD"],
            newest: "InvalidRequestAmount", register: nil),
        Refusal(
            "no callback URL", dollar + ["--client-id", "ID"],
            newest: "InvalidRequestCallbackURL", register: "InvalidRequestCallbackURL"),
        Refusal(
            "a callback URL without a scheme", dollar + ["--client-id", "ID", "--callback-url", "paid"],
            newest: "InvalidRequestCallbackURL", register: "InvalidRequestCallbackURL"),
    ]

    private static let numbers = [
        "SCCErrorCodeMissingCurrencyCode": 1, "SCCErrorCodeUnsupportedCurrencyCode": 2,
        "SCCErrorCodeMissingRequestClientID": 3, "SCCErrorCodeInvalidRequestCallbackURL": 4,
        "SCCErrorCodeInvalidRequestAmount": 5,
    ]

    @Test("the first of the SDK's checks that fails is the error", arguments: refusals)
    func refused(_ row: Refusal) async throws {
        try await Sandbox.run { sandbox in
            for (sdk, name) in [("pos-3.5.4", row.newest), ("register-2.1", row.register)] {
                let result = try await sandbox.clover(
                    arguments: ["charge", "square", "request", "--json", "--sdk", sdk] + row.arguments,
                    input: .nothing)
                guard let name else {
                    #expect(result.status == 0, "\(sdk): \(result)")
                    continue
                }
                #expect(result.status == 64 && result.output.isEmpty, "\(sdk): \(result)")
                let error = try #require(try JSONValue(result.errorText)["error"])
                #expect(error["code"]?.string == "SCCErrorCode\(name)", "\(sdk): \(result)")
                #expect(error["name"] == error["code"] && error["domain"]?.string == "SCCErrorDomain")
                #expect(error["number"]?.integer == Self.numbers["SCCErrorCode\(name)"], "\(sdk): \(result)")
            }
        }
    }

    @Test("the application id comes from CLOVER_SQUARE_CLIENT_ID, and a flag beats it")
    func clientID() async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.with(["CLOVER_SQUARE_CLIENT_ID": "from-variable"])
            let common = [
                "charge", "square", "request", "--minor", "1", "--currency", "USD", "--callback-url", "a://b",
            ]
            for (more, wanted) in [([], "from-variable"), (["--client-id", "from-flag"], "from-flag")] {
                let result = try await sandbox.clover(arguments: common + more, input: .nothing)
                expectSuccess(result)
                #expect(try JSONValue(result.outputText)["data"]?["client_id"]?.string == wanted)
            }
        }
    }

    @Test("the forms for web pages")
    func web() async throws {
        try await Sandbox.run { sandbox in
            let common = [
                "--minor", "1250", "--currency", "USD", "--state", "a b", "--callback-url", "https://cafe.example/paid",
                "--no-journal",
            ]
            let apple = try await sandbox.squareRequest(common + ["--platform", "ios-web"])
            expectSuccess(apple)
            let data = try #require(try JSONValue(apple.outputText)["data"])
            #expect(data["callback_url"]?.string == "https://cafe.example/paid")
            let android = try await sandbox.squareRequest(
                common + ["--platform", "android-web", "--fallback-url", "https://cafe.example/none"])
            expectSuccess(android)
            let url = try #require(try JSONValue(android.outputText)["url"]?.string)
            #expect(url.hasPrefix("intent:#Intent;action=com.squareup.pos.action.CHARGE;package=com.squareup;"))
            #expect(url.contains("i.com.squareup.pos.TOTAL_AMOUNT=1250;"))
            #expect(url.contains("S.com.squareup.pos.REQUEST_METADATA=a%20b;"))
            #expect(url.contains("S.browser_fallback_url=https%3A%2F%2Fcafe.example%2Fnone;"))
            #expect(url.hasSuffix(";end"))
        }
    }

    @Test(
        "what cannot be meant is refused before any check",
        arguments: [
            (["--amount", "12", "--currency", "USD"], "--minor 12"),
            (["--amount", "1.00", "--minor", "100", "--currency", "USD"], "exclude each other"),
            (dollar + ["--tender", "card,cheque"], "no tender 'cheque'"),
            (dollar + ["--tender", "all,cash"], "'all' includes every other, and cannot be combined"),
            (dollar + ["--tender", "cash", "--tender", "all"], "'all' includes every other, and cannot be combined"),
            (dollar + ["--fallback-url", "https://cafe.example/"], "--fallback-url is for --platform android-web"),
            (dollar + ["--api-version", "1.1", "--sdk", "register-2.1"], "--api-version"),
            (dollar + ["--sdk", "pos-4"], "sdk"),
            (dollar + ["--input", "-"], "--input"),
        ])
    func usage(_ arguments: [String], _ part: String) async throws {
        let result = try await Sandbox.run { try await $0.squareRequest(arguments) }
        expectFailure(result, status: 64, saying: part)
    }

    @Test("tenders as the mask has them: none, and one that the older SDK does not know, from options and from a batch")
    func tenders() async throws {
        try await Sandbox.run { sandbox in
            let rows: [(word: String, wire: String, newest: [String], register: [String])] = [
                ("", "[]", [], []), ("paypay", #"["PAYPAY"]"#, ["PAYPAY"], []),
                ("paypay,card", #"["PAYPAY","CREDIT_CARD"]"#, ["CREDIT_CARD", "PAYPAY"], ["CREDIT_CARD"]),
            ]
            for row in rows {
                for (sdk, wanted) in [("pos-3.5.4", row.newest), ("register-2.1", row.register)] {
                    let single = try await sandbox.squareRequest(
                        Self.dollar + ["--no-journal", "--sdk", sdk, "--tender", row.word])
                    let line =
                        #"{"clientId":"a","amount":1,"currency":"USD","callbackUrl":"a://b","tenders":\#(row.wire)}"#
                    let batch = try await sandbox.square(
                        "request", "--no-journal", "--sdk", sdk, "--input", "-", input: .text(line + "\n"))
                    for result in [single, batch] {
                        #expect(result.status == 0, "\(result)")
                        let options = try JSONValue(result.outputText)["data"]?["options"]
                        let names = options?["supported_tender_types"]?.elements?.compactMap(\.string)
                        #expect(names == wanted, "\(sdk): \(result)")
                        #expect(result.errorText.contains("no tender is allowed") == wanted.isEmpty, "\(result)")
                        let isLeftOut = sdk == "register-2.1" && row.word.contains("paypay")
                        #expect(result.errorText.contains("paypay is unknown") == isLeftOut, "\(result)")
                    }
                }
            }
            let android = try await sandbox.squareRequest(
                Self.dollar + ["--no-journal", "--platform", "android-web", "--tender", ""])
            expectFailure(android, status: 64, saying: "Android requires at least one")
        }
    }

    @Test("--tender given twice allows both", arguments: [["card", "cash"], ["cash", "card,cash"]])
    func tendersAddUp(words: [String]) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.squareRequest(
                Self.dollar + ["--no-journal"] + words.flatMap { ["--tender", $0] })
            expectSuccess(result)
            let options = try JSONValue(result.outputText)["data"]?["options"]
            let names = options?["supported_tender_types"]?.elements?.compactMap(\.string)
            #expect(names == ["CREDIT_CARD", "CASH"], "\(result)")
        }
    }

    @Test("what to do about an error is what the platform asks for")
    func remedies() async throws {
        try await Sandbox.run { sandbox in
            let rows = [("ios", "at least 1"), ("android-web", "from 0 to 2147483647")]
            for (platform, remedy) in rows {
                let result = try await sandbox.squareRequest([
                    "--no-journal", "--minor", "-1", "--currency", "USD", "--platform", platform,
                ])
                expectFailure(result, status: 64, saying: remedy)
            }
        }
    }

    @Test("another version of the interface")
    func apiVersion() async throws {
        let result = try await Sandbox.run { try await $0.squareRequest(Self.dollar + ["--api-version", "1.2"]) }
        expectSuccess(result)
        #expect(try JSONValue(result.outputText)["data"]?["version"]?.string == "1.2")
    }
}
