import CloverTestSupport
import Foundation
import Testing

@Suite("charge: times on a terminal")
struct ChargeTimeTests {
    /// A journal with one charge, at a merchant in New York.
    private func charged(_ body: (ChargeFixture, _ charge: JSONValue) async throws -> Void) async throws {
        try await ChargeFixture.run { till in
            expectSuccess(try await till.charge())
            try await body(till, try #require(try await till.journal().first))
        }
    }

    /// What clocks in the zone show, by date(1).
    private func clock(
        _ instant: String?, _ zone: String, _ format: String = "%F %H:%M", in sandbox: Sandbox
    ) async throws -> String {
        let result = try await sandbox.shell("TZ=\(zone) date --date='\(try #require(instant))' '+\(format)'")
        return try #require(result.lines.first, "\(result)")
    }

    @Test("are the merchant's own; those that were asked for or set go before; JSON stays in UTC")
    func zones() async throws {
        try await charged { till, charge in
            let instant = charge["createdAt"]?.string
            let id = try #require(charge["charge"]?.string)
            try await expect(instant, in: "America/New_York", of: till.sandbox, [], id)
            let berlin = till.sandbox.with(["CLOVER_ZONE": "Europe/Berlin"])
            try await expect(instant, in: "Europe/Berlin", of: berlin, [], id)
            try await expect(instant, in: "Asia/Tokyo", of: berlin, ["--zone", "Asia/Tokyo"], id)
            try await expect(instant, in: "UTC", of: berlin, ["--zone", "utc"], id)
            try await expect(instant, in: "America/New_York", of: berlin, ["--zone", "merchant"], id)
            for line in ["zone: Australia/Sydney\n", "profiles:\n  downtown:\n    zone: Australia/Sydney\n"] {
                try till.sandbox.directory.makeFolder("config")
                try till.sandbox.directory.write("config/config.yml", line.utf8)
                try await expect(
                    instant, in: "Australia/Sydney", of: till.sandbox.with(["CLOVER_PROFILE": "downtown"]), [], id)
            }
            #expect(try await till.journal().first?["createdAt"]?.string == instant)
            let tsv = try await till.sandbox.clover(
                "charge", "list", "--format", "tsv", "--fields", "createdAt", "--zone", "UTC")
            #expect(tsv.lines == ["createdAt", try #require(instant)])
        }
    }

    /// Expects the time in the list, in a table that was asked for, and in all that is known of the charge.
    private func expect(
        _ instant: String?, in zone: String, of sandbox: Sandbox, _ options: [String], _ id: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let time = try await clock(instant, zone, in: sandbox)
        let exact = try await clock(instant, zone, "%F %H:%M:%S", in: sandbox)
        let list = try await sandbox.startOnTerminal(["charge", "list"] + options, columns: 200).result()
        #expect(list.terminalText.contains("  \(time)  "), "\(list)", sourceLocation: sourceLocation)
        #expect(
            list.terminalText.contains("clover: times are in \(zone)"), "\(list)", sourceLocation: sourceLocation)
        let table = try await sandbox.startOnTerminal(
            ["charge", "list", "--format", "table"] + options, columns: 200
        ).result()
        #expect(table.terminalText.contains("  \(time)  "), "\(table)", sourceLocation: sourceLocation)
        let show = try await sandbox.startOnTerminal(["charge", "show", id] + options, columns: 200).result()
        #expect(show.terminalText.contains("created: \(time)\n"), "\(show)", sourceLocation: sourceLocation)
        #expect(show.terminalText.contains("  \(exact)  created\n"), "\(show)", sourceLocation: sourceLocation)
    }

