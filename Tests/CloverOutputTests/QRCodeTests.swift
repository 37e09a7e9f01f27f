import CloverOutput
import Testing

@Suite("QR codes")
struct QRCodeTests {
    /// The pattern in three corners: a dark ring, a light one, a dark square of three (ISO/IEC 18004, 6.3.3).
    private static let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]

    private func rows(_ code: QRCode, column: Int, row: Int) -> [String] {
        (row..<row + 7).map { row in
            (column..<column + 7).map { code.isDark(column: $0, row: row) ? "1" : "0" }.joined()
        }
    }

    @Test("three corners are marked, the fourth is not, and outside all is light", arguments: [1, 40, 600])
    func corners(length: Int) throws {
        let code = try QRCode(String(repeating: "a", count: length))
        let far = code.size - 7
        #expect(rows(code, column: 0, row: 0) == Self.finder)
        #expect(rows(code, column: far, row: 0) == Self.finder)
        #expect(rows(code, column: 0, row: far) == Self.finder)
        #expect(rows(code, column: far, row: far) != Self.finder)
        for place in [-1, code.size] {
            #expect(!code.isDark(column: place, row: 0))
            #expect(!code.isDark(column: 0, row: place))
        }
    }

    @Test("a code is as small as it can be", arguments: [(17, 21), (18, 25), (2953, 177)])
    func size(bytes: Int, modules: Int) throws {
        #expect(try QRCode(String(repeating: "a", count: bytes)).size == modules)
    }

    @Test("the escapes of a URL take less room than other bytes")
    func escapes() throws {
        let escapes = try QRCode(String(repeating: "%22%3A", count: 50))
        let letters = try QRCode(String(repeating: "abcdef", count: 50))
        #expect(escapes.size < letters.size)
    }

    @Test("too long, empty and NUL have no code")
    func refused() {
        #expect(throws: QRCodeError.tooLong(bytes: 2954)) { try QRCode(String(repeating: "a", count: 2954)) }
        #expect(throws: QRCodeError.unencodable) { try QRCode("") }
        #expect(throws: QRCodeError.unencodable) { try QRCode("a\0b") }
    }

    @Test("without the library there is a reason in words", arguments: ["libnothing-of-that-name.so.4", "libc.so.6"])
    func missing(name: String) throws {
        do throws(QRCodeError) {
            _ = try QRCodeLibrary(named: name)
            Issue.record("\(name) is taken for libqrencode")
        } catch {
            guard case .libraryMissing(let detail) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(detail.contains(name))
        }
    }

    @Test("the blocks show every module once, with a light margin of four")
    func blocks() throws {
        let code = try QRCode("square-commerce-v1://payment/create?data=%7B%7D")
        let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        #expect(lines.count == code.rows + 1)
        for (number, line) in lines.dropLast().enumerated() {
            let prefix = "\u{1B}[38;5;16;48;5;231m"
            #expect(line.hasPrefix(prefix) && line.hasSuffix("\u{1B}[0m"))
            let shown = line.dropFirst(prefix.count).dropLast("\u{1B}[0m".count)
            #expect(shown.count == code.size + 8)
            for (column, character) in shown.enumerated() {
                let upper = code.isDark(column: column - 4, row: 2 * number - 4)
                let lower = code.isDark(column: column - 4, row: 2 * number - 3)
                #expect((character == "█" || character == "▀") == upper)
                #expect((character == "█" || character == "▄") == lower)
            }
        }
    }

    @Test("a reader that knows only the standard reads the blocks", arguments: 1...106)
    func readBack(length: Int) throws {
        let text = String((0..<length).map { _ in "abcdefghijklmnopqrstuvwxyz{}".randomElement() ?? "a" })
        let drawn = try QRCode(text).text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        var rows: [[Bool]] = []
        for line in drawn.split(separator: "\n") {
            rows.append(line.map { $0 == "█" || $0 == "▀" })
            rows.append(line.map { $0 == "█" || $0 == "▄" })
        }
        let size = try #require(rows.first).count - 8
        let modules = rows[4..<(4 + size)].map { Array($0[4..<(4 + size)]) }
        #expect(SmallCodeReader(modules: modules).text() == text)
    }
}
