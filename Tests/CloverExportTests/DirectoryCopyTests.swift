import CloverExport
import CloverTestSupport
import Glibc
import Testing

@Suite("export: whether a destination is a copy of another one")
struct DirectoryCopyTests {
    @Test("is a copy when the other has the same id; a FIFO or link in place of the id file is not opened")
    func copy() throws {
        let directory = try TemporaryDirectory()
        let (here, there) = (directory["here"], directory["there"])
        let export = try ExportDirectory(here)
        _ = try ExportDirectory(there)
        let id = "\(there)/\(ExportDirectory.folder)/id"
        #expect(!export.isCopy(of: there, identifier: "one"), "it has no id")
        _ = try directory.write("there/\(ExportDirectory.folder)/id", Array("one\n".utf8))
        #expect(export.isCopy(of: there, identifier: "one"))
        #expect(!export.isCopy(of: there, identifier: "two"))
        #expect(!export.isCopy(of: here, identifier: "one"), "it is the same directory")
        #expect(rename(id, "\(there)/kept") == 0)
        #expect(symlink("\(there)/kept", id) == 0)
        #expect(!export.isCopy(of: there, identifier: "one"))
        #expect(unlink(id) == 0)
        // Without a writer, opening it would wait for ever.
        #expect(mkfifo(id, 0o600) == 0)
        #expect(!export.isCopy(of: there, identifier: "one"))
    }

    @Test("is not a copy when a link leads to a folder with the same id")
    func linkedFolder() throws {
        let directory = try TemporaryDirectory()
        let export = try ExportDirectory(directory["here"])
        _ = try ExportDirectory(directory["real"])
        _ = try directory.write("real/\(ExportDirectory.folder)/id", Array("one\n".utf8))
        #expect(mkdir(directory["other"], 0o700) == 0)
        let folder = ExportDirectory.folder
        #expect(symlink("\(directory["real"])/\(folder)", "\(directory["other"])/\(folder)") == 0)
        #expect(!export.isCopy(of: directory["other"], identifier: "one"))
    }
}
