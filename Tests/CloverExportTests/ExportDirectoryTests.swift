import CloverExport
import CloverTestSupport
import Foundation
import Testing

@Suite("export directory: foreign files")
struct ExportDirectoryTests {
    private static let line =
        #"{"file":"orders/a.ndjson","resource":"orders","merchant":"M","records":1,"sha256":"\#(String(repeating: "a", count: 64))"}"#

    /// A destination, with a foreign file and folder beside it.
    private struct World {
        let root: TemporaryDirectory
        let directory: ExportDirectory
        private static let foreign = Array("not yours\n".utf8)

        init() throws {
            root = try TemporaryDirectory()
            directory = try ExportDirectory(try root.makeFolder("out"))
            _ = try root.makeFolder("theirs")
            try root.write("theirs/file", Self.foreign)
        }

        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: root["out/\(name)"], withDestinationPath: root[target])
        }

        /// Writes a file and publishes it under a name, or appends it to the file of that name.
        func write(_ text: String, to name: String, adding size: Int64? = nil) throws {
            let file = try directory.makeFile(0)
            try FileHandle(fileDescriptor: file.descriptor).write(contentsOf: Data(text.utf8))
            if let size {
                _ = try file.append(to: name, at: size)
            } else {
                try file.publish(as: name)
            }
        }

        func expectUntouched(sourceLocation: SourceLocation = #_sourceLocation) throws {
            #expect(root.files(below: "theirs") == ["theirs/file"], sourceLocation: sourceLocation)
            #expect(try root.read("theirs/file") == Self.foreign, sourceLocation: sourceLocation)
        }
    }

    @Test("creates folders for published files, and appends to growing files")
    func own() throws {
        let world = try World()
        try world.write("a\n", to: "one/two/file")
        try world.write("b\n", to: "one/two/file", adding: 2)
        #expect(try world.root.read("out/one/two/file") == Array("a\nb\n".utf8))
        #expect(try world.directory.size(of: "one/two/file") == 4)
        let names = ["one/two/file", "one/file", "two/file"]
        let expected = names.map { ExportStore.ExpectedFile(path: $0, size: 4, grows: false) }
        #expect(try world.directory.lost(among: expected).map(\.path) == Array(names.dropFirst()))
        try world.directory.cutBack("one/two/file", to: 2)
        #expect(try world.directory.size(of: "one/two/file") == 2)
        try world.directory.remove("one/two/file")
        #expect(try world.directory.size(of: "one/two/file") == nil)
        #expect(world.root.files(below: "out/.clover-export") == [])
    }

    @Test("a file that others changed is lost if it has another size, or if it grows and was cut")
    func lost() throws {
        let world = try World()
        try world.write("12345\n", to: "file")
        func lost(_ size: Int64, grows: Bool) throws -> [String] {
            let expected = [ExportStore.ExpectedFile(path: "file", size: size, grows: grows)]
            let found = try world.directory.lost(among: expected)
            #expect(ExportDirectory.lost(among: expected, at: world.directory.path) == found.map(\.path))
            return found.map(\.text)
        }
        #expect(try lost(6, grows: false) == [])
        #expect(try lost(5, grows: false) == ["file (changed: 6 bytes, 5 expected)"])
        #expect(try lost(7, grows: false) == ["file (changed: 6 bytes, 7 expected)"])
        // Others may add lines.
        for size: Int64 in 1...6 { #expect(try lost(size, grows: true) == []) }
        #expect(try lost(7, grows: true) == ["file (changed: 6 bytes, 7 expected)"])
        #expect(try world.directory.setAside("file") == "file.changed")
        #expect(try world.root.read("out/file.changed") == Array("12345\n".utf8))
        #expect(try lost(6, grows: false) == ["file"])
        try world.write("", to: "file")
        #expect(try lost(6, grows: true) == ["file (changed: 0 bytes, 6 expected)"])
        #expect(try lost(6, grows: false) == ["file (changed: 0 bytes, 6 expected)"])
        #expect(try world.directory.setAside("file") == "file.changed-2")
        #expect(try world.root.read("out/file.changed") == Array("12345\n".utf8))
    }

    @Test("follows no link in place of a file, in any operation")
    func linkedFile() throws {
        let world = try World()
        try world.link("orders.ndjson", to: "theirs/file")
        let refused = ExportError.link(path: world.directory.path + "/orders.ndjson")
        let directory = world.directory
        #expect(throws: refused) { try world.write("mine\n", to: "orders.ndjson", adding: 0) }
        #expect(throws: refused) { try world.write("mine\n", to: "orders.ndjson") }
        #expect(throws: refused) { try directory.size(of: "orders.ndjson") }
        #expect(throws: refused) { try directory.sha256(of: "orders.ndjson") }
        #expect(throws: refused) { try directory.cutBack("orders.ndjson", to: 1) }
        #expect(throws: refused) { try directory.endsInLine("orders.ndjson") }
        try world.expectUntouched()
    }

    @Test("follows no link in place of a folder, and creates nothing behind it", arguments: ["theirs", "nowhere"])
    func linkedFolder(target: String) throws {
        let world = try World()
        try world.link("orders", to: target)
        let refused = ExportError.link(path: world.directory.path + "/orders")
        for name in ["orders/file", "orders/deep/file"] {
            #expect(throws: refused) { try world.write("mine\n", to: name) }
            #expect(throws: refused) { try world.write("mine\n", to: name, adding: 0) }
            #expect(throws: refused) { try world.directory.remove(name) }
        }
        #expect(!FileManager.default.fileExists(atPath: world.root["nowhere"]))
        try world.expectUntouched()
    }

    @Test("a FIFO or directory in place of a file is refused immediately")
    func otherKinds() throws {
        let world = try World()
        try #require(mkfifo(world.root["out/fifo"], 0o600) == 0)
        _ = try world.root.makeFolder("out/folder")
        for name in ["fifo", "folder"] {
            let refused = ExportError.notFile(path: world.directory.path + "/" + name)
            #expect(throws: refused) { try world.write("mine\n", to: name, adding: 0) }
            #expect(throws: refused) { try world.write("mine\n", to: name) }
            #expect(throws: refused) { try world.directory.sha256(of: name) }
        }
    }

    @Test("a link in place of the manifest is not followed")
    func linkedManifest() throws {
        let world = try World()
        try world.link("manifest.ndjson", to: "theirs/file")
        let refused = ExportError.link(path: world.directory.path + "/manifest.ndjson")
        #expect(throws: refused) { try world.directory.checkManifest(mayBeCut: true) }
        #expect(throws: refused) { try world.directory.addToManifest([Self.line], at: 0) { [] } }
        #expect(throws: refused) { try world.directory.manifestLines() }
        try world.expectUntouched()
    }

    @Test(
        "a manifest whose first line is not an export's is refused and unchanged",
        arguments: [
            #"{"name":"My App","icons":[]}"#, "{\n  \"name\": \"My App\"\n}\n", #"{"file":"x"}"#, "text\n", "[]",
            "{\"file\":\"x\",\"resource\":\"r\",\"merchant\":\"m\",\"sha256\":\"1\"}\n",
            "\n" + line + "\n",
        ])
    func foreignManifest(text: String) throws {
        let world = try World()
        try world.root.write("out/manifest.ndjson", text.utf8)
        let refused = ExportError.foreignManifest(path: world.directory.path + "/manifest.ndjson")
        for mayBeCut in [true, false] {
            #expect(throws: refused) { try world.directory.checkManifest(mayBeCut: mayBeCut) }
        }
        for size in [Int64(0), Int64(text.utf8.count), .max] {
            #expect(throws: refused) { try world.directory.addToManifest([Self.line], at: size) { [Self.line] } }
        }
        #expect(try world.root.read("out/manifest.ndjson") == Array(text.utf8))
    }

    @Test("an export's own manifest is appended to, with or without an incomplete last line")
    func ownManifest() throws {
        let world = try World()
        let directory = world.directory
        var size: Int64 = 0
        for _ in 0..<2 { size = try directory.addToManifest([Self.line], at: size) { [] } }
        try directory.checkManifest(mayBeCut: false)
        let text = try world.root.read("out/manifest.ndjson")
        try world.root.write("out/manifest.ndjson", text + Array(#"{"file":"ord"#.utf8))
        #expect(try directory.addToManifest([Self.line], at: size) { [] } == size / 2 * 3)
        // Killed while writing the very first line.
        try world.root.write("out/manifest.ndjson", Array(Self.line.utf8.prefix(40)))
        #expect(throws: ExportError.self) { try directory.checkManifest(mayBeCut: false) }
        try directory.checkManifest(mayBeCut: true)
        #expect(try directory.addToManifest([Self.line], at: 0) { [] } == size / 2)
        // A missing manifest, and a truncated one, are written again.
        #expect(try directory.addToManifest([], at: .max) { [Self.line, Self.line] } == size)
        #expect(try world.root.read("out/manifest.ndjson") == text)
    }

    @Test("a copy is recognized by its id, and neither a link nor a FIFO in the original's folder is opened")
    func copies() throws {
        let world = try World()
        let id = Array("abc\n".utf8)
        _ = try world.root.makeFolder("other/.clover-export")
        try world.root.write("other/.clover-export/id", id)
        let directory = world.directory
        #expect(directory.isCopy(of: world.root["other"], identifier: "abc"))
        #expect(!directory.isCopy(of: world.root["other"], identifier: "def"))
        let file = world.root["other/.clover-export/id"]
        try FileManager.default.removeItem(atPath: file)
        try #require(mkfifo(file, 0o600) == 0)
        #expect(!directory.isCopy(of: world.root["other"], identifier: "abc"))
        try FileManager.default.removeItem(atPath: file)
        try world.root.write("theirs/id", id)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: world.root["theirs/id"])
        #expect(!directory.isCopy(of: world.root["other"], identifier: "abc"))
    }
}
