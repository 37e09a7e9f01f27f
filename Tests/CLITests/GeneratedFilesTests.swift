import CloverTestSupport
import Foundation
import Testing

@Suite("generated files")
struct GeneratedFilesTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @Test("manual pages and completions are those of the built programs")
    func areFresh() async throws {
        let folder = URL(fileURLWithPath: try CommandRunner.builtProgram("clover")).deletingLastPathComponent().path
        let script = CommandRunner(
            executable: "\(Self.repository)/Scripts/generate-docs",
            environment: ["PATH": "/usr/bin:/bin", "BINARIES": folder], directory: Self.repository)
        let result = try await Sandbox.run { _ in try await script.run(["--check"]) }
        #expect(result.ending == .exited(0), "\(result)")
    }

    @Test("every manual page is shown without a warning")
    func pagesRender() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Self.repository)/man")
        let pages = names.filter { $0.wholeMatch(of: /[a-z.-]+\.[1-9]/) != nil }.sorted()
        #expect(pages.contains("clover.1"))
        #expect(pages.contains("clover.get.1"))
        let man = CommandRunner(
            executable: "/usr/bin/man",
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MANWIDTH": "80", "MANPAGER": "cat"])
        for page in pages {
            let result = try await man.run(["--warnings", "--local-file", "\(Self.repository)/man/\(page)"])
            #expect(result.ending == .exited(0), "\(page): \(result)")
            #expect(result.errorText == "", "\(page)")
            #expect(result.outputText.contains("NAME"), "\(page)")
        }
    }

    @Test("whatis(1) understands the name of every manual page")
    func names() async throws {
        let folder = Self.repository + "/man"
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.last?.isNumber == true }.sorted()
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
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Self.repository)/man")
        let pages = names.filter { $0.wholeMatch(of: /[a-z.-]+\.[1-9]/) != nil }.sorted()
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
