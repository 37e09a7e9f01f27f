import CloverCore
import CloverOutput

/// A display that is redrawn on a terminal until the user stops it. It uses the alternate screen, which restores the
/// previous contents afterwards.
enum LiveView {
    /// Control sequences of ECMA-48 and xterm: enter the alternate screen and hide the cursor; undo both.
    private static let begin = "\u{1B}[?1049h\u{1B}[?25l"
    private static let end = "\u{1B}[?25h\u{1B}[?1049l"
    /// For a terminal that still shows the alternate screen.
    private static let hideCursor = "\u{1B}[?25l"
    private static let home = "\u{1B}[H"
    private static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"

    /// Seconds between two frames, and between two checks of the window size.
    private static let interval = 1.0
    private static let step = 0.1

    /// Redraws until the task is cancelled.
    ///
    /// - Parameter content: lines without line breaks; what does not fit the window is cut off.
    static func run(in environment: CommandEnvironment, _ content: () async throws -> [String]) async throws {
        guard environment.screen.movesCursor else { return try await appendFrames(in: environment, content) }
        // Messages would be overwritten by the next frame.
        environment.diagnostics.screen.hold()
        let screen = environment.screen.enterAlternateScreen(begin, end)
        defer { screen.release() }
        do {
            try await take(screen, in: environment)
            while true { try await draw(content(), screen, in: environment) }
        } catch {
            screen.give()
            environment.diagnostics.screen.release()
            throw error
        }
    }

    private static func take(_ screen: AlternateScreen, in environment: CommandEnvironment) async throws {
        try Task.checkCancellation()
        while !screen.take() { try await environment.sleep(step) }
    }

    /// Draws the lines until the next frame is due, and redraws them when the window size changes.
    private static func draw(
        _ lines: [String], _ screen: AlternateScreen, in environment: CommandEnvironment
    ) async throws {
        var size: TerminalExtent?
        var isDrawn = false
        var waited = 0.0
        while waited < interval {
            if let action = screen.wish() {
                try await perform(action, screen, in: environment)
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

    /// Gives the terminal back before the process stops or ends, and takes it again when the process continues.
    private static func perform(
        _ action: AlternateScreen.SignalRequest, _ screen: AlternateScreen, in environment: CommandEnvironment
    ) async throws {
        switch action {
        case .stop, .quit:
            screen.give()
            screen.obey(action)
            try await take(screen, in: environment)
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

    /// Prints frames one below the other, for a terminal that cannot move the cursor.
    private static func appendFrames(
        in environment: CommandEnvironment, _ content: () async throws -> [String]
    ) async throws {
        while true {
            try await StandardOutput.print(content().map { $0 + "\n" }.joined(), in: environment)
            try await environment.sleep(interval)
        }
    }
}
