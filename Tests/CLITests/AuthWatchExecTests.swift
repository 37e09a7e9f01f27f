import CloverTestSupport
import Foundation
import Testing

/// What `auth watch` hears while its own command takes its time.
@Suite("auth: watching tokens with a slow command")
struct AuthWatchExecTests {
    /// A watch that has reported a new sign-in, and whose command waits for the file `go` before it writes into `names`.
    private static func run(_ body: (Sandbox, TokenWatcher) async throws -> Void) async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            defer { withExtendedLifetime(emulator) {} }
            let line =
                "[ \"$CLOVER_EVENT_MERCHANT\" = PRIMER ] && exit 0; while ! [ -e go ]; do sleep 0.02; done; "
                + "echo \"$CLOVER_EVENT\" >>names"
            let watch = try await sandbox.startWatch(["--exec", line])
            try await sandbox.receive(SignInService(emulator))
            try await watch.waitForEvents(["new"])
            try await body(sandbox, watch)
        }
    }

    @Test("events during a slow command are reported at once, and each gets its own run of the command")
    func slowCommand() async throws {
        try await Self.run { sandbox, watch in
            // The command waits; its watch does not.
            for count in 1...2 {
                let renewed = try await sandbox.clover("auth", "refresh")
                #expect(renewed.ending == .exited(0), "\(renewed)")
                try await watch.waitForEvents(["new"] + Array(repeating: "refreshed", count: count))
            }
            #expect(try sandbox.text("names") == "")
            try sandbox.directory.write("go", "".utf8)
            try await sandbox.eventually("three names") { try sandbox.text("names").split(separator: "\n").count == 3 }
            #expect(try sandbox.text("names") == "new\nrefreshed\nrefreshed\n")
            #expect(try await watch.end(with: 15).ending == .signalled(15))
        }
    }

    @Test("a stopped watch lets the command that runs end, and begins no other")
    func stoppedWhileWaiting() async throws {
        try await Self.run { sandbox, watch in
            let renewed = try await sandbox.clover("auth", "refresh")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            try await watch.waitForEvents(["new", "refreshed"])
            // The command that runs comes to its own end; the one that waits is not begun.
            watch.command.send(15)
            // Before it has taken the signal, the end of the command would begin the other one.
            try await sandbox.eventually("the end of the watching") { !watch.isWatching }
            try sandbox.directory.write("go", "".utf8)
            #expect(try await watch.command.result().ending == .signalled(15))
            #expect(try sandbox.text("names") == "new\n")
        }
    }
}
