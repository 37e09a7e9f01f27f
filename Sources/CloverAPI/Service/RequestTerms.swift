/// What holds for a request while it waits, and what is written down when it leaves.
package struct RequestTerms: Sendable {
    /// Ends its waits; nil waits to the end.
    package var waits: WaitSwitch?
    /// Whether all its waits are ended. Otherwise it is wanted all the same, and only a pause of the service is not waited
    /// out.
    package var endsEveryWait = false
    /// Called each time that it may leave, before the first byte does. What it throws keeps the request back, and is thrown.
    package var willLeave: @Sendable () async throws -> Void = {}
    /// It did nothing after all: it was held back, or refused with a 429 (`isRefused`), and goes out again later.
    package var didNothing: @Sendable (_ isRefused: Bool) async -> Void = { _ in }

    package static let usual = RequestTerms()

    package init() {}
}
