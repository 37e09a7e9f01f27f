import CloverReaders
import Foundation
import Testing

@Suite("Limits for a driver program")
struct DriverLimitsTests {
    @Test("the manual page has the same numbers")
    func manual() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("man/clover-reader-driver.5")
        let page = try String(contentsOf: file, encoding: .utf8)
        let limits = DriverLimits()
        #expect(
            page.contains(
                "at most \(limits.line) bytes long; the driver writes at most \(limits.linesPerSecond) lines a"))
        #expect(page.contains("The driver responds within \(Int(limits.answer)) seconds"))
        #expect(page.contains("It is sent after \(Int(limits.answer)) seconds without a line"))
    }
}
