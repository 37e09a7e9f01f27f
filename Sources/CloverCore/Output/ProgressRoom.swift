/// Which lines of progress a terminal has room for.
package enum ProgressRoom {
    /// The places of the lines that are shown, in their order: those under way before those to come, and those before what
    /// has ended longest ago.
    ///
    /// - Parameter rows: of the terminal, whose last one stays free for messages; nil when it does not tell.
    package static func places(_ phases: [ProgressFacts.Phase], rows: Int?) -> [Int] {
        let room = max(1, (rows ?? .max) - 1)
        guard phases.count > room else { return Array(phases.indices) }
        func places(_ matches: (ProgressFacts.Phase) -> Bool) -> [Int] { phases.indices.filter { matches(phases[$0]) } }
        let ended = places { if case .finished = $0 { true } else { false } }
        let wanted = places { $0 == .underWay } + places { $0 == .waiting } + ended.reversed()
        return wanted.prefix(room).sorted()
    }
}
