import CloverTestSupport
import Foundation
import Testing

@Suite("reader scan")
struct ReaderScanTests {
    @Test("one JSON line per reader, once, with null for what is not known")
    func lines() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.emulated().clover(
                "reader", "scan", "--transport", "driver", "--timeout", "120s", "--count", "3")
            expectSuccess(result)
            let records = try result.records()
            #expect(
                records.compactMap { $0["id"]?.string } == [ReaderWorld.first, ReaderWorld.second, ReaderWorld.third])
            for record in records {
                #expect(
                    record.keys == [
                        "battery", "connected", "firmware", "id", "name", "paired", "previouslyConnected", "rssi",
                        "seenAt", "serial", "transport",
                    ])
                #expect(record["name"]?.string?.wholeMatch(of: /Clover_Go_\d{6}/) != nil)
                #expect(record["battery"] == .null && record["firmware"] == .null && record["serial"] == .null)
                #expect(record["rssi"]?.integer.map { $0 < 0 } == true)
                #expect(record["transport"]?.string == "driver")
            }
        }
    }

    @Test("--first and --count end it with that many, long before its time")
    func counts() async throws {
        try await ReaderWorld.run { world in
            let first = try await world.emulated().clover("reader", "scan", "--driver", "", "--first")
            expectFailure(first, status: 64, saying: "--driver")
            let sandbox = try world.emulated()
            let one = try await sandbox.clover(
                "reader", "scan", "--transport", "driver", "--first", "--timeout", "0")
            expectSuccess(one)
            #expect(one.lines.count == 1)
            let two = try await sandbox.clover(
                "reader", "scan", "--transport", "driver", "--count", "2", "--timeout", "0")
            expectSuccess(two)
            #expect(two.lines.count == 2)
            let changes = try await sandbox.clover(
                "reader", "scan", "--transport", "driver", "--count", "2", "--updates", "--timeout", "0")
            expectSuccess(changes)
            #expect(Set(try changes.records().compactMap { $0["id"]?.string }).count == 2)
        }
    }

    @Test("--output gets what was found, in one step; a scan without an end has none")
    func output() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            let file = sandbox.directory["readers"]
            let scan = ["reader", "scan", "--transport", "driver", "-o", file]
            let result = try await sandbox.clover(scan + ["--count", "2", "--timeout", "0"])
            expectSuccess(result)
            #expect(result.output == [])
            let written = try String(contentsOfFile: file, encoding: .utf8)
            #expect(try JSONValue.lines(written.split(separator: "\n").map(String.init)).count == 2)
            expectFailure(
                try await sandbox.clover(scan + ["--timeout", "8s", "--name", "Flex*"]), status: 66, saying: "others")
            expectFailure(try await sandbox.clover(scan + ["--timeout", "0"]), status: 64, saying: "use >\(file)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == written)
        }
    }

    @Test("--name, --id and --min-rssi choose; nothing chosen is status 66, with the number of others")
    func choices() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            func ids(_ options: String...) async throws -> [String] {
                let result = try await sandbox.clover(
                    ["reader", "scan", "--transport", "driver", "--timeout", "30s"] + options)
                expectSuccess(result)
                return try result.records().compactMap { $0["id"]?.string }
            }
            #expect(try await ids("--name", "clover_go_47*", "--count", "2") == [ReaderWorld.first, ReaderWorld.third])
            #expect(try await ids("--id", ReaderWorld.second.lowercased(), "--first") == [ReaderWorld.second])
            #expect(try await ids("--min-rssi", "-60", "--first") == [ReaderWorld.third])
            let none = try await sandbox.clover(
                "reader", "scan", "--transport", "driver", "--timeout", "8s", "--name", "Flex*")
            expectFailure(none, status: 66, saying: "3 others were found")
        }
    }

    @Test(
        "what no reader can have is refused at once",
        arguments: [["--min-rssi", "5"], ["--min-rssi", "-128"], ["--id", ""], ["--name", ""]])
    func impossible(_ wish: [String]) async throws {
        try await ReaderWorld.run { world in
            let result = try await world.emulated().clover(["reader", "scan", "--timeout", "0"] + wish)
            expectFailure(result, status: 64, saying: wish[0])
        }
    }

    @Test("no reader in range is status 66, with possible reasons")
    func noReader() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated("--readers 0")
            let result = try await sandbox.clover("reader", "scan", "--transport", "driver", "--timeout", "3s")
            expectFailure(result, status: 66, saying: "no reader was found within", "--timeout 30s")
        }
    }

    @Test("--updates reports a reader again when its signal changes, and a scan without it does not")
    func updates() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated("--readers 1")
            let scan = try sandbox.start("reader", "scan", "--transport", "driver", "--timeout", "0", "--updates")
            try await scan.waitForOutput("three sightings") { $0.split(separator: UInt8(ascii: "\n")).count >= 3 }
            scan.send(15)
            let records = try await scan.result().records()
            #expect(Set(records.compactMap { $0["id"]?.string }) == [ReaderWorld.first])
            for (before, after) in zip(records, records.dropFirst()) {
                #expect(before["rssi"] != after["rssi"])
            }
        }
    }

    enum Ending: CaseIterable, Sendable {
        case time, first, interrupt, terminate, hangUp
    }

    @Test("discovery is stopped however the scan ends", arguments: Ending.allCases)
    func stops(_ ending: Ending) async throws {
        try await ReaderWorld.run { world in
            var options = ["reader", "scan", "--transport", "driver", "--timeout"]
            options += ending == .time ? ["6s"] : ["0"]
            if ending == .first { options.append("--first") }
            let scan = try world.python().start(options)
            _ = try await scan.firstLine()
            switch ending {
            case .time, .first: break
            case .interrupt: scan.send(2)
            case .terminate: scan.send(15)
            case .hangUp: scan.send(1)
            }
            let result = try await scan.result()
            #expect(result.errorText == "", "\(result)")
            switch ending {
            case .time, .first: #expect(result.ending == .exited(0))
            case .interrupt: #expect(result.ending == .signalled(2))
            case .terminate: #expect(result.ending == .signalled(15))
            case .hangUp: #expect(result.ending == .signalled(1))
            }
            #expect(try world.asked() == ["hello", "scan", "stopScan", "end"])
        }
    }

    @Test("a closed pipe stops it at once, also when no further reader comes")
    func closedPipe() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.python().shell(
                "clover reader scan --transport driver --timeout 0 | head -n 1 | wc -l; echo \"${PIPESTATUS[0]}\"")
            #expect(result.lines == ["1", "141"], "\(result)")
            #expect(result.errorText == "", "\(result)")
            #expect(try world.asked() == ["hello", "scan", "stopScan", "end"])
        }
    }

    @Test("a killed scan leaves no driver behind")
    func killed() async throws {
        try await ReaderWorld.run { world in
            let scan = try world.python().start("reader", "scan", "--transport", "driver", "--timeout", "0")
            _ = try await scan.firstLine()
            scan.send(9)
            #expect(try await scan.result().ending == .signalled(9))
            try await world.expectNoDriver()
        }
    }

    @Test("it works as under cron: no variables, no terminal, standard input closed")
    func cron() async throws {
        try await ReaderWorld.run { world in
            let program = try CommandRunner.builtProgram("clover")
            let driver = world.pythonDriver()
            let runner = CommandRunner(
                executable: program, environment: ["CLOVER_STATE_DIR": world.sandbox.directory["state"]])
            let result = try await runner.run(
                ["reader", "scan", "--json", "--driver", driver, "--first"], input: .closed)
            expectSuccess(result)
            #expect(result.lines.count == 1)
        }
    }

    @Test("without Bluetooth, a driver's readers are still found, with a notice")
    func partly() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.python().with(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"]).clover(
                "reader", "scan", "--first")
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines.count == 1)
            #expect(result.errorText.hasPrefix("clover: ble readers are skipped: "), "\(result)")
        }
    }

    @Test("an empty text is not a transport", arguments: ["", "driver,"])
    func emptyTransport(_ names: String) async throws {
        try await ReaderWorld.run { world in
            expectFailure(
                try await world.emulated().clover("reader", "scan", "--transport", names), status: 64,
                saying: "--transport takes ble, cloud, driver")
        }
    }

    @Test("no time is until stopped, in any unit", arguments: ["0", "0s", "0ms"])
    func endless(_ timeout: String) async throws {
        try await ReaderWorld.run { world in
            let result = try await world.emulated().clover(
                "reader", "scan", "--transport", "driver", "--timeout", timeout, "--first")
            expectSuccess(result)
            #expect(result.lines.count == 1)
        }
    }

    @Test("a missing or malformed driver is a usage error")
    func noDriver() async throws {
        try await ReaderWorld.run { world in
            expectFailure(
                try await world.sandbox.clover("reader", "scan", "--transport", "driver"), status: 64,
                saying: "no driver program is configured")
            let missing = world.sandbox.with(["CLOVER_READER_DRIVER": "/nowhere/driver"])
            expectFailure(
                try await missing.clover("reader", "scan", "--transport", "driver"), status: 69,
                saying: "driver driver: cannot be started: No such file or directory")
        }
    }
}
