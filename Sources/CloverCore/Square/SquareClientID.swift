import CloverConfiguration
import CloverSquare

/// The application id of Square's developer console, which every request names. It is no secret: each URL holds it.
enum SquareClientID {
    /// What was given, else what is set once for all; nil when there is neither. An empty id that was given stays one,
    /// so that it is refused as the SDK refuses it.
    static func resolve(_ given: String?, in environment: CommandEnvironment) async throws -> SquareText? {
        if let given { return SquareText(given) }
        return try await environment.settings(for: ConnectionChoice()).text(.squareClientID).map { SquareText($0) }
    }
}
