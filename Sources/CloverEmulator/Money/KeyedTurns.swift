/// Lets calls with the same key through one after the other: a repetition waits for the call it repeats.
actor KeyedTurns {
    /// Those that wait for a key that is taken.
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    func enter(_ key: String) async {
        guard waiting[key] != nil else {
            waiting[key] = []
            return
        }
        await withCheckedContinuation { waiting[key]?.append($0) }
    }

    func leave(_ key: String) {
        guard var line = waiting[key], !line.isEmpty else {
            waiting[key] = nil
            return
        }
        let next = line.removeFirst()
        waiting[key] = line
        next.resume()
    }
}
