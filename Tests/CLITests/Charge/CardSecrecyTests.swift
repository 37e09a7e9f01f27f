import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// A card's number goes to the service that makes a token of it, and nowhere else.
@Suite("charge: no card number is ever seen")
struct CardSecrecyTests {
    private static let number = "4005562231212123"
    private static let code = "941"
    private static let card = CommandRunner.Input.text(
        #"{"number":"\#(number)","exp_month":"12","exp_year":"2030","cvv":"\#(code)"}"#)

    /// Expects that no output and no file of the commands contains a number.
    private static func expectNothingSeen(
        _ sandbox: Sandbox, _ texts: [String], _ secrets: [String], besides inputs: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var seen = texts.map { ("output", $0) }
        for file in sandbox.directory.files(below: ".") where !inputs.contains(String(file.dropFirst(2))) {
            seen.append((file, String(decoding: try sandbox.directory.read(String(file.dropFirst(2))), as: UTF8.self)))
        }
        #expect(seen.contains { $0.0.hasSuffix("journal.sqlite") }, sourceLocation: sourceLocation)
        for (place, text) in seen {
            for secret in secrets {
                let isSeen = shows(text, secret)
                #expect(!isSeen, "\(secret) in \(place): \(text.prefix(2000))", sourceLocation: sourceLocation)
            }
        }
    }

    /// Whether the secret stands there by itself: three digits are part of many a time and id.
    private static func shows(_ text: String, _ secret: String) -> Bool {
        text.ranges(of: secret).contains { range in
            let before = text[..<range.lowerBound].last, after = text[range.upperBound...].first
            return ![before, after].contains { $0?.isNumber == true || $0?.isLetter == true || $0 == "." }
        }
    }

    /// Repeats card numbers wherever an answer has room for text, as no service should.
    private static func careless(_ request: LoopbackRequest) -> LoopbackResponse {
        let refusal =
            #"{"message":"card \#(number) refused","error":{"code":"card_declined","message":"no: \#(number)","decline_code":"\#(number)"}}"#
        let card =
            #"{"brand":"VISA","first6":"\#(number)","last4":"\#(number)","number":"\#(number)","cvc":"\#(code)"}"#
        switch (request.method, request.path) {
        case ("GET", "/pakms/apikey"): return LoopbackResponse(#"{"apiAccessKey":"key"}"#)
        case ("POST", "/v1/tokens"): return LoopbackResponse(#"{"id":"clv_1TOKEN","card":\#(card)}"#)
        case ("POST", "/v1/charges") where request.bodyText.contains(#""amount":100"#):
            return LoopbackResponse(status: "402 Payment Required", refusal)
        case ("POST", "/v1/charges"):
            return LoopbackResponse(
                #"{"id":"P1","amount":1250,"status":"succeeded","source":\#(card),"outcome":{"seller_message":"\#(number)"}}"#
            )
        case ("POST", "/connect/v1/payments") where request.bodyText.contains(#""amount":100"#):
            return LoopbackResponse(
                status: "400 Bad Request", #"{"code":"BAD_REQUEST","message":"\#(number)","type":"BAD_REQUEST"}"#)
        case ("POST", "/connect/v1/payments"):
            return LoopbackResponse(
                #"{"payment":{"id":"P1","amount":1250,"result":"SUCCESS","cardTransaction":{"cardType":"VISA","first6":"\#(number)","last4":"\#(number)","pan":"\#(number)","entryType":"EMV"}}}"#
            )
        case ("GET", let path) where path.hasSuffix("/devices"): return .page([#"{"id":"D1","serial":"C1"}"#])
        case ("GET", let path) where path.hasSuffix("/properties"):
            return LoopbackResponse(#"{"defaultCurrency":"USD"}"#)
        default: return LoopbackResponse(status: "404 Not Found", refusal)
        }
    }

    @Test(
        "an answer that repeats the number makes no command repeat it",
        arguments: [["--card", "-"], ["--device", "C1"]],
        [["--debug", "all", "--verbose"], ["--debug", "all", "--json"]])
    func carelessService(_ way: [String], _ flags: [String]) async throws {
        try await Sandbox.run(server: { request, _ in Self.careless(request) }) { sandbox, _ in
            var texts: [String] = []
            for amount in ["12.50", "1.00"] {
                let result = try await sandbox.clover(
                    arguments: ["charge", "--amount", amount, "--currency", "USD"] + way + flags, input: Self.card)
                #expect(try result.events.count == 3, "\(result)")
                texts += [result.outputText, result.errorText]
            }
            for command in [["list"], ["recover", "--all"]] {
                let result = try await sandbox.clover(["charge"] + command + flags)
                texts += [result.outputText, result.errorText]
            }
            let list = try await sandbox.clover("charge", "list", "-r", "--jq", ".charge")
            for id in list.lines {
                let result = try await sandbox.clover(["charge", "show", id, "--check"] + flags)
                texts += [result.outputText, result.errorText]
            }
            #expect(texts.joined().contains("/v1/"), "the probe sees the requests")
            try Self.expectNothingSeen(sandbox, texts, [Self.number, Self.code])
        }
    }

    @Test("no command repeats a whole card number that a driver sends")
    func carelessDriver() async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let emulator = try await EmulatorProcess(["--orders", "5"])
            let program = try await world.sandbox.makeScript(
                "careless",
                """
                say() { printf '%s\\n' "$1"; }
                while read -r line; do
                    id=$(printf %s "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
                    case $line in
                    *'"hello"'*) say '{"id":'$id',"result":{"version":1,"driver":"careless","capabilities":["scan","connect","charge"]}}' ;;
                    *'"connect"'*)
                        say '{"id":'$id',"result":{"reader":{"id":"F0:0D:00:00:00:01"}}}'
                        say '{"event":"state","state":"initializing"}'
                        say '{"event":"state","state":"ready"}' ;;
                    *'"request":"charge"'*)
                        say '{"event":"say","say":"CARD_\(Self.number)"}'
                        echo 'card \(Self.number) read' >&2
                        say '{"id":'$id',"result":{"outcome":"declined","code":"card_declined","message":"\(Self.number) was declined","card":{"type":"VISA","last4":"\(Self.number)"}}}' ;;
                    *) say '{"id":'$id',"result":{}}' ;;
                    esac
                done
                """)
            let sandbox = world.sandbox.using(emulator)
            var texts: [String] = []
            for flags in [["--debug", "all", "--verbose"], ["--debug", "all", "--json"]] {
                let result = try await sandbox.clover(
                    ["charge", "--amount", "12.50", "--currency", "USD", "--reader", "F0:0D:00:00:00:01"] + flags
                        + ["--driver", "'\(program)'"])
                #expect(result.ending == .exited(81), "\(result)")
                texts += [result.outputText, result.errorText]
            }
            let list = try await sandbox.clover("charge", "list", "--json")
            texts.append(list.outputText)
            try Self.expectNothingSeen(sandbox, texts, [Self.number], besides: ["careless"])
        }
    }

    @Test("a value that is mistyped at a terminal is refused with the reason, and asked for again")
    func mistyped() async throws {
        try await ChargeFixture.run { till in
            let session = try till.sandbox.startOnTerminal(
                ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"], columns: 200)
            let number = "card number (not shown):"
            let expiry = "such as 12/30 (not shown):"
            let code = "security code (not shown):"
            let answers = [
                (number, "4242424242424241", "the card number has a wrong digit"),
                (number, "4242", "the card number is not 12 to 19 digits"), (number, Self.number, ""),
                (expiry, "1131", "write the expiry as MM/YY"), (expiry, "01/20", "the card has expired"),
                (expiry, "13/2031", "the month of expiry"), (expiry, "11/2031", ""),
                (code, "1234", "the security code of this card has 3 digits"), (code, Self.code, ""),
            ]
            var seen = 0
            for (prompt, answer, reason) in answers {
                seen += 1
                let count = seen
                try await session.waitForScreen("\(count) prompts") { screen in
                    screen.text.components(separatedBy: "(not shown):").count > count
                }
                #expect(session.sent.contains(prompt))
                session.type(answer + "\n")
                guard !reason.isEmpty else { continue }
                try await session.waitForBytes(reason)
            }
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(!session.sent.contains("4242424242424241") && session.hasItsModes, "\(session.sent)")
            #expect(try await till.taken().count == 1)
        }
    }

    @Test("the end of the input in place of a card ends the charge before anything leaves")
    func endOfInput() async throws {
        try await ChargeFixture.run { till in
            let session = try till.sandbox.startOnTerminal(
                ["charge", "--amount", "12.50", "--currency", "USD", "--card", "-"], columns: 200)
            try await session.waitForBytes("card number (not shown):")
            session.type("\u{4}")
            let result = try await session.result()
            #expect(result.ending == .exited(65), "\(result)")
            #expect(!session.sent.contains("12/30") && session.hasItsModes, "\(session.sent)")
            #expect(try await till.taken().isEmpty)
        }
    }

    @Test("a card that is typed at a terminal is not shown there")
    func terminal() async throws {
        try await ChargeFixture.run { till in
            let sandbox = till.sandbox
            _ = try await sandbox.shell("mkfifo keyboard")
            let command = try sandbox.startShell(
                """
                exec 3<>keyboard
                exec script --quiet --return --command \
                    'clover charge --amount 12.50 --currency USD --card - --debug all' /dev/null <&3
                """)
            let keyboard = URL(fileURLWithPath: sandbox.directory["keyboard"])
            for (prompt, answer) in [
                ("card number (not shown):", Self.number), ("such as 12/30 (not shown):", "11/2031"),
                ("security code (not shown):", Self.code),
            ] {
                try await command.waitForOutput(prompt) { String(decoding: $0, as: UTF8.self).contains(prompt) }
                try Data((answer + "\n").utf8).write(to: keyboard)
            }
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.outputText.contains("approved"))
            try Self.expectNothingSeen(
                sandbox, [result.outputText, result.errorText], [Self.number, Self.code, "11/2031"],
                besides: ["keyboard"])
            #expect(try await till.taken().count == 1)
        }
    }

    @Test(
        "while the card is on its way, neither the arguments nor the variables nor a core file have it",
        arguments: ["QUIT", "ABRT", "SEGV"], ["/v1/tokens", "/v1/charges"])
    func coreFile(_ signal: String, _ moment: String) async throws {
        let reached = Mutex(false)
        try await Sandbox.run(server: { request, _ in
            guard request.method == "POST", request.path == moment else { return Self.careless(request) }
            reached.withLock { $0 = true }
            return LoopbackResponse(bytes: [], ending: .hold)
        }) { sandbox, _ in
            try sandbox.directory.makeFolder("cores")
            try sandbox.directory.write(
                "card.json",
                #"{"number":"\#(Self.number)","exp_month":"12","exp_year":"2030","cvv":"\#(Self.code)"}"#.utf8)
            let command = try sandbox.startShell(
                """
                ulimit -c unlimited && cd cores
                exec clover charge --amount 12.50 --currency USD --card - --debug all <../card.json
                """)
            try await sandbox.eventually("the request") { reached.withLock(\.self) }
            for file in ["cmdline", "environ"] {
                let bytes = try #require(FileManager.default.contents(atPath: "/proc/\(command.pid)/\(file)"))
                #expect(!bytes.isEmpty)
                #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.number))
            }
            let number: Int32 = ["QUIT": SIGQUIT, "ABRT": SIGABRT, "SEGV": SIGSEGV][signal] ?? SIGKILL
            command.send(number)
            let result = try await command.result()
            #expect(result.ending == .signalled(number), "\(result)")
            #expect(sandbox.directory.files(below: "cores") == [])
            try Self.expectNothingSeen(
                sandbox, [result.outputText, result.errorText], [Self.number, Self.code],
                besides: ["card.json"])
        }
    }
}
