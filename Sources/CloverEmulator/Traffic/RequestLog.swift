import ServiceLifecycle

/// Writes a line for each record or payment request when it ends.
///
/// Lines are written on a task of their own, because a terminal may be stopped (Ctrl-S), and connections must not wait.
/// If it stays behind, the oldest lines are dropped.
final class RequestLog: Service {
    private static let mostWaiting = 10_000

    private let entries: AsyncStream<TrafficLog.Entry>
    private let input: AsyncStream<TrafficLog.Entry>.Continuation
    private let style: LogStyle
    private let write: @Sendable (String) -> Void

    /// - Parameter write: takes a line with its line break; may block.
    init(isColored: Bool, write: @escaping @Sendable (String) -> Void) {
        (entries, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        style = LogStyle(isColored: isColored)
        self.write = write
    }

    func add(_ entry: TrafficLog.Entry) { input.yield(entry) }

    func run() async {
        for await entry in entries.cancelOnGracefulShutdown() { write(Self.line(entry, style)) }
    }

    /// Such as `17:20:11Z 429    0 ms GET /v3/merchants/ID/orders  refused: tokenRate`.
    static func line(_ entry: TrafficLog.Entry, _ style: LogStyle) -> String {
        let status: String
        switch entry.status {
        case nil: status = style.red("---")
        case .some(let code) where code < 300: status = style.green("\(code)")
        case .some(let code) where code < 500: status = style.yellow("\(code)")
        case .some(let code): status = style.red("\(code)")
        }
        let duration = String("      \(entry.milliseconds ?? 0) ms".suffix(8))
        let remarks = entry.refusal.map { "  refused: \($0.rawValue)" } ?? (entry.status == nil ? "  no response" : "")
        return style.faint(CivilDate.timeOfDay(entry.time)) + " \(status) \(duration) \(visible(entry.request))"
            + style.yellow(remarks) + "\n"
    }

    /// The text without control characters, which a path may contain.
    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
