import CloverCore
import CloverThreads
import Glibc

/// One line of standard input, for a command that may give up waiting for it.
enum StandardInputLine {
    /// The first line that is not blank, without its break, or nothing when there is none; a line longer than `limit` bytes
    /// is `EFBIG`. A cancelled task stops waiting at once; the thread that waits for the input then ends with the process.
    static func read(limit: Int) async throws -> [UInt8] {
        try await waiting {
            while true {
                let (line, isLast) = try readLine(limit)
                if isLast || !InputText.line(line).isBlank { return line }
            }
        }
    }

    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let answer = FirstAnswer<Value>()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                do throws(DedicatedThread.StartError) {
                    try DedicatedThread.start(name: "clover-input") { answer.give(.init { try body() }) }
                } catch {
                    answer.give(.init { try body() })
                }
            }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }.get()
    }

    /// The first line from a terminal that does not show what is typed (termios(3), ECHO), blank or not. The line break is
    /// shown.
    ///
    /// - Parameter ask: says what is to be typed; called when the terminal hides it, so that whoever answers at once, as
    ///   expect(1) does, is not seen.
    /// - Returns: nil at the end of the input, which a person makes with Ctrl-D (termios(3), VEOF).
    static func readHidden(limit: Int, ask: @Sendable () -> Void) async throws -> [UInt8]? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else {
            ask()
            return try await read(limit: limit)
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

    /// Byte by byte, so that nothing behind the line is taken from whoever reads next.
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
