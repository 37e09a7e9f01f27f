import CloverHTTP
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var header: String?
        var date: String?
        var seconds: Double?
        var testDescription: String
    }

    private static let longest = RetryAfter.longest

    static let rows = [
        Row(header: "7", seconds: 7, testDescription: "seconds"),
        Row(header: "0", seconds: 0, testDescription: "none"),
        Row(header: nil, seconds: nil, testDescription: "no header"),
        Row(header: "-5", seconds: nil, testDescription: "less than nothing"),
        Row(header: "inf", seconds: nil, testDescription: "for ever"),
        Row(header: "nan", seconds: nil, testDescription: "not a number"),
        Row(header: "0x10", seconds: nil, testDescription: "a hexadecimal number"),
        Row(header: "0x1p4", seconds: nil, testDescription: "a hexadecimal floating-point number"),
        Row(header: "1e9", seconds: nil, testDescription: "an exponent"),
        Row(header: "1.5", seconds: nil, testDescription: "a fraction"),
        Row(header: "+3", seconds: nil, testDescription: "a sign"),
        Row(header: "\u{663}", seconds: nil, testDescription: "a digit that is not ASCII"),
        Row(header: "1 2", seconds: nil, testDescription: "two words"),
        Row(header: "", seconds: nil, testDescription: "nothing"),
        Row(header: "3601", seconds: 3601, testDescription: "longer than the longest wait"),
        Row(header: "31622400", seconds: longest, testDescription: "the longest that a service can mean"),
        Row(header: "31622401", seconds: nil, testDescription: "longer than a service can mean"),
        Row(header: "99999999999999999999", seconds: nil, testDescription: "twenty digits"),
        Row(header: "99999999999999999999, 7", seconds: 7, testDescription: "a possible one beside them"),
        Row(
            header: String(repeating: "9", count: 400), seconds: nil,
            testDescription: "digits beyond any floating-point number"),
        Row(header: "Fri, 01 Jan 2100 00:00:00 GMT", seconds: nil, testDescription: "a date far ahead"),
        Row(header: "soon", seconds: nil, testDescription: "a word"),
        Row(
            header: "Sat, 21 Nov 2026 10:00:30 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT", seconds: 30,
            testDescription: "a date, by the service's clock"),
        Row(header: "3 ", seconds: 3, testDescription: "a blank behind it"),
        Row(header: "3, 7", seconds: 7, testDescription: "two that were joined"),
        Row(header: "3, 0x10", seconds: 3, testDescription: "a malformed one beside it"),
        Row(header: "\"3\"", seconds: nil, testDescription: "in quotes"),
        Row(header: "3s", seconds: nil, testDescription: "with a unit"),
        Row(
            header: "Saturday, 21-Nov-26 10:00:30 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT", seconds: 30,
            testDescription: "a date as RFC 850 has it"),
        Row(
            header: "Sat Nov 21 10:00:30 2026", date: "Sat, 21 Nov 2026 10:00:00 GMT", seconds: 30,
            testDescription: "a date as asctime has it"),
        Row(
            header: "Sat Nov  7 10:00:30 2026", date: "Sat, 07 Nov 2026 10:00:00 GMT", seconds: 30,
            testDescription: "a day of one digit"),
        Row(
            header: "Sat, 21 Nov 2026 10:00:30 +0000", date: "Sat, 21 Nov 2026 10:00:00 GMT", seconds: 30,
            testDescription: "a date with its zone as a number"),
        Row(
            header: "Sat, 21 Nov 2026 10:00:30 +0100", date: "Sat, 21 Nov 2026 10:00:00 GMT", seconds: nil,
            testDescription: "a date of another zone"),
        Row(
            header: "Sat, 21 Nov 2026 09:59:00 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT", seconds: 0,
            testDescription: "a date that is over"),
        Row(
            header: "Sat, 21 Nov 2026 10:00:30 GMT", seconds: 20,
            testDescription: "a date, by the caller's clock where the service tells none"),
    ]

    @Test("is read in both of its forms", arguments: rows)
    func seconds(_ row: Row) {
        var headers: [HTTPHeader] = []
        if let text = row.header { headers.append(HTTPHeader(name: "retry-after", value: text)) }
        if let text = row.date { headers.append(HTTPHeader(name: "Date", value: text)) }
        // 2026-11-21 10:00:10 UTC.
        #expect(RetryAfter.seconds(in: headers, now: { 1795255210 }) == row.seconds)
    }

    @Test("of two headers the longer one counts")
    func twoHeaders() {
        for values in [["1", "4"], ["4", "1"], ["soon", "4"]] {
            let headers = values.map { HTTPHeader(name: "Retry-After", value: $0) }
            #expect(RetryAfter.seconds(in: headers, now: { nil }) == 4, "\(values)")
        }
    }
}
