import CloverTestSupport
import Foundation
import Testing

@Suite("Home directories that are missing or not writable")
struct HomeTests {
    /// Commands that need no state, and end with 0 whatever the home is like.
    private static let stateless: [[String]] = [
        ["--version"], ["help"], ["help", "get"], ["help", "cron"], ["schema", "order.Order"], ["endpoints", "orders"],
        ["config", "list"], ["config", "path"], ["config", "keys"], ["get", "orders", "--dry-run", "-q"],
        ["get", "orders", "--curl", "-q"], ["post", "items", "-F", "name=x", "-F", "price=1", "--dry-run", "-q"],
        // What there would be to show is not there.
        ["charge", "list"], ["reader", "list"], ["auth", "list"], ["limits"],
    ]

    /// A sandbox that has no place for state but the home.
    private static func homely(_ sandbox: Sandbox) -> Sandbox {
        sandbox.without("CLOVER_STATE_DIR", "CLOVER_CONFIG_DIR")
    }

    /// Runs `clover` in a separate mount namespace, where a folder is mounted read-only or replaced by another one. There,
    /// even the superuser, who bypasses permission bits, cannot write to it.
    private static func clover(
        _ arguments: [String], _ sandbox: Sandbox, mounting mount: String, input: String = ""
    ) async throws -> CommandResult {
        try sandbox.directory.write("input", input.utf8)
        let script = mount + #"; shift; exec "$@""#
        return try await CommandRunner(executable: "/usr/bin/unshare", environment: sandbox.variables).run(
            MountSpace.arguments + [
                "/bin/sh", "-c", script, "sh", sandbox.directory["home"],
                try CommandRunner.builtProgram("clover"),
            ] + arguments, input: .file(sandbox.directory["input"]))
    }

    private static let readOnly = #"mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99"#
    /// Puts the home of the test in the place of that which the user database names.
    private static let inPlaceOfReal = #"mount --bind "$1" "$(getent passwd 0 | cut -d: -f6)" || exit 99"#

    @Test("commands without state work with a home directory that is not writable", arguments: stateless)
    private func needsNoState(_ arguments: [String]) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let result = try await Self.clover(arguments, Self.homely(sandbox), mounting: Self.readOnly)
            expectSuccess(result)
            #expect(sandbox.directory.files(below: "home") == [])
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        var input = ""
        let folder: String
        let hint: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let stateHint =
        "clover stores its state there; to use another directory, set CLOVER_STATE_DIR, such as "
        + "CLOVER_STATE_DIR=/var/tmp/clover-"

    @Test(
        "commands that store something name the path and the variable for another directory: 73",
        arguments: [
            Refusal(arguments: ["get", "orders"], folder: ".local", hint: stateHint),
            Refusal(
                arguments: ["auth", "login", "--with-token", "--merchant", "M", "--environment", "us"], input: "x\n",
                folder: ".local", hint: stateHint),
            Refusal(
                arguments: ["charge", "--amount", "1.00", "--currency", "USD", "--source", "clv_x"], folder: ".local",
                hint: stateHint),
            Refusal(
                arguments: ["config", "set", "format", "csv"], folder: ".config",
                hint: "the configuration is stored there; to use another directory, set CLOVER_CONFIG_DIR"),
        ])
    private func refused(_ refusal: Refusal) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            let result = try await Self.clover(
                refusal.arguments, Self.homely(sandbox), mounting: Self.readOnly, input: refusal.input)
            expectFailure(
                result, status: 73, saying: "cannot make directory \(sandbox.directory["home"])/\(refusal.folder)",
                "Read-only file system", refusal.hint)
            #expect(!server.requests.contains { $0.path.hasSuffix("/orders") || $0.method == "POST" })
        }
    }

    @Test("a token from the environment also needs a directory for the request counts")
    func staticToken() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let result = try await Self.clover(["get", "orders"], Self.homely(sandbox), mounting: Self.readOnly)
            expectFailure(result, status: 73, saying: "count their requests there", "even with CLOVER_ACCESS_TOKEN")
        }
    }

    @Test("another state directory makes up for a home directory that is not writable")
    func otherPlace() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, _ in
            let result = try await Self.clover(["get", "orders"], sandbox, mounting: Self.readOnly)
            expectSuccess(result)
            #expect(result.lines == Record.orders(1))
        }
    }

    @Test("doctor names a home directory that is not writable, and what to do")
    func doctor() async throws {
        try await Sandbox.run { sandbox in
            let result = try await Self.clover(
                ["doctor", "--offline", "--json"], Self.homely(sandbox.withoutBuses), mounting: Self.readOnly)
            #expect(result.ending == .exited(78), "\(result)")
            let state = try JSONValue.lines(result.lines).first { $0["check"]?.string == "state" }
            #expect(state?["result"]?.string == "fail")
            #expect(state?["message"]?.string?.contains("Read-only file system") == true, "\(result)")
            #expect(result.outputText.contains("CLOVER_STATE_DIR"))
        }
    }

    @Test("without HOME, the home directory comes from the user database, so that cron and a terminal share one state")
    func unset() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, _ in
            let homeless = Self.homely(sandbox).without("HOME")
            for arguments in Self.stateless {
                expectSuccess(try await Self.clover(arguments, homeless, mounting: Self.inPlaceOfReal))
            }
            let result = try await Self.clover(["get", "orders"], homeless, mounting: Self.inPlaceOfReal)
            expectSuccess(result)
            #expect(result.lines == Record.orders(1))
            #expect(
                sandbox.directory.files(below: "home").contains { $0.hasPrefix("home/.local/state/clover/ratelimit/") })
        }
    }

    @Test("without HOME, CLOVER_STATE_DIR is enough, and the home stays empty")
    func unsetWithState() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(1)) }) { sandbox, _ in
            let result = try await Self.clover(
                ["get", "orders"], sandbox.without("HOME"), mounting: Self.inPlaceOfReal)
            expectSuccess(result)
            #expect(sandbox.directory.files(below: "home") == [])
            #expect(sandbox.directory.files(below: "state") != [])
        }
    }
}
