import CloverTestSupport
import Foundation
import Testing

@Suite("install: files in their places, and a Debian package", .serialized)
struct InstallTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private func run(
        _ script: String, _ arguments: String..., variables: [String: String] = [:]
    ) async throws -> CommandResult {
        let folder = URL(fileURLWithPath: try CommandRunner.builtProgram("clover")).deletingLastPathComponent().path
        var runner = CommandRunner(
            executable: "\(Self.repository)/Scripts/\(script)",
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "BINARIES": folder].merging(variables) { $1 },
            directory: Self.repository)
        runner.limit = .seconds(600)
        return try await runner.run(arguments)
    }

    @Test("install puts everything under DESTDIR and PREFIX, and uninstall removes exactly that")
    func files() async throws {
        try await Sandbox.run { sandbox in
            let variables = ["DESTDIR": sandbox.directory["root"], "PREFIX": "/opt/clover"]
            expectSuccess(try await run("install-files", "install", variables: variables))
            let files = Set(sandbox.directory.files(below: "root"))
            for file in [
                "bin/clover", "bin/clover-emulator", "share/man/man1/clover.get.1", "share/man/man5/clover-config.5",
                "share/man/man7/clover-environment.7", "share/bash-completion/completions/clover",
                "share/zsh/site-functions/_clover", "share/fish/vendor_completions.d/clover.fish",
            ] { #expect(files.contains("root/opt/clover/\(file)"), "\(file)") }
            let own = try sandbox.directory.write("root/opt/clover/bin/other", "x".utf8)
            expectSuccess(try await run("install-files", "uninstall", variables: variables))
            #expect(sandbox.directory.files(below: "root").map { sandbox.directory[$0] } == [own])
        }
    }

    @Test("make install and make uninstall use DESTDIR and PREFIX, or the usual places without them")
    func make() async throws {
        try await Sandbox.run { sandbox in
            let folder = URL(fileURLWithPath: try CommandRunner.builtProgram("clover")).deletingLastPathComponent().path
            var runner = CommandRunner(
                executable: "/usr/bin/make",
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "BINARIES": folder],
                directory: Self.repository)
            runner.limit = .seconds(600)
            for (prefix, place) in [(["PREFIX=/opt/clover"], "opt/clover"), ([], "usr/local")] {
                let root = sandbox.directory["root"]
                // What is built already is not built again.
                let words = ["--environment-overrides", "--old-file=build", "DESTDIR=\(root)"] + prefix
                let installed = try await runner.run(words + ["install"])
                #expect(installed.ending == .exited(0), "\(installed)")
                let files = Set(sandbox.directory.files(below: "root"))
                for file in ["bin/clover", "bin/clover-emulator", "share/man/man1/clover.get.1"] {
                    #expect(files.contains("root/\(place)/\(file)"), "\(file): \(files.count)")
                }
                #expect(files.allSatisfy { $0.hasPrefix("root/\(place)/") })
                let removed = try await runner.run(words + ["uninstall"])
                #expect(removed.ending == .exited(0), "\(removed)")
                #expect(sandbox.directory.files(below: "root") == [])
            }
        }
    }

    @Test(
        "starting needs only Debian's libjq, libsqlite3 and the C library",
        arguments: ["clover", "clover-emulator"])
    func libraries(program: String) async throws {
        let runner = CommandRunner(executable: "/usr/bin/ldd", environment: ["PATH": "/usr/bin:/bin"])
        let listed = try await runner.run([try CommandRunner.builtProgram(program)])
        #expect(listed.ending == .exited(0), "\(listed)")
        let names = Set(
            listed.lines.compactMap { line in
                line.split(separator: " ").first.map { $0.split(separator: "/").last ?? "" }
                    .flatMap { $0.split(separator: ".").first }.map { $0.filter { !$0.isWhitespace } }
            })
        let cLibrary: Set<String> = [
            "linux-vdso", "linux-gate", "ld-linux-x86-64", "ld-linux-aarch64", "libc", "libm", "libpthread", "libdl",
        ]
        // libonig is libjq's own.
        let needed: Set<String> = program == "clover" ? ["libjq", "libonig", "libsqlite3"] : []
        #expect(names.subtracting(cLibrary) == needed, "\(listed.outputText)")
    }

    @Test("the package names its libraries, has its pages, passes lintian, and runs in a root with nothing else")
    func package() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let made = try await run(
                "make-deb", sandbox.directory["deb"], variables: ["COMPRESSION": "gzip", "LEVEL": "1"])
            #expect(made.ending == .exited(0), "\(made)")
            let package = try #require(made.lines.last)
            let tool = CommandRunner(
                executable: "/usr/bin/dpkg-deb", environment: ["PATH": "/usr/bin:/bin"])
            let depends = try await tool.run(["--field", package, "Depends"]).outputText
            for library in ["libc6", "libcurl4", "libjq1", "libsqlite3-0", "libqrencode4", "tzdata"] {
                #expect(depends.contains(library), "\(depends)")
            }
            // Nothing but Debian's libraries: none of Swift's, and none that only a part of the program needs.
            for name in ["swift", "libstdc++", "libzstd", "zlib1g"] { #expect(!depends.contains(name), "\(depends)") }
            let contents = try await tool.run(["--contents", package]).outputText
            #expect(contents.contains("./usr/share/man/man1/clover.get.1.gz"))
            #expect(contents.contains("./usr/share/zsh/vendor-completions/_clover"))
            #expect(!contents.contains("/usr/local/"))

            var lintian = CommandRunner(
                executable: "/usr/bin/lintian", environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
            lintian.limit = .seconds(600)
            let judged = try await lintian.run(["--fail-on", "error", package])
            #expect(
                judged.ending == .exited(0), "\(judged.outputText.split(separator: "\n").filter { $0.hasPrefix("E:") })"
            )

            try #require(geteuid() == 0, "a clean root is made by root only: run this as root, or below unshare(1)")
            let line = """
                clover --version && clover help exit-codes | head -n 1 && clover emulator demo >/tmp/tour 2>&1 &&
                    grep -c '^\\$ clover' /tmp/tour && ls /usr/bin/swift /usr/bin/jq
                """
            let tried = try await run("try-deb", package, line)
            #expect(
                tried.outputText.hasSuffix("\nExit statuses of clover.\n11\n"), "\(tried)\n\(tried.errorText)")
            #expect(tried.errorText.contains("/usr/bin/jq': No such file"), "\(tried.errorText)")
        }
    }
}
