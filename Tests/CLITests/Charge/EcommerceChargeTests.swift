import CloverTestSupport
import Foundation
import Testing

@Suite("charge: cards that are not present")
struct EcommerceChargeTests {
    @Test("a charge prints its key first, and its payment last")
    func approved() async throws {
        try await ChargeFixture.run { till in
            let result = try await till.charge("12.50", "--tip", "2.00", "--tax", "1.00", "--reference", "INV-7")
            expectSuccess(result)
            #expect(try result.eventNames == ["created", "sent", "approved"])
            let created = try result.events[0]
            let id = try #require(created["charge"]?.string)
            #expect(created["recover"]?.string == "clover charge recover \(id)")
            #expect(created["amount"] == .integer(1250))
            let approved = try result.events[2]
            #expect(approved["charge"]?.string == id)
            #expect(approved["amount"] == .integer(1250))
            #expect(approved["tip"] == .integer(200))
            #expect(approved["card"]?["last4"] == .string("4242"))
            #expect(approved["card"]?["first6"] == .string("424242"))
            let taken = try await till.taken()
            #expect(taken.count == 1)
            #expect(taken[0]["key"] == created["idempotencyKey"])
            #expect(taken[0]["externalId"] == .string("INV-7"))
            try await till.expectAgreement()
        }
    }

    @Test("a declined card is 81, in words", arguments: ["4005571702222222", "4005578003333335"])
    func declined(_ number: String) async throws {
        try await ChargeFixture.run { till in
            let result = try await till.charge("12.50", card: ChargeFixture.card(number))
            expectFailure(
                result, status: 81, saying: "declined: the card's bank declined it (card_declined)",
                output: nil)
            let last = try #require(try result.events.last)
            #expect(last["event"] == .string("declined"))
            #expect(last["code"] == .string("card_declined"))
            #expect(try await till.taken().isEmpty)
            try await till.expectAgreement()
        }
    }

