import CloverCore
import Testing

@Suite("Lines of progress on a small terminal")
struct ProgressRoomTests {
    private static let done = ProgressStatus.Phase.finished("done")

    struct Row: Sendable, CustomTestStringConvertible {
        let what: String
        let rows: Int?
        let shown: [Int]
        var testDescription: String { what }
    }

    static let rows = [
        Row(what: "All of them where there is room", rows: 7, shown: [0, 1, 2, 3, 4, 5]),
        Row(what: "All of them on a terminal that does not tell its rows", rows: nil, shown: [0, 1, 2, 3, 4, 5]),
        Row(what: "What ended first goes first", rows: 6, shown: [1, 2, 3, 4, 5]),
        Row(what: "What ended goes before what is to come", rows: 4, shown: [3, 4, 5]),
        Row(what: "What is last goes before what is next", rows: 3, shown: [3, 4]),
        Row(what: "What is under way stays", rows: 2, shown: [3]),
        Row(what: "One line at least", rows: 1, shown: [3]),
    ]

    @Test("shows the most informative parts, in order of importance", arguments: rows)
    func places(_ row: Row) {
        let phases = [Self.done, Self.done, Self.done, .underWay, .waiting, .waiting]
        #expect(ProgressLayout.places(phases, rows: row.rows) == row.shown)
    }
}
