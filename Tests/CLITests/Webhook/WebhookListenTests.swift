import CloverTestSupport
import Foundation
import Testing

/// Starts real processes: what a kill leaves behind, locks, and what is acknowledged before it.
@Suite("clover webhook")
struct WebhookListenTests {
    private static let event =
        #"{"appId":"A","merchants":{"M":[{"objectId":"O:1","type":"UPDATE","ts":1700000000000}]}}"#

    /// A listener that accepts requests, and its address.
    private func started(_ sandbox: Sandbox, _ options: String...) async throws -> (RunningCommand, String) {
        try await started(sandbox, options)
    }

    private func started(_ sandbox: Sandbox, _ options: [String]) async throws -> (RunningCommand, String) {
        try sandbox.directory.write("code", Array("the-code\n".utf8))
        let arguments = ["webhook", "listen", "--port", "0", "--auth-code-file", sandbox.directory["code"]]
        let command = try sandbox.start(arguments + options)
        try await command.waitForErrors(matching: "a whole address") { $0.contains(/\nhttps?:[^\n]+\n/) }
        let match = try #require(command.errorsSoFar.firstMatch(of: /\n(https?:[^\n]+)\n/))
        return (command, String(match.1))
    }

    /// Sends made-up events with the program itself.
    private func trigger(_ sandbox: Sandbox, _ address: String, _ words: String...) async throws -> CommandResult {
        try await sandbox.clover(
            ["webhook", "trigger"] + words + ["--to", address, "--auth-code-file", sandbox.directory["code"]])
    }

