/// The positions of the records a request asks for, before paging.
package enum Selection: Sendable {
    case range(Range<Int>)
    case list(ArraySlice<UInt32>)

    package var count: Int {
        switch self {
        case .range(let range): range.count
        case .list(let list): list.count
        }
    }

    /// Calls `body` with the positions of one page.
    package func forEach(offset: Int, limit: Int, _ body: (Int) -> Void) {
        let end = min(count, offset.addingReportingOverflow(limit).overflow ? Int.max : offset + limit)
        guard offset < end else { return }
        switch self {
        case .range(let range):
            for position in (range.lowerBound + offset)..<(range.lowerBound + end) { body(position) }
        case .list(let list):
            for position in list.dropFirst(offset).prefix(end - offset) { body(Int(position)) }
        }
    }
}
