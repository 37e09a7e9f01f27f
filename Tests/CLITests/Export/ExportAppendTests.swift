import CloverTestSupport
import Foundation
import Testing

/// Growing files, and changes that others make to them.
@Suite("export --append: a file changed by others")
struct ExportAppendTests {
    private static func arguments(to folder: ExportFolder, _ format: String) -> [String] {
        let base = [
            "export", "orders", "--to", folder.path, "--append", "--name", "{resource}.{extension}", "--format", format,
        ]
        return base + (format == "csv" ? ["--fields", "id,total"] : [])
    }

    @Test("an unterminated last line gets a newline first, with a warning", arguments: ["ndjson", "csv"])
    func openLine(format: String) async throws {
        try await Sandbox.run(unpaced: ["--orders", "200", "--days", "40", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let file = "orders.\(format)"
            let arguments = Self.arguments(to: folder, format)
            expectSuccess(try await sandbox.clover(arguments + ["--until", "2026-01-20T00:00Z"]))
            // As an editor saves it, and with a foreign line.
            var bytes = try folder.read(file)
            let added = bytes.count
            while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            try sandbox.directory.write("out/\(file)", bytes)
            let second = try await sandbox.clover(arguments + ["--until", "2026-01-25T00:00Z"])
            #expect(second.status == 0, "\(second)")
            #expect(second.errorText.contains("did not end with a newline; added one"), "\(second)")
            #expect(Array(try folder.read(file).prefix(added)) == bytes + [UInt8(ascii: "\n")])
            try sandbox.directory.write("out/\(file)", try folder.read(file) + Array("mine".utf8))
            let third = try await sandbox.clover(arguments)
            #expect(third.status == 0, "\(third)")
            var lines = try folder.lines(of: file).map { $0.filter { $0 != "\r" } }
            #expect(lines.count { $0 == "mine" } == 1)
            lines.removeAll { $0 == "mine" || $0 == "id,total" }
            #expect(lines.count == 200)
            let ids =
                format == "csv"
                ? lines.map { String($0.prefix { $0 != "," }) }
                : try JSONValue.lines(lines).compactMap { $0["id"]?.string }
            #expect(Set(ids) == Set(try await emulator.truth("orders").keys))
            try folder.expectWhole()
        }
    }

    @Test("--show-sensitive makes files private when written, appended to, or already complete")
    func privateFiles() async throws {
        try await Sandbox.run(unpaced: ["--orders", "200", "--days", "40", "--no-limits"]) { sandbox, _ in
            func rights(_ file: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: sandbox.directory[file])[.posixPermissions] as? Int
            }
            /// As written by an earlier version.
            func open(_ file: String) throws {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: sandbox.directory[file])
            }
            let growing = Self.arguments(to: sandbox.exports("out"), "ndjson") + ["--show-sensitive"]
            expectSuccess(try await sandbox.clover(growing + ["--until", "2026-01-20"]))
            #expect(try rights("out/orders.ndjson") == 0o600)
            try open("out/orders.ndjson")
            expectSuccess(try await sandbox.clover(growing))
            #expect(try rights("out/orders.ndjson") == 0o600)
            let whole = [
                "export", "employees", "--to", sandbox.exports("staff").path, "--name", "{resource}.{extension}",
            ]
            for options in [["--show-sensitive"], ["--show-sensitive", "--full"]] {
                expectSuccess(try await sandbox.clover(whole + options))
                #expect(try rights("staff/employees.ndjson") == 0o600)
                try open("staff/employees.ndjson")
            }
            let masked = ["export", "employees", "--to", sandbox.exports("masked").path]
            let result = try await sandbox.clover(masked + ["--name", "{resource}.{extension}"])
            #expect(result.status == 0, "\(result)")
            #expect(try rights("masked/employees.ndjson") != 0o600)
        }
    }

    @Test("a file shorter than after the last addition is refused with 65, and nothing is lost")
    func truncatedFile() async throws {
        try await Sandbox.run(unpaced: ["--orders", "200", "--days", "40", "--no-limits"]) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = Self.arguments(to: folder, "ndjson")
            expectSuccess(try await sandbox.clover(arguments + ["--until", "2026-01-20T00:00Z"]))
            let whole = try folder.read("orders.ndjson")
            let cut = Array(whole.prefix(whole.count / 2))
            try sandbox.directory.write("out/orders.ndjson", cut)
            expectFailure(
                try await sandbox.clover(arguments), status: 65,
                saying: "orders.ndjson has been truncated: \(cut.count) of \(whole.count) bytes",
                "restore the whole file", "move the file away, and run once with --full")
            #expect(try folder.read("orders.ndjson") == cut)
            try sandbox.directory.write("out/orders.ndjson", whole)
            expectSuccess(try await sandbox.clover(arguments))
            #expect(Set(try folder.lines(of: "orders.ndjson")).count == 200)
            #expect(Array(try folder.read("orders.ndjson").prefix(whole.count)) == whole)
            try folder.expectWhole()
            // The alternative.
            try sandbox.directory.write("out/orders.ndjson", cut)
            try FileManager.default.moveItem(atPath: folder.path + "/orders.ndjson", toPath: folder.path + ".old")
            expectSuccess(try await sandbox.clover(arguments + ["--full"]))
            expectSuccess(try await sandbox.clover(arguments))
            #expect(try folder.lines(of: "orders.ndjson").count == 200)
            try folder.expectWhole()
        }
    }

    @Test(
        "a file that was emptied or removed is not begun again with the changes alone, until it is repaired or accepted",
        arguments: ["emptied", "removed"])
    func lost(kind: String) async throws {
        let flags = ["--orders", "100", "--days", "40", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let run = Self.arguments(to: folder, "ndjson")
            let verify = ["export", "verify", folder.path]
            expectSuccess(try await sandbox.clover(run))
            for isRepaired in [true, false] {
                if kind == "emptied" {
                    try sandbox.directory.write("out/orders.ndjson", [UInt8]())
                } else {
                    try FileManager.default.removeItem(atPath: folder.path + "/orders.ndjson")
                }
                // Also a run that has nothing to add.
                for changes in [0, 20] {
                    if changes > 0 { try await emulator.churn(changes) }
                    expectFailure(
                        try await sandbox.clover(run), status: kind == "emptied" ? 65 : 79,
                        saying: kind == "emptied"
                            ? "orders.ndjson has been truncated: 0 of"
                            : "orders.ndjson is missing, and nothing was added")
                    expectFailure(try await sandbox.clover(verify), status: 79, saying: "1 finding", output: nil)
                }
                let ended = try await sandbox.clover(isRepaired ? verify + ["--repair"] : run + ["--accept-missing"])
                #expect(ended.status == 0, "\(ended)")
                #expect(try (folder.newest(of: "orders").count >= 100) == isRepaired)
                expectSuccess(try await sandbox.clover(run))
                expectSuccess(try await sandbox.clover(verify))
            }
        }
    }

    @Test("a last newline that is missing is named until it is written again")
    func lastByte() async throws {
        let flags = ["--orders", "50", "--days", "40", "--now", "clock", "--no-limits"]
        try await Sandbox.run(unpaced: flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let run = Self.arguments(to: folder, "ndjson")
            expectSuccess(try await sandbox.clover(run))
            try sandbox.directory.write("out/orders.ndjson", try folder.read("orders.ndjson").dropLast())
            expectFailure(try await sandbox.clover(run), status: 79, saying: "missing or changed")
            try await emulator.churn(20)
            let added = try await sandbox.clover(run)
            #expect(added.status == 0 && added.errorText.contains("added one"), "\(added)")
            expectSuccess(try await sandbox.clover("export", "verify", folder.path))
        }
    }

    @Test("several merchants share one file, or standard output, in the order of their sign-ins")
    func merchants() async throws {
        try await Sandbox.run(emulator: ["--orders", "30"]) { given, emulator in
            let other = try await EmulatorProcess(["--orders", "20", "--seed", "7"])
            let sandbox = given.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            for (profile, emulator) in [("b", emulator), ("a", other)] {
                let result = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", emulator.merchantID, "--environment", emulator.url,
                    "--profile", profile, input: .text(emulator.accessToken + "\n"))
                #expect(result.status == 0, "\(result)")
            }
            let expected =
                Array(repeating: other.merchantID, count: 20) + Array(repeating: emulator.merchantID, count: 30)
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--profiles", "all", "--tag-merchant"]
            let files = arguments + ["--to", folder.path, "--append", "--name", "{resource}.ndjson"]
            for _ in 0..<2 { expectSuccess(try await sandbox.clover(files)) }
            #expect(try Self.owners(folder.lines(of: "orders.ndjson")) == expected)
            try folder.expectWhole()
            let output = try await sandbox.clover(arguments)
            #expect(output.status == 0, "\(output)")
            #expect(try Self.owners(output.lines) == expected)
            expectFailure(
                try await sandbox.clover("export", "orders", "--profiles", "all"), status: 64,
                saying: "--profiles to standard output needs --tag-merchant")
            expectFailure(
                try await sandbox.clover(arguments + ["--to", folder.path, "--name", "{window}"]), status: 64,
                saying: "one file for all merchants needs --append and --tag-merchant")
        }
    }

    private static func owners(_ lines: [String]) throws -> [String] {
        try JSONValue.lines(lines).compactMap { $0["merchant"]?["id"]?.string }
    }
}
