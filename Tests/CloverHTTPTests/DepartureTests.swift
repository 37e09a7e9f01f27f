import CloverHTTP
import Synchronization
import Testing

@Suite("departure: whether a request was sent is decided once")
struct DepartureTests {
    @Test("a sent request cannot be withdrawn, and a withdrawn one is not sent")
    func firstClaimWins() {
        let left = SendGate()
        #expect(left.leave() == .go)
        #expect(!left.withdraw())
        #expect(left.leave() == .withdrawn, "a second time would be a second request")
        let withdrawn = SendGate(hold: {
            Issue.record("it was asked"); return true
        })
        #expect(withdrawn.withdraw())
        #expect(withdrawn.leave() == .withdrawn)
        #expect(withdrawn.withdraw())
    }

    @Test("a request that is held back, or not confirmed, is withdrawn")
    func refused() {
        let held = SendGate(
            hold: { false },
            confirm: {
                Issue.record("it was confirmed"); return true
            })
        #expect(held.leave() == .heldBack)
        #expect(held.withdraw())
        let refused = SendGate(confirm: { false })
        #expect(refused.leave() == .withdrawn)
        #expect(refused.withdraw())
    }

    @Test("a request withdrawn while it is held is not sent, and not confirmed")
    func withdrawnInHold() {
        let box = Mutex<SendGate?>(nil)
        let departure = SendGate(
            hold: { box.withLock(\.self)?.withdraw() ?? false },
            confirm: {
                Issue.record("it was confirmed"); return true
            })
        box.withLock { $0 = departure }
        #expect(departure.leave() == .withdrawn)
        #expect(departure.withdraw())
        box.withLock { $0 = nil }
    }

    @Test("of two threads that claim at the same time one wins, and both know which")
    func race() async {
        for _ in 0..<2000 {
            let departure = SendGate()
            async let leaving = Task.detached { departure.leave() == .go }.value
            async let withdrawing = Task.detached { departure.withdraw() }.value
            let (hasLeft, isWithdrawn) = await (leaving, withdrawing)
            #expect(hasLeft != isWithdrawn)
        }
    }
}
