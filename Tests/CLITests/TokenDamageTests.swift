import CloverTestSupport
import Foundation
import Testing

/// Sign-ins and refreshes on disks, files and clocks that are not as they should be.
@Suite("auth: tokens on damaged ground")
struct TokenDamageTests {
    // MARK: - Disks

    @Test("on a full disk a refresh is not begun, the old pair stays whole, and later it works")
    func fullDisk() async throws {
        try await world { sandbox, emulator, service in
            let result = try await sandbox.inMountedState(
                """
                \(Self.receive(service)) || exit 90
                \(Self.expire)
                cp state/credentials/*_*.json before.json
                \(Self.fill)
                clover auth token; echo "full $?"
                cmp state/credentials/*_*.json before.json && echo same
                rm state/filler
                clover auth token >token; echo "room $?"
                test "$(jq -r .accessToken state/credentials/*_*.json)" = "$(cat token)" && echo kept
                ls -A state/credentials | grep -v -e lock -e '_.*json$'; ls -A state/credentials | grep refresh
                """)
            #expect(result.lines == ["full 73", "same", "room 0", "kept"], "\(result)")
            #expect(result.errorText.contains("state/credentials"), "\(result)")
            let stats = try await emulator.stats()
            #expect(stats.refreshes == 1 && stats.refreshesRefused == 0)
        }
    }

    @Test("on a full disk a sign-in fails with 73, and the one before stays whole")
    func fullDiskAtLogin() async throws {
        try await world { sandbox, emulator, service in
            let verifier = try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            try sandbox.directory.write("address", (try await service.approvedAddress()).utf8)
            try sandbox.directory.write("address-2", (try await service.approvedAddress()).utf8)
            let receive =
                "clover auth receive --environment \(service.url) --app-id \(service.appID)"
                + " --code-verifier-file '\(verifier)'"
            let result = try await sandbox.inMountedState(
                """
                \(receive) <address 2>/dev/null || exit 90
                cp state/credentials/*_*.json before.json
                \(Self.fill)
                \(receive) <address-2; echo "full $?"
                cmp state/credentials/*_*.json before.json && echo same
                rm state/filler
                clover get merchant -r --jq .id; echo "room $?"
                ls -A state/credentials | grep new
                """)
            #expect(result.lines == ["full 73", "same", service.merchantID, "room 0"], "\(result)")
            #expect(result.errorText.contains("state"), "\(result)")
        }
    }

