/// Waits until `holds` says yes, looking every few milliseconds.
///
/// - Returns: false when it still says no after a minute, which only a fault explains.
func eventually(_ holds: () async throws -> Bool) async rethrows -> Bool {
    let limit = ContinuousClock.now.advanced(by: .seconds(60))
    while ContinuousClock.now < limit {
        if try await holds() { return true }
        do {
            try await Task.sleep(for: .milliseconds(2))
        } catch {
            return false
        }
    }
    return false
}
