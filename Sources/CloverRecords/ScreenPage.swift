/// Output that is held back until it is more than a screen shows.
struct ScreenPage: Sendable {
    private(set) var bytes: [UInt8] = []
    private var lines = 0
    private let rows: Int

    /// - Parameter rows: lines that the screen has.
    init(rows: Int) {
        self.rows = rows
    }

    /// Whether a screen cannot show it all: the prompt that comes next takes a line too.
    var isFull: Bool { lines >= rows }

    mutating func add(_ more: [UInt8]) {
        bytes += more
        lines += more.count { $0 == UInt8(ascii: "\n") }
    }
}
