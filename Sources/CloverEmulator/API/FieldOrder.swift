/// All records of a list in the order of an integer field, the smallest first; those without it come before all others.
/// Made once, so that one page after the other is found by bisection.
package struct FieldOrder: Sendable {
    /// The positions of all records.
    private let positions: [UInt32]
    /// The values of those that have one, in the same order.
    private let values: [Int]

    /// Nil when a record has another value than an integer.
    ///
    /// - Parameter sorted: all positions in this order.
    init?<Source: RecordSource>(of field: Int, in source: Source, sorted: [UInt32]) {
        var scratch = source.makeScratch(expanding: .none)
        var values: [Int] = []
        values.reserveCapacity(source.count)
        for position in sorted {
            source.load(Int(position), into: &scratch)
            switch source.value(of: field, in: scratch) {
            case .absent where values.isEmpty: continue
            case .integer(let value) where values.last ?? .min <= value: values.append(value)
            default: return nil
            }
        }
        positions = sorted
        self.values = values
    }

    /// All positions, or those with a value in a range.
    ///
    /// - Parameter bounds: nil for all; records without a value are in no range.
    func positions(in bounds: ClosedRange<Int>?) -> ArraySlice<UInt32> {
        guard let bounds else { return positions[...] }
        let absent = positions.count - values.count
        let begin = first { $0 >= bounds.lowerBound }
        let end = max(begin, first { $0 > bounds.upperBound })
        return positions[(absent + begin)..<(absent + end)]
    }

    private func first(where isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = values.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(values[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
