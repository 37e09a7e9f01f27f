import CloverTestSupport
import Foundation
import Testing

@Suite("install: the tarball, the version and the completion scripts")
struct DistributionTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Starts the real script, because what matters is what tar(1), sha256sum(1) and the loader make of its files.
    private func distribute(into folder: String) async throws -> CommandResult {
        let binaries = URL(fileURLWithPath: try CommandRunner.builtProgram("clover")).deletingLastPathComponent().path
        var runner = CommandRunner(
            executable: "\(Self.repository)/Scripts/make-dist",
            environment: [
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "BINARIES": binaries, "CLOVER_COMMIT": "0123456789abcdef",
                "LEVEL": "1",
            ],
            directory: Self.repository)
        runner.limit = .seconds(600)
        return try await runner.run([folder])
    }

    @Test("the tarball has programs, pages and completions; its sums hold; the SBOM names what is linked and loaded")
    func tarball() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let made = try await distribute(into: sandbox.directory["first"])
            #expect(made.ending == .exited(0), "\(made)")
            let tarball = try #require(made.lines.first)
            let sums = try await sandbox.shell("cd first && sha256sum --check *.sha256")
            expectSuccess(sums)
            #expect(sums.lines.count == 2)

            let unpacked = try await sandbox.shell(
                "mkdir out && tar -xzf '\(tarball)' -C out && cd out/* && find . -type f")
            expectSuccess(unpacked)
            for file in [
                "./bin/clover", "./bin/clover-emulator", "./LICENSE", "./README.md", "./share/man/man1/clover.get.1",
                "./share/bash-completion/completions/clover", "./share/zsh/site-functions/_clover",
                "./share/fish/vendor_completions.d/clover.fish",
            ] { #expect(unpacked.lines.contains(file), "\(file)") }
            expectSuccess(
                try await sandbox.shell("out/*/bin/clover version && out/*/bin/clover-emulator help >/dev/null"))

            let bill = try JSONValue(try await sandbox.shell("cat first/*.cdx.json").outputText)
            #expect(bill["bomFormat"]?.string == "CycloneDX")
            let names = Set(bill["components"]?.elements?.compactMap { $0["name"]?.string } ?? [])
            let expected: Set = ["grdb.swift", "swift-argument-parser", "libjq.so.1", "libcurl.so.4", "libcrypto.a"]
            #expect(names.isSuperset(of: expected), "\(names)")
            let program = try await sandbox.shell("sha256sum out/*/bin/clover | cut -d' ' -f1")
            let hashes = bill["metadata"]?["component"]?["components"]?.elements?.first?["hashes"]
            #expect(hashes?.elements?.first?["content"]?.string == program.lines.first)

            // The same programs give the same bytes.
            expectSuccess(try await distribute(into: sandbox.directory["second"]))
            expectSuccess(try await sandbox.shell("diff -r first second"))
        }
    }

    @Test("without the list of what the build resolved, nothing is written")
    func unresolved() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.shell(
                "mkdir -p copy/Scripts && cp '\(Self.repository)/Scripts/make-dist' copy/Scripts && copy/Scripts/make-dist out"
            )
            #expect(result.status == 1 && result.errorText.contains("Package.resolved is missing"), "\(result)")
            #expect(sandbox.directory.files(below: "").filter { $0.contains("/out/") } == [])
        }
    }

    @Test("version prints the version, the commit or null, and every library, as JSON in a pipe")
    func version() async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("version")
            expectSuccess(result)
            let facts = try JSONValue(result.outputText)
            #expect(facts["version"]?.string == (try await sandbox.clover("--version")).lines.first)
            #expect(result.outputText.contains(#""commit":"#))
            for name in ["libjq", "libsqlite3", "libcurl", "OpenSSL"] {
                #expect(facts["libraries"]?[name]?.string?.first?.isNumber == true, "\(name): \(result.outputText)")
            }
        }
    }

    @Test("completion prints the generated script of each shell", arguments: ["bash", "zsh", "fish"])
    func completion(_ shell: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.clover("completion", shell)
            expectSuccess(result)
            let generated = try await sandbox.clover("--generate-completion-script", shell)
            #expect(result.outputText == generated.outputText)
        }
    }

    @Test("an unknown shell, or none, is refused with those that there are")
    func noShell() async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.clover("completion", "tcsh"), status: 64, saying: "bash", "zsh", "fish")
            expectFailure(
                try await sandbox.clover("completion"), status: 64, saying: "name the shell: bash, zsh or fish")
        }
    }
}
