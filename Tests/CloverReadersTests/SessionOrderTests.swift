import CloverReaders
import Testing

struct SessionOrderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [ReaderEvent]
        /// Whether updates may begin.
        var begins = true
        /// The index of the refused event; nil if none is refused.
        let refused: Int?
    }

    private static let rows = [
        Row(
            testDescription: "the usual order",
            events: [
                .state(.initializing), .battery(50), .state(.ready), .battery(19), .state(.lowBattery),
                .state(.disconnected),
            ],
            refused: nil),
        Row(
            testDescription: "two updates",
            events: [
                .state(.initializing), .updateNeeded(.firmware(version: nil)), .state(.updatingFW), .progress(0.5),
                .state(.initializing), .updateNeeded(.keys), .progress(1), .state(.initializing), .state(.ready),
            ], refused: nil),
        Row(testDescription: "ready without a start", events: [.state(.ready)], refused: 0),
        Row(
            testDescription: "an update without its event", events: [.state(.initializing), .progress(0)], refused: 1),
        Row(
            testDescription: "an update that was refused",
            events: [.state(.initializing), .updateNeeded(.keys), .state(.updatingFW)], begins: false, refused: 2),
        Row(
            testDescription: "preparing again when ready",
            events: [.state(.initializing), .state(.ready), .state(.initializing)], refused: 2),
        Row(
            testDescription: "an update when ready",
            events: [.state(.initializing), .state(.ready), .updateNeeded(.keys)], refused: 2),
        Row(
            testDescription: "an event after the end",
            events: [.state(.initializing), .state(.disconnected), .battery(5)], refused: 2),
    ]

    @Test(arguments: rows)
    func order(_ row: Row) {
        var order = SessionEventValidator()
        var refused: Int?
        for (place, event) in row.events.enumerated() {
            do throws(DriverFailure) {
                try order.take(event)
            } catch {
                refused = place
                break
            }
            if order.isUpdateOpen { order.answer(row.begins) }
        }
        #expect(refused == row.refused)
    }

    @Test("a reader whose update awaits a decision is not ready")
    func open() throws {
        var order = SessionEventValidator()
        try order.take(.state(.initializing))
        try order.take(.updateNeeded(.keys))
        #expect(throws: DriverFailure.self) { try order.take(.state(.ready)) }
    }
}
