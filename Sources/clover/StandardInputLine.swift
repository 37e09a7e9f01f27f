import CloverCore
import CloverSystem
import Glibc

/// Reads one line of standard input, for a command that can stop waiting for it.
enum StandardInputLine {
    /// The first line, without its line break; empty if there is none. A line longer than `limit` bytes throws `EFBIG`. A cancelled task stops waiting at once; the thread that reads the input then ends with
    /// the process.
    /// - Parameter skipsBlank: whether to skip blank lines.
    static func read(limit: Int, skipsBlank: Bool) async throws -> [UInt8] {
        try await waiting {
            while true {
                let (line, isLast) = try readLine(limit)
                if isLast || !skipsBlank || !InputText.line(line).isBlank { return line }
            }
        }
    }

    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let result = Promise<Value, any Error>()
        let read: @Sendable () -> Void = { result.settle(Result { try body() }) }
        if DedicatedThread.tryStart(name: "clover-input", read) != 0 { read() }
        return try await result.value(cancelledWith: CancellationError())
    }

    /// Reads the first line, blank or not, from a terminal without showing what is typed (termios(3), ECHO). The line
    /// break is shown.
    ///
    /// - Parameter ask: prints the prompt. Called after echo is off, so that input typed at once, as by expect(1), is
    ///   not shown.
    /// - Returns: nil at the end of the input, which the user types as Ctrl-D (termios(3), VEOF).
    static func readHidden(limit: Int, ask: @Sendable () -> Void) async throws -> [UInt8]? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else {
            ask()
            return try await read(limit: limit, skipsBlank: true)
        }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
        ask()
        return try await waiting {
            let (line, isLast) = try readLine(limit)
            return isLast && line.isEmpty ? nil : line
        }
    }

    /// Reads byte by byte, so that everything after the line is left for the next reader.
    private static func readLine(_ limit: Int) throws -> (line: [UInt8], isLast: Bool) {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count == 0 { return (line, isLast: true) }
            if count < 0 {
                if errno == EINTR { continue }
                throw DescriptorReader.Failure(errno: errno)
            }
            if byte == UInt8(ascii: "\n") { return (line, isLast: false) }
            if line.count == limit { throw DescriptorReader.Failure(errno: EFBIG) }
            line.append(byte)
        }
    }
}
