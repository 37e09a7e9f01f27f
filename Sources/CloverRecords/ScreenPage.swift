/// Output that is held back until there is more than fits on the screen.
struct ScreenPage: Sendable {
    private(set) var bytes: [UInt8] = []
    private var lines = 0
    private let rows: Int

    /// - Parameter rows: the height of the screen in lines.
    init(rows: Int) {
        self.rows = rows
    }

    /// Whether the screen is too small; the following prompt takes a line too.
    var isFull: Bool { lines >= rows }

    mutating func add(_ more: [UInt8]) {
        bytes += more
        lines += more.count { $0 == UInt8(ascii: "\n") }
    }
}
