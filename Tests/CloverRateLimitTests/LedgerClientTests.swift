import CloverRateLimit
import CloverSystem
import ProbeSupport
import Testing

@Suite("Waiters and slot holders")
struct LedgerClientTests {
    private let client = LedgerClient(
        pid: 4121, priority: .charge, command: "export orders", since: BootInstant(nanoseconds: 7_000_000_000),
        seen: BootInstant(nanoseconds: 8_000_000_000),
        reservedSlots: 3)

    @Test("What is written is read back, and half of it is nothing")
    func roundTrip() {
        let record = client.record
        #expect(record.count == LedgerClient.size)
        #expect(LedgerClient(record: record[...]) == client)
        for index in record.indices {
            var damaged = record
            damaged[index] ^= 4
            #expect(LedgerClient(record: damaged[...]) == nil, "byte \(index)")
        }
        #expect(LedgerClient(record: [UInt8](repeating: 0, count: LedgerClient.size)[...]) == nil)
        #expect(LedgerClient(record: record.dropLast()) == nil)
    }

    @Test("A command is kept printable and short")
    func command() {
        let long = LedgerClient(
            pid: 1, priority: .bulk, command: "get \u{1B}[31m\n" + String(repeating: "x", count: 200),
            since: .now, seen: .now)
        #expect(long.command == "get [31m" + String(repeating: "x", count: 72))
        #expect(LedgerClient(record: long.record[...]) == long)
    }
}