    @Test("a read-only state folder: a good token is given, a refresh is not begun, a sign-in fails with 73")
    func readOnly() async throws {
        try await world { sandbox, emulator, service in
            try sandbox.directory.write("address", (try await service.approvedAddress()).utf8)
            let result = try await sandbox.inMountedState(
                """
                \(Self.receive(service)) || exit 90
                mount -o remount,ro state || exit 91
                clover auth token >token; echo "good $?"
                test "$(jq -r .accessToken state/credentials/*_*.json)" = "$(cat token)" && echo kept
                clover auth status >/dev/null; echo "status $?"
                mount -o remount,rw state
                \(Self.expire)
                cp state/credentials/*_*.json before.json
                mount -o remount,ro state || exit 91
                clover auth token; echo "over $?"
                clover auth refresh; echo "refresh $?"
                clover auth receive --environment \(service.url) --app-id \(service.appID) \
                    --code-verifier-file verifier <address; echo "receive $?"
                clover auth logout; echo "logout $?"
                cmp state/credentials/*_*.json before.json && echo same
                mount -o remount,rw state
                clover auth token >token; echo "room $?"
                """)
            #expect(
                result.lines == [
                    "good 0", "kept", "status 0", "over 73", "refresh 73", "receive 73", "logout 73", "same", "room 0",
                ], "\(result)")
            let stats = try await emulator.stats()
            #expect(stats.refreshes == 1 && stats.refreshesRefused == 0)
        }
    }

    @Test(
        "what can end with 73 on a folder that cannot be written says so in its help",
        arguments: ["login", "receive", "status", "token", "refresh", "logout", "switch", "watch", "migrate"])
    func helpOfReadOnly(_ command: String) async throws {
        try await Sandbox.run { sandbox in
            let help = try await sandbox.clover("auth", command, "--help")
            #expect(help.outputText.contains("\n  73  "), "\(help)")
        }
    }

    private static let expire =
        #"sed -i 's/"accessTokenExpires":[0-9]*/"accessTokenExpires":1000000000/' state/credentials/*_*.json"#
    /// Takes everything, to the last byte.
    private static let fill =
        "dd if=/dev/zero of=state/filler bs=4096 2>/dev/null; dd if=/dev/zero bs=1 count=8192 2>/dev/null >>state/filler"

    /// A sign-in as a line of shell, with the files `first` and `verifier` made for it.
    private static func receive(_ service: SignInService) -> String {
        "clover auth receive --environment \(service.url) --app-id \(service.appID) --code-verifier-file verifier"
            + " <first 2>/dev/null"
    }

    // MARK: - Files

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The end of the file's name; it is made when it is not there.
        let file: String
        let apply: @Sendable (_ sandbox: Sandbox, _ file: String) throws -> Void

        init(_ name: String, _ file: String, apply: @escaping @Sendable (Sandbox, String) throws -> Void) {
            testDescription = name
            self.file = file
            self.apply = apply
        }
    }

    private static func loosen(_ mode: Int) -> @Sendable (Sandbox, String) throws -> Void {
        { sandbox, file in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: sandbox.directory[file])
        }
    }

    private static let link: @Sendable (Sandbox, String) throws -> Void = { sandbox, file in
        let path = sandbox.directory[file]
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.moveItem(atPath: path, toPath: sandbox.directory["target"])
        } else {
            try sandbox.directory.write("target", [])
        }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: sandbox.directory["target"])
    }

    private static func write(_ text: String) -> @Sendable (Sandbox, String) throws -> Void {
        { sandbox, file in
            if FileManager.default.fileExists(atPath: sandbox.directory[file]) {
                try sandbox.directory.overwrite(file, Array(text.utf8))
            } else {
                try sandbox.directory.write(file, text.utf8)
            }
        }
    }

    private static let newer: @Sendable (Sandbox, String) throws -> Void = { sandbox, file in
        let text = String(decoding: try sandbox.directory.read(file), as: UTF8.self)
        let changed = text.replacing(/"version"\s*:\s*1/, with: #""version":2"#)
        try #require(changed != text)
        try sandbox.directory.overwrite(file, Array(changed.utf8))
    }

    static let damages = [
        Damage("a credential that the group can read", ".json", apply: loosen(0o640)),
        Damage("a credential that is a link", ".json", apply: link),
        Damage("a credential from a newer version", ".json", apply: newer),
        Damage("a journal that all can read", ".refresh.json") { sandbox, file in
            try write(#"{"version":1}"#)(sandbox, file)
            try loosen(0o644)(sandbox, file)
        },
        Damage("a journal that is a link", ".refresh.json", apply: link),
        Damage("a journal from a newer version", ".refresh.json", apply: write(#"{"version":2,"state":"asleep"}"#)),
        Damage("a journal that is not JSON", ".refresh.json", apply: write("sent")),
        Damage("an empty journal", ".refresh.json", apply: write("")),
        Damage("a lock that is a link", ".json.lock", apply: link),
        Damage("a folder of credentials that others can enter", "", apply: loosen(0o755)),
    ]

    @Test("a refresh over such a file is not begun: 78, named, left as it is, nothing sent", arguments: damages)
    func damaged(_ damage: Damage) async throws {
        try await world { sandbox, emulator, service in
            try await sandbox.receive(service)
            try sandbox.expireAccessToken()
            let stem = String(try sandbox.tokenFile().dropLast(".json".count))
            let file = damage.file.isEmpty ? "state/credentials" : stem + damage.file
            try damage.apply(sandbox, file)
            let listing =
                "stat -c '%F %s %a %n' state/credentials state/credentials/* target; cat state/credentials/* target"
            let before = try await sandbox.shell(listing)
            for arguments in [["auth", "token"], ["auth", "refresh"], ["get", "merchant"]] {
                let result = try await sandbox.clover(arguments)
                expectFailure(result, status: 78, saying: "credentials")
            }
            let after = try await sandbox.shell(listing)
            #expect(before.outputText == after.outputText)
            let stats = try await emulator.stats()
            #expect(stats.refreshes + stats.refreshesRefused == 0)
        }
    }

    static let choiceDamages = [
        Damage("names from a newer version", "profiles.json", apply: newer),
        Damage("names that are not JSON", "profiles.json", apply: write("{")),
        Damage("names that are a link", "profiles.json", apply: link),
        Damage("a choice from a newer version", "current.json", apply: newer),
        Damage("a choice that is a link", "current.json", apply: link),
    ]

    @Test("damaged names and choices are refused with 78, named, and left as they are", arguments: choiceDamages)
    func damagedChoice(_ damage: Damage) async throws {
        try await world { sandbox, _, service in
            try await sandbox.receive(service, "--profile", "downtown")
            let found = sandbox.directory.files(below: "state").first { $0.hasSuffix("/" + damage.file) }
            let file = try #require(found)
            try damage.apply(sandbox, file)
            let before = try sandbox.directory.read(file)
            let arguments =
                damage.file == "profiles.json"
                ? [["get", "merchant", "--profile", "downtown"], ["auth", "switch", "downtown"]]
                : [["get", "merchant"], ["auth", "status"]]
            for arguments in arguments {
                expectFailure(try await sandbox.clover(arguments), status: 78, saying: damage.file)
            }
            #expect(try sandbox.directory.read(file) == before)
        }
    }

    // MARK: - Clocks

    @Test(
        "a clock that is an hour off changes nothing: no early refresh, and the end of a token is noticed",
        arguments: ["0s", "1h", "-1h"])
    func skew(_ skew: String) async throws {
        try await world(["--clock-skew=\(skew)", "--access-token-life", "10s"]) { sandbox, emulator, service in
            try await sandbox.receive(service)
            let first = try await sandbox.status()
            #expect(first["loggedIn"] == .bool(true))
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await emulator.stats().refreshes == 0)
            try await sandbox.waitUntilDue()
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await emulator.stats().refreshes == 1)
            #expect(try await sandbox.status()["refreshDue"] == .bool(false))
        }
    }

    @Test("after a restart with a clock that stepped back, the token is renewed rather than trusted")
    func steppedBack() async throws {
        try await world { sandbox, emulator, service in
            try await sandbox.receive(service)
            // The machine was started anew, and its clock is now a day before the sign-in.
            try sandbox.editCredential { text in
                text.replacing(/"(createdAt)":([0-9]+)/) { "\"createdAt\":\((Int($0.2) ?? 0) + 86_400)" }
                    .replacing(/"bootId":"[^"]+"/, with: #""bootId":"11111111-2222-3333-4444-555555555555""#)
            }
            #expect(try await sandbox.status()["refreshDue"] == .bool(true))
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await emulator.stats().refreshes == 1)
            #expect(try await sandbox.status()["refreshDue"] == .bool(false))
        }
    }

    @Test("after a restart the wall clock counts: an old token is renewed before it is used")
    func restarted() async throws {
        try await world { sandbox, emulator, service in
            try await sandbox.receive(service)
            try sandbox.editCredential { text in
                text.replacing(/"(createdAt|serverTime|accessTokenExpires)":([0-9]+)/) {
                    "\"\($0.1)\":\((Int($0.2) ?? 0) - 7200)"
                }.replacing(/"bootId":"[^"]+"/, with: #""bootId":"11111111-2222-3333-4444-555555555555""#)
            }
            #expect(try await sandbox.status()["refreshDue"] == .bool(true))
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    private func world(
        _ flags: [String] = [], _ body: (Sandbox, EmulatorProcess, SignInService) async throws -> Void
    ) async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"] + flags)
            let service = SignInService(emulator)
            try sandbox.directory.write("verifier", KnownProof.verifier.utf8)
            try sandbox.directory.write("first", (try await service.approvedAddress()).utf8)
            try await body(sandbox, emulator, service)
        }
    }
}

extension Sandbox {
    /// Runs lines of bash in which the state folder is a separate small disk, in a name space that goes away with them.
    func inMountedState(_ script: String) async throws -> CommandResult {
        try directory.makeFolder("state")
        try directory.write(
            "script.sh", ("mount -t tmpfs -o size=128k,mode=700 tmpfs state || exit 92\n" + script).utf8)
        return try await shell("exec \(MountSpace.command) bash script.sh")
    }

    /// Waits until `auth status` says that the next command renews the tokens.
    func waitUntilDue() async throws {
        let limit = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < limit {
            if try await status()["refreshDue"] == .bool(true) { return }
        }
        throw CommandError.notSeen(awaited: "a token that is due", output: "", errors: "")
    }
}
