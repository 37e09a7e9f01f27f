import CloverExport
import CloverTestSupport
import Foundation
import Testing

@Suite("export: the address of a destination that is gone")
struct DestinationAddressTests {
    @Test(
        "links in what is left of the path are followed, so that the state's name is found",
        arguments: [
            "real/gone.db", "link/gone.db", "./real/./gone.db", "none/../real/gone.db", "link//gone.db",
            "real/gone.db/",
        ])
    func resolved(path: String) throws {
        let folder = try TemporaryDirectory()
        let real = DestinationAddress(try folder.makeFolder("real")).resolved.name
        try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "real")
        #expect(DestinationAddress(folder[path]).resolved == .directory(real + "/gone.db"))
        #expect(DestinationAddress("sqlite:" + folder[path]).resolved.name == "sqlite:\(real)/gone.db")
        #expect(DatabaseAddress.sqlite(path: folder[path]).resolved == .sqlite(path: real + "/gone.db"))
    }

    @Test("a relative path is found below the current directory")
    func relative() {
        let current = FileManager.default.currentDirectoryPath
        let name = UUID().uuidString
        #expect(DestinationAddress(name).resolved.name == DestinationAddress("\(current)/\(name)").resolved.name)
    }
}
