/// Finds the names closest to a mistyped one, for "did you mean".
package enum NearestNames {
    /// Returns up to `count` of `names`, nearest first. A name that differs only in case, underscores or hyphens, or of
    /// which one is a prefix of the other, counts as near.
    package static func of(_ name: String, among names: [String], count: Int = 3) -> [String] {
        let plain = folded(name)
        let scored = names.compactMap { candidate -> (score: Int, name: String)? in
            let other = folded(candidate)
            if other == plain { return (0, candidate) }
            if plain.count >= 3, other.hasPrefix(plain) || plain.hasPrefix(other) { return (1, candidate) }
            let distance = editDistance(plain, other)
            return distance <= max(1, min(plain.count, other.count) / 3) ? (1 + distance, candidate) : nil
        }
        return scored.sorted { ($0.score, $0.name) < ($1.score, $1.name) }.prefix(count).map(\.name)
    }

    private static func folded(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}

/// The edit distance with transpositions of adjacent characters (optimal string alignment), ignoring case.
func editDistance(_ first: String, _ second: String) -> Int {
    let left = Array(first.lowercased())
    let right = Array(second.lowercased())
    var rows = [Array(0...right.count)]
    for (row, character) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            let previous = rows[row]
            var distance = min(
                previous[column + 1] + 1, current[column] + 1, previous[column] + (character == other ? 0 : 1))
            if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                distance = min(distance, rows[row - 1][column - 1] + 1)
            }
            current.append(distance)
        }
        rows.append(current)
    }
    return rows[left.count][right.count]
}
