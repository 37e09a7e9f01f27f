import CloverTestSupport
import Foundation
import Testing

@Suite("auth: credential files that cannot be trusted")
struct CredentialDamageTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (_ path: String) throws -> Void

        init(_ name: String, apply: @escaping @Sendable (_ path: String) throws -> Void) {
            testDescription = name
            self.apply = apply
        }
    }

    private static func replace(_ path: String, with text: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    static let damages = [
        Damage("readable by the group") {
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: $0)
        },
        Damage("readable by all") {
            try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: $0)
        },
        Damage("a symlink") { path in
            try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".real")
        },
        Damage("empty") { try replace($0, with: "") },
        Damage("not JSON") { try replace($0, with: "{\"version\":1,") },
        Damage("JSON of another kind") { try replace($0, with: "[1,2,3]") },
        Damage("without a token") { try replace($0, with: #"{"version":1}"#) },
        Damage("from a newer version") { path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let newer = text.replacing(/"version"\s*:\s*1/, with: "\"version\":2")
            #expect(newer != text)
            try replace(path, with: newer)
        },
        Damage("of another merchant") { path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try replace(path, with: text.replacing(Sandbox.merchantID, with: "OTHERMERCHANT"))
        },
        Damage("a folder") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        },
    ]

    @Test("is refused with 78, named, kept as it is, and nothing is sent", arguments: damages)
    func isRefused(_ damage: Damage) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.signedOut
            expectSignedIn(try await sandbox.signIn(environment: server.url))
            let file = try sandbox.credentialFile()
            try damage.apply(sandbox.directory[file])
            let before = try await sandbox.shell("stat -c '%F %s %a %u' '\(file)'; cat '\(file)' 2>&1")
            for arguments in [["get", "orders"], ["auth", "status"]] {
                let result = try await sandbox.clover(arguments)
                expectFailure(result, status: 78, saying: "state/credentials")
            }
            let after = try await sandbox.shell("stat -c '%F %s %a %u' '\(file)'; cat '\(file)' 2>&1")
            #expect(before.outputText == after.outputText)
            #expect(server.requests.isEmpty)
        }
    }

    /// Only root can give a file away; everywhere else this damage cannot be made, and so cannot happen by mistake.
    @Test("a file of another user's is refused with 78", .enabled(if: geteuid() == 0))
    func wrongOwner() async throws {
        try await isRefused(
            Damage("of another user's") { path in
                try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: path)
            })
    }

    @Test("a loose folder is refused with 78", arguments: ["state/credentials"])
    func looseFolder(_ folder: String) async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { connected, server in
            let sandbox = connected.signedOut
            expectSignedIn(try await sandbox.signIn(environment: server.url))
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: sandbox.directory[folder])
            expectFailure(try await sandbox.clover("get", "orders"), status: 78, saying: "state/credentials")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a credentials folder that is a symlink is refused with 78, for reading and for writing")
    func symlinkedFolder() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.directory.makeFolder("state")
            try sandbox.directory.makeFolder("elsewhere")
            try FileManager.default.createSymbolicLink(
                atPath: sandbox.directory["state/credentials"], withDestinationPath: sandbox.directory["elsewhere"])
            let login = try await sandbox.signIn(environment: "sandbox")
            expectFailure(login, status: 78, saying: "state/credentials")
            #expect(sandbox.directory.files(below: "elsewhere") == [])
        }
    }

    @Test("signing in again does not write through a symlink")
    func loginOverSymlink() async throws {
        try await Sandbox.run { sandbox in
            expectSignedIn(try await sandbox.signIn(environment: "sandbox"))
            let file = try sandbox.credentialFile()
            let target = try sandbox.directory.write("target", "precious".utf8)
            try FileManager.default.removeItem(atPath: sandbox.directory[file])
            try FileManager.default.createSymbolicLink(atPath: sandbox.directory[file], withDestinationPath: target)
            _ = try await sandbox.signIn(environment: "sandbox")
            #expect(try sandbox.directory.read("target") == Array("precious".utf8))
        }
    }

    @Test("a state folder that cannot be made is named")
    func noStateDirectory() async throws {
        try await Sandbox.run { sandbox in
            let blocked = try sandbox.directory.write("file", [])
            let result = try await sandbox.with(["CLOVER_STATE_DIR": blocked + "/state"]).signIn(environment: "sandbox")
            #expect([73, 74, 78].contains(result.status), "\(result)")
            #expect(result.errorText.contains(blocked), "\(result)")
        }
    }
}
