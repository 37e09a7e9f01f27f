import CloverRateLimit
import ProbeSupport
import Testing

@Suite("The ledger's bytes")
struct LedgerFileFormatTests {
    private let now = BootInstant(nanoseconds: 90_000_000_000_000)
    private let boot: BootIdentity
    private let window: SlidingWindowLimiter
    private let image: [UInt8]

    init() throws {
        boot = try #require(BootIdentity(bytes: (1...16).map { UInt8($0) }))
        var window = SlidingWindowLimiter()
        _ = window.grant(for: .bulk, now: now, limit: 16)
        for _ in 0..<20 { _ = window.grant(now: now, limit: 16) }
        for _ in 0..<3 { _ = window.grant(now: now, limit: 480) }
        for header in ["X-RateLimit-tokenLimit", "X-RateLimit-tokenConcurrentLimit"] {
            if let refusal = RateLimitResponse(header: header, value: "3") {
                window.learn(refusal, configured: RateLimits(), now: now)
            }
        }
        window.pause(until: now.advanced(by: 7), cause: "X-RateLimit-tokenLimit")
        self.window = window
        image = LedgerFileFormat.encode(window, boot: boot)
    }

    private func fault(_ bytes: [UInt8], now: BootInstant? = nil) -> LedgerFault? {
        do {
            _ = try LedgerFileFormat.decode(bytes, boot: boot, now: now ?? self.now)
            return nil
        } catch {
            return error
        }
    }

    @Test("What is written is read back")
    func roundTrip() throws {
        #expect(try LedgerFileFormat.decode(image, boot: boot, now: now) == window)
        let empty = LedgerFileFormat.encode(SlidingWindowLimiter(), boot: boot)
        #expect(try LedgerFileFormat.decode(empty, boot: boot, now: now) == SlidingWindowLimiter())
    }

    @Test("What a longer ledger left behind the end means nothing")
    func leftover() throws {
        #expect(try LedgerFileFormat.decode(image + [1, 2, 3], boot: boot, now: now) == window)
    }

    @Test("The largest image fits a page")
    func size() {
        var window = SlidingWindowLimiter()
        for _ in 0..<1000 { _ = window.grant(now: now, limit: 480) }
        #expect(LedgerFileFormat.encode(window, boot: boot).count == LedgerFileFormat.sizeLimit)
        #expect(LedgerFileFormat.sizeLimit <= 4096)
    }

    @Test("Every cut is noticed")
    func cuts() {
        #expect(fault([]) == .empty)
        for length in 1..<image.count { #expect(fault(Array(image[..<length])) == .cut) }
    }

    @Test("Every flipped bit is noticed")
    func flips() {
        for index in image.indices {
            for bit in 0..<8 {
                var damaged = image
                damaged[index] ^= 1 << bit
                #expect(fault(damaged) != nil, "byte \(index) bit \(bit)")
            }
        }
    }

    @Test("Random bytes are never taken for a ledger")
    func randomBytes() {
        var random = SeededGenerator(seed: 1)
        for length in 1..<500 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(fault(bytes) != nil)
            // Also with the right beginning.
            #expect(fault(Array(image.prefix(16)) + bytes) != nil)
        }
    }

    @Test("A later version is distinguished from damage")
    func newer() {
        var newer = image
        newer[8] = 5
        #expect(fault(newer) == .newer)
        for version: UInt8 in 1...3 {
            newer[8] = version
            #expect(fault(newer) == .older)
        }
        newer[8] = 0
        #expect(fault(newer) == .damaged)
    }

    @Test("Other files are distinguished from ledgers")
    func foreign() {
        #expect(fault(Array("{\"version\":1}".utf8)) == .foreign)
        #expect(fault([UInt8](repeating: 0, count: 4096)) == .foreign)
    }

    @Test("A ledger of another boot is noticed")
    func otherBoot() throws {
        let other = try #require(BootIdentity(bytes: [UInt8](repeating: 9, count: 16)))
        #expect(throws: LedgerFault.otherBoot) { try LedgerFileFormat.decode(image, boot: other, now: now) }
    }

    @Test("A whole ledger that says what cannot be is noticed")
    func implausible() {
        // The same bytes, read long before they can have been written.
        #expect(fault(image, now: BootInstant(nanoseconds: 1_000_000_000)) == .implausible)
        #expect(fault(image, now: now.advanced(by: -60_000_000_000)) == nil)
        let entry = GrantEntry(moment: now, limit: 16)
        #expect(throws: LedgerFault.implausible) {
            try SlidingWindowLimiter(
                entries: [GrantEntry(moment: now, limit: 0)], notBefore: now, pauseCause: "", now: now)
        }
        #expect(throws: LedgerFault.implausible) {
            try SlidingWindowLimiter(
                entries: [entry, entry], notBefore: now, pauseCause: "", now: now)
        }
        #expect(throws: LedgerFault.implausible) {
            try SlidingWindowLimiter(
                entries: [GrantEntry(moment: BootInstant(nanoseconds: -1), limit: 16)], notBefore: now, pauseCause: "",
                now: now)
        }
        #expect(throws: LedgerFault.implausible) {
            try SlidingWindowLimiter(
                entries: [], notBefore: now.advanced(by: 100_000_000_000_000), pauseCause: "", now: now)
        }
    }

    @Test("A grant from long before a machine slept is forgotten, and does no harm")
    func longSleep() throws {
        var window = SlidingWindowLimiter()
        let old = window.grant(now: BootInstant(nanoseconds: 1), limit: 16)
        let grant = window.grant(now: BootInstant(nanoseconds: 1), limit: 16)
        let now = BootInstant(nanoseconds: 5_000_000_000_000_000)
        window.note(departure: now, of: grant)
        let read = try LedgerFileFormat.decode(LedgerFileFormat.encode(window, boot: boot), boot: boot, now: now)
        #expect(window.grants == [old, now])
        #expect(read.grants == [now])
    }

    @Test("A cause is kept printable and short")
    func cause() throws {
        var window = SlidingWindowLimiter()
        window.pause(until: now, cause: "a\u{1B}[31m\nb" + String(repeating: "x", count: 100))
        let read = try LedgerFileFormat.decode(LedgerFileFormat.encode(window, boot: boot), boot: boot, now: now)
        #expect(read.pauseCause == "a[31mb" + String(repeating: "x", count: 42))
    }
}
