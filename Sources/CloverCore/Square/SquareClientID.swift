import CloverSquare

/// The application id of Square's developer console, which every request names. It is no secret: each URL holds it.
enum SquareClientID {
    /// What was given, else `CLOVER_SQUARE_CLIENT_ID`; nil when there is neither. An empty id that was given stays one,
    /// so that it is refused as the SDK refuses it.
    static func resolve(_ given: String?, in environment: CommandEnvironment) -> SquareText? {
        (given ?? environment.variables.nonEmpty("CLOVER_SQUARE_CLIENT_ID")).map { SquareText($0) }
    }
}
