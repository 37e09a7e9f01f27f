/// Reads QR codes as ISO/IEC 18004 describes them, by itself: those of the versions 1 to 5 with level L, which are one
/// block of bytes, and without looking at the error correction.
struct SmallCodeReader {
    /// Dark modules, row by row.
    let modules: [[Bool]]

    private var size: Int { modules.count }

    /// The text; nil when the code is of another kind.
    func text() -> String? {
        // Four bits for the mode, which is bytes; eight for their number (7.4).
        var bits = data()[...]
        func take(_ count: Int) -> Int {
            defer { bits = bits.dropFirst(count) }
            return bits.prefix(count).reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
        guard size <= 37, format >> 3 == 0b01, take(4) == 0b0100 else { return nil }
        let count = take(8)
        return String(validating: (0..<count).map { _ in UInt8(take(8)) }, as: UTF8.self)
    }

    /// Level of error correction and mask, around the upper left corner (7.9.1).
    private var format: Int {
        let row = [0, 1, 2, 3, 4, 5, 7, 8].map { modules[8][$0] }
        let column = [7, 5, 4, 3, 2, 1, 0].map { modules[$0][8] }
        return ((row + column).reduce(0) { $0 << 1 | ($1 ? 1 : 0) } ^ 0b101_0100_0001_0010) >> 10
    }

    /// The modules in the order of the data: two columns at a time from the right, up and down by turns (7.7.3).
    private func data() -> [Bool] {
        var bits: [Bool] = []
        var isUpward = true
        for right in stride(from: size - 1, to: 0, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) where right > 0 {
            for row in isUpward ? Array((0..<size).reversed()) : Array(0..<size) {
                for column in [right, right - 1] where !isFunction(row, column) {
                    bits.append(modules[row][column] != isMasked(row, column))
                }
            }
            isUpward.toggle()
        }
        return bits
    }

    /// Corners with the format beside them, lines between them, and the one small square from version 2 on.
    private func isFunction(_ row: Int, _ column: Int) -> Bool {
        let far = size - 8
        if row < 9, column < 9 || column >= far { return true }
        if row >= far, column < 9 { return true }
        if row == 6 || column == 6 { return true }
        return size > 21 && abs(row - (size - 7)) <= 2 && abs(column - (size - 7)) <= 2
    }

    /// Whether the mask turns a module round (7.8.2).
    private func isMasked(_ row: Int, _ column: Int) -> Bool {
        let product = row * column
        return switch format & 0b111 {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: product % 2 + product % 3 == 0
        case 6: (product % 2 + product % 3) % 2 == 0
        default: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }
}
