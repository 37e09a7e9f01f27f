import CloverTestSupport
import Foundation
import Testing

/// A driver that does one thing wrong, and the message about it.
struct BadDriver: Sendable, CustomTestStringConvertible {
    let mode: String
    let step: String
    let message: String

    var testDescription: String { mode }

    /// What the program is to wait for an answer: longer than a driver needs to start on a busy machine, unless it never
    /// comes.
    var patience: String {
        switch mode {
        case "silent": "1s"
        case "no-ping", "stubborn", "deaf": "4s"
        default: "20s"
        }
    }

    static let all = [
        BadDriver(mode: "crash", step: "hello", message: "exited unexpectedly with status 3"),
        BadDriver(mode: "silent", step: "hello", message: "sent nothing for 1 s, waiting for a response to 'hello'"),
        BadDriver(mode: "not-json", step: "hello", message: "is not a JSON object: 'Reader driver 1.0 ready'"),
        BadDriver(mode: "closed", step: "hello", message: "closed its standard output but kept running"),
        BadDriver(mode: "version", step: "hello", message: "speaks protocol version 2, but clover speaks version 1"),
        BadDriver(mode: "wrong-id", step: "hello", message: "the 'id' of a pending request, and 99 is not one"),
        BadDriver(mode: "no-ping", step: "ping", message: "waiting for a response to 'ping'"),
        BadDriver(mode: "agreeable", step: "unknown request", message: "with the code 'unknown_request'"),
        BadDriver(mode: "killed", step: "scan", message: "was killed by signal 9"),
        BadDriver(mode: "long-line", step: "scan", message: "wrote a line longer than 65536 bytes"),
        BadDriver(mode: "flood", step: "scan", message: "wrote more than 2000 lines in a second"),
        BadDriver(mode: "bad-battery", step: "scan", message: "'battery' is a whole number from 0 to 100, or left out"),
        BadDriver(
            mode: "unknown-battery", step: "scan", message: "'battery' is a whole number from 0 to 100, or left out"),
        BadDriver(mode: "decimal-rssi", step: "scan", message: "'rssi' is a whole number from -127 to -1, or left out"),
        BadDriver(mode: "empty-name", step: "scan", message: "'name' is not empty, or left out"),
        BadDriver(mode: "no-id", step: "scan", message: "'reader' needs 'id'"),
        BadDriver(mode: "late-found", step: "stopScan", message: "no 'found' comes after the response to 'stopScan'"),
        BadDriver(mode: "other-reader", step: "connect", message: "has the requested 'reader'"),
        BadDriver(mode: "early-ready", step: "connect", message: "a session begins with the state 'initializing'"),
        BadDriver(mode: "hasty-update", step: "connect", message: "an update begins only after the event 'update'"),
        BadDriver(mode: "stubborn", step: "cancel", message: "waiting for the end of a charge that was cancelled"),
        BadDriver(
            mode: "late-battery", step: "disconnect",
            message: "no session event comes after the response to 'disconnect'"),
        BadDriver(mode: "deaf", step: "end of input", message: "this one had to be killed"),
    ]
}

