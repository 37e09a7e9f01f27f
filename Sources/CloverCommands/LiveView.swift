import CloverCore
import CloverRecords

/// A picture on a terminal that is drawn again and again until somebody stops it. It has a screen of its own, so that
/// afterwards the terminal is as it was before.
enum LiveView {
    /// ECMA-48 and xterm's control sequences: another screen and no cursor; back.
    private static let begin = "\u{1B}[?1049h\u{1B}[?25l"
    private static let end = "\u{1B}[?25h\u{1B}[?1049l"
    /// For a terminal that still shows our screen.
    private static let hideCursor = "\u{1B}[?25l"
    private static let home = "\u{1B}[H"
    private static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"

    /// Seconds between two pictures, and between two looks at the size of the window.
    private static let interval = 1.0
    private static let step = 0.1

    /// Draws until the task is cancelled.
    ///
    /// - Parameter picture: lines without line breaks; what does not fit the window is cut off.
    static func run(in environment: CommandEnvironment, _ picture: () async throws -> [String]) async throws {
        guard environment.screen.movesCursor else { return try await list(in: environment, picture) }
        // Messages would be drawn over.
        environment.diagnostics.screen.hold()
        let hold = environment.screen.holdView(begin, end)
        defer { hold.release() }
        do {
            try await take(hold, in: environment)
            while true { try await draw(picture(), hold, in: environment) }
        } catch {
            hold.give()
            environment.diagnostics.screen.release()
            throw error
        }
    }

    private static func take(_ hold: ViewHold, in environment: CommandEnvironment) async throws {
        try Task.checkCancellation()
        while !hold.take() { try await environment.sleep(step) }
    }

    /// Draws the lines, and again whenever the window gets another size, until it is time for the next picture.
    private static func draw(
        _ lines: [String], _ hold: ViewHold, in environment: CommandEnvironment
    ) async throws {
        var size: TerminalExtent?
        var isDrawn = false
        var waited = 0.0
        while waited < interval {
            if let wish = hold.wish() {
                try await obey(wish, hold, in: environment)
                isDrawn = false
            }
            let now = environment.screen.outputSize()
            if !isDrawn || now != size {
                size = now
                isDrawn = true
                try await StandardOutput.print(frame(lines, size), in: environment)
            }
            try await environment.sleep(step)
            waited += step
        }
    }

    /// The terminal is given back before the process stops or ends, and taken again when it goes on.
    private static func obey(
        _ wish: ViewHold.Wish, _ hold: ViewHold, in environment: CommandEnvironment
    ) async throws {
        switch wish {
        case .stop, .quit:
            hold.give()
            hold.obey(wish)
            try await take(hold, in: environment)
        case .redraw:
            try await StandardOutput.print(hideCursor, in: environment)
        }
    }

    private static func frame(_ lines: [String], _ size: TerminalExtent?) -> String {
        let shown = lines.prefix(size?.rows ?? lines.count).map { line in
            (size.map { StyledText.cut(line, to: $0.columns) } ?? line) + clearLine
        }
        return home + shown.joined(separator: "\r\n") + clearBelow
    }

    /// A terminal that cannot go back gets one picture below the other.
    private static func list(in environment: CommandEnvironment, _ picture: () async throws -> [String]) async throws {
        while true {
            try await StandardOutput.print(picture().map { $0 + "\n" }.joined(), in: environment)
            try await environment.sleep(interval)
        }
    }
}
