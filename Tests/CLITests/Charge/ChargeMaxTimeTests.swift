import CloverTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

/// What never answers does not hold a run for longer than --max-time: without it, each of these waits for minutes.
@Suite("charge: --max-time")
struct ChargeMaxTimeTests {
    private static let silence = LoopbackResponse(bytes: [], ending: .hold)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var rail = ["--source", "clv_1TOKEN"]
        let response: LoopbackResponse
    }

    @Test(
        "a charge that was sent ends with 80 and the way to recover it, whatever does not come",
        arguments: [
            Row(testDescription: "no response", response: silence),
            Row(
                testDescription: "a response that does not end",
                response: LoopbackResponse(
                    bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{".utf8), ending: .hold)),
            Row(testDescription: "a look that is not answered", response: .reset),
            Row(testDescription: "no response of a device", rail: ["--device", "C1"], response: silence),
        ])
    func silent(_ row: Row) async throws {
        try await Sandbox.run(
            server: { request, _ in
                switch (request.method, request.path) {
                case ("POST", "/v1/charges"), ("POST", "/connect/v1/payments"): row.response
                case (_, let path) where path.hasSuffix("/properties"):
                    LoopbackResponse(#"{"defaultCurrency":"USD"}"#)
                case ("POST", "/connect/v1/device/cancel"): LoopbackResponse("{}")
                case (_, let path) where path.hasSuffix("/devices"): .page([#"{"id":"D1","serial":"C1"}"#])
                default: Self.silence
                }
            }, weight: 0
        ) { sandbox, server in
            let sandbox = sandbox.limited(to: .seconds(90))
            let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--max-time", "10s"] + row.rail
            let result = try await sandbox.clover(charge)
            let id = try #require(try result.events.last?["charge"]?.string)
            expectFailure(
                result, status: 80, saying: "outcome unknown", "clover charge recover \(id)", output: nil)
            // The device must not go on when the result is no longer awaited.
            #expect(server.requests.contains { $0.path.hasSuffix("/device/cancel") } == (row.rail[0] == "--device"))
            let recovery = try await sandbox.clover("charge", "recover", "--all", "--max-time", "1s")
            expectFailure(recovery, status: 80, saying: "1 is still unknown", output: nil)
        }
    }

    /// A charge by the reader of the driver written in Python.
    private static let reader = [
        "charge", "--amount", "1.00", "--currency", "USD", "--reader", "F0:0D:00:00:00:01", "--driver-timeout", "60s",
        "--max-time", "10s",
    ]

    @Test(
        "a reader's driver that never reports the end is asked to cancel, and the charge ends with 80",
        arguments: ["stubborn", "chatty", "mute", "lost"])
    func reader(_ mode: String) async throws {
        try await ReaderWorld.run(weight: 0) { world in
            let result = try await world.python(mode).limited(to: .seconds(90)).clover(Self.reader)
            let id = try #require(try result.events.last?["charge"]?.string, "\(result)")
            expectFailure(
                result, status: 80, saying: "outcome unknown", "clover charge recover \(id)", output: nil)
            // A driver that lost its reader is ended before.
            #expect(try mode == "lost" || world.asked().contains("cancel"))
            let recovery = try await world.python("mute-payment").limited(to: .seconds(90)).clover(
                "charge", "recover", "--all", "--driver-timeout", "60s", "--max-time", "1s")
            expectFailure(recovery, status: 80, saying: "1 is still unknown", output: nil)
        }
    }

    @Test(
        "an outcome of a driver that denies the payment it shows is not believed",
        arguments: ["declined-paid", "cancelled-paid"])
    func deniedPayment(_ mode: String) async throws {
        try await ReaderWorld.run { world in
            let result = try await world.python(mode).clover(Array(Self.reader.dropLast(2)))
            expectFailure(result, status: 80, saying: "P9", output: nil)
        }
    }

    @Test("a reader that does not become ready is not charged with, and nothing is recorded")
    func neverReady() async throws {
        try await ReaderWorld.run(weight: 0) { world in
            let sandbox = world.python("never-ready").limited(to: .seconds(90))
            let result = try await sandbox.clover(Self.reader)
            expectFailure(result, status: 83, saying: "--max-time 10 s ran out, and nothing was carried out")
            #expect(try await sandbox.clover("charge", "list", "--json").output == [])
            #expect(try !world.asked().contains("charge"))
        }
    }

    @Test("a refund waits for another process that works on the charge, and not for longer than --max-time")
    func lockedCharge() async throws {
        try await ChargeFixture.run(weight: 0) { world in
            let charge = try await world.charge()
            expectSuccess(charge)
            let id = try #require(try charge.events.last?["charge"]?.string)
            let file = try FileHandle(
                forUpdating: URL(fileURLWithPath: world.sandbox.directory["state/journal.lock"]))
            var request = Glibc.flock(
                l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 1, l_len: 1, l_pid: 0)
            try #require(fcntl(file.fileDescriptor, 37 /* F_OFD_SETLK */, &request) == 0)
            let sandbox = world.sandbox.limited(to: .seconds(90))
            expectFailure(
                try await sandbox.clover("charge", "refund", id, "--max-time", "1s"), status: 83,
                saying: "nothing was carried out")
            // Not by closing the file: a process that another test starts at this moment has it open too.
            request.l_type = Int16(F_UNLCK)
            try #require(fcntl(file.fileDescriptor, 37 /* F_OFD_SETLK */, &request) == 0)
            file.closeFile()
            expectSuccess(try await sandbox.clover("charge", "refund", id, "--max-time", "10m"))
        }
    }
}
