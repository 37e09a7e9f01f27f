import CloverTestSupport
import Foundation
import Testing

/// The scripts of `examples/`, run as a user runs them.
@Suite("examples")
struct ExamplesTests {
    struct Report: Sendable, CustomTestStringConvertible {
        let name: String
        var arguments: [String] = []
        var status: Int32 = 0
        var testDescription: String { name }
    }

    /// What only reads and prints. The shop of the emulator is the same on every machine.
    static let reports = [
        Report(name: "end-of-day-totals", arguments: ["2026-01-31"]),
        Report(name: "low-stock", arguments: ["20"], status: 1),
        Report(name: "tips-by-employee", arguments: ["--period", "2026-01"]),
        Report(name: "refund-audit", arguments: ["2026-01-01", "2000"]),
        Report(name: "sales-by-hour", arguments: ["--period", "2026-01"]),
        Report(name: "reconcile", arguments: ["--period", "2026-01"], status: 82),
    ]

    @Test("a report prints what is recorded", arguments: reports)
    func isAsRecorded(_ report: Report) async throws {
        let result = try await Sandbox.run(emulator: ["--orders", "500"]) { sandbox, _ in
            try await sandbox.example(report.name, report.arguments)
        }
        #expect(result.status == report.status, "\(result)")
        try Snapshot.check(result.outputText, "example-\(report.name)")
    }

    @Test(
        "every script says how it is used when it is asked, and when it is called wrongly",
        arguments: [
            ("customers-to-csv", []), ("low-stock", ["few"]), ("nightly-export", []),
            ("refund-audit", ["2026-01-01", "much"]), ("till", ["dollars"]),
        ])
    func usage(_ name: String, _ wrong: [String]) async throws {
        // Without a sign-in; no request is sent.
        try await Sandbox.run { sandbox in
            let asked = try await sandbox.example(name, ["--help"])
            expectSuccess(asked)
            #expect(asked.outputText.hasPrefix("usage: \(name) "), "\(asked)")
            #expect((2...3).contains(asked.lines.count) && asked.lines.allSatisfy { $0.count <= 80 }, "\(asked)")
            #expect(asked.errorText == "", "\(asked)")
            #expect(try await sandbox.example(name, ["-h"]).outputText == asked.outputText)
            for arguments in [wrong, ["--no-such-option"], ["a", "b", "c", "--no-such-option"]] {
                // A folder may have any name, and so may resources and files.
                if arguments.count == 4, name == "nightly-export" { continue }
                let result = try await sandbox.example(name, arguments)
                #expect(result.status == 64, "\(result)")
                // What is wrong may stand above it.
                let lines = result.errorText.split(separator: "\n").count - asked.lines.count
                #expect(result.errorText.hasSuffix(asked.outputText) && (0...1).contains(lines), "\(result)")
                #expect(result.outputText == "", "\(result)")
            }
            #expect(sandbox.directory.files(below: "home") == [] && sandbox.directory.files(below: "state") == [])
        }
    }

    struct Day: Sendable, CustomTestStringConvertible {
        let name: String
        let word: String
        let message: String
        var testDescription: String { "\(name) \(word)" }
    }

