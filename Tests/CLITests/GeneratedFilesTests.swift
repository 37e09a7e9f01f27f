import CloverTestSupport
import Foundation
import Testing

/// That they are those of the built programs is checked by `make check`.
@Suite("generated files")
struct GeneratedFilesTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The names of the manual pages, without those that are another name of one.
    private static func pages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(repository)/man").sorted().filter { name in
            guard name.wholeMatch(of: /[a-z.-]+\.[1-9]/) != nil else { return false }
            return try !String(contentsOfFile: "\(repository)/man/\(name)", encoding: .utf8).hasPrefix(".so ")
        }
    }

    @Test("man(1) finds the page of reports under the name clover-report, also where pages are compressed")
    func otherName() async throws {
        try await Sandbox.run { sandbox in
            let folder = sandbox.directory["man"]
            let script = "mkdir -p '\(folder)/man7' && cp man/clover-report*.7 '\(folder)/man7'"
            for compress in ["", " && gzip -9n '\(folder)'/man7/*"] {
                let copied = try await CommandRunner(
                    executable: "/bin/bash", environment: ["PATH": "/usr/bin:/bin"], directory: Self.repository
                ).run(["-c", script + compress])
                try #require(copied.ending == .exited(0), "\(copied)")
                let man = CommandRunner(
                    executable: "/usr/bin/man",
                    environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANPATH": folder, "MANPAGER": "cat"])
                let page = try await man.run(["clover-report"])
                #expect(page.ending == .exited(0) && page.outputText.contains("grossSales"), "\(page)")
            }
        }
    }

    @Test("every manual page is shown without a warning")
    func pagesRender() async throws {
        let pages = try Self.pages()
        #expect(pages.contains("clover.1"))
        #expect(pages.contains("clover.get.1"))
        let man = CommandRunner(
            executable: "/usr/bin/man",
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANWIDTH": "80", "MANPAGER": "cat"])
        let page = try await man.run(["--warnings", "--local-file", "\(Self.repository)/man/clover.get.1"])
        expectSuccess(page)
        #expect(page.outputText.contains("NAME"), "\(page)")
        // The others as man(1) has them shown, in one process.
        let groff = CommandRunner(
            executable: "/usr/bin/groff", environment: ["PATH": "/usr/bin:/bin"], directory: "\(Self.repository)/man")
        let all = try await groff.run(
            ["-K", "utf8", "-t", "-mandoc", "-T", "utf8", "-w", "mac", "-P", "-cbou"] + pages)
        expectSuccess(all)
        #expect(all.lines.count { $0 == "NAME" } == pages.count, "\(all)")
    }

    @Test("whatis(1) understands the name of every manual page")
    func names() async throws {
        let folder = Self.repository + "/man"
        let pages = try Self.pages()
        #expect(pages.count > 60)
        let result = try await CommandRunner(executable: "/usr/bin/lexgrog", environment: ["PATH": "/usr/bin:/bin"])
            .run(pages.map { "\(folder)/\($0)" })
        #expect(result.ending == .exited(0), "\(result)")
        for (page, line) in zip(pages, result.lines) {
            #expect(line.hasPrefix("\(folder)/\(page): \"\(page.dropLast(2)) - "), "\(line)")
        }
    }

    @Test("no manual page has anything that mandoc(1) warns of")
    func pagesAreClean() async throws {
        let pages = try Self.pages()
        let mandoc = CommandRunner(executable: "/usr/bin/mandoc", environment: [:])
        let result = try await mandoc.run(
            ["-T", "lint", "-W", "warning"] + pages.map { "\(Self.repository)/man/\($0)" })
        #expect(result.ending == .exited(0))
        #expect(result.outputText + result.errorText == "")
    }

    @Test("no manual page and no help text holds a path of the machine that made it")
    func noPaths() async throws {
        for folder in ["man", "completions"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: "\(Self.repository)/\(folder)") {
                let text = try String(contentsOfFile: "\(Self.repository)/\(folder)/\(name)", encoding: .utf8)
                #expect(!text.contains(Self.repository), "\(folder)/\(name)")
                #expect(!text.contains(NSHomeDirectory() + "/"), "\(folder)/\(name)")
            }
        }
    }
}
