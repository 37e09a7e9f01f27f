/// A list of records an endpoint serves, in its default order, made one at a time.
package protocol RecordSource: Sendable {
    /// Memory in which one record after the other is made.
    associatedtype Scratch

    /// Number of records.
    var count: Int { get }
    /// The fields the endpoint filters and sorts by; empty for endpoints that announce none.
    var fields: [FilterField] { get }
    /// True when positions count from the newest creation time, so that times can be searched instead of scanned.
    var isNewestFirst: Bool { get }
    /// The 90-day rule of the endpoint.
    var historyRule: HistoryRule { get }
    /// What a cached selection is kept under; nil when selections are too small or too special to keep.
    var cacheName: String? { get }

    func makeScratch(expanding tree: ExpandTree) -> Scratch
    /// Makes the record at a position of the default order.
    func load(_ position: Int, into scratch: inout Scratch)
    /// The value of `fields[field]` in the record made last.
    func value(of field: Int, in scratch: Scratch) -> FieldValue
    /// Writes the record made last.
    func write(_ scratch: inout Scratch, to writer: inout JSONWriter)
    /// The position of the record with this id.
    func position(ofID id: String) -> Int?
    /// Creation time at a position, in milliseconds since 1970; only asked when `isNewestFirst`.
    func createdTime(at position: Int) -> Int
}

extension RecordSource {
    package var isNewestFirst: Bool { false }
    package var historyRule: HistoryRule { .none }
    package var cacheName: String? { nil }
    package func createdTime(at position: Int) -> Int { 0 }
}
