/// A program to run on a schedule, and its requirements.
package struct ScheduledProgram: Sendable {
    /// Absolute path of the program and its arguments.
    package var words: [String]
    /// Required environment variables, in order.
    package var variables: [(name: String, value: String)]
    package var title: String
    /// Directories that it writes to.
    package var writesIn: [String]
    /// User that runs it.
    package var user: String

    /// - Throws: `ScheduleError.unwritable` for a word with control characters.
    package init(
        words: [String], variables: [(name: String, value: String)], title: String, writesIn: [String], user: String
    ) throws(ScheduleError) {
        for word in words + variables.map(\.value) + writesIn
        where word.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
            throw .unwritable(word)
        }
        self.words = words
        self.variables = variables
        self.title = title
        self.writesIn = writesIn
        self.user = user
    }
}

/// A line of crontab(5), which cron and then sh(1) interpret.
package enum CronLine {
    /// PATH for the program, because cron's default has few directories.
    private static let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The line with a comment above it.
    ///
    /// - Throws: `ScheduleError.notInCron` for a time that cron cannot express.
    package static func text(_ program: ScheduledProgram, at time: ScheduleTime) throws(ScheduleError) -> String {
        let variables = ([("PATH", path)] + program.variables).map { "\($0.0)=\(word($0.1))" }
        let command = (variables + program.words.map(word)).joined(separator: " ")
        return "# \(program.title), \(time.words)\n\(try time.cronFields) \(command)\n"
    }

    /// Quotes a word for both. In crontab(5) an unescaped percent sign starts the command's input, and some crons reduce two
    /// backslashes to one, so shell quotes separate them.
    static func word(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        if isPlain { return text }
        var result = "'"
        var last: Character?
        for character in text {
            if last == "\\", character == "\\" || character == "%" { result += "''" }
            switch character {
            case "%": result += "\\%"
            case "'": result += "'\"'\"'"
            default: result.append(character)
            }
            last = character
        }
        // A final backslash comes before the quote, which is harmless in every cron.
        return result + "'"
    }

    /// Quotes a word for sh(1).
    package static func shellWord(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=,+@".utf8)
}

/// A service unit and the timer unit that starts it (systemd.service(5), systemd.timer(5)).
package struct SystemdUnits: Sendable {
    private let program: ScheduledProgram
    private let time: ScheduleTime

    package init(_ program: ScheduledProgram, at time: ScheduleTime) {
        self.program = program
        self.time = time
    }

    package var timer: String {
        """
        [Unit]
        Description=\(Self.escaped(program.title)), \(time.words)

        [Timer]
        \(time.timerSettings)

        [Install]
        WantedBy=timers.target

        """
    }

    /// The service unit that the timer starts, restricted to what an export needs (systemd.exec(5)).
    package var service: String {
        Self.unit(program, kind: "Type=oneshot\n") + Self.confinement(program)
    }

    /// The unit of a service that runs all the time and says how it is doing (sd_notify(3)).
    ///
    /// - Parameters:
    ///   - isConfined: whether it is restricted to what it needs; not if it starts a command of the user's.
    ///   - finalStatuses: exit statuses after which a restart does not help.
    ///   - output: path of the file that the output is appended to; nil for the journal.
    ///   - directory: path of the directory that it runs in; nil for the root.
    package static func daemon(
        _ program: ScheduledProgram, isConfined: Bool, finalStatuses: [Int32], output: String?, directory: String?
    ) -> String {
        var kind = """
            Type=notify
            NotifyAccess=main
            WatchdogSec=180
            Restart=always
            RestartSec=10
            RestartPreventExitStatus=\(finalStatuses.map(String.init).joined(separator: " "))
            # The signal to stop is for this program, which lets the command of --exec end.
            KillMode=mixed

            """
        if let output {
            kind += "# The output is appended to this file.\nStandardOutput=append:\(escaped(output))\n"
        }
        if let directory { kind += "WorkingDirectory=\(escaped(directory))\n" }
        return unit(program, kind: kind) + (isConfined ? confinement(program) : "NoNewPrivileges=true\n")
            + "\n[Install]\nWantedBy=multi-user.target\n"
    }

    private static func unit(_ program: ScheduledProgram, kind: String) -> String {
        let variables = program.variables.map { "Environment=\(word("\($0.name)=\($0.value)"))\n" }.joined()
        return """
            [Unit]
            Description=\(escaped(program.title))
            Wants=network-online.target
            After=network-online.target

            [Service]
            \(kind)User=\(program.user)
            \(variables)ExecStart=\(program.words.map { argument($0) }.joined(separator: " "))
            Nice=10
            UMask=0077

            """
    }

    private static func confinement(_ program: ScheduledProgram) -> String {
        let directories = program.writesIn.map { word($0) }.joined(separator: " ")
        return """

            # The service writes only to these directories, which must exist.
            ProtectSystem=strict
            ProtectHome=read-only
            ReadWritePaths=\(directories)
            \(isTemporary(program) ? "" : "PrivateTmp=true\n")PrivateDevices=true
            ProtectClock=true
            ProtectControlGroups=true
            ProtectHostname=true
            ProtectKernelLogs=true
            ProtectKernelModules=true
            ProtectKernelTunables=true
            ProtectProc=invisible
            NoNewPrivileges=true
            CapabilityBoundingSet=
            AmbientCapabilities=
            LockPersonality=true
            MemoryDenyWriteExecute=true
            RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
            RestrictNamespaces=true
            RestrictRealtime=true
            RestrictSUIDSGID=true
            RemoveIPC=true
            SystemCallArchitectures=native
            SystemCallFilter=@system-service
            SystemCallFilter=~@privileged
            SystemCallErrorNumber=EPERM

            """
    }

    /// Whether it writes to /tmp, which a service with a private /tmp would not see.
    private static func isTemporary(_ program: ScheduledProgram) -> Bool {
        program.writesIn.contains { directory in
            ["/tmp", "/var/tmp"].contains { directory == $0 || directory.hasPrefix($0 + "/") }
        }
    }

    /// Quotes a word for `ExecStart=`, where a dollar sign starts a variable.
    static func argument(_ text: String) -> String {
        word(text.replacing("$", with: "$$"))
    }

    /// Quotes a word for a setting: percent signs start specifiers (systemd.unit(5)), and quotes keep white space
    /// (systemd.syntax(7)).
    static func word(_ text: String) -> String {
        let specified = escaped(text)
        guard specified.isEmpty || specified.contains(where: { " \t\"'\\;#".contains($0) }) else { return specified }
        return "\"\(specified.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }
}