@Suite("reader driver-check")
struct DriverCheckTests {
    @Test("a driver written in Python from the manual page alone passes")
    func python() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.sandbox.clover("reader", "driver-check", world.pythonDriver())
            expectSuccess(result)
            let records = try result.records()
            #expect(records.allSatisfy { $0["result"]?.string == "ok" }, "\(result)")
            #expect(records.first?["detail"]?.string == "python, can charge, connect, scan")
            #expect(
                records.compactMap { $0["step"]?.string } == [
                    "hello", "ping", "unknown request", "payment", "charge without a reader", "scan", "stopScan",
                    "connect to an unknown reader", "connect", "cancel", "disconnect", "end of input",
                    "end of input in a scan",
                ])
        }
    }

    @Test("so does the emulated one, also when its readers need updates first")
    func emulated() async throws {
        try await ReaderWorld.run { world in
            let program = try CommandRunner.builtProgram("clover-emulator")
            let driver = "'\(program)' reader-driver --pace 0.1 --fault update@1 --fault keys@1"
            let result = try await world.sandbox.clover("reader", "driver-check", driver)
            expectSuccess(result)
            #expect(try result.records().allSatisfy { $0["result"]?.string == "ok" }, "\(result)")
        }
    }

    @Test("one that does something wrong fails at that step, with the reason", arguments: BadDriver.all)
    func bad(_ driver: BadDriver) async throws {
        try await ReaderWorld.run { world in
            let result = try await world.sandbox.clover(
                "reader", "driver-check", "--driver-timeout", driver.patience, world.pythonDriver(driver.mode))
            #expect(result.ending == .exited(65), "\(result)")
            let last = try #require(try result.records().last)
            #expect(last["step"]?.string == driver.step, "\(result)")
            #expect(last["result"]?.string == "fail", "\(result)")
            #expect(last["detail"]?.string?.contains(driver.message) == true, "\(result)")
            #expect(result.errorText.contains("clover: driver python3 does not follow the protocol"), "\(result)")
        }
    }

    @Test("no reader found is status 69: a part could not be looked at")
    func noReader() async throws {
        try await ReaderWorld.run { world in
            let program = try CommandRunner.builtProgram("clover-emulator")
            let result = try await world.sandbox.clover(
                "reader", "driver-check", "--driver-timeout", "4s", "'\(program)' reader-driver --readers 0")
            #expect(result.ending == .exited(69), "\(result)")
            #expect(result.errorText.contains("no reader could be connected"))
        }
    }

    @Test("a program that cannot be started is status 69")
    func notStarted() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.sandbox.clover("reader", "driver-check", "/nowhere/driver")
            #expect(result.ending == .exited(69), "\(result)")
            #expect(result.errorText.contains("cannot be started: No such file or directory"), "\(result)")
        }
    }
}

@Suite("drivers that misbehave")
struct BadDriverTests {
    private static let inScan = [
        "crash", "silent", "not-json", "closed", "version", "wrong-id", "killed", "long-line", "flood", "bad-battery",
    ]

    @Test("a scan ends by itself, with an error that names the driver", arguments: inScan)
    func scan(_ mode: String) async throws {
        try await ReaderWorld.run { world in
            let driver = try #require(BadDriver.all.first { $0.mode == mode })
            let result = try await world.python(mode).clover(
                "reader", "scan", "--transport", "driver", "--timeout", "0", "--driver-timeout", driver.patience)
            #expect([69, 76].contains(result.status), "\(result)")
            #expect(result.errorText.contains("clover: driver python3: "), "\(result)")
            #expect(result.errorText.contains(driver.message), "\(result)")
        }
    }

    @Test(
        "one that never says hello is status 69, however short the scan: it does not report that there is no reader",
        arguments: [[], ["--transport", "driver"], ["--driver-timeout", "60s"]])
    func silentFromTheStart(_ flags: [String]) async throws {
        try await ReaderWorld.run { world in
            let driver = ["--driver", world.pythonDriver("silent")]
            let result = try await world.sandbox.clover(["reader", "scan", "--timeout", "500ms"] + driver + flags)
            expectFailure(result, status: 69, saying: "did not answer 'hello' within the time limit")
        }
    }

    @Test("what it writes on standard error is shown, behind its name")
    func standardError() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.python("crash").clover("reader", "scan", "--transport", "driver")
            #expect(result.errorText.hasPrefix("clover: python3: cannot open /dev/reader0\n"), "\(result)")
        }
    }

    @Test("one that goes silent in the middle is noticed by a scan without an end")
    func silentLater() async throws {
        try await ReaderWorld.run { world in
            // One that finds a reader is not asked whether it is there.
            let quiet = try await world.python("no-ping-no-reader").clover(
                "reader", "scan", "--transport", "driver", "--timeout", "0", "--driver-timeout", "3s")
            expectFailure(quiet, status: 69, saying: "waiting for a response to 'ping'")
        }
    }

    @Test("one that does not end is killed, and the scan has its result")
    func deaf() async throws {
        try await ReaderWorld.run { world in
            let result = try await world.python("deaf").clover(
                "reader", "scan", "--transport", "driver", "--first")
            expectSuccess(result)
            #expect(result.lines.count == 1)
        }
    }
}
