import CloverExport
import CloverSystem
import CloverTestSupport
import Testing

/// Checks of a destination against its manifest alone.
@Suite("export verify: files and windows of a manifest")
struct DestinationCheckTests {
    /// One file of a destination with its line.
    private struct File {
        var name: String
        var text = "{}\n"
        var results = 1
        /// Days since 2026-01-01.
        var window: (from: Int, to: Int)? = (0, 1)
        var members = #","range":"changes""#

        var line: String {
            let bounds = window.map { #","field":"modifiedTime","from":"\#(time($0.from))","to":"\#(time($0.to))""# }
            return
                #"{"file":"\#(name)","resource":"orders","merchant":"M","environment":"us"\#(bounds ?? #","to":"\#(time(1))""#)"#
                + #"\#(members),"results":\#(results),"bytes":\#(text.utf8.count),"sha256":"\#(SHA256.hash(Array(text.utf8)).hexadecimalDigits)"}"#
        }

        private func time(_ day: Int) -> String { "2026-01-\(day < 9 ? "0" : "")\(day + 1)T00:00:00.000Z" }
    }

    private static func findings(_ files: [File], lines: [String]? = nil) throws -> [String] {
        let root = try TemporaryDirectory()
        _ = try root.makeFolder("out")
        if files.contains(where: { $0.name.hasPrefix("failed/") }) { _ = try root.makeFolder("out/failed") }
        for file in files { try root.write("out/\(file.name)", Array(file.text.utf8)) }
        let manifest = (lines ?? files.map(\.line)).map { $0 + "\n" }.joined()
        try root.write("out/manifest.ndjson", Array(manifest.utf8))
        var check = try DestinationCheck(root["out"], nil)
        return try check.run().map { "\($0.kind.rawValue): \($0.sentence)" }
    }

    @Test("windows that touch or overlap leave no gap, and those without records are named by a later line")
    func windows() throws {
        let first = File(name: "a.ndjson", window: (0, 2))
        #expect(try Self.findings([first, File(name: "b.ndjson", window: (1, 4))]) == [])
        let later = File(name: "b.ndjson", window: (4, 6))
        #expect(
            try Self.findings([first, later]) == [
                "gap: no file has orders of 2026-01-03T00:00:00.000Z to 2026-01-05T00:00:00.000Z"
            ])
        var named = later
        named.members += #","empty":[["2026-01-03T00:00:00.000Z","2026-01-05T00:00:00.000Z"]]"#
        #expect(try Self.findings([first, named]) == [])
        // Older lines do not say whether windows between them were empty.
        var older = later
        older.members = ""
        #expect(try Self.findings([first, older]) == [])
        // A day and another range may be anywhere.
        for range in ["day", "since", "something new"] {
            var apart = later
            apart.members = #","range":"\#(range)""#
            #expect(try Self.findings([first, apart]) == [], "\(range)")
        }
        // The run after one with --since continues where that one ended.
        let since = File(name: "c.ndjson", window: (1, 5), members: #","range":"since""#)
        #expect(try Self.findings([first, since, later]) == [])
        #expect(
            try Self.findings([first, File(name: "b.ndjson", window: (0, 2))]).first?.hasPrefix("overlap: ") == true)
    }

    @Test("a file in the folder of failed records is foreign unless a line names it")
    func failedFiles() throws {
        let listed = File(name: "failed/a.ndjson", window: nil, members: #","role":"failed""#)
        let other = File(name: "failed/b.ndjson", window: nil)
        #expect(try Self.findings([listed]) == [])
        #expect(
            try Self.findings([listed, other], lines: [listed.line]) == [
                "foreign: no known export made failed/b.ndjson"
            ])
    }

    @Test("counts the rows of each format as its writer does")
    func rows() throws {
        let good = [
            File(name: "a.ndjson", text: "{}\n{}\n", results: 2), File(name: "a.tsv", text: "id\nA\n", results: 1),
            File(name: "a.csv", text: "id,note\r\nA,\"one\nother\"\r\n", results: 1),
            File(name: "b.csv", text: "A\r\n", results: 1), File(name: "a.txt", text: "anything", results: 7),
            File(name: "raw.ndjson", text: "a\nb\n", results: 1, members: #","raw":true"#),
        ]
        for file in good { #expect(try Self.findings([file]) == [], "\(file.name)") }
        let bad = [
            File(name: "a.ndjson", text: "{}\n", results: 2), File(name: "a.csv", text: "id\r\nA\r\n", results: 3),
            File(name: "raw.ndjson", text: "a\n", results: 2, members: #","raw":true"#),
            File(name: "a.ndjson.gz", text: "not compressed", results: 1),
        ]
        for file in bad { #expect(try Self.findings([file]).map { $0.prefix(5) } == ["rows:"], "\(file.name)") }
    }

    @Test("each addition to an object is compared with its own line")
    func additions() throws {
        let root = try TemporaryDirectory()
        _ = try root.makeFolder("out")
        let parts = ["first\n", "second\n", "third\n"]
        var (offset, lines) = (0, [String]())
        for text in parts {
            lines.append(
                File(name: "a.log", text: text, window: nil, members: #","role":"log","offset":\#(offset)"#).line)
            offset += text.utf8.count
        }
        try root.write("out/manifest.ndjson", Array(lines.map { $0 + "\n" }.joined().utf8))
        // The directory has the object's size only.
        try root.write("out/a.log", [UInt8](repeating: 0, count: offset))
        func findings(_ text: String, pieces: Int) throws -> [String] {
            let ends = try #require(try DestinationCheck(root["out"], nil).ends()["a.log"])
            var contents = ObjectContents("a.log", partsEndingAt: ends)
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: pieces) {
                contents.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
            }
            var check = try DestinationCheck(root["out"], nil, objects: ["a.log": contents])
            return try check.run().map(\.sentence)
        }
        for pieces in [1, 4, 100] {
            #expect(try findings(parts.joined(), pieces: pieces) == [])
            #expect(
                try findings("first\nsecund\nthird\n", pieces: pieces) == [
                    "a.log has other bytes than were exported at 6 to 13"
                ])
        }
    }

    @Test(
        "reads no path that leads out of the destination",
        arguments: ["../x", "/etc/passwd", "a/../../x", ".clover-export/id"])
    func paths(name: String) throws {
        let line = File(name: "a.ndjson").line.replacing("a.ndjson", with: name)
        #expect(
            try Self.findings([], lines: [line]) == ["manifest: line 1 of manifest.ndjson is not a line of a manifest"])
    }
}
