import CloverTestSupport
import Foundation
import Testing

/// A sandbox for readers: signed in, no Bluetooth, and a driver whose processes can be distinguished from all others.
struct ReaderWorld: Sendable {
    let sandbox: Sandbox

    private static let driverFile = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/reader_driver.py").path

    /// The first emulated reader of seed 1, which is ready for use.
    static let first = "D4:22:CD:A8:43:CC"
    static let firstName = "Clover_Go_475634"
    /// The second, which needs firmware and keys.
    static let second = "D4:22:CD:36:0B:AC"
    /// The third, whose charge is too low for new firmware.
    static let third = "D4:22:CD:C5:14:13"

    /// - Parameter weight: the number of commands that run at once. A reader's session mostly waits for its driver.
    static func run(weight: Int = 0, _ body: (ReaderWorld) async throws -> Void) async throws {
        try await Sandbox.run(weight: weight) { sandbox in
            // No service listens there: a reader session sends no requests to Clover.
            let world = ReaderWorld(sandbox: sandbox.using("http://127.0.0.1:1"))
            try await body(world)
            try await world.expectNoDriver()
        }
    }

    /// The emulated driver as `CLOVER_READER_DRIVER`, at a tenth of its pauses.
    func emulated(_ flags: String...) throws -> Sandbox {
        let program = try CommandRunner.builtProgram("clover-emulator")
        let words = ["'\(program)' reader-driver --pace 0.1", "--state '\(sandbox.directory["cards"])'"] + flags
        return sandbox.with(["CLOVER_READER_DRIVER": words.joined(separator: " ")])
    }

    /// The driver written in Python, in one of its modes.
    func python(_ mode: String = "good") -> Sandbox {
        sandbox.with(["CLOVER_READER_DRIVER": pythonDriver(mode), "DRIVER_LOG": sandbox.directory["asked"]])
    }

    func pythonDriver(_ mode: String = "good") -> String {
        // The last word marks it as one of this test.
        "/usr/bin/python3 -I -S '\(Self.driverFile)' \(mode) '\(sandbox.directory.path)'"
    }

    /// What the driver written in Python was asked.
    func asked() throws -> [String] {
        try sandbox.text("asked").split(separator: "\n").map(String.init)
    }

    /// Expects that no driver of this test is left.
    func expectNoDriver(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await sandbox.eventually("the end of every driver") { try drivers().isEmpty }
    }

    /// The processes whose command line names the test's folder.
    func drivers() throws -> [String] {
        var found: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(name) != nil {
            // A process may end while it is looked at.
            guard let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else { continue }
            let words = String(decoding: bytes, as: UTF8.self)
            if words.contains(sandbox.directory.path) { found.append(words) }
        }
        return found
    }
}

extension CommandResult {
    /// The lines of stdout as JSON.
    func records() throws -> [JSONValue] { try JSONValue.lines(lines) }
}
