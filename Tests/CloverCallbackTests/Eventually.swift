/// Waits until `holds` says yes, looking every few milliseconds.
///
/// - Returns: false when it still says no after five minutes, which only a fault explains.
func eventually(_ holds: () async throws -> Bool) async rethrows -> Bool {
    let limit = ContinuousClock.now.advanced(by: .seconds(300))
    while true {
        // Once more after the time is up, where it went by while the machine was busy with other things.
        let isLast = ContinuousClock.now >= limit
        if try await holds() { return true }
        if isLast { return false }
        do {
            try await Task.sleep(for: .milliseconds(2))
        } catch {
            return false
        }
    }
}
