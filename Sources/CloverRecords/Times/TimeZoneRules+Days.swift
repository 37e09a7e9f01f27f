extension TimeZoneRules {
    /// A zone with a fixed offset.
    /// - Parameter offset: seconds east of UTC.
    package init(offset: Int) {
        self.init(name: "", transitions: [], offsets: [], firstOffset: offset, future: nil)
    }

    /// The local date at an instant, in days since 1970-01-01.
    /// - Parameter milliseconds: since 1970.
    package func day(at milliseconds: Int64) -> Int64 {
        let seconds = Self.floored(milliseconds, 1000)
        return Self.floored(seconds + Int64(offset(at: Int(seconds))), Self.secondsPerDay)
    }

    /// The instant of a local date and time: the first one if the clocks show it twice, and the instant of the change
    /// if they skip it.
    /// - Parameters:
    ///   - day: the date, in days since 1970-01-01.
    ///   - second: local seconds after midnight.
    /// - Returns: milliseconds since 1970.
    package func milliseconds(day: Int64, second: Int64 = 0) -> Int64 {
        let local = day * Self.secondsPerDay + second
        // The offset is always one of those a day before and a day after.
        let offsets = [-Self.secondsPerDay, Self.secondsPerDay].map { Int64(offset(at: Int(local + $0))) }
        let candidates = offsets.map { local - $0 }.sorted()
        let exact = candidates.first { $0 + Int64(offset(at: Int($0))) == local }
        return (exact ?? skipped(from: candidates[0], to: candidates[1])) * 1000
    }

    /// The first instant with the later offset.
    private func skipped(from: Int64, to: Int64) -> Int64 {
        let before = offset(at: Int(from))
        var low = from
        var high = to
        while high - low > 1 {
            let middle = (low + high) / 2
            if offset(at: Int(middle)) == before { low = middle } else { high = middle }
        }
        return high
    }

    private static let secondsPerDay: Int64 = 86_400

    private static func floored(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
