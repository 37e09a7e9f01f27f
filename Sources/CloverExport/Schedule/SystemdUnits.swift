/// A service and the timer that starts it (systemd.service(5), systemd.timer(5)).
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

    /// The service, with all of the system that an export does not need taken away from it (systemd.exec(5)).
    package var service: String {
        let variables = program.variables.map { "Environment=\(Self.word("\($0.name)=\($0.value)"))\n" }.joined()
        let directories = program.writesIn.map { Self.word($0) }.joined(separator: " ")
        return """
            [Unit]
            Description=\(Self.escaped(program.title))
            Wants=network-online.target
            After=network-online.target

            [Service]
            Type=oneshot
            User=\(program.user)
            \(variables)ExecStart=\(program.words.map { Self.argument($0) }.joined(separator: " "))
            Nice=10
            UMask=0077

            # It writes here and nowhere else. The directories have to be there.
            ProtectSystem=strict
            ProtectHome=read-only
            ReadWritePaths=\(directories)
            \(isTemporary ? "" : "PrivateTmp=true\n")PrivateDevices=true
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

    /// A service of its own /tmp would not see these.
    private var isTemporary: Bool {
        program.writesIn.contains { directory in
            ["/tmp", "/var/tmp"].contains { directory == $0 || directory.hasPrefix($0 + "/") }
        }
    }

    /// A word of `ExecStart=`, in which a dollar sign stands for a variable, too.
    static func argument(_ text: String) -> String {
        word(text.replacing("$", with: "$$"))
    }

    /// A word of a setting: percent signs are specifiers (systemd.unit(5)), and quotes keep white space together
    /// (systemd.syntax(7)).
    static func word(_ text: String) -> String {
        let specified = escaped(text)
        guard specified.isEmpty || specified.contains(where: { " \t\"'\\;#".contains($0) }) else { return specified }
        return "\"\(specified.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }
}
