import ArgumentParser
import CloverCore
import CloverJSON
import Glibc

/// The file of `--log-file` and `CLOVER_LOG`: one JSON line for each run, for operators. It has no arguments, because they
/// may hold customers' data.
struct RunLogFile {
    static let variable = "CLOVER_LOG"

    private let path: String
    private let command: String
    /// Milliseconds since 1970, and on the clock that runs since the machine started.
    private let began: (wall: Int64, boot: Int64)

    /// - Parameters:
    ///   - path: nil for no log.
    ///   - arguments: the command line, without the program's name.
    init?(_ path: String?, arguments: [String], clock: (wall: Int64, boot: Int64)) {
        guard let path, !path.isEmpty else { return nil }
        self.path = path
        command = Self.command(arguments)
        began = clock
    }

    /// The names of the command, such as `charge list`; empty if the first word is no command.
    private static func command(_ arguments: [String]) -> String {
        var command: any ParsableCommand.Type = Clover.self
        var names: [String] = []
        for word in arguments {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
            names.append(word)
        }
        if let usual = command.configuration.defaultSubcommand { names.append(usual._commandName) }
        return names.joined(separator: " ")
    }

    /// Appends the line of a run that has ended. Lines of several processes do not mix: each is one write(2) in append mode.
    ///
    /// - Returns: errno; 0 for success.
    func append(_ ending: Program.Ending, _ facts: RunLog.Facts, bytes: Int, now: (wall: Int64, boot: Int64)) -> Int32 {
        let line = Array((line(ending, facts, bytes: bytes, now: now) + "\n").utf8)
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard file >= 0 else { return errno }
        defer { close(file) }
        let count = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        return count == line.count ? 0 : count < 0 ? errno : ENOSPC
    }

    private func line(
        _ ending: Program.Ending, _ facts: RunLog.Facts, bytes: Int, now: (wall: Int64, boot: Int64)
    ) -> String {
        var line = JSONLine()
        line.add("time", instant: began.wall)
        line.add("command", command)
        line.add("version", CloverVersion.text)
        line.add("pid", Int64(getpid()))
        switch ending {
        case .status(let status):
            line.add("status", Int64(status))
            line.add("ending", status == 0 ? "done" : "failed")
        case .outputClosed:
            line.add("status", Int64?.none)
            line.add("ending", "output closed")
        case .cancelled:
            line.add("status", Int64?.none)
            line.add("ending", "signal")
        }
        line.add("error", facts.error)
        line.add("seconds", json: (Double(now.boot - began.boot) / 1000).secondsText)
        line.add("requests", Int64(facts.requests))
        var responses = JSONLine()
        for (kind, count) in facts.responses.sorted(by: { $0.key < $1.key }) {
            responses.add("\(kind)xx", Int64(count))
        }
        line.add("responses", json: responses.text)
        line.add("unanswered", Int64(facts.failures))
        line.add("records", facts.records.map(Int64.init))
        line.add("bytes", Int64(bytes))
        line.add("requestIds", facts.requestIDs)
        return line.text
    }
}
