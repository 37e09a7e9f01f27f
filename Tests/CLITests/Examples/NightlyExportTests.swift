import CloverTestSupport
import Foundation
import Testing

/// `examples/nightly-export` and the units beside it.
@Suite("examples: nightly-export")
struct NightlyExportTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../examples").standardized.path

    @Test("a night prints what it has brought, and the next one what has changed since")
    func nights() async throws {
        try await Sandbox.run(emulator: ["--orders", "500"]) { sandbox, emulator in
            let exports = sandbox.exports("exports")
            let first = try await sandbox.example("nightly-export", [exports.path])
            let second = try await sandbox.example("nightly-export", [exports.path])
            expectSuccess(first)
            expectSuccess(second)
            try Snapshot.check(first.outputText + second.outputText, "example-nightly-export")
            try exports.expectWhole()

            expectSuccess(try await sandbox.clover("post", "items", "--field", "name=Babka", "--field", "price=450"))
            let third = try JSONValue(
                try await sandbox.example("nightly-export", [exports.path, "items", "orders"]).outputText)
            #expect(third["records"] == (try JSONValue(#"{"items":1,"orders":0}"#)))
            let records = try JSONValue.lines(
                String(decoding: try await unpacked(exports, resource: "items"), as: UTF8.self)
                    .split(separator: "\n").map(String.init))
            #expect(Set(records.compactMap { $0["id"]?.string }) == Set(try await emulator.truth("items").keys))
        }
    }

    @Test("what failed is named, with clover's own status, and comes the night after")
    func failure() async throws {
        try await Sandbox.run(emulator: ["--orders", "100", "--fault", "500@1:/v3/merchants"]) { sandbox, _ in
            let sandbox = sandbox.with(["CLOVER_RETRY": "0"])
            let arguments = [sandbox.directory["exports"], "refunds", "items"]
            let first = try await sandbox.example("nightly-export", arguments)
            #expect(first.status == 82, "\(first)")
            let line = try JSONValue(first.outputText)
            #expect(line["status"]?.integer == 82)
            #expect(line["failed"]?.elements?.isEmpty == false, "\(first)")
            let second = try await sandbox.example("nightly-export", arguments)
            expectSuccess(second)
            #expect(try JSONValue(second.outputText)["failed"]?.elements?.isEmpty == true)
        }
    }

    @Test("a file that is not what was written ends with 74")
    func damaged() async throws {
        try await Sandbox.run(emulator: ["--orders", "50"]) { sandbox, _ in
            let exports = sandbox.exports("exports")
            // A device that loses the end of what was written to it.
            try sandbox.directory.write(
                "clover.sh",
                Array(
                    """
                    #!/bin/bash
                    '\(try CommandRunner.builtProgram("clover"))' "$@"
                    status=$?
                    truncate --size=-9 '\(exports.path)'/orders/*
                    exit $status

                    """.utf8))
            // By another process: a program that this one starts meanwhile would have the file open for writing.
            expectSuccess(
                try await CommandRunner(executable: "/usr/bin/install", environment: [:])
                    .run(["-D", sandbox.directory["clover.sh"], sandbox.directory["bin/clover"]]))
            let script = CommandRunner(
                executable: Self.folder + "/nightly-export",
                environment: sandbox.variables.merging(["PATH": "\(sandbox.directory["bin"]):/usr/bin:/bin"]) { $1 })
            let result = try await script.run([exports.path, "items", "orders"])
            #expect(result.status == 74, "\(result)")
            #expect(result.errorText.contains("orders/"), "\(result)")
            #expect(!result.errorText.contains("items/"), "\(result)")
        }
    }

    @Test("systemd takes the units, and what the service starts is an export to the home directory")
    func units() async throws {
        try await Sandbox.run(emulator: ["--orders", "500"]) { sandbox, _ in
            let home = sandbox.directory["home"]
            let install = CommandRunner(
                executable: "/usr/bin/install", environment: [:], directory: Self.folder)
            expectSuccess(try await install.run(["-D", "-t", home + "/.local/bin", "nightly-export"]))
            let units = ["nightly-export.service", "nightly-export.timer"]
            let target = home + "/.config/systemd/user"
            expectSuccess(try await install.run(["-D", "-m", "644", "-t", target] + units))
            let analyze = CommandRunner(
                executable: "/usr/bin/systemd-analyze",
                environment: ["PATH": "/usr/bin:/bin", "HOME": home, "XDG_RUNTIME_DIR": sandbox.directory.path])
            let verified = try await analyze.run(["--user", "verify", "--man=no"] + units.map { "\(target)/\($0)" })
            expectSuccess(verified)
            #expect(verified.errorText == "")

            let service = try String(contentsOfFile: target + "/nightly-export.service", encoding: .utf8)
            let line = try #require(service.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            let words = line.dropFirst("ExecStart=".count).split(separator: " ")
                .map { String($0).replacing("%h", with: home) }
            let folder = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
            let started = CommandRunner(
                executable: words[0],
                environment: sandbox.variables.merging(["HOME": home, "PATH": "\(folder):/usr/bin:/bin"]) { $1 })
            expectSuccess(try await started.run(Array(words.dropFirst()), input: .closed))
            #expect(try sandbox.exports("home/exports").manifest().count == 9)
        }
    }

    /// The lines of all files of a resource.
    private func unpacked(_ exports: ExportFolder, resource: String) async throws -> [UInt8] {
        let files = exports.files.filter { $0.hasPrefix(resource + "/") }.map { "\(exports.path)/\($0)" }
        return try await CommandRunner(executable: "/usr/bin/gzip", environment: [:]).run(["-dc"] + files).output
    }
}
