import CloverTestSupport
import Foundation
import Testing

@Suite("config: variables")
struct VariableTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @Test("'clover help environment' names every variable in the sources")
    func everyVariable() async throws {
        let page = try await Sandbox.run { try await $0.clover("help", "environment") }
        expectSuccess(page)
        // CLOVER_EVENT... and CLOVER_CHANGE... are for the commands of --exec, and described with it; CLOVER_BODY ends the body in a
        // printed shell command.
        let others: Set = ["CLOVER_BODY"]
        let words = Set(page.outputText.matches(of: /CLOVER_[A-Z_]+/).map { String($0.output) })
        var missing: Set<String> = []
        for module in ["clover", "CloverCommands", "CloverCore", "CloverSystem", "CloverReaders"] {
            let folder = "\(Self.repository)/Sources/\(module)"
            let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
            for file in files where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                let names = text.matches(of: /"(CLOVER_[A-Z_]+)"/).map { String($0.output.1) }
                missing.formUnion(
                    names.filter {
                        !$0.hasPrefix("CLOVER_EVENT") && !$0.hasPrefix("CLOVER_CHANGE")
                            && !words.union(others).contains($0)
                    })
            }
        }
        #expect(missing == [])
        #expect(words.count > 25)
    }

    @Test("quiet and verbose by variable; the flag takes precedence")
    func messages() async throws {
        try await Sandbox.run { sandbox in
            let quiet = sandbox.with(["CLOVER_QUIET": "1"])
            #expect(try await quiet.clover("config", "set", "retry", "1").errorText == "")
            #expect(try await quiet.clover("config", "set", "retry", "2", "--verbose").errorText != "")
            let no = sandbox.with(["CLOVER_QUIET": "0"])
            #expect(try await no.clover("config", "set", "retry", "1").errorText != "")
            expectFailure(
                try await sandbox.with(["CLOVER_VERBOSE": "loud"]).clover("config", "list"), status: 64,
                saying: "CLOVER_VERBOSE takes true or false, not 'loud'")
        }
    }

    @Test("verbose by variable prints details")
    func verbose() async throws {
        try await Sandbox.run(server: { _, _ in .page([]) }) { sandbox, _ in
            let result = try await sandbox.with(["CLOVER_VERBOSE": "yes"]).clover("get", "orders", "--limit", "1")
            #expect(result.ending == .exited(0))
            #expect(result.errorText.contains("1 request"), "\(result)")
        }
    }

    @Test("a sign-in uses timeout, port and app of the variable or file")
    func login() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.configured(
                "callback-port: 0\ntimeout: 100ms\napp-id: APPOFTHEFILE\nenvironment: http://127.0.0.1:9\n")
            let result = try await sandbox.clover("auth", "login", "--no-browser")
            expectFailure(result, status: 75, saying: "within 0.1 s", output: nil)
            #expect(result.errorText.contains("client_id=APPOFTHEFILE"), "\(result)")
            let variable = try await sandbox.with(["CLOVER_TIMEOUT": "200ms", "CLOVER_APP_ID": "OTHERAPP"])
                .clover("auth", "login", "--no-browser")
            expectFailure(variable, status: 75, saying: "within 0.2 s", "client_id=OTHERAPP", output: nil)
        }
    }
}
