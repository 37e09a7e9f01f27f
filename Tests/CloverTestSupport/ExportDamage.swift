import Foundation

/// A kind of damage to a destination, and what `clover export verify` has to find.
package struct ExportDamage: Sendable {
    package let name: String
    /// A kind of finding that names it.
    package let finding: String
    package let status: Int32
    /// The same on a machine without the state of the one that exported; nil when it does not show there.
    package let elsewhere: String?
    package let make: @Sendable (DamagedExport) throws -> Void

    init(
        _ name: String, _ finding: String, _ status: Int32,
        _ make: @escaping @Sendable (DamagedExport) throws -> Void
    ) {
        self.init(name, finding, status, elsewhere: finding, make)
    }

    init(
        _ name: String, _ finding: String, _ status: Int32, elsewhere: String?,
        _ make: @escaping @Sendable (DamagedExport) throws -> Void
    ) {
        self.name = name
        self.finding = finding
        self.status = status
        self.elsewhere = elsewhere
        self.make = make
    }

    package static let all = files + places + growing + manifest + windows + foreign

    /// The first of each kind of finding, with and without the state, and those of the id.
    package static let samples: [ExportDamage] = {
        var seen: Set<String> = []
        return all.filter { damage in
            let isNew = seen.insert(damage.finding).inserted
            let isNewElsewhere = damage.elsewhere.map { seen.insert("elsewhere \($0)").inserted } ?? false
            return isNew || isNewElsewhere || damage.finding == "identity"
        }
    }()

    private static let files = [
        ExportDamage("file removed", "missing", 79) { try $0.remove($0.orders[1]) },
        ExportDamage("file of a nested list removed", "missing", 79) { try $0.remove($0.first("orders.line_items")) },
        ExportDamage("list that is exported in full removed", "missing", 79) { try $0.remove($0.first("customers")) },
        ExportDamage("truncated to half", "shortened", 79) { world in
            try world.edit(world.orders[0]) { $0.removeLast($0.count / 2) }
        },
        ExportDamage("last byte lost", "shortened", 79) { world in
            try world.edit(world.orders[2]) { $0.removeLast() }
        },
        ExportDamage("emptied", "shortened", 79) { world in try world.edit(world.orders[0]) { $0 = [] } },
        ExportDamage("one byte changed", "changed", 82) { world in
            try world.edit(world.orders[1]) { $0[$0.count / 3] ^= 1 }
        },
        ExportDamage("first byte changed", "changed", 82) { world in try world.edit(world.orders[1]) { $0[0] = 0x20 } },
        ExportDamage("last byte changed", "changed", 82) { world in
            try world.edit(world.orders[1]) { $0[$0.count - 1] = 0x20 }
        },
        ExportDamage("one byte added", "changed", 82) { world in try world.edit(world.orders[0]) { $0.append(10) } },
        ExportDamage("byte order mark added", "changed", 82) { world in
            try world.edit(world.orders[0]) { $0 = [0xEF, 0xBB, 0xBF] + $0 }
        },
        ExportDamage("row deleted", "shortened", 79) { world in
            try world.editLines(world.orders[0]) { $0.remove(at: 1) }
        },
        ExportDamage("row repeated", "changed", 82) { world in
            try world.editLines(world.orders[0]) { $0.insert($0[0], at: 0) }
        },
        ExportDamage("rows swapped", "changed", 82) { world in try world.editLines(world.orders[0]) { $0.swapAt(0, 1) }
        },
        ExportDamage("row changed to another of the same length", "changed", 82) { world in
            try world.editLines(world.orders[0]) { $0[0] = $0[0].replacing("\"id\"", with: "\"Id\"") }
        },
        ExportDamage("line breaks of another system", "changed", 82) { world in
            try world.editLines(world.orders[0]) { $0 = $0.map { $0 + "\r" } }
        },
        ExportDamage("end overwritten with zeros, as after a power failure", "changed", 82) { world in
            try world.edit(world.orders[1]) { bytes in
                let half = bytes.count / 2
                bytes.replaceSubrange(half..., with: repeatElement(0, count: bytes.count - half))
            }
        },
        ExportDamage("two files swapped", "changed", 79) { world in
            let (one, other) = (try world.read(world.shortest), try world.read(world.longest))
            try world.write(world.shortest, other)
            try world.write(world.longest, one)
        },
        ExportDamage("file replaced by another of the same resource", "changed", 82) { world in
            try world.write(world.shortest, try world.read(world.longest))
        },
        ExportDamage("byte of a compressed file changed", "changed", 82) { world in
            try world.edit(world.first("employees")) { $0[$0.count - 12] ^= 0x40 }
        },
        ExportDamage("compressed file truncated", "shortened", 79) { world in
            try world.edit(world.first("employees")) { $0.removeLast(4) }
        },
        ExportDamage("header of a table removed", "shortened", 79) { world in
            try world.editLines(world.first("tenders")) { $0.remove(at: 0) }
        },
        ExportDamage("cell of a table changed", "changed", 82) { world in
            try world.editLines(world.first("tenders")) { $0[1] = "x" + $0[1].dropFirst() }
        },
    ]

    private static let places = [
        ExportDamage("file renamed", "missing", 79) { try $0.move($0.orders[0], to: "orders/other.ndjson") },
        ExportDamage("file moved to another folder", "missing", 79) { try $0.move($0.orders[0], to: "other.ndjson") },
        ExportDamage("folder removed", "missing", 79) { try $0.remove("payments") },
        ExportDamage("folder renamed", "missing", 79) { try $0.move("payments", to: "payments-2026") },
        ExportDamage("directory in the place of a file", "not_a_file", 79) { world in
            try world.remove(world.orders[0])
            try FileManager.default.createDirectory(atPath: world[world.orders[0]], withIntermediateDirectories: false)
        },
        ExportDamage("link in the place of a file", "not_a_file", 79) { world in
            try world.move(world.orders[0], to: "../elsewhere.ndjson")
            try world.link(world.orders[0], to: world["../elsewhere.ndjson"])
        },
        ExportDamage("link in the place of a folder", "not_a_file", 79) { world in
            try world.move("payments", to: "../payments-elsewhere")
            try world.link("payments", to: world["../payments-elsewhere"])
        },
        ExportDamage("pipe in the place of a file", "not_a_file", 79) { world in
            try world.remove(world.orders[0])
            guard mkfifo(world[world.orders[0]], 0o600) == 0 else { throw POSIXError(.EIO) }
        },
        ExportDamage("id of the destination removed", "identity", 82, elsewhere: nil) {
            try $0.remove(".clover-export")
        },
        ExportDamage("id of the destination overwritten", "identity", 82, elsewhere: nil) {
            try $0.write(".clover-export/id", Array("unknown\n".utf8))
        },
    ]

    private static let growing = [
        ExportDamage("growing file removed", "missing", 79) { try $0.remove("items.ndjson") },
        ExportDamage("growing file emptied", "shortened", 79) { world in try world.edit("items.ndjson") { $0 = [] } },
        ExportDamage("last addition lost", "shortened", 79) { world in
            let offset = world.lines.compactMap { $0["offset"]?.integer }.max() ?? 0
            try world.edit("items.ndjson") { $0.removeLast($0.count - offset) }
        },
        ExportDamage("first addition changed", "changed", 82) { world in try world.edit("items.ndjson") { $0[5] ^= 1 }
        },
        ExportDamage("line removed from the middle", "shortened", 79) { world in
            try world.editLines("items.ndjson") { $0.remove(at: $0.count / 2) }
        },
        ExportDamage("line added by others", "changed", 82) { world in
            try world.edit("items.ndjson") { $0 += Array("{}\n".utf8) }
        },
    ]

    private static let manifest = [
        ExportDamage("manifest removed", "manifest", 82) { try $0.remove("manifest.ndjson") },
        ExportDamage("folder in place of the manifest", "manifest", 82) { world in
            try world.remove("manifest.ndjson")
            try FileManager.default.createDirectory(
                atPath: world["manifest.ndjson"], withIntermediateDirectories: true)
        },
        ExportDamage("manifest emptied", "manifest", 82, elsewhere: "foreign") { world in
            try world.edit("manifest.ndjson") { $0 = [] }
        },
        ExportDamage("manifest cut in a line", "manifest", 82) { world in
            try world.edit("manifest.ndjson") { $0.removeLast(40) }
        },
        ExportDamage("last line of the manifest lost", "manifest", 82, elsewhere: nil) { world in
            try world.editLines("manifest.ndjson") { $0.removeLast() }
        },
        ExportDamage("first line of the manifest lost", "manifest", 82, elsewhere: "foreign") { world in
            try world.editLines("manifest.ndjson") { $0.removeFirst() }
        },
        ExportDamage("line of the manifest repeated", "manifest", 82) { world in
            try world.editLines("manifest.ndjson") { $0.append($0[0]) }
        },
        ExportDamage("lines of the manifest in another order", "manifest", 82, elsewhere: nil) { world in
            try world.editLines("manifest.ndjson") { $0.reverse() }
        },
        ExportDamage("line of the manifest that is no JSON", "manifest", 82) { world in
            try world.editLines("manifest.ndjson") { $0.insert("not a line", at: 2) }
        },
        ExportDamage("checksum in the manifest changed", "manifest", 82, elsewhere: "changed") { world in
            try world.editManifest(world.orders[0]) { $0.replacing(#/"sha256":"./#, with: "\"sha256\":\"x") }
        },
        ExportDamage("number of rows in the manifest changed", "manifest", 82, elsewhere: "rows") { world in
            try world.editManifest(world.orders[0]) { $0.replacing("\"results\":", with: "\"results\":1") }
        },
        ExportDamage("window in the manifest changed", "manifest", 82, elsewhere: nil) { world in
            try world.editManifest(world.orders[0]) { $0.replacing("\"from\":\"2026", with: "\"from\":\"2025") }
        },
        ExportDamage("another resource in the manifest", "manifest", 82, elsewhere: nil) { world in
            try world.editManifest(world.orders[0]) {
                $0.replacing("\"resource\":\"orders\"", with: "\"resource\":\"o\"")
            }
        },
        ExportDamage("path in the manifest that leads out", "manifest", 82) { world in
            try world.editLines("manifest.ndjson") { lines in
                lines[0] = lines[0].replacing("\"file\":\"", with: "\"file\":\"../")
            }
        },
    ]

    private static let windows = [
        ExportDamage("window lost: the file and its line", "missing", 79, elsewhere: "gap") { world in
            try world.forget(world.orders[1])
            try world.remove(world.orders[1])
        },
        ExportDamage("window twice under another name", "manifest", 82, elsewhere: "overlap") { world in
            let copy = "orders/again.ndjson"
            try world.write(copy, try world.read(world.orders[0]))
            try world.editLines("manifest.ndjson") { lines in
                let line = lines.first { $0.contains("\"\(world.orders[0])\"") } ?? ""
                lines.append(line.replacing(world.orders[0], with: copy))
            }
        },
    ]

    private static let foreign = [
        ExportDamage("file of another program", "foreign", 82) { try $0.write("notes.txt", [1]) },
        ExportDamage("file of another program among the files", "foreign", 82) {
            try $0.write("orders/x.ndjson", [10])
        },
        ExportDamage("hidden file", "foreign", 82) { try $0.write("orders/.hidden", []) },
        ExportDamage("folder of another program", "foreign", 82) { world in
            try FileManager.default.createDirectory(atPath: world["mine/deep"], withIntermediateDirectories: true)
            try world.write("mine/deep/file", [1])
        },
        ExportDamage("link that no export made", "foreign", 82) { try $0.link("orders/link", to: "/nowhere") },
    ]
}

/// The copy of a destination that is damaged.
package struct DamagedExport: Sendable {
    package let path: String
    /// The manifest before the damage.
    package let lines: [JSONValue]

    package init(path: String, lines: [JSONValue]) {
        self.path = path
        self.lines = lines
    }

    subscript(_ name: String) -> String { "\(path)/\(name)" }

    package func first(_ resource: String) -> String {
        lines.first { $0["resource"]?.string == resource }?["file"]?.string ?? "none"
    }

    package var orders: [String] { files("orders") }
    package var shortest: String { sizes.min { $0.value < $1.value }?.key ?? "none" }
    package var longest: String { sizes.max { $0.value < $1.value }?.key ?? "none" }

    private var sizes: [String: Int] {
        Dictionary(
            lines.filter { $0["resource"]?.string == "orders" }.map {
                ($0["file"]?.string ?? "", $0["bytes"]?.integer ?? 0)
            }
        ) { $1 }
    }

    private func files(_ resource: String) -> [String] {
        lines.filter { $0["resource"]?.string == resource }.compactMap { $0["file"]?.string }
    }

    package func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: self[name])))
    }
    package func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: self[name]))
    }
    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self[name]) }

    package func move(_ name: String, to newName: String) throws {
        try FileManager.default.moveItem(atPath: self[name], toPath: self[newName])
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self[name], withDestinationPath: target)
    }

    package func edit(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = try read(name)
        body(&bytes)
        try write(name, bytes)
    }

    package func editLines(_ name: String, _ body: (inout [String]) -> Void) throws {
        // Not by characters: a line of a table ends with CR LF, which is one character.
        var lines = try read(name).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        body(&lines)
        try write(name, Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Changes the manifest's line of a file.
    package func editManifest(_ file: String, _ body: (String) -> String) throws {
        try editLines("manifest.ndjson") { lines in
            lines = lines.map { $0.contains("\"\(file)\"") ? body($0) : $0 }
        }
    }

    /// Removes the manifest's line of a file.
    package func forget(_ file: String) throws {
        try editLines("manifest.ndjson") { lines in lines.removeAll { $0.contains("\"\(file)\"") } }
    }
}