    @Test("a card that is refused while it is made into a token is declined, and nothing was sent")
    func declinedToken() async throws {
        try await ChargeFixture.run { till in
            // Four digits are the code of another brand.
            let card = CommandRunner.Input.text(
                #"{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"7371"}"#)
            let result = try await till.charge("12.50", card: card)
            expectFailure(
                result, status: 81, saying: "declined: the security code is not valid (invalid_cvc)", output: nil)
            #expect(try result.eventNames == ["created", "declined"])
            try await till.expectAgreement()
        }
    }

    @Test("--quiet prints the end alone, and so does CLOVER_QUIET, also of what follows a charge")
    func quiet() async throws {
        try await ChargeFixture.run { till in
            let result = try await till.charge("12.50", "--quiet")
            expectSuccess(result)
            #expect(try result.eventNames == ["approved"])
            let charge = try #require(try result.events.last?["charge"]?.string)
            let refund = try await till.sandbox.with(["CLOVER_QUIET": "1"]).clover("charge", "refund", charge)
            expectSuccess(refund)
            #expect(try refund.eventNames == ["refunded"])
        }
    }

    @Test(
        "a card that cannot be one is refused in words, with the form it has to have, and nothing is written down",
        arguments: [
            ("", "there is no card on standard input"), ("\n", "there is no card on standard input"),
            ("nonsense", "the card on standard input is not JSON"), ("{}", "the card has no 'number'"),
            (
                #"{"number":"4242424242424241","exp_month":"12","exp_year":"2030","cvv":"123"}"#,
                "the card number has a wrong digit"
            ),
            (
                #"{"number":"4242424242424242","exp_month":"13","exp_year":"2030","cvv":"123"}"#,
                "the month of expiry is not one of 1 to 12"
            ),
        ])
    func noCard(_ input: String, _ words: String) async throws {
        try await ChargeFixture.run { till in
            let result = try await till.sandbox.clover(
                arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"], input: .text(input))
            expectFailure(result, status: 65, saying: words, #"write it as {"number":"...","exp_month":"12""#)
            #expect(try await till.sandbox.clover("charge", "list", "--json").output == [])
        }
    }

    @Test("the same key is the same charge; another charge under it is refused")
    func sameKey() async throws {
        try await ChargeFixture.run { till in
            let first = try await till.charge("12.50", "--idempotency-key", "order-7", "--quiet")
            let second = try await till.charge("12.50", "--idempotency-key", "order-7", "--quiet")
            expectSuccess(first)
            expectSuccess(second)
            #expect(first.output == second.output)
            let other = try await till.charge("12.51", "--idempotency-key", "order-7")
            expectFailure(other, status: 64, saying: "the idempotency key belongs to something else")
            #expect(try await till.taken().count == 1)
            try await till.expectAgreement()
        }
    }

    @Test("the same key is the same refund; another amount or reason under it is refused, and a dry run sends nothing")
    func sameRefundKey() async throws {
        try await ChargeFixture.run { till in
            let charge = try #require(try await till.charge("12.50", "--quiet").events.last?["charge"]?.string)
            func refund(_ options: String...) async throws -> CommandResult {
                try await till.sandbox.clover(
                    ["charge", "refund", charge, "--idempotency-key", "refund-7", "--quiet"] + options)
            }
            let first = try await refund("--amount", "1.00")
            expectSuccess(first)
            for options in [["--amount", "2.00"], [], ["--amount", "1.00", "--reason", "duplicate"]] {
                let other = try await till.sandbox.clover(
                    ["charge", "refund", charge, "--idempotency-key", "refund-7"] + options)
                expectFailure(other, status: 64, saying: "the idempotency key belongs to something else")
            }
            let again = try await refund("--amount", "1.00")
            expectSuccess(again)
            #expect(again.output == first.output)
            #expect(try await till.movements().count { $0["kind"]?.string == "refund" } == 1)
        }
    }

    @Test("a dry run under the key of a refund that was never sent does not send it")
    func dryRunOfKnownKey() async throws {
        try await ChargeFixture.run { till in
            let charge = try #require(try await till.charge("12.50", "--quiet").events.last?["charge"]?.string)
            let refund = ["charge", "refund", charge, "--amount", "1.00", "--idempotency-key", "refund-8"]
            let unwritten = try await till.sandbox.clover(refund, output: .file("/dev/full"))
            expectFailure(unwritten, status: 74, saying: "nothing was carried out", "No space left", output: nil)
            let preview = try await till.sandbox.clover(refund + ["--dry-run"])
            expectSuccess(preview)
            #expect(try JSONValue(preview.outputText)["body"]?["amount"] == .integer(100))
            #expect(try await till.movements().count { $0["kind"]?.string == "refund" } == 0)
            // Nothing was sent under the key, so it can be used.
            expectSuccess(try await till.sandbox.clover(refund))
            #expect(try await till.movements().count { $0["kind"]?.string == "refund" } == 1)
        }
    }

    @Test("if the first event cannot be written, nothing is charged; if the last one cannot, standard error has it")
    func unwrittenOutput() async throws {
        try await ChargeFixture.run { till in
            let first = try await till.sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--card", "-", input: ChargeFixture.card(),
                output: .file("/dev/full"))
            expectFailure(
                first, status: 74, saying: "nothing was charged", "No space left on device", output: nil)
            #expect(try await till.movements().isEmpty)
            let row = try #require(try await till.journal().first)
            #expect(row["state"]?.string == "cancelled")

            let quiet = try await till.sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--card", "-", "--quiet",
                input: ChargeFixture.card(), output: .file("/dev/full"))
            let id = try #require(try await till.journal().first?["charge"]?.string)
            expectFailure(
                quiet, status: 74, saying: "\(id) was approved: 12.50 USD, payment ", "No space left on device",
                "do not charge it again; to see it: clover charge show \(id)", output: nil)
            let refund = try await till.sandbox.clover(
                ["charge", "refund", id, "--amount", "1.00", "--quiet"], output: .file("/dev/full"))
            expectFailure(
                refund, status: 74, saying: "(refund) was carried out: 1.00 USD", "clover charge show \(id)",
                output: nil)
            try await till.expectAgreement()

            // The reader is gone before the charge starts.
            let closed = try await till.sandbox.shell(
                """
                {
                    while [ ! -e gone ]; do sleep 0.02; done
                    clover charge --amount 12.50 --currency USD --source clv_1TOKEN
                    echo $? >status
                } | { exec 0<&-; touch gone; }
                """)
            #expect(try till.sandbox.text("status") == "141\n", "\(closed)")
            #expect(try await till.taken().count == 1)
        }
    }

    @Test("a declined charge keeps its status if its output cannot be written, and its ID is on standard error")
    func unwrittenDecline() async throws {
        try await ChargeFixture.run { till in
            let result = try await till.sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--card", "-", "--quiet",
                input: ChargeFixture.card("4005571702222222"), output: .file("/dev/full"))
            let id = try #require(try await till.journal().first?["charge"]?.string)
            expectFailure(result, status: 81, saying: "declined", "clover charge show \(id)", output: nil)
        }
    }

