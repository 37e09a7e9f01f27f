import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("charge: refused by a limit")
struct ChargeRefusalTests {
    @Test("the emulator refuses a charge, or a card's token, by a limit where it is told so; it is charged once then")
    func emulator() async throws {
        for fault in ["429-rate@1:/v1/charges", "429-concurrent@1:/v1/charges", "429-rate@1:/v1/tokens"] {
            try await Till.run(emulator: ["--fault", fault]) { till in
                let result = try await till.charge()
                expectSuccess(result)
                #expect(try result.eventNames == ["created", "sent", "approved"], "\(fault): \(result)")
                let stats = try JSONValue(
                    String(decoding: try await till.emulator.fetch("/emulator/stats"), as: UTF8.self))
                #expect(stats["faults"]?.integer == 1, "\(fault)")
                try await till.expectAgreement()
            }
        }
    }
}
