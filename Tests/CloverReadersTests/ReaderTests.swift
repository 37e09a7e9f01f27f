import CloverReaders
import Testing

struct ReaderTrackerTests {
    private func tracker() -> ReaderTracker {
        ReaderTracker(Reader(id: "D4:22:CD:00:9A:11", transport: .ble, name: "Clover_Go_630094"))
    }

    @Test("a whole session is reported step by step")
    func session() {
        var tracker = tracker()
        #expect(tracker.take(.state(.initializing)) == .state(.initializing, progress: nil))
        #expect(tracker.take(.progress(0)) == .state(.updatingFW, progress: 0))
        #expect(tracker.take(.progress(0.5)) == .state(.updatingFW, progress: 0.5))
        #expect(tracker.take(.state(.initializing)) == .state(.initializing, progress: nil))
        #expect(tracker.take(.battery(21)) == .battery(21))
        #expect(tracker.take(.state(.ready)) == .state(.ready, progress: nil))
        #expect(tracker.reader.connected)
        #expect(tracker.take(.battery(20)) == .battery(20))
        #expect(tracker.take(.battery(19)) == .state(.lowBattery, progress: nil))
        #expect(tracker.take(.battery(18)) == .battery(18))
        #expect(tracker.take(.battery(20)) == .state(.ready, progress: nil))
        #expect(tracker.take(.state(.disconnected)) == .state(.disconnected, progress: nil))
        #expect(!tracker.reader.connected)
    }

    @Test("nothing is reported twice")
    func repetitions() {
        var tracker = tracker()
        #expect(tracker.take(.state(.disconnected)) == nil)
        _ = tracker.take(.state(.initializing))
        #expect(tracker.take(.state(.initializing)) == nil)
        _ = tracker.take(.progress(0.25))
        #expect(tracker.take(.progress(0.25)) == nil)
        #expect(tracker.take(.state(.updatingFW)) == nil)
        _ = tracker.take(.battery(50))
        #expect(tracker.take(.battery(50)) == nil)
        #expect(tracker.take(.updateNeeded(.firmware(version: "1.0.14"))) == nil)
    }

    @Test("a reader that becomes ready with a low battery reports it at once, even if the driver calls it ready")
    func lowFromTheBeginning() {
        var tracker = tracker()
        _ = tracker.take(.state(.initializing))
        _ = tracker.take(.battery(7))
        #expect(tracker.take(.state(.ready)) == .state(.lowBattery, progress: nil))
        #expect(tracker.take(.state(.lowBattery)) == nil)
    }

    @Test("details add to the known properties and remove none")
    func details() {
        var tracker = tracker()
        #expect(
            tracker.take(.details(Reader(id: "x", transport: .ble, battery: 57, firmware: "1.0.14"))) == .battery(57))
        #expect(tracker.reader.name == "Clover_Go_630094")
        #expect(tracker.reader.firmware == "1.0.14")
        #expect(tracker.reader.id == "D4:22:CD:00:9A:11")
    }
}
