import CloverTestSupport
import Foundation
import Testing

/// What a person meets at a terminal every day.
@Suite("everyday use")
struct EverydayTests {
    @Test("an empty list is stated in words on a terminal, and has only its header in a pipe")
    func noRecords() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "orders", "--all"])
            #expect(try await session.result().ending == .exited(0))
            #expect(session.screen.text == "clover: no records\n", "\(session.screen.text)")
            let quiet = try sandbox.startOnTerminal(["get", "orders", "--all", "-q"])
            #expect(try await quiet.result().ending == .exited(0))
            #expect(quiet.screen.text == "")
            let table = try await sandbox.clover("get", "orders", "--all", "--format", "table")
            expectSuccess(table)
            #expect(table.lines.count == 1 && table.lines.first?.hasPrefix("ID") == true, "\(table)")
        }
    }

    @Test("config list says that nothing is set")
    func nothingSet() async throws {
        try await Sandbox.run { sandbox in
            let session = try sandbox.startOnTerminal(["config", "list"])
            #expect(try await session.result().ending == .exited(0))
            #expect(session.screen.text.hasPrefix("clover: nothing is set; --explain lists"), "\(session.screen.text)")
            let pipe = try await sandbox.clover("config", "list")
            expectSuccess(pipe)
            #expect(pipe.outputText == "")
        }
    }

    @Test("doctor has colours on a terminal, and none where they are not wanted")
    func doctorColours() async throws {
        try await Sandbox.run { given in
            let sandbox = given.withoutBuses
            func sent(_ sandbox: Sandbox) async throws -> String {
                let session = try sandbox.startOnTerminal(["doctor", "--offline"], columns: 200, rows: 80)
                _ = try await session.result()
                return session.sent
            }
            let text = try await sent(sandbox)
            #expect(text.contains("\u{1B}[32mok\u{1B}[0m    "), "\(text.debugDescription)")
            #expect(text.contains("\u{1B}[31mfail\u{1B}[0m  not signed in"), "\(text.debugDescription)")
            #expect(try await !sent(sandbox.with(["NO_COLOR": "1"])).contains("\u{1B}[3"))
            let pipe = try await sandbox.clover("doctor", "--offline")
            #expect(!pipe.outputText.contains("\u{1B}"))
        }
    }

    @Test("a check of the token and a single write show that they are under way, and leave nothing")
    func progress() async throws {
        try await Sandbox.run(emulator: ["--latency", "2500ms"], weight: 0) { sandbox, _ in
            for (arguments, words) in [
                (["auth", "status", "--check"], "of 6 permissions checked"),
                (["post", "items", "--field", "name=Tea", "--field", "price=100"], "waiting for the response"),
            ] {
                let session = try sandbox.startOnTerminal(
                    arguments, columns: 100, output: sandbox.directory["output"])
                try await session.waitForScreen(words) { $0.text.contains(words) }
                #expect(try await session.result().ending == .exited(0))
                #expect(session.screen.text == "", "\(session.screen.text)")
                let quiet = try await sandbox.clover(arguments + ["-q"])
                #expect(quiet.errorText == "", "\(quiet)")
            }
        }
    }

    @Test("an empty amount gets no hint to write it in another way")
    func zero() async throws {
        try await Sandbox.run { sandbox in
            for text in ["0", "0.0"] {
                let result = try await sandbox.clover(
                    "charge", "--amount", text, "--currency", "USD", "--source", "clv_1AAAAAAAAAAAAAAAAAAAAAAA")
                expectFailure(result, status: 64, saying: "--amount 12.50")
                #expect(!result.errorText.contains("write --amount 0"), "\(result)")
            }
        }
    }

    @Test("a key that is no key is named with what is near when it is to be removed")
    func unset() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.clover("config", "set", "format", "csv", "-q"))
            expectFailure(
                try await sandbox.clover("config", "unset", "formt"), status: 66, saying: "there is no key 'formt'",
                "did you mean: format")
            let other = try await sandbox.clover("config", "unset", "retry")
            expectFailure(other, status: 66)
            #expect(!other.errorText.contains("did you mean"))
        }
    }

    @Test("a byte order mark at the head of the file is no part of it, and stays")
    func byteOrderMark() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.makeFolder("config")
            try sandbox.directory.write("config/config.yml", "\u{FEFF}format: csv # as in the office\nretry: 3\n".utf8)
            for (key, value) in [("format", "tsv"), ("money", "major")] {
                expectSuccess(try await sandbox.clover("config", "set", key, value, "-q"))
            }
            expectSuccess(try await sandbox.clover("config", "unset", "retry", "-q"))
            let text = String(decoding: try sandbox.directory.read("config/config.yml"), as: UTF8.self)
            #expect(text == "\u{FEFF}format: tsv # as in the office\nmoney: major\n", "\(text.debugDescription)")
            #expect(try await sandbox.clover("config", "get", "format").lines == ["tsv"])
        }
    }

    @Test("names both lines of a duplicate key")
    func twice() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.makeFolder("config")
            let path = sandbox.directory["config/config.yml"]
            for (text, words) in [
                (
                    "format: csv\nretry: 3\n# format: json\nformat: tsv\n",
                    "line 4: duplicate key 'format', first in line 1"
                ),
                (
                    "retry: 1\nprofiles:\n  a:\n    retry: 3\n\n    'retry' : 4\n  b:\n    retry: 5\n",
                    "line 6: duplicate key 'retry', first in line 4"
                ),
            ] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                expectFailure(try await sandbox.clover("config", "list"), status: 78, saying: words)
            }
        }
    }

    @Test(
        "no word of a driver's line may be a secret",
        arguments: [
            "prog --token s3cr3t", "prog --token=s3cr3t", "prog --api-key 's3cr3t word'", "PASSWORD=s3cr3t prog",
            "prog 5f0c1d2e-1111-4222-8333-123456789abc", "prog --auth 'Bearer s3cr3t'", "prog sq0csp-s3cr3t",
            "prog https://user:s3cr3t@host/", "prog --key eyJhbGciOi.eyJzdWIi.s3cr3t",
        ])
    func secretArgument(_ line: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("config", "set", "reader-driver", line)
            expectFailure(result, status: 64, saying: "looks like a token or a secret")
            #expect(!result.errorText.contains("s3cr3t"), "\(result)")
            #expect(!FileManager.default.fileExists(atPath: sandbox.directory["config/config.yml"]))
        }
    }

    @Test(
        "a driver's line without a secret is kept",
        arguments: [
            "prog", "/opt/my driver/prog --verbose", "prog --token-file /etc/token", "prog --token $TOKEN --fast",
            "prog --device 5f0c1d2e-1111-4222-8333-123456789abc", "prog --pin-pad usb --port 8080",
        ])
    func harmlessArgument(_ line: String) async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.clover("config", "set", "reader-driver", line, "-q"))
            #expect(try await sandbox.clover("config", "get", "reader-driver").lines == [line])
        }
    }
}
