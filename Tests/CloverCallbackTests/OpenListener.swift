import CloverCallback

/// Runs `body` with a listener on a free port and closes it, also after a failure.
func withListener(
    onSecond: @escaping @Sendable () -> Void = {}, _ body: (CallbackListener) async throws -> Void
) async throws {
    let listener = try await CallbackListener.open(port: 0, path: "/callback", onSecond: onSecond)
    do {
        try await body(listener)
    } catch {
        await listener.close()
        throw error
    }
    await listener.close()
}

extension CallbackListener {
    /// A listener of 127.0.0.1; port 0 chooses a free one.
    static func open(
        port: Int, path: String, onSecond: @escaping @Sendable () -> Void = {}
    ) async throws -> CallbackListener {
        var options = CallbackOptions(port: port, path: path)
        options.onSecond = onSecond
        return try await open(options)
    }
}
