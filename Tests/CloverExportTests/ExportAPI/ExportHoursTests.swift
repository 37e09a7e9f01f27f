import CloverExport
import Testing

@Suite("Export API: permitted hours")
struct ExportHoursTests {
    private static let us =
        "Exports are available in UTC at these times: MON-FRI 10:00-15:00, SAT 10:00-15:00, SUN 10:00-15:00"
    private static let eu = "MON-FRI 01:00-05:00, SAT 02:00-05:00, SUN 02:00-06:00"

    struct OpeningCase: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// Since Thursday 2026-01-01, midnight UTC, in hours.
        let now: Double
        let opening: Double
    }

    @Test(
        "the next opening is computed from the hours",
        arguments: [
            OpeningCase(testDescription: "later today", text: us, now: 3, opening: 10),
            OpeningCase(testDescription: "open now", text: us, now: 10, opening: 10),
            OpeningCase(testDescription: "open to the last", text: us, now: 14.99, opening: 14.99),
            OpeningCase(testDescription: "tomorrow", text: us, now: 15, opening: 34),
            OpeningCase(testDescription: "Friday night to Saturday", text: eu, now: 24 + 6, opening: 48 + 2),
            OpeningCase(testDescription: "Sunday to Monday", text: eu, now: 72 + 6, opening: 96 + 1),
            OpeningCase(testDescription: "over midnight, before it", text: "THU 22:00-02:00", now: 21, opening: 22),
            OpeningCase(testDescription: "over midnight, after it", text: "THU 22:00-02:00", now: 25, opening: 25),
            OpeningCase(testDescription: "over midnight, over", text: "THU 22:00-02:00", now: 26, opening: 7 * 24 + 22),
            OpeningCase(testDescription: "over the week's end", text: "FRI-MON 10:00-11:00", now: 50, opening: 58),
            OpeningCase(
                testDescription: "full names, in small letters", text: "monday to be 1:00-2:00", now: 0, opening: 97),
            OpeningCase(testDescription: "every day", text: "daily 10:00 – 15:00 or 05:00-06:00", now: 0, opening: 5),
            OpeningCase(testDescription: "two days", text: "SAT, SUN 10:00-11:00", now: 60, opening: 82),
        ])
    func opening(_ row: OpeningCase) throws {
        let hours = try #require(ExportHours(in: row.text))
        let start = 1_767_225_600_000.0
        let opening = hours.opening(from: Int64(start + row.now * 3_600_000))
        #expect((Double(opening) - start) / 3_600_000 == row.opening)
    }

    @Test(
        "other texts have no hours",
        arguments: ["", "Too many exports in progress", "MON-FRI", "2026-01-01 at 10", "<html>503</html>"])
    func none(text: String) {
        #expect(ExportHours(in: text) == nil)
    }
}
