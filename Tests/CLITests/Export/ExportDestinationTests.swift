import CloverTestSupport
import Foundation
import Testing

/// Destinations that others have changed: links, foreign files, another merchant, and files that were removed.
@Suite("export: a destination changed since the last run")
struct ExportDestinationTests {
    private static let flags = ["--orders", "100", "--days", "40", "--now", "clock", "--no-limits"]

    // MARK: Foreign files

    @Test(
        "refuses links below the destination and another program's manifest with 73",
        arguments: ["manifest", "folder", "growing", "foreign"])
    func foreignFiles(place: String) async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            let theirs = Array(#"{"name":"My App"}"#.utf8 + [UInt8(ascii: "\n")])
            _ = try sandbox.directory.makeFolder("theirs")
            _ = try sandbox.directory.makeFolder("out")
            try sandbox.directory.write("theirs/file", theirs)
            let arguments = ["export", "orders", "--to", folder.path] + (place == "growing" ? ["--append"] : [])
            func link(_ name: String, _ target: String) throws {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder.path)/\(name)", withDestinationPath: sandbox.directory[target])
            }
            switch place {
            case "manifest": try link("manifest.ndjson", "theirs/file")
            case "folder": try link("orders", "theirs")
            case "growing": try link("orders.ndjson", "theirs/file")
            default: try sandbox.directory.write("out/manifest.ndjson", theirs)
            }
            expectFailure(
                try await sandbox.clover(arguments), status: 73,
                saying: place == "foreign" ? "manifest.ndjson was not written by an export" : "is a symbolic link")
            #expect(sandbox.directory.files(below: "theirs") == ["theirs/file"])
            #expect(try sandbox.directory.read("theirs/file") == theirs)
            if place == "foreign" { #expect(try folder.read("manifest.ndjson") == theirs) }
        }
    }

    @Test("a growing file replaced by a link between two runs is refused")
    func replacedByLink() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--append", "--to", folder.path]
            expectSuccess(try await sandbox.clover(arguments))
            let bytes = try folder.read("orders.ndjson")
            try FileManager.default.moveItem(
                atPath: "\(folder.path)/orders.ndjson", toPath: sandbox.directory["elsewhere"])
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/orders.ndjson", withDestinationPath: sandbox.directory["elsewhere"])
            try await emulator.churn(10)
            expectFailure(try await sandbox.clover(arguments), status: 73, saying: "is a symbolic link")
            #expect(try sandbox.directory.read("elsewhere") == bytes)
        }
    }

    @Test("a URL as destination is refused with 64 by the export and its schedule, and nothing is created")
    func urls() async throws {
        try await Sandbox.run { sandbox in
            for url in ["gs://bucket/exports", "mysql://host/db"] {
                for arguments in [["export", "orders"], ["export", "schedule", "--every", "1h", "--", "orders"]] {
                    expectFailure(
                        try await sandbox.clover(arguments + ["--to", url]), status: 64,
                        saying: "--to takes a path and cannot write to")
                }
            }
            #expect(!FileManager.default.fileExists(atPath: sandbox.directory["gs:"]))
            #expect(!FileManager.default.fileExists(atPath: sandbox.directory["mysql:"]))
        }
    }

    // MARK: Merchants

    /// Runs with two shops, to which sign-ins `a` and `b` belong; `b` is in use.
    private static func withTwoShops(
        _ body: (_ sandbox: Sandbox, _ a: EmulatorProcess, _ b: EmulatorProcess) async throws -> Void
    ) async throws {
        try await Sandbox.run(emulator: ["--orders", "30"]) { given, a in
            let b = try await EmulatorProcess(["--orders", "20", "--seed", "7"])
            let sandbox = given.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            for (profile, emulator) in [("a", a), ("b", b)] {
                let result = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", emulator.merchantID, "--environment", emulator.url,
                    "--profile", profile, input: .text(emulator.accessToken + "\n"))
                #expect(result.status == 0, "\(result)")
            }
            try await body(sandbox, a, b)
        }
    }

    @Test("a destination refuses a second merchant with 78 unless names or records identify it")
    func secondMerchant() async throws {
        try await Self.withTwoShops { sandbox, a, b in
            let folder = sandbox.exports("out")
            func export(_ profile: String, _ options: String...) async throws -> CommandResult {
                try await sandbox.clover(
                    ["export", "orders", "items", "--to", folder.path, "--profile", profile] + options)
            }
            expectSuccess(try await export("a"))
            let contents = try folder.contents()
            for options in [[], ["--append"], ["--full"], ["--day", "yesterday"]] as [[String]] {
                expectFailure(
                    try await sandbox.clover(
                        ["export", "orders", "--to", folder.path, "--profile", "b"] + options), status: 78,
                    saying: "has the exports of merchant \(a.merchantID), and this run is for merchant \(b.merchantID)",
                    "--tag-merchant")
            }
            #expect(try folder.contents() == contents)
            // The second one is not in the state.
            #expect(try await sandbox.clover("export", "status").lines.count == 2)
            expectSuccess(try await export("b", "--name", "{merchant}/{resource}/{window}.{extension}"))
            expectSuccess(try await export("a"))
            try folder.expectWhole()
        }
    }

    @Test("tagged and untagged records of two merchants share no destination, in either order")
    func taggedAndUntagged() async throws {
        try await Self.withTwoShops { sandbox, a, b in
            func export(
                _ profile: String, to folder: ExportFolder, _ options: String...
            ) async throws -> CommandResult {
                try await sandbox.clover(["export", "orders", "--to", folder.path, "--profile", profile] + options)
            }
            let refusal = "has the exports of merchant \(a.merchantID), and this run is for merchant \(b.merchantID)"
            let plain = sandbox.exports("plain")
            expectSuccess(try await export("a", to: plain))
            let contents = try plain.contents()
            for options in [[], ["--append"], ["--day", "yesterday"]] as [[String]] {
                expectFailure(
                    try await sandbox.clover(
                        ["export", "orders", "--to", plain.path, "--profile", "b", "--tag-merchant"] + options),
                    status: 78, saying: refusal, "in each export to it")
            }
            #expect(try plain.contents() == contents)
            expectSuccess(try await export("a", to: plain))

            let tagged = sandbox.exports("tagged")
            expectSuccess(try await export("a", to: tagged, "--tag-merchant", "--append"))
            expectFailure(try await export("b", to: tagged, "--append"), status: 78, saying: refusal)
            for profile in ["b", "a", "b"] {
                expectSuccess(try await export(profile, to: tagged, "--tag-merchant", "--append"))
            }
            // One of those that are there begins to leave the tag out.
            expectFailure(
                try await export("a", to: tagged, "--full", "--append"), status: 78,
                saying: "has the exports of merchant \(b.merchantID), and this run is for merchant \(a.merchantID)")
            #expect(Set(try tagged.manifest().map { $0["merchant"]?.string }) == [a.merchantID, b.merchantID])
            try tagged.expectWhole()
        }
    }

    @Test("names by profile separate merchants only while a profile stays with its merchant")
    func namesBySignIn() async throws {
        try await Self.withTwoShops { sandbox, a, b in
            let arguments = [
                "export", "orders", "--to", "out", "--name", "{profile}/{window}.{extension}", "--profile",
            ]
            for profile in ["a", "b"] { expectSuccess(try await sandbox.clover(arguments + [profile])) }
            let login = try await sandbox.clover(
                "auth", "login", "--with-token", "--merchant", b.merchantID, "--environment", b.url, "--profile", "a",
                input: .text(b.accessToken + "\n"))
            #expect(login.status == 0, "\(login)")
            expectFailure(
                try await sandbox.clover(arguments + ["a"]), status: 78,
                saying: "has the exports of merchant \(a.merchantID)")
        }
    }

    @Test("a scheduled export keeps its sign-in after 'auth switch'")
    func schedule() async throws {
        try await Self.withTwoShops { sandbox, a, _ in
            func switchTo(_ name: String) async throws {
                let result = try await sandbox.clover("auth", "switch", name)
                #expect(result.status == 0, "\(result)")
            }
            try await switchTo("a")
            let schedule = ["export", "schedule", "--every", "15m", "--", "orders", "--to", "out"]
            let result = try await sandbox.clover(schedule)
            expectSuccess(result)
            let line = try #require(result.lines.last)
            #expect(line.hasSuffix(" --profile=a --quiet --max-time=1h"), "\(line)")
            try await switchTo("b")
            let shell = CommandRunner(
                executable: "/bin/sh", environment: ["HOME": sandbox.directory["home"], "PATH": "/usr/bin:/bin"],
                directory: sandbox.directory["home"])
            expectSuccess(try await shell.run(["-c", String(line.dropFirst("*/15 * * * * ".count))]))
            let merchants = Set(try sandbox.exports("out").manifest().map { $0["merchant"]?.string })
            #expect(merchants == [a.merchantID])
            // A given sign-in stays as typed.
            for words in [["--profile", "b"], ["--profiles", "all"], ["--profiles", "b"]] {
                let named = try await sandbox.clover(schedule + words)
                #expect(
                    named.lines.last?.hasSuffix(" \(words.joined(separator: " ")) --quiet --max-time=1h") == true,
                    "\(named)")
            }
            let merchant = try await sandbox.clover(schedule + ["--merchant", a.merchantID])
            #expect(merchant.lines.last?.hasSuffix(" --profile=a --quiet --max-time=1h") == true, "\(merchant)")
        }
    }

    // MARK: Files that are missing

    @Test("names missing published files, exports what is new, and ends with 79 until they are resolved")
    func missing() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            func export(_ options: String...) async throws -> CommandResult {
                try await sandbox.clover(
                    ["export", "orders", "items", "--to", folder.path, "--window", "10d"] + options)
            }
            expectSuccess(try await export())
            let whole = try folder.contents()
            let lost = try #require(folder.files.filter { $0.hasPrefix("orders/") }.sorted().first)
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(lost)")
            for number in 0..<2 {
                try await emulator.churn(10)
                let result = try await export("--summary")
                expectFailure(
                    result, status: 79, saying: "1 published file is missing in \(folder.path): \(lost)",
                    "--export-missing", "--accept-missing", output: nil)
                #expect(try JSONValue(try #require(result.lines.last))["ok"] == .bool(false))
                // New records are exported even so.
                #expect(folder.files.count > whole.count - 1 + number)
            }
            // An export of something else names it too.
            expectFailure(
                try await sandbox.clover("export", "categories", "--to", folder.path), status: 79,
                saying: "1 published file is missing in \(folder.path): \(lost)", "--export-missing", output: nil)
            let status = try JSONValue.lines(try await sandbox.clover("export", "status").lines)
            #expect(
                Dictionary(
                    uniqueKeysWithValues: status.map { ($0["resource"]?.string ?? "", $0["missingFiles"]?.integer) })
                    == ["categories": 0, "items": 0, "orders": 1])

            expectSuccess(try await export("--export-missing"))
            let published = try folder.newest(of: "orders")
            for (id, record) in try await emulator.truth("orders") { #expect(published[id] == record, "\(id)") }
            // Only that window was requested again, and the other files are unchanged.
            for (file, bytes) in whole where file != lost { #expect(try folder.read(file) == bytes, "\(file)") }
            try folder.expectWhole()
            expectSuccess(try await export())
        }
    }

    @Test("accepted missing files are not reported again and not exported again")
    func accepted() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            func export(_ options: String...) async throws -> CommandResult {
                try await sandbox.clover(["export", "orders", "--to", folder.path, "--window", "1d"] + options)
            }
            expectSuccess(try await export())
            let files = folder.files
            #expect(files.count > 12)
            for file in files { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }
            let result = try await export()
            expectFailure(result, status: 79, saying: "\(files.count) published files are missing", ", ...")
            #expect(!result.errorText.contains(files.sorted()[10]))
            expectSuccess(try await export("--accept-missing"))
            expectSuccess(try await export())
            #expect(folder.files == [])
            expectFailure(
                try await export("--export-missing", "--accept-missing"), status: 64, saying: "exclude each other")
            expectFailure(
                try await sandbox.clover("export", "orders", "--accept-missing"), status: 64,
                saying: "--accept-missing needs --to DIRECTORY")
        }
    }

    @Test(
        "a published file of another size counts as missing until it is exported again or accepted",
        arguments: ["cut", "longer", "empty"])
    func changed(how: String) async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, _ in
            let folder = sandbox.exports("out")
            func export(_ options: String...) async throws -> CommandResult {
                try await sandbox.clover(
                    ["export", "orders", "items", "--to", folder.path, "--window", "10d"] + options)
            }
            expectSuccess(try await export())
            let whole = try folder.contents()
            let changed = try #require(folder.files.filter { $0.hasPrefix("orders/") }.sorted().first)
            let bytes = try #require(whole[changed])
            let others: [UInt8] =
                switch how {
                case "cut": Array(bytes.dropLast(9))
                case "longer": bytes + Array("mine\n".utf8)
                default: []
                }
            func change() throws { try sandbox.directory.write("out/\(changed)", others) }
            let words = "\(changed) (changed: \(others.count) bytes, \(bytes.count) expected)"
            try change()
            expectFailure(
                try await export(), status: 79,
                saying: "1 published file is missing or changed in \(folder.path): \(words)", "--export-missing",
                "--accept-missing")
            let status = try JSONValue.lines(try await sandbox.clover("export", "status").lines)
            let orders = try #require(status.first { $0["resource"]?.string == "orders" })
            #expect(orders["missingFiles"]?.integer == 1)
            #expect(try folder.read(changed) == others)

            let again = try await export("--export-missing")
            #expect(again.ending == .exited(0), "\(again)")
            #expect(again.errorText.contains("\(words): what is there is now \(changed).changed"), "\(again)")
            #expect(try folder.read("\(changed).changed") == others)
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(changed).changed")
            let lines = [bytes, try folder.read(changed)].map { Set($0.split(separator: UInt8(ascii: "\n"))) }
            #expect(lines[0] == lines[1])
            #expect(Set(try folder.contents().keys) == Set(whole.keys))
            try folder.expectWhole()
            expectSuccess(try await export())

            try change()
            expectSuccess(try await export("--accept-missing"))
            expectSuccess(try await export())
            #expect(try folder.read(changed) == others)
        }
    }

    @Test("a growing file that was cut is named by a run that does not append to it, and exported again on request")
    func cutGrowingFile() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "customers", "--to", folder.path]
            let growing = arguments + ["--append"]
            expectSuccess(try await sandbox.clover(growing))
            let whole = try folder.contents()
            for (file, bytes) in whole { try sandbox.directory.write("out/\(file)", bytes.prefix(bytes.count / 2)) }
            let expected = try whole.keys.sorted().map { file in
                let count = try #require(whole[file]).count
                return "\(file) (changed: \(count / 2) bytes, \(count) expected)"
            }
            let reported = try await sandbox.clover(arguments)
            expectFailure(
                reported, status: 79, saying: "2 published files are missing or changed in \(folder.path): ",
                expected.joined(separator: ", "))
            let again = try await sandbox.clover(growing + ["--export-missing"])
            #expect(again.ending == .exited(0), "\(again)")
            for (file, bytes) in whole {
                #expect(try folder.read(file + ".changed") == Array(bytes.prefix(bytes.count / 2)), "\(file)")
                try FileManager.default.removeItem(atPath: "\(folder.path)/\(file).changed")
            }
            for list in ["orders", "customers"] {
                let records = try JSONValue.lines(try folder.lines(of: list + ".ndjson"))
                let newest = Dictionary(records.map { ($0["id"]?.string ?? "", $0) }) { $1 }
                #expect(newest == (try await emulator.truth(list)), "\(list)")
            }
            try folder.expectWhole()
            expectSuccess(try await sandbox.clover(growing))
        }
    }

    @Test("full exports, days, parts and growing files are each exported again")
    func exportedAnew() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let runs: [(name: String, words: [String])] = [
                ("whole", ["customers", "--name", "{resource}.{extension}"]),
                ("day", ["orders", "--day", "yesterday"]),
                ("part", ["orders", "--with", "line_items"]),
                ("growing", ["orders", "customers", "--append"]),
                ("growing windows", ["orders", "--append", "--window", "10d"]),
            ]
            for (name, words) in runs {
                let folder = sandbox.exports(name)
                let arguments = ["export"] + words + ["--to", folder.path]
                expectSuccess(try await sandbox.clover(arguments))
                let contents = try folder.contents()
                let lost = folder.files.filter { name != "part" || $0.hasPrefix("orders.line_items/") }
                #expect(!lost.isEmpty, "\(name)")
                for file in lost { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }
                let reported = try await sandbox.clover(arguments)
                // The same day was requested, and its file is there again.
                if name == "day" {
                    expectSuccess(reported)
                } else {
                    expectFailure(reported, status: 79, saying: "missing", folder.path)
                    expectSuccess(try await sandbox.clover(arguments + ["--export-missing"]))
                }
                #expect(Set(try folder.contents().keys) == Set(contents.keys), "\(name)")
                for (file, bytes) in try folder.contents() {
                    let lines = [contents[file] ?? [], bytes].map { Set($0.split(separator: UInt8(ascii: "\n"))) }
                    #expect(lines[0] == lines[1], "\(name) \(file)")
                }
                try folder.expectWhole()
                expectSuccess(try await sandbox.clover(arguments))
            }
            _ = emulator
        }
    }

    @Test("a growing file that was moved away is reported until that is accepted, and none is begun before")
    func movedAway() async throws {
        try await Sandbox.run(unpaced: Self.flags) { sandbox, emulator in
            let folder = sandbox.exports("out")
            let arguments = ["export", "orders", "--append", "--to", folder.path]
            expectSuccess(try await sandbox.clover(arguments))
            try FileManager.default.moveItem(
                atPath: "\(folder.path)/orders.ndjson", toPath: sandbox.directory["old.ndjson"])
            try await emulator.churn(10)
            for _ in 1...2 {
                expectFailure(
                    try await sandbox.clover(arguments), status: 79, saying: "orders.ndjson is missing",
                    "--export-missing", "--accept-missing")
                #expect(folder.files == [])
            }
            expectSuccess(try await sandbox.clover(arguments + ["--accept-missing"]))
            #expect(folder.files == ["orders.ndjson"])
            expectSuccess(try await sandbox.clover(arguments))
        }
    }
}
