import CloverTestSupport
import Foundation
import Testing

@Suite("doctor: directories, files, ledgers, databases")
struct DoctorStateTests {
    /// A sandbox that is signed in and has sent a request, without the variables that say so.
    private func used(_ body: (Sandbox) async throws -> Void) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, server in
            expectSignedIn(try await sandbox.signIn(environment: server.url))
            let sandbox = sandbox.withoutBuses.without(
                "CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            try await body(sandbox)
        }
    }

    private func mode(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require((value as? NSNumber)?.intValue)
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(
        "rights that others must not have fail, each once, and --fix takes them",
        arguments: [
            ("state", 0o777, "state"), ("state/credentials", 0o755, "permissions"), ("config", 0o777, "configuration"),
        ])
    func looseModes(_ name: String, _ loose: Int, _ check: String) async throws {
        try await used { sandbox in
            expectSuccess(try await sandbox.clover("config", "set", "format", "csv", "--quiet"))
            try setMode(loose, sandbox.directory[name])
            let found = try await sandbox.doctor("--offline")
            #expect(found.result.ending == .exited(78))
            #expect(found.failed == [check], "\(found.result.outputText)")
            #expect(found.text(check).contains("chmod go-"), "\(found.text(check))")
            #expect(try mode(sandbox.directory[name]) == loose)
            let mended = try await sandbox.doctor("--offline", "--fix")
            #expect(mended.result.ending == .exited(0), "\(mended.result.outputText)")
            #expect(mended.of(check).flatMap(\.repairs).contains { $0.hasSuffix(sandbox.directory[name]) })
            #expect(try mode(sandbox.directory[name]) & 0o022 == 0)
            let again = try await sandbox.doctor("--offline", "--fix")
            #expect(again.of(check).flatMap(\.repairs) == [])
        }
    }

    @Test("a state directory that others can look into is a warning with the command, and --fix closes it")
    func openState() async throws {
        try await used { sandbox in
            let path = sandbox.directory["state"]
            try setMode(0o755, path)
            let found = try await sandbox.doctor("--offline")
            #expect(found.failed == [], "\(found.result.outputText)")
            #expect(found.of("state").map(\.result) == ["warn"])
            #expect(found.of("state").first?.next.first == "chmod 700 \(path)", "\(found.text("state"))")
            #expect(try mode(path) == 0o755)
            let mended = try await sandbox.doctor("--offline", "--fix")
            #expect(mended.of("state").map(\.repairs) == [["chmod 700 \(path)"]], "\(mended.text("state"))")
            #expect(mended.text("state").contains("mode 700"))
            #expect(try mode(path) == 0o700)
        }
    }

    @Test("a charge that failed, as far as records showed, is not called one that was entered by hand")
    func provisionalFailure() async throws {
        try await Sandbox.run(emulator: ["--orders", "1"], weight: 2) { sandbox, _ in
            let charge = ["charge", "--amount", "1.00", "--currency", "USD", "--source", "clv_x"]
            #expect(try await sandbox.clover(charge).status == 64)
            let text = try await sandbox.withoutBuses.doctor("--offline").text("database")
            #expect(
                text == "warn\nthe records showed no payment of 1 charge that failed, and were not read again since\n"
                    + "clover charge recover --all", "\(text)")
            _ = try await sandbox.clover("charge", "recover", "--all")
            #expect(try await sandbox.withoutBuses.doctor("--offline").of("database").map(\.result) == ["ok"])
        }
    }

    @Test("a credential that others can read fails by its name, and --fix closes it")
    func looseCredential() async throws {
        try await used { sandbox in
            let file = try #require(
                sandbox.directory.files(below: "state/credentials").first { $0.hasSuffix(".json") })
            try setMode(0o644, sandbox.directory[file])
            let found = try await sandbox.doctor("--offline")
            #expect(found.result.ending == .exited(78))
            #expect(found.text("permissions").contains(sandbox.directory[file]))
            let mended = try await sandbox.doctor("--offline", "--fix")
            #expect(mended.result.ending == .exited(0))
            #expect(try mode(sandbox.directory[file]) == 0o600)
        }
    }

    @Test("the owners of the directories and the free space are reported")
    func owned() async throws {
        try await used { sandbox in
            expectSuccess(try await sandbox.clover("config", "set", "format", "csv", "--quiet"))
            let configuration = try await sandbox.doctor("--offline").text("configuration")
            #expect(configuration.contains(/\(local disk, mode 700, yours, [0-9]+ [MG]B free\)/), "\(configuration)")
            let text = try await sandbox.doctor("--offline").text("state")
            #expect(text.contains(/mode 700, yours, [0-9]+ [MG]B free/), "\(text)")
        }
    }

    @Test("a link in place of a file is reported, and --fix changes neither it nor its target")
    func link() async throws {
        try await used { sandbox in
            let target = try sandbox.directory.write("elsewhere", "x".utf8)
            try setMode(0o666, target)
            try FileManager.default.createSymbolicLink(
                atPath: sandbox.directory["state/credentials/other"], withDestinationPath: target)
            let report = try await sandbox.doctor("--offline", "--fix")
            #expect(report.text("permissions").contains("it is a symbolic link"))
            #expect(report.result.ending == .exited(78))
            #expect(try mode(target) == 0o666)
        }
    }

    @Test("another owner fails, and --fix does not touch it", .enabled(if: geteuid() == 0))
    func owner() async throws {
        try await used { sandbox in
            #expect(chown(sandbox.directory["state/current.json"], 12_345, 12_345) == 0)
            let report = try await sandbox.doctor("--offline", "--fix")
            #expect(report.result.ending == .exited(78))
            #expect(report.text("permissions").contains("belongs to user 12345"), "\(report.result)")
        }
    }

    @Test("a state directory that cannot be made or written fails", .enabled(if: geteuid() == 0))
    func readOnly() async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses
            for place in ["/proc/clover/state", "/sys/kernel"] {
                let report = try await sandbox.with(["CLOVER_STATE_DIR": place]).doctor("--offline")
                #expect(report.of("state").map(\.result) == ["fail"], "\(report.result)")
                #expect(report.text("state").contains(place))
                // What is to be looked at is there.
                let looks = report.of("state").flatMap(\.next).compactMap { $0.firstMatch(of: /^(df -h|ls -ld) (.+)$/) }
                #expect(looks.count == 2, "\(report.text("state"))")
                for look in looks {
                    #expect(FileManager.default.fileExists(atPath: String(look.output.2)), "\(look.output.0)")
                }
            }
            let file = try sandbox.directory.write("file", "x".utf8)
            let report = try await sandbox.with(["CLOVER_STATE_DIR": file]).doctor("--offline")
            #expect(report.text("state").contains("it is not a directory"), "\(report.result)")
        }
    }

    @Test(
        "rights that the owner took from himself come with the command that gives them back",
        .enabled(if: geteuid() == 0),
        arguments: [
            ("state", 0o500, "state", "chmod u+w "), ("config", 0o600, "configuration", "chmod u+x "),
            ("config/config.yml", 0o200, "configuration", "chmod u+r "),
            ("config", 0o000, "configuration", "chmod u+rwx "), ("config", 0o500, "configuration", "chmod u+w "),
        ])
    func ownRights(_ name: String, _ present: Int, _ check: String, _ command: String) async throws {
        try await Sandbox.run { sandbox in
            let program = try CommandRunner.builtProgram("clover")
            for folder in ["state", "config"] { try sandbox.directory.makeFolder(folder) }
            try sandbox.directory.write("config/config.yml", "format: csv\n".utf8)
            let path = sandbox.directory[name]
            let result = try await sandbox.withoutBuses.shell(
                """
                cd '\(sandbox.directory.path)' && chmod 711 . && chown -R 12345 state config && cd / &&
                chmod \(String(present, radix: 8)) '\(path)' &&
                setpriv --reuid 12345 --regid 12345 --clear-groups '\(program)' doctor --offline --json
                """)
            // Existing settings can be read, but none can be changed. The missing sign-in is a failure, too.
            let isReadable = name == "config" && present == 0o500
            #expect(result.status == 78, "\(result)")
            let found = try #require(try result.records().first { $0["check"]?.string == check })
            #expect(found["result"]?.string == (isReadable ? "warn" : "fail"), "\(found)")
            let message = try #require(found["message"]?.string)
            #expect(message.contains("Permission denied") && !message.contains("cannot status"), "\(message)")
            let next = found["next"]?.elements?.compactMap(\.string) ?? []
            #expect(next.contains(command + path), "\(next)")
            let variable = check == "state" ? "CLOVER_STATE_DIR" : "CLOVER_CONFIG_DIR"
            #expect(next.contains { $0.contains(variable) }, "\(next)")
            #expect(!next.contains { $0.contains("CLOVER_STATE_DIR") && check != "state" }, "\(next)")
        }
    }

    @Test("--fix gives the owner the rights in the state directory back", .enabled(if: geteuid() == 0))
    func ownRightsMended() async throws {
        try await Sandbox.run { sandbox in
            let program = try CommandRunner.builtProgram("clover")
            try sandbox.directory.makeFolder("state")
            let path = sandbox.directory["state"]
            let result = try await sandbox.withoutBuses.shell(
                """
                cd '\(sandbox.directory.path)' && chmod 711 . && chown -R 12345 state && chmod 500 state && cd / &&
                setpriv --reuid 12345 --regid 12345 --clear-groups '\(program)' doctor --offline --json --fix
                stat --format '{"mode":%a}' '\(path)'
                """)
            let found = try #require(try result.records().first { $0["check"]?.string == "state" })
            #expect(found["result"]?.string == "ok", "\(found)")
            #expect(result.outputText.contains("chmod u+w \(path)"), "\(result.outputText)")
            #expect(try result.records().last?["mode"]?.integer == 700)
        }
    }

    @Test(
        "a link that leads nowhere fails with the command that makes it lead somewhere",
        arguments: [("CLOVER_STATE_DIR", "state", ""), ("CLOVER_CONFIG_DIR", "configuration", "/below")])
    func deadLink(_ variable: String, _ check: String, _ below: String) async throws {
        try await Sandbox.run { sandbox in
            let link = sandbox.directory["link"]
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "not/there")
            let sandbox = sandbox.withoutBuses.with([variable: link + below])
            let report = try await sandbox.doctor("--offline", "--skip", "credentials")
            #expect(report.failed == [check], "\(report.result.outputText)")
            let finding = try #require(report.of(check).first)
            #expect(
                finding.message.hasSuffix("link is a link to not/there, which does not exist"), "\(finding.message)")
            #expect(finding.next.contains { $0.contains(variable) }, "\(finding.next)")
            let made = try #require(finding.next.first)
            #expect(made == "mkdir -p -m 700 \(sandbox.directory["not/there"])", "\(made)")
            expectSuccess(try await sandbox.shell(made))
            #expect(try await sandbox.doctor("--offline", "--skip", "credentials").failed == [])
        }
    }

    @Test(
        "a non-directory named by a variable is never moved: the variable is wrong",
        arguments: ["/dev/null", "/dev/zero", "file", "pipe"])
    func notToMove(_ place: String) async throws {
        try await Sandbox.run { sandbox in
            let path = place.hasPrefix("/") ? place : sandbox.directory[place]
            if place == "file" { try sandbox.directory.write(place, "x".utf8) }
            if place == "pipe" { try #require(mkfifo(path, 0o600) == 0) }
            let report = try await sandbox.withoutBuses.with(["CLOVER_STATE_DIR": path]).doctor("--offline")
            #expect(report.failed == ["state"], "\(report.result.outputText)")
            #expect(!report.result.outputText.contains("mv "), "\(report.result.outputText)")
            #expect(report.of("state").first?.next.contains("unset CLOVER_STATE_DIR") == true)
            #expect(report.text("state").contains("move it away") == (place == "file"), "\(report.text("state"))")
            // In its usual place a file of the user's own is moved.
            guard place == "file" else { return }
            try sandbox.directory.makeFolder("home/.local/state")
            let usual = try sandbox.directory.write("home/.local/state/clover", "x".utf8)
            let other = try await sandbox.withoutBuses.without("CLOVER_STATE_DIR", "XDG_STATE_HOME").doctor("--offline")
            #expect(
                other.of("state").first?.next.contains("mv \(usual) \(usual).aside") == true, "\(other.text("state"))")
        }
    }

    @Test("a configuration directory that is a file is reported with the variable that names it")
    func configurationFileAsDirectory() async throws {
        try await Sandbox.run { sandbox in
            let path = try sandbox.directory.write("file", "x".utf8)
            let report = try await sandbox.withoutBuses.with(["CLOVER_CONFIG_DIR": path]).doctor("--offline")
            #expect(report.of("configuration").map(\.result) == ["fail"], "\(report.text("configuration"))")
            #expect(report.of("configuration").first?.next.contains("unset CLOVER_CONFIG_DIR") == true)
        }
    }

    @Test("without a file the defaults are not mentioned, which variables may override")
    func noFile() async throws {
        try await Sandbox.run { sandbox in
            let report = try await sandbox.withoutBuses.with(["CLOVER_FORMAT": "xml"]).doctor("--offline")
            #expect(report.of("configuration").map(\.result) == ["ok", "fail"])
            #expect(!report.text("configuration").contains("default"), "\(report.text("configuration"))")
        }
    }

    @Test("a full device fails, and one that is nearly full is reported")
    func full() async throws {
        try await Sandbox.run { sandbox in
            let folder = try sandbox.directory.makeFolder("disk")
            let state = sandbox.withoutBuses.with(["CLOVER_STATE_DIR": "\(folder)/state"])
            let mount = "mount -t tmpfs -o size=32k,mode=700 none '\(folder)' && mkdir -m 700 '\(folder)/state'"
            let scarce = try await state.shell(
                "PATH=$PATH \(MountSpace.command) sh -c \"\(mount) && clover doctor --json --offline\"")
            #expect(
                scarce.outputText.contains(#""check":"state","result":"warn","message":"state directory"#), "\(scarce)")
            let full = try await state.shell(
                """
                \(MountSpace.command) sh -c "\(mount) && cat /dev/zero >'\(folder)/state/filler' 2>/dev/null; \
                clover doctor --json --offline"
                """)
            #expect(full.status == 78)
            #expect(full.outputText.contains(#""check":"state","result":"fail""#), "\(full)")
            #expect(full.outputText.contains("No space left on device"), "\(full)")
        }
    }

    @Test("a missing home is reported with the variable that replaces it")
    func noHome() async throws {
        try await Sandbox.run { sandbox in
            // Relative ones do not count, and the user database has no entry for this test to take away.
            let report = try await sandbox.withoutBuses.with(["HOME": "/nonexistent"])
                .without("CLOVER_STATE_DIR", "CLOVER_CONFIG_DIR").doctor("--offline")
            #expect(report.findings.count == 21, "\(report.result)")
        }
    }

    @Test("without HOME the home of the user database counts, as for commands")
    func unsetHome() async throws {
        let home = String(cString: try #require(getpwuid(geteuid())?.pointee.pw_dir))
        try await Sandbox.run { sandbox in
            for (shell, place) in [
                ("bash", ".local/share/bash-completion/completions"), ("zsh", ".zsh/completions"),
                ("fish", ".config/fish/completions"),
            ] {
                let report = try await sandbox.withoutBuses.with(["SHELL": "/usr/bin/\(shell)"]).without("HOME")
                    .doctor("--offline")
                #expect(report.text("completions").contains("\(home)/\(place)"), "\(report.text("completions"))")
                #expect(!report.text("completions").contains(" /."), "\(report.text("completions"))")
            }
        }
    }

    @Test("a configuration directory that others may change is reported as commands treat it, with and without a file")
    func looseConfiguration() async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses
            let folder = try sandbox.directory.makeFolder("config")
            try setMode(0o777, folder)
            let empty = try await sandbox.doctor("--offline", "--skip", "credentials")
            #expect(empty.of("configuration").map(\.result) == ["warn"], "\(empty.result.outputText)")
            expectSuccess(try await sandbox.clover("config", "list"))
            try sandbox.directory.write("config/config.yml", "format: csv\n".utf8)
            let found = try await sandbox.doctor("--offline", "--skip", "credentials")
            #expect(found.failed == ["configuration"], "\(found.result.outputText)")
            expectFailure(
                try await sandbox.clover("config", "list"), status: 78,
                saying: try #require(found.of("configuration").first?.message), "chmod go-w \(folder)")
            expectFailure(try await sandbox.clover("get", "orders"), status: 78, saying: "777", "chmod go-w \(folder)")
            _ = try await sandbox.doctor("--offline", "--fix")
            expectSuccess(try await sandbox.clover("config", "list"))
        }
    }

    @Test(
        "what is in the place of the configuration file comes with what to do about it", arguments: ["folder", "pipe"])
    func inPlaceOfTheFile(_ what: String) async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses
            try sandbox.directory.makeFolder("config")
            let path = sandbox.directory["config/config.yml"]
            if what == "pipe" {
                try #require(mkfifo(path, 0o600) == 0)
            } else {
                try sandbox.directory.makeFolder("config/config.yml")
            }
            let report = try await sandbox.doctor("--offline", "--skip", "credentials")
            #expect(report.failed == ["configuration"], "\(report.result.outputText)")
            let step = try #require(report.of("configuration").first?.next.last)
            #expect(
                step
                    == (what == "pipe"
                        ? "export CLOVER_CONFIG_DIR=\(sandbox.directory["config"])-other"
                        : "mv \(path) \(path).aside"))
            let mended = try await sandbox.shell("\(step) && clover config set format csv")
            #expect(mended.ending == .exited(0), "\(mended)")
        }
    }

    @Test("a closed file of root's comes with the command of an administrator", .enabled(if: geteuid() == 0))
    func closedByRoot() async throws {
        try await Sandbox.run { sandbox in
            let program = try CommandRunner.builtProgram("clover")
            try sandbox.directory.makeFolder("config")
            let path = try sandbox.directory.write("config/config.yml", "format: csv\n".utf8)
            let result = try await sandbox.withoutBuses.shell(
                """
                cd '\(sandbox.directory.path)' && chmod 711 . && chown 12345 config && chmod 600 '\(path)' && cd / &&
                setpriv --reuid 12345 --regid 12345 --clear-groups '\(program)' doctor --offline --json
                """)
            let found = try #require(try result.records().first { $0["check"]?.string == "configuration" })
            #expect(found["result"]?.string == "fail", "\(found)")
            let next = found["next"]?.elements?.compactMap(\.string) ?? []
            #expect(next.contains("sudo chown \"$(id -u)\" \(path)"), "\(next)")
        }
    }

    @Test("/dev/null means no configuration; any other non-directory is reported, and its mode is unchanged")
    func noDirectory() async throws {
        try await Sandbox.run { sandbox in
            // A separate pipe in place of /dev/null, which a bug would close to all users.
            let path = sandbox.directory["pipe"]
            try #require(mkfifo(path, 0o600) == 0)
            try setMode(0o666, path)
            let sandbox = sandbox.withoutBuses.with(["CLOVER_CONFIG_DIR": path])
            let report = try await sandbox.doctor("--offline", "--fix")
            #expect(report.of("configuration").map(\.result) == ["fail"], "\(report.text("configuration"))")
            #expect(report.text("configuration").contains("it is not a directory"), "\(report.text("configuration"))")
            #expect(report.of("configuration").first?.next.contains("unset CLOVER_CONFIG_DIR") == true)
            #expect(try mode(path) == 0o666)
            let nothing = try await sandbox.with(["CLOVER_CONFIG_DIR": "/dev/null"]).doctor("--offline")
            #expect(nothing.of("configuration").map(\.result) == ["ok"], "\(nothing.text("configuration"))")
            expectFailure(
                try await sandbox.clover("config", "list"), status: 78, saying: "it is not a directory")
            expectSuccess(try await sandbox.with(["CLOVER_CONFIG_DIR": "/dev/null"]).clover("config", "list"))
        }
    }

    @Test(
        "a variable with a wrong value is named as commands name it",
        arguments: [
            ("CLOVER_RETRY", "many"), ("CLOVER_ZONE", "Mars/Base"), ("CLOVER_MAX_TIME", "soon"),
            ("CLOVER_FORMAT", "xml"), ("CLOVER_ENVIRONMENT", "mars"), ("CLOVER_PROFILE", "!!"),
            ("CLOVER_MERCHANT", "a b"), ("CLOVER_IN_FLIGHT", "0"), ("CLOVER_NO_PACING", "perhaps"),
            ("CLOVER_CALLBACK_PORT", "70000"), ("CLOVER_CLIENT_IP", "here"), ("CLOVER_CACERT", "ca.pem"),
            ("CLOVER_QUIET", "loud"), ("CLOVER_VERBOSE", "loud"), ("CLOVER_DEBUG", "all,everything"),
            ("CLOVER_ERRORS", "xml"), ("CLOVER_ALLOW_NETWORK_STATE", "perhaps"),
        ])
    func wrongVariable(_ name: String, _ value: String) async throws {
        try await Sandbox.run { sandbox in
            let sandbox = sandbox.withoutBuses.with([name: value])
            let command = try await sandbox.clover("config", "list")
            #expect(command.ending == .exited(64), "\(command)")
            let report = try await sandbox.doctor("--offline")
            #expect(report.result.ending == .exited(78), "\(report.result)")
            let finding = try #require(report.of("configuration").last)
            #expect(finding.result == "fail")
            #expect(finding.message.contains(name), "\(finding.message)")
            #expect(command.errorText.contains(finding.message), "\(command)")
            #expect(finding.next.contains("unset \(name)"), "\(finding.next)")
        }
    }

    @Test("files left by killed processes are reported after an hour, and --fix removes only them")
    func leftovers() async throws {
        try await used { sandbox in
            let old = [".current.json.new", "ratelimit/0123.ledger.damaged-1790000000000"]
            for name in old + ["credentials/.fresh.json.new"] {
                try sandbox.directory.write("state/\(name)", "x".utf8)
            }
            for name in old {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                    ofItemAtPath: sandbox.directory["state/\(name)"])
            }
            let found = try await sandbox.doctor("--offline")
            #expect(found.result.ending == .exited(0))
            #expect(found.of("leftovers").map(\.result) == ["warn"])
            #expect(found.text("leftovers").contains("clover doctor --fix"))
            let before = Set(sandbox.directory.files(below: "state"))
            let mended = try await sandbox.doctor("--offline", "--fix")
            #expect(mended.of("leftovers").map(\.result) == ["ok"])
            #expect(mended.of("leftovers").flatMap(\.repairs).count == 2)
            #expect(before.subtracting(sandbox.directory.files(below: "state")) == Set(old.map { "state/\($0)" }))
        }
    }

    @Test("a damaged ledger is reported and left unchanged")
    func damagedLedger() async throws {
        try await used { sandbox in
            let ledger = try #require(
                sandbox.directory.files(below: "state/ratelimit").first { $0.hasSuffix(".ledger") })
            var bytes = try sandbox.directory.read(ledger)
            bytes[90] ^= 0xFF
            try sandbox.directory.write(ledger, bytes)
            let report = try await sandbox.doctor("--offline")
            #expect(report.of("ledger").map(\.result) == ["warn"])
            #expect(report.text("ledger").contains("\(sandbox.directory[ledger]) is damaged"))
            #expect(report.of("ledger").map(\.next) == [["send any request: clover get orders --limit 1"]])
            #expect(try sandbox.directory.read(ledger) == bytes)
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1", "--quiet"))
            #expect(try await sandbox.doctor("--offline").of("ledger").map(\.result) == ["ok"])
        }
    }

    @Test("a damaged ledger of another sign-in is not mended by any request, and the hint says by which")
    func otherLedger() async throws {
        try await used { sandbox in
            let other = "state/ratelimit/0123456789abcdef0123456789abcdef.ledger"
            try sandbox.directory.write(other, Array("no ledger".utf8))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: sandbox.directory[other])
            let report = try await sandbox.doctor("--offline")
            #expect(report.of("ledger").map(\.result) == ["warn"])
            #expect(report.text("ledger").contains("the next request of the sign-in that it belongs to"))
            #expect(report.text("ledger").contains("--profile NAME"))
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1", "--quiet"))
            #expect(try await sandbox.doctor("--offline").of("ledger").map(\.result) == ["warn"])
        }
    }

    @Test("a database of a newer version, a damaged one, and one of something else fail and are left as they are")
    func databases() async throws {
        try await used { sandbox in
            let path = sandbox.directory["state/journal.sqlite"]
            func make(_ sql: String) async throws -> DoctorReport {
                try? FileManager.default.removeItem(atPath: path)
                expectSuccess(
                    try await sandbox.shell(
                        "python3 -c 'import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2])' "
                            + "\(path) \"\(sql)\" && chmod 600 \(path)"))
                return try await sandbox.doctor("--offline")
            }
            let newer = try await make("PRAGMA application_id=1129076298; PRAGMA user_version=99; CREATE TABLE t(x)")
            #expect(newer.failed == ["database"], "\(newer.result)")
            #expect(newer.text("database").contains("version 99"))
            #expect(newer.text("database").contains("update clover"))
            let other = try await make("PRAGMA application_id=7; CREATE TABLE t(x)")
            #expect(other.text("database").contains("of another program"), "\(other.text("database"))")
            let junk = [UInt8](repeating: 0x41, count: 8192)
            try sandbox.directory.write("state/journal.sqlite", junk)
            let damaged = try await sandbox.doctor("--offline")
            #expect(damaged.failed == ["database"])
            #expect(damaged.text("database").contains("is damaged"))
            #expect(try sandbox.directory.read("state/journal.sqlite") == junk)
            // As a full disk leaves it; the next charge uses it.
            try sandbox.directory.write("state/journal.sqlite", [])
            #expect(try await sandbox.doctor("--offline").failed == [])
        }
    }

    @Test("a configuration that cannot be meant fails with its line, and nothing else goes wrong because of it twice")
    func configuration() async throws {
        try await used { sandbox in
            try sandbox.directory.makeFolder("config")
            try sandbox.directory.write("config/config.yml", "format: csv\nformatt: csv\n".utf8)
            let report = try await sandbox.doctor("--offline")
            #expect(report.result.ending == .exited(78))
            #expect(report.failed == ["configuration"], "\(report.result.outputText)")
            #expect(report.text("configuration").contains("line 2"))
            #expect(report.text("configuration").contains("did you mean: format"))
        }
    }

    @Test("a credential that is not JSON fails with its name, beside good ones")
    func credential() async throws {
        try await used { sandbox in
            try sandbox.directory.write("state/credentials/us_SHOPONE_static.json", "{".utf8)
            let report = try await sandbox.doctor("--offline")
            #expect(report.failed == ["credentials"])
            #expect(report.of("credentials").map(\.result) == ["ok", "fail"], "\(report.result)")
            #expect(report.text("credentials").contains("us_SHOPONE_static.json"))
        }
    }
}