    @Test("an event is printed with its time, a set-up code is a separate line, and a signal ends the listener")
    func listens() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox)
            expectSuccess(try await trigger(sandbox, address, "order.updated", "--id", "X1", "--merchant", "M1"))
            expectSuccess(try await trigger(sandbox, address, "verification"))
            try await command.waitForOutput(containing: "verificationCode")
            command.send(SIGTERM)
            let result = try await command.result()
            #expect(result.ending == .signalled(SIGTERM), "\(result)")
            let line = try JSONValue(try #require(result.lines.first))
            #expect(line["merchant"]?.string == "M1" && line["kind"]?.string == "order" && line["id"]?.string == "X1")
            #expect(line["type"]?.string == "UPDATE" && line["path"]?.string == "orders/X1")
            #expect(line["received"]?.string?.hasSuffix("Z") == true)
            expectSuccess(try await sandbox.clover("webhook", "list"))
            #expect(try await sandbox.clover("webhook", "list").outputText == "")
        }
    }

    @Test("a listener whose output fails ends at once, and keeps the event for the next one")
    func unprintable() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.write("code", Array("the-code\n".utf8))
            let result = try await sandbox.shell(
                """
                clover webhook listen --port 0 --auth-code-file code >/dev/full 2>err & listener=$!
                until address=$(grep -o 'http://.*' err); do sleep 0.05; done
                clover webhook trigger order.updated --id X1 --to "$address" --auth-code-file code >&2
                wait $listener; echo $?; cat err >&2; clover webhook list
                """)
            #expect(result.lines.first == "74" && result.errorText.contains("No space left on device"), "\(result)")
            #expect(result.lines.count == 2 && result.lines.last?.contains("waiting") == true, "\(result)")
        }
    }

    @Test("a set-up code that cannot be printed is not acknowledged, so that the dashboard shows the failure")
    func unprintableCode() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.shell(
                """
                clover webhook listen --port 0 >/dev/full 2>err & listener=$!
                until address=$(grep -o 'http://.*' err); do sleep 0.05; done
                clover webhook trigger verification --to "$address"; echo $?
                wait $listener; echo $?; cat err >&2
                """)
            #expect(result.lines == ["69", "74"] && result.errorText.contains("status 503"), "\(result)")
        }
    }

    @Test("a webhook of Hosted Checkout without a signing secret is refused, and stderr says what is missing")
    func noSigningSecret() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox)
            let signed = sandbox.with(["CLOVER_WEBHOOK_SECRET": "whsec"])
            // Another refusal with the same status hides nothing.
            let codeless = ["webhook", "trigger", "order.updated", "--to", address]
            #expect(try await sandbox.clover(codeless).status == 69)
            let checkout = ["webhook", "trigger", "checkout.approved", "--to", address]
            for _ in 0..<2 { #expect(try await signed.clover(checkout).status == 69) }
            try await command.waitForErrors(containing: "start the listener again with --secret-file FILE")
            command.send(SIGTERM)
            let result = try await command.result()
            #expect(result.errorText.contains("X-Clover-Auth is missing or wrong"), "\(result)")
            #expect(result.errorText.ranges(of: "--secret-file").count == 1, "\(result)")
            #expect(result.errorText.contains("3 with status 401"), "\(result)")
        }
    }

    @Test("a listener whose file was removed refuses the next webhook and ends; the next one begins a new file")
    func fileRemoved() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox)
            let file = try #require(
                FileManager.default.enumerator(atPath: sandbox.directory.path)?.compactMap { $0 as? String }
                    .first { $0.hasSuffix("webhooks.sqlite") })
            try FileManager.default.removeItem(atPath: sandbox.directory[file])
            #expect(try await trigger(sandbox, address, "order.updated", "--id", "X2").status == 69)
            let result = try await command.result()
            expectFailure(result, status: 78, saying: "was removed or replaced while the listener used it", output: nil)
            #expect(!result.outputText.contains("X2"), "\(result)")
            let (next, place) = try await started(sandbox)
            expectSuccess(try await trigger(sandbox, place, "order.updated", "--id", "X2"))
            try await next.waitForOutput(containing: "X2")
            next.send(SIGTERM)
            _ = try await next.result()
        }
    }

    @Test("what was acknowledged before a kill is printed by the next listener")
    func killed() async throws {
        try await Sandbox.run { sandbox in
            var acknowledged: Set<String> = []
            var printed: Set<String> = []
            for round in 0..<5 {
                let (command, address) = try await started(sandbox)
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for number in 0..<6 {
                        group.addTask {
                            let id = "E\(round)x\(number)"
                            let result = try await trigger(sandbox, address, "order.updated", "--id", id)
                            if number == 3 { command.send(SIGKILL) }
                            return result.status == 0 ? id : nil
                        }
                    }
                    for try await id in group { if let id { acknowledged.insert(id) } }
                }
                let lines = try await command.result().lines
                printed.formUnion(try lines.compactMap { try JSONValue($0)["id"]?.string })
            }
            let (command, _) = try await started(sandbox)
            let missing = acknowledged.subtracting(printed)
            try await command.waitForOutput("events \(missing)") { output in
                let text = String(decoding: output, as: UTF8.self)
                return missing.allSatisfy { text.contains("\"\($0)\"") }
            }
            #expect(acknowledged.count >= 5)
            command.send(SIGTERM)
            _ = try await command.result()
        }
    }

    @Test("a listener that would forward to itself is refused", arguments: ["localhost", "0.0.0.0", "[::]"])
    func itself(_ host: String) async throws {
        try await Sandbox.run { sandbox in
            var result: CommandResult
            repeat {
                // Another program may have this one.
                let port = String(Int.random(in: 20_000..<30_000))
                result = try await sandbox.clover(
                    "webhook", "listen", "--port", port, "--forward-to", "http://\(host):\(port)/hook")
            } while result.status == 75
            expectFailure(result, status: 64, saying: "this listener's own address", "--port")
        }
    }

    @Test("a second listener with the same state, and one on the same port, are refused")
    func second() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox)
            let second = try await sandbox.clover("webhook", "listen", "--port", "0")
            expectFailure(second, status: 78, saying: "already receives webhooks", "CLOVER_STATE_DIR")
            let port = String(address.split(separator: ":").last ?? "")
            let other = sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["other"]])
            let taken = try await other.clover("webhook", "listen", "--port", port)
            expectFailure(taken, status: 75, saying: "the port is in use", "--port")
            command.send(SIGTERM)
            _ = try await command.result()
        }
    }

    @Test("a command that fails keeps the delivery, which is listed, replayed and dropped")
    func kept() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, "--exec", "exit 3", "--retry", "0")
            for id in ["K1", "K2"] {
                expectSuccess(try await trigger(sandbox, address, "item.deleted", "--id", id))
            }
            try await command.waitForErrors(containing: "delivery 2 failed")
            command.send(SIGTERM)
            _ = try await command.result()
            let listed = try await sandbox.clover("webhook", "list", "--failed")
            #expect(listed.lines.count == 2)
            let first = try JSONValue(try #require(listed.lines.first))
            #expect(first["failure"]?.string == "the command ended with status 3" && first["state"]?.string == "failed")
            let again = try await sandbox.clover("webhook", "replay", "1", "--exec", "exit 4", "--retry", "0")
            expectFailure(again, status: 82, saying: "1 of 1 deliveries failed again", "webhook list", output: nil)
            let done = try await sandbox.clover(
                "webhook", "replay", "1", "--exec", "cat >>'\(sandbox.directory["seen"])'; echo $CLOVER_EVENT_KIND >&2")
            #expect(done.status == 0 && done.errorText == "item\n" && done.lines.count == 1, "\(done)")
            let seen = String(decoding: try sandbox.directory.read("seen"), as: UTF8.self)
            #expect(seen == done.outputText)
            #expect(try await sandbox.clover("webhook", "drop", "2").status == 0)
            expectFailure(
                try await sandbox.clover("webhook", "drop", "2"), status: 66, saying: "there is no delivery 2", "list")
            #expect(try await sandbox.clover("webhook", "list").outputText == "")
        }
    }

    @Test("a command that runs when the listener is stopped is run to its end, and not run again; no other one begins")
    func stoppedWhileRunning() async throws {
        try await Sandbox.run { sandbox in
            let line = "echo $CLOVER_EVENT_ID >>log; while [ -e log ] && ! [ -e go ]; do sleep 0.02; done"
            let (command, address) = try await started(sandbox, "--exec", line)
            for id in ["S1", "S2"] {
                expectSuccess(try await trigger(sandbox, address, "item.updated", "--id", id))
            }
            let log = { try sandbox.text("log") }
            try await sandbox.eventually("the first command") { try log() == "S1\n" }
            command.send(SIGTERM)
            try await command.waitForErrors(containing: "waiting for the command of --exec to end")
            // Longer than a command without work gets to end.
            try await Task.sleep(for: .seconds(2))
            try sandbox.directory.write("go", Array())
            #expect(try await command.result().ending == .signalled(SIGTERM))
            #expect(try log() == "S1\n")
            let waiting = try await sandbox.clover("webhook", "list").lines
            #expect(waiting.count == 1 && waiting[0].contains("S2"), "\(waiting)")
            let (next, _) = try await started(sandbox, "--exec", line)
            try await sandbox.eventually("the second command") { try log() == "S1\nS2\n" }
            next.send(SIGTERM)
            _ = try await next.result()
        }
    }

    @Test("an event that was received for a command is kept when the next listener has none")
    func withoutTheCommand() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(
                sandbox, "--exec", "touch begun; while [ -e begun ]; do sleep 0.05; done")
            for id in ["W1", "W2"] {
                expectSuccess(try await trigger(sandbox, address, "item.updated", "--id", id))
            }
            try await sandbox.eventually("the command") {
                sandbox.directory.files(below: ".").contains { $0.hasSuffix("begun") }
            }
            try await command.waitForOutput(containing: "W2")
            command.send(SIGKILL)
            _ = try await command.result()
            let (next, _) = try await started(sandbox)
            try await next.waitForErrors(containing: "delivery 2 failed")
            next.send(SIGTERM)
            #expect(try await next.result().errorText.contains("received for --exec"))
            #expect(try await sandbox.clover("webhook", "list", "--failed").lines.count == 2)
        }
    }

    @Test("the emulator's changes arrive, and are forwarded to a handler as they came")
    func emulator() async throws {
        let handler = try LoopbackServer { _, _ in LoopbackResponse("") }
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox, "--forward-to", handler.url)
            let emulator = try await EmulatorProcess([
                "--orders", "20", "--no-limits", "--webhook-url", address, "--webhook-auth-code", "the-code",
            ])
            try await command.waitForOutput(containing: "verificationCode")
            let shop = sandbox.using(emulator)
            let order = try #require(
                try await shop.clover("get", "orders", "--limit", "1", "-r", "--jq", ".id").lines.first)
            expectSuccess(try await shop.clover("webhook", "trigger", "order.updated", "--id", order))
            try await command.waitForOutput(containing: #""kind":"order","id":"\#(order)","type":"UPDATE""#)
            try await handler.waitForRequests(1)
            let request = try #require(handler.requests.first)
            #expect(request.header("X-Clover-Auth") == "the-code")
            #expect(try JSONValue(request.bodyText)["merchants"]?[emulator.merchantID] != nil)
            let page = try await sandbox.shell("curl -sS \(emulator.url)/emulator/live").outputText
            #expect(page.contains("<code>UPDATE O:\(order)</code></td><td><span class=\"good\">accepted<"), "\(page)")
            command.send(SIGTERM)
            _ = try await command.result()
        }
    }

    @Test("every change that can be triggered is made at the emulator, and followed by its webhook")
    func triggers() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox)
            let emulator = try await EmulatorProcess([
                "--orders", "20", "--no-limits", "--webhook-url", address, "--webhook-auth-code", "the-code",
            ])
            let shop = sandbox.using(emulator)
            for kind in ["order", "payment", "item", "customer", "category", "employee", "modifierGroup"] {
                for action in ["created", "updated", "deleted"] where kind != "payment" || action != "deleted" {
                    let result = try await shop.clover("webhook", "trigger", "\(kind).\(action)")
                    expectSuccess(result)
                    let event = try JSONValue(result.outputText)
                    let (id, type) = (event["id"]?.string ?? "", event["type"]?.string ?? "")
                    #expect(!id.isEmpty && !type.isEmpty, "\(result)")
                    try await command.waitForOutput(containing: #""kind":"\#(kind)","id":"\#(id)","type":"\#(type)""#)
                }
            }
            command.send(SIGTERM)
            _ = try await command.result()
        }
    }

    @Test("with --fetch, events come with records as they are now, masked, and null for what was deleted")
    func fetches() async throws {
        try await Sandbox.run { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--no-limits"])
            let shop = sandbox.using(emulator)
            let (command, address) = try await started(shop, "--fetch")
            let read = { (path: String) in
                try #require(try await shop.clover("get", path, "--limit", "1", "-r", "--jq", ".id").lines.first)
            }
            let (employee, item) = (try await read("employees"), try await read("items"))
            let mine = ["--merchant", emulator.merchantID]
            func send(_ event: String, _ id: String, _ merchant: [String]) async throws {
                let words = ["webhook", "trigger", event, "--id", id, "--to", address] + merchant
                expectSuccess(try await sandbox.clover(words + ["--auth-code-file", sandbox.directory["code"]]))
            }
            try await send("employee.updated", employee, mine)
            try await send("item.updated", item, mine)
            try await send("item.updated", "GONE000000000", mine)
            try await send("order.deleted", "GONE000000001", mine)
            try await send("modifier.updated", "M1", mine)
            try await send("item.updated", item, ["--merchant", "OTHER00000000"])
            try await command.waitForOutput(containing: "OTHER00000000")
            command.send(SIGTERM)
            let result = try await command.result()
            let lines = try result.lines.map { try JSONValue($0) }
            try #require(lines.count == 6, "\(result)")
            #expect(lines[0]["record"]?["id"]?.string == employee && lines[0]["record"]?["pin"]?.string == "[masked]")
            #expect(lines[1]["record"]?["id"]?.string == item && lines[1]["type"]?.string == "UPDATE")
            #expect(lines[2]["record"] == .null && lines[3]["record"] == .null)
            #expect(lines[4]["record"] == nil && lines[5]["record"] == nil)
            #expect(result.errorText.contains("is not for merchant OTHER00000000"), "\(result)")
        }
    }

    @Test("a record that is cut off, or another one, ends nothing: its event comes without it")
    func unreadableRecords() async throws {
        try await Sandbox.run(server: { request, _ in
            let body =
                request.path.hasSuffix("CUT")
                ? #"{"id":"CUT","x":"#
                : request.path.hasSuffix("OTHER") ? #"{"id":"ANOTHER"}"# : #"{"id":"GOOD"}"#
            return LoopbackResponse(body)
        }) { sandbox, _ in
            let (command, address) = try await started(sandbox, "--fetch", "--retry", "0")
            for id in ["CUT", "OTHER", "GOOD"] {
                expectSuccess(
                    try await trigger(
                        sandbox, address, "order.updated", "--id", id, "--merchant", Sandbox.merchantID))
            }
            try await command.waitForOutput(containing: "GOOD")
            command.send(SIGTERM)
            let result = try await command.result()
            let lines = try result.lines.map { try JSONValue($0) }
            try #require(lines.map { $0["id"]?.string } == ["CUT", "OTHER", "GOOD"], "\(result)")
            #expect(lines.map { $0["record"]?["id"]?.string } == [nil, nil, "GOOD"], "\(result)")
            #expect(result.errorText.contains("cannot read orders/CUT"), "\(result)")
        }
    }

    @Test("no service but an emulator that sends webhooks is changed")
    func notEmulator() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, emulator in
            let result = try await sandbox.clover("webhook", "trigger", "item.created")
            expectFailure(result, status: 78, saying: "is not an emulator that sends webhooks", "--webhook-url", "--to")
            let real = sandbox.with(["CLOVER_ENVIRONMENT": "us"])
            expectFailure(
                try await real.clover("webhook", "trigger", "item.created"), status: 78, saying: "is not an emulator")
        }
    }

    @Test("on a full device, webhooks are refused with 503 until there is room, and those accepted are printed once")
    func fullDevice() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.write("code", Array("the-code\n".utf8))
            let event = #"{"objectId":"O:0123456789ABC","type":"UPDATE","ts":1700000000000}"#
            let events = Array(repeating: event, count: 600).joined(separator: ",")
            try sandbox.directory.write("body", Array(#"{"merchants":{"M":[\#(events)]}}"#.utf8))
            // Nothing reads the output at first, so that the spool grows.
            try sandbox.directory.write(
                "script",
                Array(
                    """
                    cd '\(sandbox.directory.path)' && mkdir -m 700 -p state && mkfifo out || exit 1
                    mount -t tmpfs -o size=5m,mode=700 none state || exit 1
                    clover webhook listen --port 0 --auth-code-file code >out 2>err &
                    exec 3<out
                    until address=$(grep -o 'http://.*' err); do sleep 0.05; done
                    post() { curl -sS -o /dev/null -w '%{http_code}\\n' -H 'X-Clover-Auth: the-code' \\
                      --data-binary @body "$address"; }
                    for number in $(seq 60); do post; done >statuses
                    cat <&3 >lines &
                    while [ "$(clover webhook list | head -c 1)" ]; do sleep 0.05; done
                    post >>statuses
                    while [ "$(clover webhook list | head -c 1)" ]; do sleep 0.05; done
                    kill %1; wait
                    sort statuses | uniq -c; tail -n 1 statuses; wc -l <lines; cat err >&2
                    """.utf8))
            let result = try await sandbox.shell(
                "\(MountSpace.command) bash '\(sandbox.directory["script"])'")
            let words = result.lines.map { $0.split(separator: " ").map { Int($0) ?? 0 } }
            try #require(words.count == 4, "\(result)")
            #expect(words[0].last == 200 && words[1].last == 503 && words[2] == [200], "\(result)")
            #expect(words[3].first == 600 * (words[0].first ?? 0), "\(result)")
            #expect(result.errorText.contains("there is no room for it: free some space in "), "\(result)")
        }
    }

    @Test("with a certificate, the listener serves https; what cannot serve is named, and an expired one is a notice")
    func certificate() async throws {
        try await Sandbox.run { sandbox in
            let made = try await sandbox.shell(
                """
                cd '\(sandbox.directory.path)'
                openssl genrsa -out rsa.key 2048 && openssl ecparam -name prime256v1 -genkey -noout -out ec.key
                for kind in rsa ec; do
                  openssl req -x509 -key $kind.key -days 2 -out $kind.pem -subj /CN=localhost \\
                    -addext subjectAltName=IP:127.0.0.1 || exit 1
                done
                openssl req -new -key ec.key -subj /CN=localhost | openssl x509 -req -key ec.key -days -1 -out old.pem
                openssl ec -in ec.key -aes256 -passout pass:secret -out encrypted.key
                cp ec.key loose.key && chmod 644 loose.key && chmod 600 rsa.key ec.key encrypted.key
                head -c 900000 /dev/zero >large
                """)
            try #require(made.status == 0, "\(made)")
            func options(_ certificate: String, _ key: String) -> [String] {
                ["--tls-cert", sandbox.directory[certificate], "--tls-key", sandbox.directory[key]]
            }
            for (certificate, key, status, text) in [
                ("ec.pem", "rsa.key", Int32(78), "is not that of the certificate"),
                ("ec.pem", "loose.key", 78, "mode 644"), ("ec.pem", "encrypted.key", 78, "cannot use the key"),
                ("ec.key", "ec.key", 78, "cannot use the certificate"),
                ("ec.pem", "none.key", 74, "cannot read"),
            ] {
                let result = try await sandbox.clover(["webhook", "listen", "--port", "0"] + options(certificate, key))
                #expect(result.status == status && result.errorText.contains(text), "\(result)")
            }
            for (certificate, key, version) in [("rsa.pem", "rsa.key", "1.2"), ("ec.pem", "ec.key", "1.3")] {
                let (command, address) = try await started(sandbox, options(certificate, key))
                let event = #"{"merchants":{"M":[{"objectId":"O:\#(version)","type":"UPDATE","ts":1}]}}"#
                let curl =
                    "curl -sS -o '\(sandbox.directory["text"])' -w '%{http_code} %{num_connects} '"
                    + " -H 'X-Clover-Auth: the-code' --tls-max \(version)"
                    + " --cacert '\(sandbox.directory[certificate])' '\(address)'"
                // Two on one connection, a body of many records, and a client without TLS.
                let sent = try await sandbox.shell(
                    "\(curl) -o '\(sandbox.directory["text"])' '\(address)' -d '\(event)';"
                        + " \(curl) --data-binary '@\(sandbox.directory["large"])';"
                        + " curl -s 'http\(address.dropFirst(5))'")
                #expect(sent.outputText.hasPrefix("200 1 200 0 400 1 "), "\(sent)")
                command.send(SIGTERM)
                let result = try await command.result()
                #expect(address.hasPrefix("https:") && !result.errorText.contains("expired"), "\(result)")
                #expect(result.lines.count == 2 && result.lines.allSatisfy { $0.contains(#""id":"\#(version)""#) })
            }
            let (command, _) = try await started(sandbox, options("old.pem", "ec.key"))
            command.send(SIGTERM)
            let result = try await command.result()
            #expect(result.errorText.contains("old.pem expired at"), "\(result)")
        }
    }

    @Test("a secret is never shown, and a wrong one is refused")
    func secrets() async throws {
        try await Sandbox.run { sandbox in
            let (command, address) = try await started(sandbox)
            let wrong = try await sandbox.with(["CLOVER_WEBHOOK_AUTH_CODE": "other-code"]).clover(
                "webhook", "trigger", "order.created", "--to", address, "--debug", "all")
            #expect(wrong.status == 69 && wrong.errorText.contains("responded with status 401"), "\(wrong)")
            #expect(!wrong.errorText.contains("other-code"))
            try await command.waitForErrors(containing: "X-Clover-Auth is missing or wrong")
            command.send(SIGTERM)
            let result = try await command.result()
            #expect(!result.errorText.contains("the-code"))
        }
    }

    @Test(
        "wrong usage is refused before anything is opened",
        arguments: [
            (["listen", "--port", "70000"], "--port takes a number"),
            (["listen", "--forward-to", "nowhere"], "takes a URL"),
            (["trigger", "order.lost", "--to", "http://a"], "there is no event"),
            (["trigger", "merchant.updated"], "--to"), (["drop"], "--all"),
            (["replay", "1", "--all"], "--all"),
            (["verify", "--signature", "x", "--tolerance", "soon"], "--tolerance"),
        ])
    func usage(_ arguments: [String], _ text: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(["webhook"] + arguments)
            #expect(result.status == 64 && result.errorText.contains(text), "\(result)")
            #expect(sandbox.directory.files(below: "state") == [])
        }
    }

    @Test("a body with a valid signature passes unchanged, and nothing of another is printed")
    func verify() async throws {
        try await Sandbox.run { sandbox in
            let handler = try LoopbackServer { _, _ in LoopbackResponse("") }
            let sandbox = sandbox.with(["CLOVER_WEBHOOK_SECRET": "whsec"])
            expectSuccess(try await sandbox.clover("webhook", "trigger", "checkout.approved", "--to", handler.url))
            let request = try #require(handler.requests.first)
            let signature = try #require(request.header("Clover-Signature"))
            let arguments = ["webhook", "verify", "--signature", signature]
            let valid = try await sandbox.clover(arguments: arguments, input: .bytes(request.body))
            expectSuccess(valid)
            #expect(valid.output == request.body)
            let longer = try await sandbox.clover(arguments: arguments, input: .bytes(request.body + [0x0A]))
            expectFailure(longer, status: 77, saying: "does not match", "byte for byte")
            let large = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
            #expect(try await sandbox.clover(arguments: arguments, input: .bytes(large)).status == 65)
        }
    }

    @Test("the events of saved bodies are printed up to the first that cannot be read")
    func parse() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.write("good", Array("\(Self.event)\n\(Self.event)\n".utf8))
            try sandbox.directory.write("bad", Array("\(Self.event)\n{\"merchants\":\n\n".utf8))
            let good = sandbox.directory["good"]
            let one = try await sandbox.clover("webhook", "parse", good)
            expectSuccess(one)
            #expect(
                one.lines.first
                    == #"{"merchant":"M","kind":"order","id":"1","type":"UPDATE","at":"2023-11-14T22:13:20.000Z","path":"orders/1"}"#
            )
            let other = Self.event.replacing("O:1", with: "ZZ:1")
            let unknown = try await sandbox.clover(
                arguments: ["webhook", "parse"], input: .bytes(Array((other + other).utf8)))
            #expect(unknown.status == 0 && unknown.lines.count == 2, "\(unknown)")
            #expect(
                unknown.outputText.hasPrefix(#"{"merchant":"M","kind":"ZZ","id":"1","type":"UPDATE""#), "\(unknown)")
            #expect(unknown.errorText == "clover: Clover sent events of kind 'ZZ', which this version does not know\n")
            let checkout = #"{"merchantId":"M","message":"Voided for 1","type":"PAYMENT"}"#
            let outcome = try await sandbox.clover(
                arguments: ["webhook", "parse"], input: .bytes(Array((checkout + checkout).utf8)))
            #expect(outcome.status == 0 && outcome.lines.count == 2, "\(outcome)")
            #expect(outcome.outputText.contains(#""kind":"checkout","id":null,"type":"UNKNOWN""#), "\(outcome)")
            #expect(outcome.errorText.ranges(of: "with an outcome that this version does not know").count == 1)
            let several = try await sandbox.clover("webhook", "parse", good, sandbox.directory["bad"], good)
            expectFailure(several, status: 65, saying: "1 of 3 files could not be read", "named above", output: nil)
            #expect(several.lines.count == 5 && several.errorText.contains("body 2 of \(sandbox.directory["bad"])"))
        }
    }
}

extension RunningCommand {
    func waitForOutput(containing text: String) async throws {
        try await waitForOutput(text) { String(decoding: $0, as: UTF8.self).contains(text) }
    }
}
