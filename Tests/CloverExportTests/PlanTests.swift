import CloverAPI
import CloverExport
import Testing

@Suite("how resources are followed")
struct PlanTests {
    @Test("windows are adjacent, and those of two runs differ only in the last")
    func windows() {
        let first = PlannedWindow.split(field: "t", from: 10, to: 95, length: 30)
        #expect(first.map(\.from) == [10, 40, 70])
        #expect(first.map(\.to) == [40, 70, 95])
        let second = PlannedWindow.split(field: "t", from: 10, to: 130, length: 30)
        #expect(Array(second.prefix(2)) == Array(first.prefix(2)))
        #expect(PlannedWindow.split(field: "t", from: 95, to: 95, length: 30).isEmpty)
        #expect(PlannedWindow.split(field: "t", from: 96, to: 95, length: 30).isEmpty)
    }

    @Test(
        "a list is tracked by modification time where records have it and the service filters by it",
        arguments: [
            ("orders", .changes(field: "modifiedTime")), ("payments", .changes(field: "modifiedTime")),
            ("items", .changes(field: "modifiedTime")), ("cash_events", .arrivals(field: "timestamp")),
            // Shifts end after they begin, but are filtered by their start.
            ("shifts", .whole), ("customers", .whole), ("authorizations", .whole),
            ("merchant", .whole),
        ] as [(String, ChangeTracking)])
    func tracking(_ name: String, _ expected: ChangeTracking) throws {
        let path = try ResourcePath(parsing: name, identifier: nil, merchantID: "M", isChecked: true)
        #expect(ChangeTracking(path.endpoint) == expected)
    }
}