    @Test("--dry-run shows the request without its source, sends nothing and writes nothing")
    func dryRun() async throws {
        try await ChargeFixture.run { till in
            let result = try await till.sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1SECRETTOKEN", "--dry-run")
            expectSuccess(result)
            let request = try JSONValue(result.outputText)
            #expect(request["body"]?["amount"] == .integer(1250))
            #expect(request["headers"]?["Idempotency-Key"] != nil)
            #expect(!result.outputText.contains("SECRET"))
            #expect(!FileManager.default.fileExists(atPath: till.sandbox.directory["state/journal.sqlite"]))
            #expect(try await till.movements().isEmpty)
        }
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let arguments: [String]
        var status: Int32 = 64
        let message: String
    }

    @Test(
        "what cannot be meant, or cannot be done, is refused before anything is written",
        arguments: [
            Refused(
                testDescription: "ambiguous", arguments: ["--amount", "12", "--card", "-"],
                message: "ambiguous amount '12' in USD: 12.00 dollars or 12 cents?"),
            Refused(
                testDescription: "comma", arguments: ["--amount", "12,50", "--card", "-"],
                message: "'12,50' has a separator ','"),
            Refused(
                testDescription: "zero without decimals", arguments: ["--amount", "0", "--card", "-"],
                message:
                    "'0' is not an amount of money: --amount must be more than zero\n  write it as --amount 12.50, or"
            ),
            Refused(
                testDescription: "zero", arguments: ["--amount", "0.00", "--card", "-"],
                message: "0.00 USD is outside the range of the ecommerce API"),
            Refused(testDescription: "no way", arguments: ["--amount", "12.50"], message: "choose how to charge"),
            Refused(
                testDescription: "two ways", arguments: ["--amount", "12.50", "--card", "-", "--device", "X"],
                message: "exclude each other"),
            Refused(
                testDescription: "a card as an argument",
                arguments: ["--amount", "12.50", "--card", "4242424242424242"],
                message: "--card takes - and reads the card from standard input"),
            Refused(
                testDescription: "a card as a source",
                arguments: ["--amount", "12.50", "--source", "4242424242424242"],
                message: "the value of --source looks like a card number"),
            Refused(
                testDescription: "a tip on a hold",
                arguments: ["--amount", "12.50", "--card", "-", "--preauth", "--tip", "1.00"],
                message: "the ecommerce API accepts no tip on a pre-authorization"),
            Refused(
                testDescription: "an empty source", arguments: ["--amount", "12.50", "--source", ""],
                message: "--source is empty"),
            Refused(
                testDescription: "a blank customer", arguments: ["--amount", "12.50", "--customer", " "],
                message: "--customer is empty"),
            Refused(
                testDescription: "an empty device", arguments: ["--amount", "12.50", "--device", ""],
                message: "--device is empty"),
            Refused(
                testDescription: "an option in place of a key",
                arguments: ["--amount", "12.50", "--card", "-", "--idempotency-key", "--dry-run"],
                message: "--idempotency-key has no value"),
            Refused(
                testDescription: "an option in place of a customer",
                arguments: ["--amount", "12.50", "--customer", "--quiet"], message: "--customer has no value"),
            Refused(
                testDescription: "a short option in place of a customer",
                arguments: ["--amount", "12.50", "--customer", "-q"],
                message: "--customer has no value: another option follows"),
            Refused(
                testDescription: "a customer that begins as an option does",
                arguments: ["--amount", "12.50", "--customer", "-CUST1"],
                message: "--customer takes no value that begins with '-'"),
            Refused(
                testDescription: "an option in place of a reference",
                arguments: ["--amount", "12.50", "--source", "t", "--reference", "--dry-run"],
                message: "--reference has no value"),
            Refused(
                testDescription: "an option in place of an address",
                arguments: ["--amount", "12.50", "--source", "t", "--receipt-email", "--dry-run"],
                message: "--receipt-email has no value"),
            Refused(
                testDescription: "an option in place of a log",
                arguments: ["--amount", "12.50", "--source", "t", "--log-file", "--dry-run"],
                message: "--log-file has no value"),
            Refused(
                testDescription: "an option in place of an order",
                arguments: ["--amount", "12.50", "--card", "-", "--order", "--quiet"],
                message: "--order has no value"),
            Refused(
                testDescription: "an option in place of a description",
                arguments: ["--amount", "12.50", "--card", "-", "--description", "--dry-run"],
                message: "to give a value that begins with '-', write --description=VALUE"),
            Refused(
                testDescription: "an empty reference before an option",
                arguments: ["--amount", "12.50", "--card", "-", "--reference=", "--dry-run"],
                message: "--reference is empty"),
            Refused(
                testDescription: "a short option in place of a name",
                arguments: ["--amount", "12.50", "--card", "-", "--receipt-email", "-q"],
                message: "--receipt-email has no value: another option follows"),
            Refused(
                testDescription: "two values of one name",
                arguments: ["--amount", "12.50", "--card", "-", "--metadata", "a=1", "--metadata", "a=2"],
                message: "--metadata has 'a' twice"),
            Refused(
                testDescription: "two orders",
                arguments: ["--amount", "12.50", "--card", "-", "--metadata", "order=1", "--order", "2"],
                message: "--metadata has 'order' twice"),
            Refused(
                testDescription: "a reader without a driver", arguments: ["--amount", "12.50", "--reader"], status: 69,
                message: "there is no reader with a driver that can read cards"),
            Refused(
                testDescription: "a device of another merchant", arguments: ["--amount", "12.50", "--device", "NOPE"],
                message: "has no device with the serial number 'NOPE'"),
            Refused(
                testDescription: "a wait for a card that is not shown",
                arguments: ["--amount", "12.50", "--card", "-", "--timeout", "30"],
                message: "--timeout does not apply to the ecommerce API"),
            Refused(
                testDescription: "decimals of a currency without any",
                arguments: ["--amount", "12.50", "--currency", "JPY", "--card", "-"],
                message: "write it as --amount 1250, or"),
            Refused(
                testDescription: "no currency", arguments: ["--amount", "12.50", "--currency", "XXY", "--card", "-"],
                message: "'XXY' is not a currency"),
        ])
    func refused(_ row: Refused) async throws {
        try await ChargeFixture.run { till in
            let currency = row.arguments.contains("--currency") ? [] : ["--currency", "USD"]
            let result = try await till.sandbox.clover(
                arguments: ["charge"] + row.arguments + currency, input: ChargeFixture.card())
            expectFailure(result, status: row.status, saying: row.message)
            #expect(!result.errorText.contains("4242424242424242"))
            #expect(!FileManager.default.fileExists(atPath: till.sandbox.directory["state/journal.sqlite"]))
            #expect(try await till.movements().isEmpty)
        }
    }

