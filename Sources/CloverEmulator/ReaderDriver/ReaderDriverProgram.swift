import Glibc

/// The emulated driver as a program: requests on standard input, lines on standard output, until its input ends.
package struct ReaderDriverProgram {
    private var desk: DriverDesk
    private var input: [UInt8] = []
    private let start = ContinuousClock.now

    package init(_ options: ReaderDriverOptions) throws(JournalError) {
        desk = try DriverDesk(options)
    }

    /// Returns the exit status.
    package mutating func run() -> Int32 {
        while true {
            desk.advance(to: milliseconds)
            guard flush() else { return 0 }
            if let status = desk.exitStatus { return status }
            var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let pause = desk.nextDue.map { Int32(clamping: max(0, $0 - milliseconds)) } ?? -1
            let count = poll(&entry, 1, pause)
            if count < 0, errno != EINTR { return 74 }
            if count > 0, !readInput() { return 0 }
        }
    }

    private var milliseconds: Int {
        let (seconds, attoseconds) = start.duration(to: .now).components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// False at the end of the input: everything that was under way ends with the program.
    private mutating func readInput() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0 { return errno == EINTR }
        if count == 0 { return false }
        input += buffer[..<count]
        desk.advance(to: milliseconds)
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            desk.receive(Array(input[..<end]))
            input.removeFirst(end + 1)
        }
        return true
    }

    /// False when nobody reads any more.
    private mutating func flush() -> Bool {
        var bytes = desk.takeOutput()[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { return false }
            } else {
                bytes = bytes.dropFirst(count)
            }
        }
        return true
    }
}
