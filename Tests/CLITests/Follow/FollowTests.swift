import CloverTestSupport
import Foundation
import Testing

@Suite("follow: the feed of changes")
struct FollowTests {
    private static let flags = ["--orders", "30", "--now", "clock"]

    private static func follow(_ sandbox: Sandbox, _ words: String...) async throws -> CommandResult {
        try await follow(sandbox, words)
    }

    private static func follow(_ sandbox: Sandbox, _ words: [String]) async throws -> CommandResult {
        try await sandbox.clover(["follow"] + words + ["--until-idle", "0"])
    }

    private static func changes(_ result: CommandResult) throws -> [String] {
        #expect(result.status == 0, "\(result)")
        return try JSONValue.lines(result.lines).map { line in
            "\(line["sequence"]?.integer ?? 0) \(line["change"]?.string ?? "") \(line["record"]?["id"]?.string ?? "")"
        }
    }

    private static func create(_ sandbox: Sandbox, _ words: String...) async throws -> String {
        try #require(try await sandbox.clover(["post"] + words + ["-r", "--jq", ".id"]).lines.first)
    }

    @Test("a record that is created, changed and deleted comes each time, and only once")
    func changes() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            #expect(try Self.changes(await Self.follow(sandbox, "items")) == [])
            let id = try await Self.create(sandbox, "items", "--field", "name=Tea", "--field", "price=300")
            #expect(try Self.changes(await Self.follow(sandbox, "items")) == ["1 created \(id)"])
            #expect(try Self.changes(await Self.follow(sandbox, "items")) == [])
            expectSuccess(try await sandbox.clover("post", "items/\(id)", "--field", "name=Chai"))
            #expect(try Self.changes(await Self.follow(sandbox, "items")) == ["2 updated \(id)"])
            expectSuccess(try await sandbox.clover("delete", "items/\(id)"))
            // A list with a time of change does not tell; a complete reading does.
            #expect(try Self.changes(await Self.follow(sandbox, "items")) == [])
            let complete = try await Self.follow(sandbox, "items", "--complete-every", "1ms")
            #expect(try Self.changes(complete) == ["3 deleted \(id)"])
            #expect(try Self.changes(await Self.follow(sandbox, "items", "--complete-every", "1ms")) == [])
        }
    }

    @Test("a program that halts ends the run with its status, as with get, and its changes come again")
    func halt() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            #expect(try Self.changes(await Self.follow(sandbox, "items")) == [])
            let id = try await Self.create(sandbox, "items", "--field", "name=Tea", "--field", "price=300")
            let programs: [(String, Int32, String)] = [
                ("halt", 0, ""), (#""stopped\n" | halt_error"#, 5, "stopped\n"),
                (#""by me\n" | halt_error(3)"#, 3, "by me\n"),
            ]
            for (program, status, message) in programs {
                for command in [["follow", "items", "--until-idle", "0"], ["get", "items/\(id)"]] {
                    let result = try await sandbox.clover(command + ["--jq", ".change, (\(program))"])
                    #expect(result.ending == .exited(status), "\(result)")
                    #expect(result.errorText == message, "\(result)")
                    #expect(result.lines == [command[0] == "follow" ? #""created""# : "null"], "\(result)")
                }
            }
            #expect(try Self.changes(await Self.follow(sandbox, "items")) == ["1 created \(id)"])
        }
    }

    @Test("amounts and times of a record are formatted as those of its resource")
    func formatted() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            _ = try await Self.follow(sandbox, "items", "tax_rates")
            _ = try await Self.create(sandbox, "items", "--field", "name=Tea", "--field", "price=1250")
            _ = try await Self.create(sandbox, "tax_rates", "--field", "name=Low", "--field", "rate=500000")
            let names = "resource,record.price,record.rate,record.modifiedTime"
            let fields = ["--fields", names, "--money", "major", "--times", "iso"]
            let both = try await Self.follow(sandbox, ["items", "tax_rates", "--format", "csv"] + fields)
            #expect(both.status == 0, "\(both)")
            let tea = try #require(both.lines.first { $0.hasPrefix("items,") })
            #expect(tea.hasPrefix("items,12.50,,20") && tea.contains("T") && tea.contains("Z"), "\(both)")
            #expect(both.lines.contains { $0.hasPrefix("tax_rates,,500000,") }, "\(both)")
        }
    }

    @Test("with --complete-every, the deletion of a record comes that was there before the feed")
    func oldDeletions() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            for (number, option) in [[], ["--since", "-1h"]].enumerated() {
                let feed = {
                    try await sandbox.clover(
                        ["follow", "orders", "--state", "feed-\(number)", "--complete-every", "1ms"] + option
                            + ["--until-idle", "0"])
                }
                expectSuccess(try await feed())
                let old = try #require(
                    try await sandbox.clover("get", "orders", "--limit", "1", "-r", "--jq", ".id").lines.first)
                expectSuccess(try await sandbox.clover("delete", "orders/\(old)"))
                let result = try await feed()
                #expect(result.status == 0 && result.lines.count == 1, "\(result)")
                let line = try JSONValue(try #require(result.lines.first))
                #expect(line["change"]?.string == "deleted" && line["record"]?["id"]?.string == old, "\(result)")
                #expect(try Self.changes(await feed()) == [])
            }
        }
    }

    @Test("a list without a time of change is compared, which shows deletions")
    func compared() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            #expect(try Self.changes(await Self.follow(sandbox, "customers")) == [])
            let id = try await Self.create(sandbox, "customers", "--field", "firstName=Ada")
            #expect(try Self.changes(await Self.follow(sandbox, "customers")) == ["1 created \(id)"])
            expectSuccess(try await sandbox.clover("delete", "customers/\(id)"))
            #expect(try Self.changes(await Self.follow(sandbox, "customers")) == ["2 deleted \(id)"])
        }
    }

    @Test("a lost state is reported, and everything comes again with new numbers; a new feed begins quietly")
    func lostState() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            let state = try sandbox.directory.makeFolder("feed") + "/state.sqlite"
            #expect(try Self.changes(await Self.follow(sandbox, "orders", "--state", state)) == [])
            let count = try await emulator.truth("orders").count
            try FileManager.default.removeItem(atPath: state)
            let lost = try await Self.follow(sandbox, "orders", "--state", state)
            #expect(lost.errorText.contains("the state of this feed is missing, although it was in use"), "\(lost)")
            #expect(lost.errorText.contains("not certain that every change of orders was seen"), "\(lost)")
            #expect(lost.lines.count == count)
            // They were there before this feed.
            #expect(lost.lines.allSatisfy { $0.hasPrefix(#"{"change":"updated","#) }, "\(lost)")
            #expect(try JSONValue(lost.lines[0])["sequence"]?.integer ?? 0 > 1_000_000, "\(lost.lines[0])")
            try sandbox.directory.write("feed/state.sqlite", Array(repeating: 7, count: 5000))
            let damaged = try await Self.follow(sandbox, "orders", "--state", state)
            #expect(damaged.errorText.contains("was damaged and is now"), "\(damaged)")
            #expect(damaged.lines.count == count)
        }
    }

    @Test("a clock that was set back is reported, and closed by reading everything again")
    func clockSetBack() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            let clock = try await WallClock(in: sandbox.directory)
            let clocked = sandbox.with(clock.variables)
            _ = try await Self.create(sandbox, "orders", "--field", "title=Early")
            #expect(try Self.changes(await Self.follow(clocked, "orders")) == [])
            try clock.set(-7200)
            let id = try await Self.create(sandbox, "orders", "--field", "title=Late")
            let result = try await Self.follow(clocked, "orders")
            #expect(result.errorText.contains("clock was set back by"), "\(result)")
            #expect(try Self.changes(result) == ["1 created \(id)"])
            #expect(try await Self.follow(clocked, "orders").errorText == "")
            try clock.set(0)
            #expect(try Self.changes(await Self.follow(clocked, "orders")) == [])
        }
    }

    @Test("a command takes each change; when it fails, the change is not lost")
    func exec() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            expectSuccess(try await Self.follow(sandbox, "orders"))
            let first = try await Self.create(sandbox, "orders", "--field", "title=One")
            let second = try await Self.create(sandbox, "orders", "--field", "title=Two")
            let log = sandbox.directory["log"]
            let fails = "test \"$CLOVER_CHANGE_ID\" = \(first) && cat >>'\(log)'"
            let failed = try await Self.follow(sandbox, "orders", "--exec", fails)
            #expect(failed.status == 75 && failed.outputText == "", "\(failed)")
            #expect(failed.errorText.contains("the next run begins with it"), "\(failed)")
            let command =
                "echo \"$CLOVER_CHANGE $CLOVER_CHANGE_RESOURCE $CLOVER_CHANGE_SEQUENCE\" >>'\(log)'; cat >>'\(log)'"
            expectSuccess(try await Self.follow(sandbox, "orders", "--exec", command))
            let lines = String(decoding: try sandbox.directory.read("log"), as: UTF8.self).split(separator: "\n")
            #expect(lines.count == 3 && lines[1] == "created orders 2", "\(lines)")
            #expect(try JSONValue(String(lines[0]))["record"]?["id"]?.string == first)
            #expect(try JSONValue(String(lines[2]))["record"]?["id"]?.string == second)
        }
    }

    @Test("a command that runs when the feed is stopped is run to its end, and not run again")
    func stoppedWhileRunning() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            expectSuccess(try await Self.follow(sandbox, "items"))
            let first = try await Self.create(sandbox, "items", "--field", "name=Tea", "--field", "price=300")
            let second = try await Self.create(sandbox, "items", "--field", "name=Jam", "--field", "price=500")
            let line = "echo $CLOVER_CHANGE_ID >>log; while [ -e log ] && ! [ -e go ]; do sleep 0.02; done"
            let running = try sandbox.start("follow", "items", "--exec", line)
            try await sandbox.eventually("the command") { try sandbox.text("log") == first + "\n" }
            running.send(SIGTERM)
            try await running.waitForErrors(containing: "waiting for the command of --exec to end")
            // Longer than a command without work gets to end.
            try await Task.sleep(for: .seconds(2))
            try sandbox.directory.write("go", Array())
            #expect(try await running.result().ending == .signalled(SIGTERM))
            expectSuccess(try await Self.follow(sandbox, "items", "--exec", line))
            #expect(try sandbox.text("log") == "\(first)\n\(second)\n")
        }
    }

    @Test("a file that ends within a line gets its end first, and --since of an earlier time than the feed's is named")
    func unfinishedLine() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, emulator in
            try sandbox.directory.write("out", Array(#"{"torn":"#.utf8))
            let line = "clover follow orders --until-idle 0 >>out"
            let first = try await sandbox.shell("\(line) --since 2010-01-01")
            #expect(first.status == 0 && first.errorText.contains("ended within a line"), "\(first)")
            let lines = try sandbox.text("out").split(separator: "\n").map(String.init)
            #expect(lines.first == #"{"torn":"#)
            #expect(try JSONValue.lines(Array(lines.dropFirst())).count == (try await emulator.truth("orders").count))
            let second = try await sandbox.shell("\(line) --since 2009-01-01")
            #expect(second.status == 0 && second.errorText.contains("--since counts only for a new feed"), "\(second)")
            #expect(try await sandbox.shell("\(line) --since 2011-01-01").errorText == "")
            #expect(try sandbox.text("out").split(separator: "\n").count == lines.count)
        }
    }

    @Test("what cannot be delivered or is wrong is refused with its status")
    func refusals() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            for (words, status, text) in [
                (["nosuch"], 64, "unknown path 'nosuch'"), ([], 64, "name what to follow"),
                (["orders", "orders"], 64, "named twice"), (["orders", "--format", "table"], 64, "takes ndjson"),
                (["orders", "--jq", ".", "--exec", "true"], 64, "exclude each other"),
                (["orders", "--jq", "nosuch"], 65, "does not compile"), (["orders", "--since", "soon"], 64, "'soon'"),
            ] {
                let result = try await sandbox.clover(["follow"] + words)
                #expect(result.status == Int32(status) && result.errorText.contains(text), "\(result)")
            }
            let files = sandbox.directory.files(below: "state").filter { $0.contains("follow") }
            #expect(files == [], "a refused run left a state")
            expectSuccess(try await Self.follow(sandbox, "orders"))
            let running = try sandbox.start("follow", "orders", "--state", sandbox.directory["state/a.sqlite"])
            while !sandbox.directory.files(below: "state").contains("state/a.sqlite") {
                try await Task.sleep(for: .milliseconds(10))
            }
            let second = try await Self.follow(sandbox, "orders", "--state", sandbox.directory["state/a.sqlite"])
            #expect(second.status == 75 && second.errorText.contains("same state"), "\(second)")
            running.send(SIGTERM)
            #expect(try await running.result().ending == .signalled(SIGTERM))
        }
    }

    @Test("--max-time says that nothing was written if no change came")
    func maximumTime() async throws {
        try await Sandbox.run(emulator: Self.flags, weight: 0) { sandbox, _ in
            let none = try await sandbox.clover("follow", "items", "--max-time", "3s")
            expectFailure(none, status: 83, saying: "after 0 records", "nothing was written")
            #expect(!none.errorText.contains("them were written"), "\(none)")
            let all = try await sandbox.clover("follow", "orders", "--since", "2010-01-01", "--max-time", "8s")
            expectFailure(all, status: 83, saying: "all of them were written", output: nil)
        }
    }

    @Test("a list that cannot be read is reported, the others are delivered, and the run that is to end says why")
    func failing() async throws {
        try await Sandbox.run(emulator: Self.flags + ["--fault", "truncate:/payments"]) { sandbox, emulator in
            let sandbox = sandbox.with(["CLOVER_RETRY": "0"])
            let result = try await Self.follow(sandbox, "orders", "payments", "--since", "2010-01-01")
            #expect(result.status == 76, "\(result)")
            #expect(result.errorText.contains("payments cannot be read for now, and is tried again"), "\(result)")
            #expect(!result.errorText.contains("payments are in the output"), "\(result)")
            #expect(result.lines.count == (try await emulator.truth("orders").count))
        }
    }

    @Test("the service manager gets ready, status and stopping")
    func notifications() async throws {
        try await Sandbox.run(emulator: Self.flags) { sandbox, _ in
            let listener = """
                import socket,sys,os
                s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound",flush=True)
                while True:
                    m=s.recv(4096).decode(); print(m,flush=True)
                    if m.startswith("STOPPING"): break
                """
            try sandbox.directory.write("listen.py", listener.utf8)
            let socket = sandbox.directory["notify"]
            let heard = try sandbox.startShell("exec python3 '\(sandbox.directory["listen.py"])' '\(socket)'")
            #expect(try await heard.firstLine() == "bound")
            let manager = sandbox.with(["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "3000000"])
            expectSuccess(try await Self.follow(manager, "orders"))
            let lines = try await heard.result().lines
            #expect(lines.contains("READY=1") && lines.contains("WATCHDOG=1"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("STATUS=following orders") } && lines.last == "STOPPING=1")
        }
    }

    @Test("systemd accepts the printed units; a command runs where it was named")
    func units() async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.using("https://service.invalid")
            let folder = try sandbox.directory.makeFolder("100% mine")
            for (options, line) in [
                ("", "StandardOutput=append:\(sandbox.directory.path)/100%% mine/changes.ndjson"),
                ("--exec './update \"$1\"'", "WorkingDirectory=\(sandbox.directory.path)/100%% mine"),
            ] {
                let unit = try await sandbox.shell("cd '\(folder)' && clover follow orders --print systemd \(options)")
                #expect(unit.status == 0 && unit.lines.contains(line) && unit.lines.contains("Type=notify"), "\(unit)")
                #expect(unit.lines.contains { $0.hasPrefix("ExecStart=/") && $0.contains("/clover follow orders ") })
                try sandbox.directory.write("clover-follow.service", Array(unit.output))
                let analyze = CommandRunner(
                    executable: "/usr/bin/systemd-analyze", environment: ["PATH": "/usr/bin:/bin"])
                let verified = try await analyze.run([
                    "verify", "--man=no", sandbox.directory["clover-follow.service"],
                ])
                #expect(verified.status == 0 && verified.errorText == "", "\(verified)")
            }
        }
    }

    @Test("webhooks of a listener tell of deletions, also those of a time when no feed ran; dropped ones are a gap")
    func webhooks() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.write("code", Array("the-code\n".utf8))
            let listener = try sandbox.start([
                "webhook", "listen", "--port", "0", "--auth-code-file", sandbox.directory["code"],
            ])
            try await listener.waitForErrors(matching: "a whole address") { $0.contains(/\nhttp:[^\n]+\n/) }
            let address = String(try #require(listener.errorsSoFar.firstMatch(of: /\n(http:[^\n]+)\n/)).1)
            let emulator = try await EmulatorProcess(
                Self.flags + ["--no-limits", "--webhook-url", address, "--webhook-auth-code", "the-code"])
            let shop = sandbox.using(emulator)
            #expect(try Self.changes(await Self.follow(shop, "items")) == [])
            var ids: [String] = []
            for name in ["Tea", "Milk", "Rice"] {
                ids.append(try await Self.create(shop, "items", "--field", "name=\(name)", "--field", "price=300"))
            }
            #expect(try Self.changes(await Self.follow(shop, "items")).count == 3)
            expectSuccess(try await shop.clover("delete", "items/\(ids[0])"))
            try await listener.waitForOutput(containing: #""id":"\#(ids[0])","type":"DELETE""#)
            #expect(try Self.changes(await Self.follow(shop, "items")) == ["4 deleted \(ids[0])"])

            // A running feed hears of it long before the list is due.
            let feed = try shop.start(["follow", "items", "--interval", "1h"])
            let other = try await Self.create(shop, "items", "--field", "name=Oats", "--field", "price=200")
            try await feed.waitForOutput(containing: other)
            expectSuccess(try await shop.clover("delete", "items/\(ids[1])"))
            try await feed.waitForOutput(containing: #""change":"deleted","resource":"items","sequence":6"#)
            feed.send(SIGTERM)
            _ = try await feed.result()

            listener.send(SIGTERM)
            _ = try await listener.result()
            expectSuccess(try await shop.clover("delete", "items/\(ids[2])"))
            let spool = try #require(
                FileManager.default.enumerator(atPath: sandbox.directory.path)?.compactMap { $0 as? String }
                    .first { $0.hasSuffix("webhooks.sqlite") })
            try FileManager.default.removeItem(atPath: sandbox.directory[spool])
            let removed = try await Self.follow(shop, "items")
            #expect(removed.errorText.contains("webhooks about deletions were missed"), "\(removed)")
            #expect(try Self.changes(removed) == ["7 deleted \(ids[2])"])
            #expect(try await Self.follow(shop, "items").errorText == "")

            // A file that cannot be read may contain deletions, too.
            expectSuccess(try await shop.clover("delete", "items/\(other)"))
            try sandbox.directory.write(spool, Array("garbage".utf8))
            let damaged = try await Self.follow(shop, "items")
            #expect(damaged.errorText.contains("webhooks that a listener received cannot be read"), "\(damaged)")
            #expect(try Self.changes(damaged) == ["8 deleted \(other)"])
        }
    }

    @Test("what is deleted while a new feed reads everything for the first time comes after it")
    func deletedMeanwhile() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.write("code", Array("the-code\n".utf8))
            let listener = try sandbox.start([
                "webhook", "listen", "--port", "0", "--auth-code-file", sandbox.directory["code"],
            ])
            try await listener.waitForErrors(matching: "a whole address") { $0.contains(/\nhttp:[^\n]+\n/) }
            let address = String(try #require(listener.errorsSoFar.firstMatch(of: /\n(http:[^\n]+)\n/)).1)
            let emulator = try await EmulatorProcess(
                Self.flags + [
                    "--latency", "300ms", "--webhook-url", address, "--webhook-auth-code", "the-code",
                ])
            let shop = sandbox.using(emulator)
            let id = try await Self.create(shop, "items", "--field", "name=Tea", "--field", "price=300")
            let before = try await emulator.stats().requests
            // The items are read first, and the other lists take longer than the deletion.
            let lists = ["items", "orders", "payments", "employees", "customers", "refunds", "order_types", "tags"]
            let feed = try shop.start(["follow"] + lists + ["--since", "2000-01-01", "--interval", "1h"])
            while try await emulator.stats().requests < before + 3 { try await Task.sleep(for: .milliseconds(20)) }
            expectSuccess(try await shop.clover("delete", "items/\(id)"))
            try await feed.waitForOutput(containing: #""record":{"id":"\#(id)"}"#)
            let output = String(decoding: feed.outputSoFar, as: UTF8.self)
            let lines = output.split(separator: "\n").filter { $0.contains(id) }
            #expect(lines.map { $0.prefix(20) } == [#"{"change":"created","#, #"{"change":"deleted","#])
        }
    }
}
