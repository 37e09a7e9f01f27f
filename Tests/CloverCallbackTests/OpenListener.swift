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
