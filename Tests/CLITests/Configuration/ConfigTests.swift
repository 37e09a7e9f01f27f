import CloverTestSupport
import Glibc
import Testing

@Suite("config: commands for the file")
struct ConfigTests {
    @Test("set, get, list, unset; the file is created, and its path is printed")
    func cycle() async throws {
        try await Sandbox.run { sandbox in
            let path = try await sandbox.clover("config", "path")
            #expect(path.outputText == sandbox.directory["config/config.yml"] + "\n")
            let set = try await sandbox.clover("config", "set", "format", "csv")
            #expect(set.ending == .exited(0))
            #expect(set.errorText == "clover: format is now csv, in \(sandbox.directory["config/config.yml"])\n")
            _ = try await sandbox.clover("config", "set", "retry", "3", "--profile", "downtown")
            let get = try await sandbox.clover("config", "get", "format")
            expectSuccess(get)
            #expect(get.outputText == "csv\n")
            #expect(try await sandbox.clover("config", "get", "retry").outputText == "5\n")
            #expect(try await sandbox.clover("config", "get", "retry", "--profile", "downtown").outputText == "3\n")
            let list = try await sandbox.clover("config", "list", "--profile", "downtown")
            #expect(
                list.lines == [
                    #"{"key":"profile","value":"downtown"}"#, #"{"key":"format","value":"csv"}"#,
                    #"{"key":"retry","value":3}"#,
                ])
            _ = try await sandbox.clover("config", "unset", "format")
            _ = try await sandbox.clover("config", "unset", "retry", "--profile", "downtown")
            #expect(try sandbox.configuration().hasPrefix("#"))
            #expect(try await sandbox.clover("config", "list").outputText == "")
        }
    }

    @Test("comments and order are kept")
    func comments() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured(
                "# ours\nformat: csv   # spreadsheets\n\n# shops\nprofiles:\n  downtown: # one\n    retry: 1\n")
            for arguments in [["format", "tsv"], ["money", "major"]] {
                expectSuccess(try await sandbox.clover(["config", "set", "--quiet"] + arguments))
            }
            expectSuccess(
                try await sandbox.clover("config", "set", "-q", "in-flight", "2", "--profile", "downtown"))
            #expect(
                try sandbox.configuration()
                    == "# ours\nformat: tsv   # spreadsheets\nmoney: major\n\n# shops\nprofiles:\n  downtown: # one\n    retry: 1\n    in-flight: 2\n"
            )
        }
    }

    @Test("--explain names the source of each value")
    func explain() async throws {
        try await Sandbox.run { sandbox in
            let path = sandbox.directory["config/config.yml"]
            try sandbox.configured("retry: 7\nprofile: downtown\nprofiles:\n  downtown:\n    retry: 3\n")
            let result = try await sandbox.with(["CLOVER_RETRY": "9"]).clover("config", "list", "--explain")
            expectSuccess(result)
            #expect(
                result.lines.contains(
                    #"{"key":"retry","value":9,"source":"environment","variable":"CLOVER_RETRY","overruled":["#
                        + #"{"value":3,"source":"file","path":"\#(path)","line":5,"profile":"downtown"},"#
                        + #"{"value":7,"source":"file","path":"\#(path)","line":1,"profile":null}]}"#), "\(result)")
            #expect(
                result.lines.contains(#"{"key":"in-flight","value":5,"source":"default","overruled":[]}"#),
                "\(result)")
            #expect(
                result.lines.contains(#"{"key":"max-time","value":null,"source":null,"overruled":[]}"#), "\(result)")
            for (key, value) in [("format", "ndjson"), ("zone", "merchant"), ("environment", "us")] {
                #expect(
                    result.lines.contains(#"{"key":"\#(key)","value":"\#(value)","source":"default","overruled":[]}"#),
                    "\(result)")
            }
            #expect(
                try await sandbox.with(["CLOVER_FORMAT": "table"]).clover("config", "get", "zone").outputText
                    == "merchant\n")
            let named = try await sandbox.clover("config", "list", "--explain", "--profile", "airport")
            #expect(
                named.lines.first
                    == #"{"key":"profile","value":"airport","source":"flag","overruled":["#
                    + #"{"value":"downtown","source":"file","path":"\#(path)","line":2,"profile":null}]}"#, "\(named)")
        }
    }

    @Test("--explain names sources on a terminal of any width", arguments: [20, 40, 60, 80])
    func explainNarrow(_ columns: Int) async throws {
        try await Sandbox.run { sandbox in
            let variables = ["CLOVER_REQUESTS_PER_SECOND": "9", "CLOVER_CACERT": "/etc/ssl/certs/ca-certificates.crt"]
            try sandbox.directory.makeFolder("config")
            try sandbox.directory.write("config/config.yml", "format: csv\n".utf8)
            let session = try sandbox.with(variables).startOnTerminal(
                ["config", "list", "--explain"], columns: columns, rows: 90)
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            let screen = session.screen
            #expect(screen.wrappedLines == 0 && !screen.text.contains("no room"), "\(screen.text)")
            // A word wider than the terminal continues on the next line.
            let text = screen.text.filter { !$0.isWhitespace }
            for place in ["CLOVER_REQUESTS_PER_SECOND", "config.ymlline1", "default"] {
                #expect(text.contains(place), "\(place): \(screen.text)")
            }
        }
    }

    @Test("--explain shows values of a section that does not apply, and why")
    func explainIdleSection() async throws {
        try await Sandbox.run { given in
            let sandbox = given.without(
                "CLOVER_ACCESS_TOKEN", "CLOVER_ENVIRONMENT", "CLOVER_MERCHANT", "CLOVER_MERCHANT_ID")
            let path = sandbox.directory["config/config.yml"]
            try sandbox.configured("profile: shop\nprofiles:\n  shop:\n    retry: 0\n")
            let idle =
                #"{"key":"retry","value":5,"source":"default","overruled":["#
                + #"{"value":0,"source":"file","path":"\#(path)","line":4,"profile":"shop"}]}"#
            let why = "the section of profile 'shop' has no effect: "
            let named = try await sandbox.with(["CLOVER_ENVIRONMENT": "sandbox", "CLOVER_MERCHANT_ID": "M"])
                .clover("config", "list", "--explain")
            #expect(named.ending == .exited(0), "\(named)")
            #expect(named.lines.contains(idle), "\(named)")
            #expect(named.errorText.contains(why + "CLOVER_ENVIRONMENT and CLOVER_MERCHANT_ID select"), "\(named)")
            let flag = try await sandbox.clover("config", "list", "--explain", "--merchant", "M")
            #expect(flag.lines.contains(idle), "\(flag)")
            #expect(flag.errorText.contains(why + "--merchant selects"), "\(flag)")
            let counts = try await sandbox.clover("config", "list", "--explain")
            #expect(counts.lines.contains { $0.hasPrefix(#"{"key":"retry","value":0,"source":"file""#) }, "\(counts)")
            #expect(counts.errorText == "", "\(counts)")
        }
    }

    @Test("--explain shows values of the sign-in; a list of settings does not")
    func explainSignIn() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.signedOut
            let signedIn = try await sandbox.clover(
                "auth", "login", "--with-token", "--merchant", "M1", "--environment", server.url, "--profile",
                "downtown", input: .text(Sandbox.token + "\n"))
            #expect(signedIn.ending == .exited(0), "\(signedIn)")
            let result = try await sandbox.clover("config", "list", "--explain")
            expectSuccess(result)
            for (key, value) in [("profile", "downtown"), ("environment", server.url), ("merchant", "M1")] {
                #expect(
                    result.lines.contains(#"{"key":"\#(key)","value":"\#(value)","source":"sign-in","overruled":[]}"#),
                    "\(result)")
            }
            #expect(try await sandbox.clover("config", "get", "merchant").outputText == "M1\n")
            #expect(try await sandbox.clover("config", "list").outputText == "")
            // A static credential takes its place.
            let other = try await sandbox.with(["CLOVER_ACCESS_TOKEN": Sandbox.token]).clover(
                "config", "list", "--explain")
            #expect(other.lines.contains { $0.contains(#""key":"merchant","value":null"#) }, "\(other)")
        }
    }

    @Test("on a terminal it is a table")
    func table() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured("format: csv\n")
            let screen = try await sandbox.cloverOnTerminal("config", "list", "--explain", columns: 80).terminalText
            #expect(screen.contains(/format +csv +config.yml line 1/), "\(screen)")
            #expect(screen.contains(/retry +5 +default/), "\(screen)")
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let says: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "an invalid setting is refused, and nothing is written",
        arguments: [
            Refusal(arguments: ["set", "formt", "csv"], status: 64, says: ["'formt'", "did you mean: format"]),
            Refusal(arguments: ["set", "format", "xml"], status: 64, says: ["ndjson", "'xml'"]),
            Refusal(
                arguments: ["set", "retry", "-1"], status: 64,
                says: ["retry takes a whole number from 0 to 100", "'-1'"]),
            Refusal(
                arguments: ["set", "retry", "-1", "--profile", "downtown"], status: 64, says: ["from 0 to 100", "'-1'"]),
            Refusal(arguments: ["set", "client-ip", "here"], status: 64, says: ["an address such as", "'here'"]),
            Refusal(
                arguments: ["set", "pay-display-pos-id", "8d7e2f34-1111-2222-3333-444455556666"], status: 64,
                says: ["looks like a token"]),
            Refusal(
                arguments: ["set", "square-client-id", String(repeating: "ab ", count: 400)], status: 64,
                says: ["text on one line, of at most 1024 bytes, but this has 1200"]),
            Refusal(arguments: ["set", "timezone", "UTC"], status: 64, says: ["'timezone'", "did you mean: zone"]),
            Refusal(arguments: ["set", "retry", "many"], status: 64, says: ["from 0 to 100", "'many'"]),
            Refusal(arguments: ["set", "profile", "x", "--profile", "y"], status: 64, says: ["profile"]),
            Refusal(arguments: ["set", "retry", "1", "--profile", "a b"], status: 64, says: ["'a b'"]),
            Refusal(
                arguments: ["set", "access-token", "\(Sandbox.token)"], status: 64, says: ["secret", "auth login"]),
            Refusal(
                arguments: ["set", "app-id", "8d7e2f34-1111-2222-3333-444455556666"], status: 64, says: ["secret"]),
            Refusal(arguments: ["unset", "format"], status: 66, says: ["format is not set"]),
            Refusal(arguments: ["unset", "fromat"], status: 66, says: ["there is no key 'fromat'", "format"]),
            Refusal(arguments: ["get", "merchant"], status: 66, says: ["merchant is not set"]),
            Refusal(arguments: ["get", "nonsense"], status: 64, says: ["'nonsense'", "config keys"]),
        ])
    func refused(_ refusal: Refusal) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover(["config"] + refusal.arguments)
            expectFailure(result, status: refusal.status)
            for text in refusal.says { #expect(result.errorText.contains(text), "\(result)") }
            #expect(!result.errorText.contains("444455556666"))
            #expect(sandbox.directory.files(below: "config") == [])
        }
    }

    @Test("a file keeps its mode when it is changed", arguments: [0o400, 0o600, 0o644])
    func keepsMode(_ mode: UInt32) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured("retry: 1\n")
            let path = sandbox.directory["config/config.yml"]
            #expect(chmod(path, mode) == 0)
            expectSuccess(try await sandbox.clover("config", "set", "retry", "2", "-q"))
            #expect(try sandbox.configuration() == "retry: 2\n")
            var found = stat()
            #expect(stat(path, &found) == 0)
            #expect(found.st_mode & 0o777 == mode)
        }
    }

    @Test("every key is listed with its valid values")
    func keys() async throws {
        try await Sandbox.run { sandbox in
            let keys = try JSONValue.lines(try await sandbox.clover("config", "keys").lines)
            #expect(keys.count > 20)
            for key in keys { #expect(key["summary"] != nil && key["takes"] != nil && key["variables"] != nil) }
        }
    }

    @Test("all errors in the file are named by line before anything is sent")
    func invalid() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            try sandbox.configured(
                "fromat: csv\nretry: 900\nprofiles:\n  a:\n    token: \(Sandbox.token)\n    merchnt: M\n")
            let result = try await sandbox.clover("get", "orders")
            expectFailure(
                result, status: 78, saying: "config.yml line 1: there is no key 'fromat'", "did you mean: format",
                "line 2: retry takes a whole number from 0 to 100, not '900'", "line 5: 'token' is a secret",
                "line 6: there is no key 'merchnt'; did you mean: merchant")
            #expect(server.requests.isEmpty)
            expectSuccess(try await sandbox.clover("config", "unset", "fromat", "-q"))
            expectSuccess(try await sandbox.clover("config", "set", "retry", "9", "-q"))
            expectSuccess(try await sandbox.clover("config", "unset", "token", "--profile", "a", "-q"))
            expectSuccess(try await sandbox.clover("config", "unset", "merchnt", "--profile", "a", "-q"))
            expectSuccess(try await sandbox.clover("get", "orders"))
            #expect(try sandbox.configuration() == "retry: 9\n")
        }
    }

    @Test(
        "invalid YAML is named by line; help and version do not read it",
        arguments: ["a: \"\n", "retry: 1\nretry: 2\n"])
    func noYAML(_ text: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured(text)
            expectFailure(try await sandbox.clover("get", "orders"), status: 78, saying: "config.yml line")
            expectSuccess(try await sandbox.clover("--version"))
            expectSuccess(try await sandbox.clover("get", "--help"))
            expectSuccess(try await sandbox.clover("config", "path"))
            expectSuccess(try await sandbox.clover("config", "keys"))
        }
    }

    @Test(
        "bytes that are not text, and characters not allowed in YAML, are named by line and column",
        arguments: [
            ("retry: 1\nformat: c?v\n", "?", "line 2 column 10: from here on, it is not UTF-8 text"),
            ("# Zoë\n?", "?", "line 2 column 1: from here on, it is not UTF-8 text"),
            ("# Zoë\r\nretry: 1 # \u{7}\n", "", "line 2 column 12: U+0007 is not allowed in YAML"),
            ("\u{FEFF}format: \"c\u{0}v\"\n", "", "line 1 column 11: U+0000 is"),
            ("square-client-id: a\u{9B}31m\n", "", "line 1 column 20: U+009B is"),
        ])
    func noText(_ text: String, _ broken: String, _ place: String) async throws {
        let bytes = text.utf8.map { broken.utf8.contains($0) ? 0xC3 : $0 }
        try await Sandbox.run { sandbox in
            try sandbox.directory.makeFolder("config")
            try sandbox.directory.write("config/config.yml", bytes)
            for arguments in [["get", "orders"], ["config", "list"], ["config", "set", "retry", "1"]] {
                let result = try await sandbox.clover(arguments)
                expectFailure(result, status: 78, saying: "config.yml \(place)")
                #expect(!result.errorText.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(result)")
            }
            #expect(try sandbox.directory.read("config/config.yml") == bytes)
        }
    }

    @Test("a dangling link is written through, as by an editor")
    func danglingLink() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.makeFolder("config")
            try sandbox.directory.makeFolder("dotfiles")
            let path = sandbox.directory["config/config.yml"]
            try #require(symlink("../dotfiles/first.yml", path) == 0)
            try #require(symlink("clover.yml", sandbox.directory["dotfiles/first.yml"]) == 0)
            // A key after it is not silently ignored.
            for arguments in [["config", "list"], ["get", "orders"], ["auth", "status"]] {
                expectFailure(
                    try await sandbox.clover(arguments), status: 78, saying: "cannot open \(path)", "is a link",
                    "rm \(path)")
            }
            #expect(try await sandbox.clover("doctor").outputText.contains("is a link to "))
            #expect(try await sandbox.clover("config", "set", "retry", "3").ending == .exited(0))
            #expect(
                String(decoding: try sandbox.directory.read("dotfiles/clover.yml"), as: UTF8.self)
                    .hasSuffix("retry: 3\n"))
            var found = stat()
            #expect(lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK)
            #expect(try await sandbox.clover("config", "get", "retry").outputText == "3\n")
            // If the folder is missing too, nothing is created.
            unlink(path)
            try #require(symlink("/nonexistent/clover.yml", path) == 0)
            expectFailure(
                try await sandbox.clover("config", "set", "retry", "3"), status: 74, saying: "cannot open \(path)",
                "is a link")
        }
    }

    @Test("a file that others may write is refused, because it decides where tokens are sent")
    func loose() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured("retry: 1\n")
            #expect(chmod(sandbox.directory["config/config.yml"], 0o622) == 0)
            expectFailure(try await sandbox.clover("get", "orders"), status: 78, saying: "622", "chmod go-w")
        }
    }

    @Test("an unreadable file is an error")
    func unreadable() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.makeFolder("config")
            let path = sandbox.directory["config/config.yml"]
            try #require(symlink(path, path) == 0)
            expectFailure(try await sandbox.clover("get", "orders"), status: 78, saying: path, "CLOVER_CONFIG_DIR")
        }
    }
}