    @Test("in a zone that does not exist are refused, also on a narrow terminal")
    func unknownZone() async throws {
        try await charged { till, charge in
            for verb in [["list"], ["show", try #require(charge["charge"]?.string)]] {
                let result = try await till.sandbox.startOnTerminal(
                    ["charge"] + verb + ["--zone", "Europe/Nowhere"], columns: 40
                ).result()
                #expect(result.ending == .exited(64), "\(result)")
                #expect(result.terminalText.contains("clover: unknown time zone 'Europe/Nowhere'"), "\(result)")
            }
            let variable = try await till.sandbox.with(["CLOVER_ZONE": "Europe/Nowhere"]).clover("charge", "list")
            expectFailure(variable, status: 64, saying: "CLOVER_ZONE takes")
        }
    }

    @Test("are in UTC, as a note below the table says, when the service is unreachable, refuses, or does not respond")
    func offline() async throws {
        try await charged { till, charge in
            let silent = try LoopbackServer { _, _ in LoopbackResponse(bytes: [], ending: .hold) }
            let refusing = try LoopbackServer { _, _ in LoopbackResponse(status: "401 Unauthorized", "{}") }
            let places = ["http://127.0.0.1:9", silent.url, refusing.url]
            let time = try await clock(charge["createdAt"]?.string, "UTC", in: till.sandbox)
            for place in places {
                let session = try till.sandbox.using(place).startOnTerminal(["charge", "list"], columns: 200)
                let result = try await session.result()
                #expect(result.ending == .exited(0), "\(result)")
                let lines = session.screen.lines.filter { !$0.isEmpty }
                #expect(lines.count == 3 && lines[1].contains("  \(time)  "), "\(lines)")
                #expect(
                    lines.last == "clover: times are in UTC: the merchant's time zone is not known; --zone names one",
                    "\(lines)")
            }
            #expect(silent.requests.count == 1)
        }
    }

    @Test("jq programs of charges have the currency of each charge and the merchant's zone; unknown ones are errors")
    func programs() async throws {
        try await charged { till, charge in
            let program = ["--jq", "[(.amount|money), (.createdAt|iso)]"]
            let whole = try await till.sandbox.clover(["charge", "list"] + program)
            expectSuccess(whole)
            let offset = try await clock(charge["createdAt"]?.string, "America/New_York", "%:z", in: till.sandbox)
            #expect(whole.lines.count == 1 && whole.outputText.contains(".") && whole.outputText.contains(offset))
            let amount = try #require(charge["amount"]?.integer)
            #expect(whole.outputText.contains("\"\(amount / 100)."), "\(whole)")
            let away = till.sandbox.using("http://127.0.0.1:9")
            let part = try await away.clover(["charge", "list", "--jq", ".amount|money"])
            #expect(part.ending == .exited(0) && part.outputText.hasPrefix("\"\(amount / 100)."), "\(part)")
            expectFailure(
                try await away.clover(["charge", "list"] + program), status: 65, saying: "time zone is not known",
                output: "")
        }
    }

    @Test("in a pipe no request is sent")
    func pipe() async throws {
        try await charged { till, charge in
            let server = try LoopbackServer { _, _ in .page([]) }
            let sandbox = till.sandbox.using(server.url)
            expectSuccess(try await sandbox.clover("charge", "list"))
            expectSuccess(try await sandbox.clover("charge", "show", try #require(charge["charge"]?.string)))
            #expect(server.connectionCount == 0)
        }
    }

    @Test("of this machine are in the zone that is set, else on its own clocks")
    func machine() async throws {
        try await Sandbox.signedIn { sandbox, _, _ in
            let sandbox = sandbox.with(["TZ": "Asia/Tokyo"])
            let end = try await sandbox.status()["accessTokenExpiresAt"]?.string
            for (variables, zone) in [([:], "Asia/Tokyo"), (["CLOVER_ZONE": "Europe/Berlin"], "Europe/Berlin")] {
                let time = try await clock(end, zone, in: sandbox)
                let sandbox = sandbox.with(variables)
                let status = try await sandbox.startOnTerminal(["auth", "status"]).result()
                #expect(status.terminalText.contains("access token until   \(time)"), "\(status)")
                let list = try await sandbox.startOnTerminal(["auth", "list"], columns: 200).result()
                #expect(list.terminalText.contains(time), "\(list)")
            }
        }
    }
}
