import CloverExport
import CloverSystem
import CloverTestSupport
import Foundation
import Testing

/// Each kind of damage to a destination. What the program adds, such as the status and the id, is in `ExportVerifyTests`.
@Suite("export verify: each kind of damage")
struct DamageTests {
    private static let destination = "D"
    private static let day: Int64 = 86_400_000
    /// 2026-01-01.
    private static let start: Int64 = 1_767_225_600_000

    /// A destination with windows of several lists, a nested list, a growing file, a compressed one and a table.
    private struct World {
        let root: TemporaryDirectory
        let store: ExportStore
        var path: String { root["out"] }

        init() async throws {
            root = try TemporaryDirectory()
            store = try await ExportStore.open(in: StateDirectory(path: try root.makeFolder("state")))
            let directory = try ExportDirectory(try root.makeFolder("out"))
            try await store.add(DamageTests.destination, at: root["out"])
            let orders = try await stream("orders")
            for number in 0..<6 {
                let rows = (0..<3 + number).map { #"{"id":"O\#(number)-\#($0)","total":\#($0 * 100)}"# }
                try await publish("orders/\(number).ndjson", "orders", rows, day: number, in: orders)
            }
            for number in 0..<2 {
                try await publish(
                    "orders.line_items/\(number).ndjson", "orders.line_items", [#"{"id":"L\#(number)"}"#], day: number,
                    in: orders)
            }
            let payments = try await stream("payments")
            for number in 0..<2 {
                try await publish(
                    "payments/\(number).ndjson", "payments", [#"{"id":"P\#(number)"}"#], day: number, in: payments)
            }
            try await publish("customers/a.ndjson", "customers", [#"{"id":"C"}"#], in: try await stream("customers"))
            let items = try await stream("items")
            var offset = 0
            for number in 0..<2 {
                let rows = (0..<2).map { #"{"id":"I\#(number)-\#($0)"}"# }
                let size = try await publish("items.ndjson", "items", rows, day: number, offset: offset, in: items)
                offset += size
            }
            try await publish(
                "employees/a.ndjson.gz", "employees", [#"{"id":"E","name":"Ann"}"#], in: try await stream("employees"))
            try await publish(
                "tenders/a.csv", "tenders", ["id,label\r", "T,Cash\r"], in: try await stream("tenders"))
            try await store.listFiles(of: DamageTests.destination, in: directory)
        }

        private func stream(_ resource: String) async throws -> ExportStream {
            try await store.begin(
                destination: DamageTests.destination, environment: "us", merchant: "M", resource: resource,
                profile: nil, now: 1)
        }

        /// Publishes the lines of one window, or adds them to a growing file.
        ///
        /// - Parameter day: the window's number; nil for a list that is exported in full.
        /// - Returns: the number of bytes.
        @discardableResult
        private func publish(
            _ path: String, _ resource: String, _ lines: [String], day: Int? = nil, offset: Int? = nil,
            in stream: ExportStream
        ) async throws -> Int {
            var bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
            if path.hasSuffix(".gz") { bytes = try compressed(bytes) }
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            _ = try root.makeFolder("out/" + folder)
            let before = try offset ?? 0 > 0 ? root.read("out/" + path) : []
            try root.write("out/" + path, before + bytes)
            let bounds = day.map { #""field":"modifiedTime","from":"\#(time($0))","to":"\#(time($0 + 1))""# }
            let place = offset.map { #","offset":\#($0)"# } ?? ""
            // The header of a table is no result.
            let results = path.hasSuffix(".csv") ? lines.count - 1 : lines.count
            let sum = SHA256.hash(bytes).hexadecimalDigits
            var file = PublishedFile(path: path, resource: resource, window: window(day))
            file.line =
                #"{"file":"\#(path)","resource":"\#(resource)","merchant":"M","environment":"us","#
                + (bounds ?? #""to":"\#(time(0))""#) + place
                + #","range":"changes","results":\#(results),"bytes":\#(bytes.count),"sha256":"\#(sum)"}"#
            file.isFirst = offset ?? 0 == 0
            var plan = ExportPlan(
                request: "full \(path) \(offset ?? 0)", startedAt: 10, finish: 10, skipsKnownRecords: false)
            plan.windows = [file.window]
            plan = try await store.add(plan, to: stream.place)
            var end = ExportStore.WindowEnd()
            (end.files, end.records) = ([file], Int64(results))
            try await store.finish(0, of: plan, in: stream, end)
            return bytes.count
        }

        private func window(_ day: Int?) -> PlannedWindow {
            guard let day else { return PlannedWindow(field: nil, from: nil, to: DamageTests.start) }
            let from = DamageTests.start + Int64(day) * DamageTests.day
            return PlannedWindow(field: "modifiedTime", from: from, to: from + DamageTests.day)
        }

        private func time(_ day: Int) -> String { "2026-01-0\(day + 1)T00:00:00.000Z" }

        private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
            let encoder = try Compression.gzip.makeEncoder()
            let first = try bytes.withUnsafeBytes { try encoder.encode($0) }
            return first + (try encoder.finish())
        }
    }

    private static func findings(_ path: String, _ known: KnownDestination?) throws -> [ExportFinding] {
        var check = try DestinationCheck(path, known)
        return try check.run()
    }

    @Test("each kind is found, with the state and from the manifest alone, and nothing on a healthy destination")
    func kinds() async throws {
        let world = try await World()
        let known = try await world.store.known(Self.destination)
        let (files, path, whole) = (FileManager.default, world.path, world.root["whole"])
        try files.copyItem(atPath: path, toPath: whole)
        let lines = String(decoding: try world.root.read("out/manifest.ndjson"), as: UTF8.self)
        let damaged = DamagedExport(
            path: path, lines: try JSONValue.lines(lines.split(separator: "\n").map(String.init)))
        try #require(damaged.orders.count == 6)
        for state in [known, nil] {
            let healthy = try Self.findings(path, state)
            #expect(healthy.isEmpty, "\(healthy)")
        }
        // Only the program looks at the id.
        let damages = ExportDamage.all.filter { $0.finding != "identity" }
        #expect(damages.count >= 55)
        for damage in damages {
            try damage.make(damaged)
            let found = try Self.findings(path, known)
            #expect(found.contains { $0.kind.rawValue == damage.finding }, "\(damage.name): \(found)")
            #expect(found.contains { $0.kind.isLoss } == (damage.status == 79), "\(damage.name): \(found)")
            let without = try Self.findings(path, nil)
            if let finding = damage.elsewhere {
                #expect(without.contains { $0.kind.rawValue == finding }, "\(damage.name), elsewhere: \(without)")
            }
            try files.removeItem(atPath: path)
            for name in ["elsewhere.ndjson", "payments-elsewhere"] where files.fileExists(atPath: world.root[name]) {
                try files.removeItem(atPath: world.root[name])
            }
            try files.copyItem(atPath: whole, toPath: path)
        }
    }
}
