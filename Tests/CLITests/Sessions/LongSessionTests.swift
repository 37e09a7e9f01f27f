import CloverTestSupport
import Foundation
import Testing

/// Sessions with things in them: files, readers, money, and the machine itself.
@Suite("Sessions with files, readers and money")
struct LongSessionTests {
    @Test("an export: its summary, its status, and the next run")
    func export() async throws {
        try await Sandbox.run(emulator: ["--orders", "60"]) { sandbox, emulator in
            var session = try Session(sandbox)
            try session.hide(emulator.merchantID, "MERCHANTABCDE")
            try session.hide(#""(calls|bytes|retries)":[0-9]+"#, #""COUNT":0"#)
            try session.hide(#""(waited|seconds|lag)":[0-9.]+"#, #""SECONDS":0"#)
            try session.hide("  [0-9]+ d  ", "  999 d  ")
            try session.hide("2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", "DAY_______ TIME_")
            // The program's own place, which is where it was built.
            try session.hide("[^ ]+/clover export", "/usr/bin/clover export")
            try session.hide("every run: [^ ]+/clover ", "every run: /usr/bin/clover ")
            let folder = sandbox.directory["out"]
            let export = ["export", "items", "categories", "--to", folder, "--until", "2026-02-02", "--summary"]
            try await session.pipe(export)
            try await session.pipe("export", "status", "--to", folder)
            try await session.terminals("export", "status", "--to", folder)
            try await session.terminals("export", "schedule", "--every", "5m", "--", "orders", "--to", folder)
            // Nothing is new any more.
            try await session.terminals(export)
            try Snapshot.check(session.text, "export")
        }
    }

    @Test("readers: nearby, connected, known")
    func readers() async throws {
        try await ReaderWorld.run { world in
            var session = try Session(try world.emulated())
            try session.hide(#""rssi":-[0-9]+"#, #""rssi":-60"#)
            try session.hide("-[0-9]{2} dBm", "-60 dBm")
            try session.hide("2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", "DAY_______ TIME_")
            let scan = ["reader", "scan", "--transport", "driver", "--count", "2", "--timeout", "20s"]
            try await session.run(scan)
            try await session.run(["reader", "connect", ReaderWorld.first])
            try await session.run(["reader", "list"])
            try await session.run(["reader", "forget", "F0:0D:00:00:00:01"])
            try Snapshot.check(session.text, "readers")
        }
    }

    @Test("no Bluetooth: what to do")
    func noBluetooth() async throws {
        try await Sandbox.run { sandbox in
            var session = try Session(sandbox.withoutBuses)
            try await session.run(["reader", "scan"])
            try Snapshot.check(session.text, "no-bluetooth")
        }
    }

    @Test("money: a charge at a reader")
    func money() async throws {
        try await ReaderWorld.run { world in
            var session = try Session(try world.emulated())
            try session.hide(#""payment":"[0-9A-Z]{13}""#, #""payment":"PAYMENTABCDEF""#)
            try session.hide("payment [0-9A-Z]{13}", "payment PAYMENTABCDEF")
            try session.hide("OK[0-9A-Z]{4}", "OKCODE")
            try session.hide("[A-Z]+ \\.{4}[0-9]{4}", "VISA ....4242")
            try session.hide(#""type":"[A-Z]+","last4":"[0-9]{4}""#, #""type":"VISA","last4":"4242""#)
            try session.hide(#""externalId":"[^"]+""#, #""externalId":"EXTERNAL""#)
            try await session.run([
                "charge", "--amount", "12.50", "--currency", "USD", "--reader", ReaderWorld.first,
            ])
            try Snapshot.check(session.text, "money")
        }
    }

    @Test("the journal, whose IDs are never truncated")
    func journal() async throws {
        try await ChargeFixture.run { till in
            var session = try Session(till.sandbox)
            try session.hide("2[0-9]{3}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", "DAY_______ TIME_")
            try session.hide("[0-9A-Z]{13}(?=  ecommerce)", "PAYMENTABCDEF")
            try await session.run(["charge", "list"])
            for amount in ["12.50", "1234.00"] { expectSuccess(try await till.charge(amount)) }
            try await session.terminals("charge", "list")
            try await session.run(["charge", "show", "c_01"])
            try Snapshot.check(session.text, "journal")
            let narrow = try till.sandbox.startOnTerminal(["charge", "list"], columns: 20)
            let shown = try await narrow.result().outputText
            #expect(shown.split(separator: "\r\n").count { $0.contains(/c_[0-9A-Z]{26}/) } == 2, "\(shown)")
        }
    }

    @Test("a lost response: the money may have moved, and how to find out")
    func lostAnswer() async throws {
        try await Sandbox.run(
            server: { request, _ in
                switch (request.method, request.path) {
                case ("GET", "/pakms/apikey"): LoopbackResponse(#"{"apiAccessKey":"key"}"#)
                case ("POST", "/v1/charges"): .reset
                default: LoopbackResponse(status: "503 Service Unavailable", "{}")
                }
            }, weight: 0
        ) { sandbox, _ in
            var session = try Session(sandbox)
            try session.hide(#""externalId":"[^"]+""#, #""externalId":"EXTERNAL""#)
            try await session.run(["charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN"])
            try Snapshot.check(session.text, "lost-answer")
        }
    }

    @Test("problems: what is wrong, and the command that fixes it")
    func trouble() async throws {
        try await Sandbox.run { sandbox in
            var session = try Session(sandbox.withoutBuses)
            try session.hide("libjq [0-9.]+", "libjq VERSION")
            try session.hide(#"libcurl [^"\n]*"#, "libcurl VERSION")
            let skips = ["completions", "keyring"].flatMap { ["--skip", $0] }
            try await session.pipe(["doctor", "--offline"] + skips)
            // Where lines break depends on the length of the folder's name, and of versions.
            try await session.terminals(["doctor", "--offline", "--skip", "configuration,state,bus,jq,curl"] + skips)
            try await session.run(["doctor", "--offline", "--json"] + skips)
            try Snapshot.check(session.text, "trouble")
        }
    }
}
