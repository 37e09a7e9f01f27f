import CloverTestSupport
import Foundation
import Testing

/// An `auth watch` that is known to listen.
struct TokenWatcher: Sendable {
    /// What makes events until the first one is heard; these are left out of everything else.
    enum Priming: Sendable { case otherSignIns, refreshes }

    let command: RunningCommand
    /// How many events were made only to hear the first one.
    let primers: Int

    /// All events that were heard since it was known to listen, whole lines only.
    func events() throws -> [JSONValue] { try Self.events(in: command.outputSoFar) }

    private static func events(in bytes: [UInt8]) throws -> [JSONValue] {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try JSONValue.lines(lines.map(String.init)).filter { $0["merchant"]?.string != "PRIMER" }
    }

    /// Waits until these kinds of event were heard, and no other, in this order.
    @discardableResult
    func waitForEvents(_ kinds: [String]) async throws -> [JSONValue] {
        let found = try await waitFor { $0.count >= kinds.count }
        #expect(found.compactMap { $0["event"]?.string } == kinds)
        return found
    }

    func waitFor(_ condition: @escaping @Sendable ([JSONValue]) -> Bool) async throws -> [JSONValue] {
        try await command.waitForOutput("events") { bytes in
            // A line that is not JSON fails the test below.
            guard let events = try? Self.events(in: bytes) else { return true }
            return condition(events)
        }
        return try events()
    }

    /// Whether its process has a descriptor of inotify(7) open.
    var isWatching: Bool {
        let folder = "/proc/\(command.pid)/fd"
        // Descriptors come and go while they are looked at.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))?.contains("inotify")
                == true
        }
    }

    func end(with signal: Int32) async throws -> CommandResult {
        command.send(signal)
        return try await command.result()
    }
}

extension Sandbox {
    /// Starts `auth watch` and makes events until it reports one.
    func startWatch(
        _ options: [String] = [], priming: TokenWatcher.Priming = .otherSignIns
    ) async throws -> TokenWatcher {
        let command = try start(["auth", "watch"] + options)
        var number = 0
        while command.outputSoFar.isEmpty {
            number += 1
            try #require(number < 200, "the watch hears nothing: \(command.errorsSoFar)")
            switch priming {
            case .refreshes:
                let renewed = try await clover("auth", "refresh")
                try #require(renewed.ending == .exited(0), "\(renewed)")
            case .otherSignIns:
                let result = try await without("CLOVER_APP_SECRET").clover(
                    arguments: [
                        "auth", "login", "--with-token", "--merchant", "PRIMER", "--environment", "http://127.0.0.1:1",
                    ], input: .text("primer-\(number)\n"))
                try #require(result.ending == .exited(0), "\(result)")
            }
        }
        if case .otherSignIns = priming {
            // Its last event is its end, so that no primer comes between the events of a test.
            let logout = try await clover("auth", "logout", "--merchant", "PRIMER")
            try #require(logout.ending == .exited(0), "\(logout)")
            try await command.waitForOutput("the primer's end") { bytes in
                String(decoding: bytes, as: UTF8.self).contains("\"deleted\"")
            }
        }
        return TokenWatcher(command: command, primers: number)
    }

    func text(_ name: String) throws -> String {
        FileManager.default.fileExists(atPath: directory[name])
            ? String(decoding: try directory.read(name), as: UTF8.self) : ""
    }

    /// Waits for a condition that no process reports.
    func eventually(_ awaited: String, _ condition: () throws -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < limit {
            if try condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw CommandError.notSeen(awaited: awaited, output: "", errors: "")
    }
}