    @Test(
        "a day that is none is refused with what is wrong, before anything is asked",
        arguments: ["refund-audit"].flatMap { name in
            [
                Day(name: name, word: "2026-02-30", message: "the calendar has no day 2026-02-30"),
                Day(name: name, word: "2026-1-31", message: "'2026-1-31' is no day: write it as 2026-"),
                Day(name: name, word: "a", message: "'a' is no day: write it as 2026-"),
                Day(name: name, word: "", message: "'' is no day: write it as 2026-"),
                Day(name: name, word: "noon", message: "'noon' is no day: write it as 2026-"),
            ]
        } + [Day(name: "refund-audit", word: "some days ago", message: "'some days ago' is no number of days")])
    func notDays(_ day: Day) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.example(day.name, [day.word])
            #expect(result.status == 64, "\(result)")
            #expect(result.errorText.hasPrefix("\(day.name): \(day.message)"), "\(result)")
            #expect(result.outputText == "", "\(result)")
        }
    }

    @Test("days are the shop's, wherever the machine stands: today, yesterday, and days ago")
    func days() async throws {
        // There it is another day than in the east for all but an hour.
        let properties = #"{"timezone":"Pacific/Pago_Pago"}"#
        let quarter = 900_000
        let latest = Int(Date().timeIntervalSince1970 * 1000) / quarter * quarter
        let times = (0..<500).map { latest - $0 * quarter }
        let refunds = ServedList(records: times.map { #"{"id":"R\#($0)","amount":90000,"createdTime":\#($0)}"# })
        try await Sandbox.run(server: { request, _ in
            switch request.path.split(separator: "/").last {
            case "properties": LoopbackResponse(properties)
            case "refunds": refunds.answer(to: request)
            default: .page([])
            }
        }) { sandbox, _ in
            let sandbox = sandbox.with(["TZ": "Pacific/Kiritimati"])
            for word in ["today", "yesterday", "2 days ago"] {
                let day = try await sandbox.shell(
                    "export TZ=Pacific/Pago_Pago; date --date=\"$(date --date='\(word)' +%F)\" +%s000")
                let midnight = try #require(day.lines.first.flatMap { Int($0) })
                let result = try await sandbox.example("refund-audit", [word])
                expectSuccess(result)
                #expect(
                    result.lines.map { String($0.prefix { $0 != "\t" }) }
                        == times.filter { $0 >= midnight }.map { "R\($0)" }, "\(word)")
            }
        }
    }

    @Test("refunds are looked at from the beginning of the day at the shop")
    func refundDays() async throws {
        // 2026-01-31 at 23:30 and 2026-02-01 at 00:30 in New York.
        @Sendable func refund(_ id: String, _ time: Int) -> String {
            #"{"id":"\#(id)","amount":90000,"createdTime":\#(time)}"#
        }
        try await Sandbox.run(server: { request, _ in
            switch request.path.split(separator: "/").last {
            case "properties": LoopbackResponse(#"{"timezone":"America/New_York"}"#)
            case "refunds": .page([refund("BEFORE", 1_769_920_200_000), refund("AFTER", 1_769_923_800_000)])
            default: .page([])
            }
        }) { sandbox, _ in
            let result = try await sandbox.with(["TZ": "Asia/Tokyo"]).example("refund-audit", ["2026-02-01"])
            expectSuccess(result)
            #expect(result.lines.map { $0.prefix { $0 != "\t" } } == ["AFTER"], "\(result)")
        }
    }

    @Test("no report is made by the clocks of a zone that does not exist", arguments: reports)
    func noZone(_ report: Report) async throws {
        guard report.name != "low-stock" else { return }
        for properties in [#"{"timezone":"Mars/Phobos"}"#, "{}"] {
            try await Sandbox.run(server: { request, _ in
                request.path.hasSuffix("/properties") ? LoopbackResponse(properties) : .page([])
            }) { sandbox, _ in
                let result = try await sandbox.example(report.name, report.arguments)
                #expect(result.status != 0 && result.output.isEmpty, "\(properties): \(result)")
            }
        }
    }

    @Test(
        "no report is printed from half of the records",
        arguments: ["end-of-day-totals", "tips-by-employee", "reconcile", "sales-by-hour", "refund-audit"])
    func incompleteIsNoReport(_ name: String) async throws {
        let arguments =
            ["end-of-day-totals": ["2026-01-31"], "refund-audit": ["2026-01-01"]][name] ?? ["--period", "2026-01"]
        let result = try await Sandbox.run(emulator: ["--orders", "500", "--fault", "truncate:/v3/merchants"]) {
            sandbox, _ in
            try await sandbox.with(["CLOVER_RETRY": "0"]).example(name, arguments)
        }
        #expect(result.status != 0, "\(result)")
        #expect(result.outputText == "", "\(result)")
    }

    @Test(
        "names are one line of the report, whatever characters they have")
    func names() async throws {
        let name = #""name":"Flat\nwhite\u001B[31m\u009B1m""#
        try await Sandbox.run(server: { request, _ in
            if request.path.hasSuffix("/properties") {
                return LoopbackResponse(status: "200 OK", #"{"timezone":"UTC","defaultCurrency":"USD"}"#)
            }
            guard ["0", nil].contains(request.values(of: "offset").first) else { return .page([]) }
            if request.path.hasSuffix("/items") {
                return .page([#"{"id":"I1",\#(name),"itemStock":{"quantity":1}}"#])
            }
            return .page([])
        }) { sandbox, _ in
            let result = try await sandbox.example("low-stock")
            #expect(result.status == 1 && result.outputText == "1\tI1\tFlat white [31m 1m\n", "\(result)")
        }
    }

    @Test(
        "where no temporary file can be made, the status is not one that means something else",
        arguments: ["refund-audit", "till"])
    func noTemporaryFile(_ name: String) async throws {
        let arguments = ["till": ["USD"], "refund-audit": ["2026-01-01"]]
        let result = try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            try await sandbox.with(["TMPDIR": sandbox.directory["nowhere"]])
                .example(name, arguments[name] ?? [])
        }
        #expect(result.status == 73, "\(result)")
        #expect(result.outputText == "" && result.errorText.contains("mktemp"), "\(result)")
    }

    @Test("a till that finds no clover says so")
    func noProgram() async throws {
        try await Sandbox.run { sandbox in
            let result = try await CommandRunner(
                executable: Sandbox.exampleScript("till"),
                environment: sandbox.variables.merging(["PATH": "/usr/bin:/bin"]) { $1 }
            ).run([], input: .nothing)
            #expect(result.status == 127, "\(result)")
            #expect(result.outputText.contains("clover: command not found"), "\(result)")
            #expect(result.errorText == "", "\(result)")
        }
    }

    @Test("the list of customers is replaced by a complete one only")
    func customers() async throws {
        try await Sandbox.run(emulator: ["--orders", "50"]) { sandbox, emulator in
            let file = sandbox.directory["customers.csv"]
            // The line with the names belongs to it, whatever the configuration says.
            expectSuccess(
                try await sandbox.with(["CLOVER_NO_HEADER": "true"]).example("customers-to-csv", [file]))
            let count = try await sandbox.clover("get", "customers", "--all", "--jq", ".id").lines.count
            let lines = try sandbox.lines(of: "customers.csv")
            #expect(lines.count == count + 1)
            try Snapshot.check(lines.joined(separator: "\n") + "\n", "example-customers-to-csv")

            let refused = try await sandbox.with(["CLOVER_ACCESS_TOKEN": "no-token"]).example(
                "customers-to-csv", [file])
            #expect(refused.status == 77, "\(refused)")
            #expect(try sandbox.lines(of: "customers.csv") == lines)
            #expect(sandbox.directory.files(below: "").filter { $0.contains("customers.csv") } == ["/customers.csv"])
        }
    }

    @Test("the list of customers keeps the mode of its file, and the links to it")
    func keptFile() async throws {
        try await Sandbox.run(emulator: ["--orders", "50"]) { sandbox, _ in
            let folder = sandbox.directory.path
            let made = try await sandbox.shell(
                """
                cd '\(folder)' && mkdir lists && echo old >lists/real.csv && chmod 640 lists/real.csv &&
                ln -s lists/real.csv link.csv && echo old >one.csv && ln one.csv two.csv && umask
                """)
            expectSuccess(made)
            for name in ["link.csv", "one.csv", "new.csv"] {
                expectSuccess(try await sandbox.example("customers-to-csv", [sandbox.directory[name]]))
            }
            let found = try await sandbox.shell(
                """
                cd '\(folder)' && readlink link.csv && stat --format %a lists/real.csv && stat --format %h one.csv two.csv &&
                cmp lists/real.csv one.csv && cmp one.csv two.csv && cmp two.csv new.csv && head --lines=1 link.csv &&
                touch plain && [ "$(stat --format %a plain)" = "$(stat --format %a new.csv)" ] && ls lists
                """)
            #expect(
                found.lines.map { $0.filter { $0 != "\r" } } == [
                    "lists/real.csv", "640", "2", "2",
                    "id,firstName,lastName,customerSince,emailAddresses.elements.0.emailAddress,phoneNumbers.elements.0.phoneNumber",
                    "real.csv",
                ], "\(found)")
            let nowhere = try await sandbox.example("customers-to-csv", [sandbox.directory["none/at/all.csv"]])
            #expect(nowhere.status == 73 && nowhere.errorText.contains("there is no folder for"), "\(nowhere)")
            let taken = try await sandbox.example("customers-to-csv", [sandbox.directory["lists"]])
            #expect(taken.status == 73 && taken.errorText.contains("is a folder"), "\(taken)")
            let closed = try await sandbox.shell(
                """
                \(MountSpace.command) sh -c "mount --bind '\(folder)/lists' '\(folder)/lists' &&
                mount -o remount,bind,ro '\(folder)/lists' &&
                '\(Sandbox.exampleScript("customers-to-csv"))' '\(folder)/lists/other.csv'"
                """)
            #expect(closed.status == 73, "\(closed)")
            #expect(
                closed.errorText.hasPrefix("customers-to-csv: no file can be made in the folder of")
                    && closed.errorText.split(separator: "\n").count == 1, "\(closed)")
            // A pipe is no file to be replaced.
            expectSuccess(try await sandbox.shell("mkfifo '\(folder)/pipe'"))
            let reader = try sandbox.startShell("cat '\(folder)/pipe' | cmp - '\(folder)/one.csv'")
            expectSuccess(try await sandbox.example("customers-to-csv", [sandbox.directory["pipe"]]))
            expectSuccess(try await reader.result())
            expectSuccess(try await sandbox.shell("test -p '\(folder)/pipe'"))
        }
    }

    @Test(
        "a file of another user in a shared folder keeps its owner, and one that is not writable is left unchanged",
        .enabled(if: geteuid() == 0))
    func sharedFolder() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            let folder = sandbox.directory.path
            // Copies, because the other user may not be let into the folder where the program was built.
            let program = try CommandRunner.builtProgram("clover")
            let script = Sandbox.exampleScript("customers-to-csv")
            let tools = "\(folder)/tools"
            let member =
                "setpriv --reuid 12346 --regid 12000 --clear-groups env CLOVER_STATE_DIR='\(folder)/own' HOME='\(folder)/own'"
            let prepared = try await sandbox.shell(
                """
                cd '\(folder)' && chmod 711 . && mkdir -m 755 tools && cp '\(program)' '\(script)' tools &&
                mkdir -m 2775 shared && mkdir -m 700 own && chown 12346:12000 own shared &&
                echo old >shared/list.csv && echo old >shared/closed.csv && chmod 664 shared/list.csv &&
                chmod 644 shared/closed.csv && chown 12345:12000 shared/*.csv
                """)
            expectSuccess(prepared)
            func run(_ name: String) async throws -> CommandResult {
                try await sandbox.shell(
                    "cd / && exec \(member) PATH='\(tools)':/usr/bin:/bin \(tools)/customers-to-csv '\(folder)/shared/\(name)'"
                )
            }
            expectSuccess(try await run("list.csv"))
            let closed = try await run("closed.csv")
            #expect(closed.status == 73 && closed.errorText.contains("only they can write to it"), "\(closed)")
            let found = try await sandbox.shell(
                """
                cd '\(folder)/shared' && stat --format '%n %u %g %a' *.csv && cat closed.csv &&
                head --lines=1 list.csv | cut --delimiter=, --fields=1,2 && ls -A
                """)
            #expect(
                found.lines == [
                    "closed.csv 12345 12000 644", "list.csv 12345 12000 664", "old", "id,firstName", "closed.csv",
                    "list.csv",
                ], "\(found)")
        }
    }

    @Test("a change comes once, and comes again when it changes again")
    func changes() async throws {
        try await Sandbox.run(emulator: ["--orders", "20", "--now", "clock"]) { sandbox, _ in
            func feed() async throws -> [JSONValue] {
                let result = try await sandbox.example("change-feed", ["--until-idle", "0"])
                expectSuccess(result)
                return try JSONValue.lines(result.lines)
            }
            #expect(try await feed() == [])
            let made = try await sandbox.clover("post", "orders", "--field", "title=One", "-r", "--jq", ".id")
            let id = try #require(made.lines.first, "\(made)")
            #expect(try await feed().map { $0["record"]?["id"]?.string } == [id])
            #expect(try await feed() == [])
            expectSuccess(try await sandbox.clover("post", "orders/\(id)", "--field", "title=Two"))
            #expect(try await feed().map { $0["record"]?["title"]?.string } == ["Two"])
        }
    }

    @Test("the till charges, and refuses what is no amount")
    func till() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            let driver = try CommandRunner.builtProgram("clover-emulator")
            let sandbox = sandbox.with(["CLOVER_READER_DRIVER": "\(driver) reader-driver --pace 0"])
            let reader = try #require(
                try await sandbox.clover("reader", "scan", "--first", "--json", "-q").lines.first)
            let id = try #require(JSONValue(reader)["id"]?.string)
            expectSuccess(try await sandbox.clover("reader", "connect", id))
            let result = try await sandbox.example("till", input: .text("4.20\n12\n0.80\n\n"))
            #expect(result.status == 0, "\(result)")
            // What a program would read is not for the one at the counter.
            #expect(result.errorText == "", "\(result)")
            // Each charge has another card.
            try Snapshot.check(result.outputText.replacing(/[A-Z]+ [0-9]{4}\n/, with: "CARD 0000\n"), "example-till")
        }
    }

    @Test("of a charge that was stopped from outside the till says that it is not known, and settles it")
    func stoppedCharge() async throws {
        try await ChargeFixture.run(emulator: ["--now", "clock"]) { till in
            let program = try CommandRunner.builtProgram("clover")
            let stopped = try till.sandbox.directory.makeFolder("stopped")
            _ = try await till.sandbox.makeScript(
                "stopped/clover", "[ \"$1 $2\" != 'charge --amount' ] || kill -9 $$\nexec \(program) \"$@\"")
            let result = try await till.sandbox.example("till", input: .text("4.20\n\n"), before: stopped + ":")
            #expect(result.status == 0, "\(result)")
            #expect(
                result.outputText.contains("It is not known whether the card was charged (status 137)"), "\(result)")
            #expect(!result.outputText.contains("could not be made"))
        }
    }

    @Test("the till asks the cashier for a charge's outcome that no service knows, then continues")
    func settledAtTheCounter() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            let program = try CommandRunner.builtProgram("clover-emulator")
            // Without --state the driver knows nothing of an earlier run.
            let driver = "\(program) reader-driver --pace 0"
            let sandbox = sandbox.with(["CLOVER_READER_DRIVER": "\(driver) --fault lose-answer@1"])
            expectSuccess(try await sandbox.clover("reader", "connect", ReaderWorld.first))
            let lost = try await sandbox.example("till", input: .text("4.20\n"))
            #expect(lost.status == 80, "\(lost)")
            #expect(lost.outputText.contains("It is still not known. Start again later"), "\(lost)")
            let sound = sandbox.with(["CLOVER_READER_DRIVER": driver])
            let next = try await sound.example("till", input: .text("perhaps\nno\n0.80\n\n"))
            #expect(next.status == 0, "\(next)")
            #expect(next.outputText.contains("of 420 USD (in the smallest unit): was it paid?"), "\(next)")
            #expect(next.outputText.contains("Paid: 0.80 USD"), "\(next)")
            let after = try await sound.example("till", input: .text("\n"))
            #expect(after.status == 0 && after.outputText == "", "\(after)")
        }
    }

    @Test("the till asks the cashier again if the service contradicts the outcome entered by hand, then continues")
    func contradictedAtTheCounter() async throws {
        try await Sandbox.run(emulator: ["--orders", "5"]) { sandbox, _ in
            let program = try CommandRunner.builtProgram("clover-emulator")
            let driver = "\(program) reader-driver --pace 0 --state '\(sandbox.directory["cards"])'"
            let lossy = sandbox.with(["CLOVER_READER_DRIVER": "\(driver) --fault lose-answer@1"])
            expectSuccess(try await lossy.clover("reader", "connect", ReaderWorld.first))
            let lost = try await lossy.clover("charge", "--amount", "4.20", "--currency", "USD", "--reader", "--json")
            #expect(lost.status == 80, "\(lost)")
            let id = try #require(try lost.records().last?["charge"]?.string)
            expectSuccess(try await lossy.clover("charge", "settle", id, "--not-paid", "--by", "Anna"))
            let sound = sandbox.with(["CLOVER_READER_DRIVER": driver])
            let next = try await sound.example("till", input: .text("yes\n0.80\n\n"))
            #expect(next.status == 0, "\(next)")
            #expect(next.outputText.contains("asked later, the answer is that it was"), "\(next)")
            #expect(next.outputText.contains("of 420 USD (in the smallest unit): was it paid?"), "\(next)")
            #expect(next.outputText.contains("Paid: 0.80 USD"), "\(next)")
            let after = try await sound.example("till", input: .text("\n"))
            #expect(after.status == 0 && after.outputText == "", "\(after)")
        }
    }

    @Test("a charge in the middle of which the till was killed is settled when it is started again")
    func killedTill() async throws {
        try await ChargeFixture.run(emulator: ["--now", "clock", "--authorization-time", "2s"]) { till in
            let token = try await till.cardToken()
            let charge = try till.sandbox.start([
                "charge", "--amount", "4.20", "--currency", "USD", "--source", token, "--quiet",
            ])
            try await till.waitUntilUnderWay()
            charge.send(9)
            #expect(try await charge.result().ending == .signalled(9))
            // The service goes on with it alone.
            try await till.waitUntilTaken()
            #expect(try await till.journal().map { $0["state"]?.string } == ["sent"])
            let result = try await till.sandbox.example("till", input: .text("\n"))
            #expect(result.status == 0, "\(result)")
            #expect(result.outputText.contains(/An earlier charge, c_[^:]+: approved/), "\(result)")
            try await till.expectAgreement()
            // The next start has nothing to say of it.
            let next = try await till.sandbox.example("till", input: .text("\n"))
            #expect(next.status == 0 && next.outputText == "", "\(next)")
        }
    }
}

extension Sandbox {
    /// The lines of a file in the sandbox's folder.
    fileprivate func lines(of name: String) throws -> [Substring] {
        String(decoding: try directory.read(name), as: UTF8.self).split(whereSeparator: \.isNewline)
    }

    /// Runs a script of `examples/` with the built programs in its path.
    func example(
        _ name: String, _ arguments: [String] = [], input: CommandRunner.Input = .nothing, before path: String = ""
    ) async throws -> CommandResult {
        let program = try CommandRunner.builtProgram("clover")
        let folder = program.dropLast("/clover".count)
        return try await CommandRunner(
            executable: Self.exampleScript(name),
            environment: variables.merging(["PATH": "\(path)\(folder):/usr/bin:/bin"]) { $1 }
        ).run(arguments, input: input)
    }

    /// The path of a script.
    static func exampleScript(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../examples/\(name)").standardized.path
    }
}
