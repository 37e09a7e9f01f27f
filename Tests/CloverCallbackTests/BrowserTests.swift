import CloverCallback
import Glibc
import Testing

@Suite("The browser")
struct BrowserTests {
    private static let url = "https://www.example.com/oauth/v2/authorize?client_id=A&state=%73;$(touch%20x)`'\"*"

    /// Writes one argument a line to `arguments`, all at once.
    private static let recorder = """
        #!/bin/sh
        printf '%s\\n' "$@" >"${0%/*}/arguments.part"
        mv "${0%/*}/arguments.part" "${0%/*}/arguments"
        """

    struct Row: CustomTestStringConvertible, Sendable {
        /// FOLDER stands for the one with the program `browser`.
        let variable: String
        /// URL stands for the address.
        let arguments: [String]

        var testDescription: String { variable }
    }

    static let rows = [
        Row(variable: "browser", arguments: ["URL"]),
        Row(variable: "FOLDER/browser", arguments: ["URL"]),
        Row(variable: "browser --new-window", arguments: ["--new-window", "URL"]),
        Row(variable: "browser --app=%s  --quiet", arguments: ["--app=URL", "--quiet"]),
        Row(variable: "browser %s %s", arguments: ["URL", "URL"]),
        Row(variable: "browser 'two words' \"it's\" ''", arguments: ["two words", "it's", "", "URL"]),
        Row(variable: "browser 50%% %c %x %", arguments: ["50%", ":", "%x", "%", "URL"]),
        Row(variable: "browser $HOME * ; false", arguments: ["$HOME", "*", ";", "false", "URL"]),
        Row(variable: "missing:FOLDER/absent --x:browser --second", arguments: ["--second", "URL"]),
        Row(variable: "FOLDER:notes:browser", arguments: ["URL"]),
        Row(variable: "nonsense:browser", arguments: ["URL"]),
    ]

    @Test("$BROWSER is understood without a shell", arguments: rows)
    func readsVariable(_ row: Row) async throws {
        let folder = try TemporaryFolder()
        _ = try await folder.addProgram("browser", Self.recorder)
        // Not a program, though it may be executed: execve(2) returns ENOEXEC.
        _ = try await folder.addProgram("nonsense", "\u{1}\u{2}\u{3}")
        let notes = try await folder.addProgram("notes", "not for execution")
        chmod(notes, 0o600)
        let variable = row.variable.replacing("FOLDER", with: folder.path)
        let launcher = BrowserLauncher(variables: ["BROWSER": variable, "PATH": "\(folder.path):/usr/bin:/bin"])
        try launcher.open(Self.url)
        let expected = row.arguments.map { $0.replacing("URL", with: Self.url) + "\n" }.joined()
        #expect(await eventually { folder.text("arguments") == expected })
    }

    @Test("Without $BROWSER it is xdg-open", arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
    func usesDesktop(display: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await folder.addProgram("xdg-open", Self.recorder)
        let variables = ["PATH": "::\(folder.path):/usr/bin:/bin", display: ":0", "BROWSER": ""]
        try BrowserLauncher(variables: variables).open(Self.url)
        #expect(await eventually { folder.text("arguments") == Self.url + "\n" })
    }

    @Test("Without a display nothing is tried")
    func needsDisplay() async throws {
        let folder = try TemporaryFolder()
        _ = try await folder.addProgram("xdg-open", Self.recorder)
        #expect(throws: BrowserError.noDisplay) {
            try BrowserLauncher(variables: ["PATH": "\(folder.path):/bin", "DISPLAY": ""]).open(Self.url)
        }
    }

    @Test("When nothing can be started, everything that was tried is named")
    func namesTried() throws {
        #expect(throws: BrowserError.noBrowser(tried: ["missing", "/absent/browser"])) {
            try BrowserLauncher(variables: ["BROWSER": "missing -x %s::/absent/browser"]).open(Self.url)
        }
        #expect(throws: BrowserError.noBrowser(tried: ["xdg-open"])) {
            try BrowserLauncher(variables: ["DISPLAY": ":0", "PATH": "/absent"]).open(Self.url)
        }
    }

    @Test("What is not a web address is not opened", arguments: ["", "--help", "file:///etc/passwd", "javascript:1"])
    func refusesOther(url: String) throws {
        #expect(throws: BrowserError.notWebAddress) { try BrowserLauncher(variables: ["BROWSER": "true"]).open(url) }
    }

    @Test("It gets no secret, no open file and no terminal, and leaves no zombie")
    func isDetached() async throws {
        let folder = try TemporaryFolder()
        let program = try await folder.addProgram(
            "browser",
            """
            #!/bin/sh
            folder=${0%/*}
            streams=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)
            {
                echo "$streams"
                echo "descriptors $(ls /proc/self/fd | tr '\\n' ' ')"
                echo "session $(($(cut -d' ' -f6 /proc/$$/stat) == $$))"
                # Signals 32 and 33 belong to the C library.
                echo "ignored $((0x$(grep SigIgn /proc/$$/status | cut -f2) & ~0x180000000))"
                env | grep -c CLOVER
                echo "$KEPT"
                echo "process $$"
            } >"$folder/seen.part" 2>&1
            mv "$folder/seen.part" "$folder/seen"
            """)
        // Left open across execve(2) on purpose, as some libraries do.
        let leaking = fcntl(STDERR_FILENO, F_DUPFD, 100)
        #expect(leaking >= 100)
        defer { close(leaking) }
        try await withListener { _ in
            let launcher = BrowserLauncher(variables: [
                "BROWSER": program, "PATH": "/usr/bin:/bin", "KEPT": "kept value", "CLOVER_ACCESS_TOKEN": "token",
                "CLOVER_APP_SECRET": "secret", "CLOVER_STATE_DIR": "/nowhere",
            ])
            try launcher.open(Self.url)
            #expect(await eventually { folder.text("seen") != nil })
        }
        let lines = try #require(folder.text("seen")).split(separator: "\n").map(String.init)
        // Its third descriptor is the folder that ls(1) reads.
        let expected = [
            "/dev/null", "/dev/null", "/dev/null", "descriptors 0 1 2 3 ", "session 1",
            "ignored 0", "0", "kept value",
        ]
        #expect(lines.dropLast() == expected[...])
        let process = try #require(lines.last.flatMap { Int32($0.dropFirst("process ".count)) })
        #expect(await eventually { kill(process, 0) == -1 && errno == ESRCH })
    }
}