    @Test("a hold is captured in part, and given back in parts up to the whole")
    func captureAndRefund() async throws {
        try await ChargeFixture.run { till in
            let hold = try await till.charge("20.00", "--preauth", "--quiet")
            let id = try #require(try hold.events.last?["charge"]?.string)
            let early = try await till.sandbox.clover("charge", "refund", id)
            expectFailure(early, status: 64, saying: "is not captured")
            let capture = try await till.sandbox.clover("charge", "capture", id, "--amount", "15.00", "--quiet")
            expectSuccess(capture)
            #expect(try capture.eventNames == ["captured"])
            let tooMuch = try await till.sandbox.clover("charge", "refund", id, "--amount", "15.01")
            expectFailure(tooMuch, status: 64, saying: "has 15.00 USD left for a refund")
            expectSuccess(try await till.sandbox.clover("charge", "refund", id, "--amount", "5.00", "--quiet"))
            let rest = try await till.sandbox.clover("charge", "refund", id, "--quiet")
            expectSuccess(rest)
            #expect(try rest.events.last?["amount"] == .integer(1000))
            expectFailure(
                try await till.sandbox.clover("charge", "refund", id), status: 64, saying: "refunded in full already")
            let shown = try await till.sandbox.clover("charge", "show", id, "--check", "--json")
            expectSuccess(shown)
            let row = try JSONValue(shown.outputText)
            #expect(row["status"] == .string("refunded"))
            #expect(row["captured"] == .integer(1500))
            #expect(row["service"]?["agrees"] == .bool(true))
            #expect(row["operations"]?.elements?.count == 3)
        }
    }

