/// The business day that a run exports.
struct ExportedDay: Sendable, Equatable {
    /// On which it begins, such as `2026-11-20`.
    var date: String
    /// Milliseconds since 1970.
    var end: Int64
}
