internal import Glibc

/// A driver's standard error, line by line. Used on the driver's thread only.
struct DriverErrorText {
    private let show: @Sendable (String) -> Void
    private var line: [UInt8] = []
    private var shown = 0
    private(set) var isOpen = true

    init(show: @escaping @Sendable (String) -> Void) {
        self.show = show
    }

    /// Reads what there is; longer lines are cut, and a driver that says too much is not heard any more.
    mutating func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count == 0 { isOpen = false }
        guard count > 0 else { return }
        for byte in buffer[..<count] {
            if byte == UInt8(ascii: "\n") {
                flush()
            } else if line.count < DriverLimits.errorLine {
                line.append(byte)
            }
        }
    }

    /// Reads the rest, at the program's end.
    mutating func finish(_ descriptor: Int32) {
        for _ in 0..<64 where isOpen {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 0) > 0 else { break }
            read(descriptor)
        }
        flush()
    }

    private mutating func flush() {
        defer { line = [] }
        guard !line.isEmpty, shown <= DriverLimits.errorLines else { return }
        shown += 1
        show(shown > DriverLimits.errorLines ? "(it goes on, and is not shown)" : String(decoding: line, as: UTF8.self))
    }
}