    @Test("a capture takes no tip: it is refused before anything is written")
    func captureWithTip() async throws {
        try await ChargeFixture.run { till in
            let hold = try await till.charge("20.00", "--preauth", "--quiet")
            let id = try #require(try hold.events.last?["charge"]?.string)
            let capture = try await till.sandbox.clover("charge", "capture", id, "--amount", "15.00", "--tip", "1.00")
            expectFailure(capture, status: 64, saying: "the ecommerce API accepts no tip on a pre-authorization")
            let row = try JSONValue(try await till.sandbox.clover("charge", "show", id, "--json").outputText)
            #expect(row["operations"]?.elements?.isEmpty == true)
            #expect(row["status"] == .string("authorized"))
        }
    }

    @Test("the whole of a charge has its tip in it", arguments: [false, true])
    func refundWithTip(onDevice: Bool) async throws {
        try await ChargeFixture.run { till in
            func charged() async throws -> String {
                let charge =
                    onDevice
                    ? try await till.charge(on: try await till.device(), "--tip", "2.00", "--quiet")
                    : try await till.charge("12.50", "--tip", "2.00", "--quiet")
                return try #require(try charge.events.last?["charge"]?.string)
            }
            let whole = try await till.sandbox.clover("charge", "refund", try await charged(), "--quiet")
            #expect(try whole.events.last?["amount"] == .integer(1450))
            let id = try await charged()
            expectFailure(
                try await till.sandbox.clover("charge", "refund", id, "--amount", "14.51"), status: 64,
                saying: "has 14.50 USD left for a refund")
            let part = try await till.sandbox.clover("charge", "refund", id, "--amount", "12.50", "--quiet")
            #expect(try part.events.last?["amount"] == .integer(1250))
            #expect(try await till.journal().first?["status"] == .string("partly refunded"))
            let rest = try await till.sandbox.clover("charge", "refund", id, "--quiet")
            #expect(try rest.events.last?["amount"] == .integer(200))
            #expect(try await till.journal().first?["status"] == .string("refunded"))
            #expect(try await till.movements().reduce(0) { $0 + ($1["moved"]?.integer ?? 0) } == 0)
        }
    }

    @Test("a card that was not made into a token, as the answer was lost, is not declined")
    func lostToken() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "lose-answer@1-9:/v1/tokens"]) { till in
            let result = try await till.charge("12.50")
            expectFailure(result, status: 69, saying: "no token could be created for the card", output: nil)
            #expect(try result.eventNames == ["created", "failed"])
            #expect(try await till.taken().isEmpty)
        }
    }

    @Test("what ecommerce has not is refused, with the way that works")
    func notOnRail() async throws {
        try await ChargeFixture.run { till in
            let id = try #require(try await till.charge("20.00", "--quiet").events.last?["charge"]?.string)
            expectFailure(
                try await till.sandbox.clover("charge", "void", id), status: 64,
                saying: "the ecommerce API does not support void",
                "clover charge refund \(id)")
            expectFailure(
                try await till.sandbox.clover("charge", "tip", id, "--amount", "1.00"), status: 64,
                saying: "does not support tip"
            )
            expectFailure(
                try await till.sandbox.clover("charge", "show", "c_NOPE"), status: 66,
                saying: "no charge 'c_NOPE' in the journal")
        }
    }

    @Test(
        "an answer that is lost, wrong or a limit charges the card once",
        arguments: [
            "lose-answer@1:/v1/charges", "500-after@1:/v1/charges", "truncate@1:/v1/charges", "reset@1:/v1/charges",
            "503-html@1:/v1/charges", "not-json@1:/v1/charges", "429-rate@1:/v1/charges",
        ])
    func answerLost(_ fault: String) async throws {
        try await ChargeFixture.run(emulator: ["--fault", fault]) { till in
            let result = try await till.charge()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try result.eventNames.last == "approved")
            #expect(try await till.taken().count == 1)
            try await till.expectAgreement()
        }
    }

    @Test("a decline that comes as a 500 is a decline")
    func declineAsFailure() async throws {
        try await ChargeFixture.run(emulator: ["--fault", "decline-500@1:/v1/charges"]) { till in
            expectFailure(try await till.charge(), status: 81, saying: "declined", output: nil)
            try await till.expectAgreement()
        }
    }

    @Test("a token that is refused is 77; its charge is in no record, and the journal says so")
    func refusedToken() async throws {
        try await ChargeFixture.run { till in
            let stranger = till.sandbox.with(["CLOVER_ACCESS_TOKEN": "wrong-token-of-no-user"])
            let result = try await stranger.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN")
            expectFailure(result, status: 77, saying: "Clover refused it, and shows no payment", output: nil)
            #expect(try result.eventNames == ["created", "sent", "failed"])
            #expect(try await till.taken().isEmpty)
            try await till.expectAgreement()
        }
    }

    @Test("a number that looks like a card's is not repeated, wherever it was typed")
    func numberInMessage() async throws {
        try await Sandbox.run { sandbox in
            for arguments in [["charge", "4242424242424242"], ["charge", "show", "x", "4242424242424242"]] {
                let result = try await sandbox.clover(arguments)
                #expect(result.status == 64, "\(result)")
                #expect(!result.errorText.contains("4242424242424242"), "\(result)")
            }
            let bare = try await sandbox.clover("charge")
            expectFailure(bare, status: 64, saying: "see 'clover help charge create'")
        }
    }

    @Test("a token that is renewed on the way goes on under the same key")
    func renewedToken() async throws {
        try await Sandbox.signedIn { sandbox, emulator, _ in
            try sandbox.expireAccessToken()
            let result = try await sandbox.clover(
                arguments: ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-", "--quiet"],
                input: ChargeFixture.card())
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try result.eventNames == ["approved"])
            #expect(try await emulator.stats().refreshes == 1)
            #expect(try await ChargeFixture(sandbox: sandbox, emulator: emulator).taken().count == 1)
        }
    }

    @Test("a charge that is answered with 401 renews the token, and is sent again under the same key")
    func refusedOnTheWay() async throws {
        try await Sandbox.signedIn { sandbox, emulator, relay in
            // A charge by token asks nothing before it is sent; a device in the local network neither.
            let till = ChargeFixture(sandbox: sandbox, emulator: emulator)
            let source = try await till.cardToken()
            let device = try await till.device()
            for way in [["--source", source], ["--device", device, "--device-address", relay.url]] {
                try sandbox.spoilAccessToken()
                let before = try relay.exchanges().count
                let result = try await sandbox.clover(["charge", "--amount", "12.50", "--currency", "USD"] + way)
                #expect(result.ending == .exited(0), "\(result)")
                #expect(try result.eventNames == ["created", "sent", "approved"])
                let sent = try relay.exchanges().dropFirst(before).filter { $0.key != nil }
                #expect(sent.map(\.status) == [401, 200])
                #expect(Set(sent.map(\.key)) == [try result.events[0]["idempotencyKey"]?.string])
                #expect(sent.first?.request == sent.last?.request)
            }
            #expect(try await emulator.stats().refreshes == 2)
            try await till.expectAgreement()
        }
    }
}
