package import CloverAPI
package import CloverCalendar

/// One window of an export, which becomes one file: the records whose `field` is at or after `from` and before `to`, in
/// milliseconds since 1970.
package struct PlannedWindow: Sendable, Hashable, Codable {
    /// Nil for a resource exported in full.
    package var field: String?
    /// Nil for a resource exported in full.
    package var from: Int64?
    /// End; for a resource exported in full, the time of that export.
    package var to: Int64

    package init(field: String?, from: Int64?, to: Int64) {
        self.field = field
        self.from = from
        self.to = to
    }

    /// Maximum length of a window, in milliseconds.
    package static let longest = TimeWindows.longest

    /// Splits a range into windows of equal length, oldest first; the last one may be shorter. They begin at `from`, so
    /// that two runs with the same start have the same windows except for the last.
    ///
    /// - Parameter length: length in milliseconds, greater than zero.
    package static func split(field: String, from: Int64, to: Int64, length: Int64) -> [PlannedWindow] {
        stride(from: from, to: to, by: Int64.Stride(length)).map {
            PlannedWindow(field: field, from: $0, to: min($0 + length, to))
        }
    }

    /// Splits a range into windows of a number of dates in a zone, from midnight to midnight, whatever the length of the
    /// days; the first and the last may be shorter.
    package static func split(
        field: String, from: Int64, to: Int64, days: Int, in zone: TimeZoneRules
    ) -> [PlannedWindow] {
        var windows: [PlannedWindow] = []
        var start = from
        while start < to {
            let end = min(BusinessDay.midnight(after: Int64(days), from: start, in: zone), to)
            windows.append(PlannedWindow(field: field, from: start, to: end))
            start = end
        }
        return windows
    }
}

/// How changes of a resource are found.
package enum ChangeTracking: Sendable, Equatable {
    /// By the modification time of records, which the list can be filtered by.
    case changes(field: String)
    /// By the creation time of records that never change, which the list can be filtered by.
    case arrivals(field: String)
    /// By exporting the resource in full and comparing.
    case whole

    /// Models whose records cannot be changed (Clover: cash events are a log).
    private static let immutable: Set<String> = ["cash.CashEvent"]

    /// - Parameter endpoint: nil for a path that the catalogue does not know.
    package init(_ endpoint: Endpoint?) {
        guard let endpoint, endpoint.shape == .list, let name = endpoint.model,
            let model = ModelCatalogue.model(named: name)
        else {
            self = .whole
            return
        }
        if let field = endpoint.changeField, endpoint.filterable.contains(field), model.field(named: field) != nil {
            self = .changes(field: field)
        } else if let field = endpoint.timeField, Self.immutable.contains(name), endpoint.filterable.contains(field),
            model.field(named: field) != nil
        {
            self = .arrivals(field: field)
        } else {
            self = .whole
        }
    }

    /// The time field that selects new and changed records; nil for a resource exported in full.
    package var field: String? {
        switch self {
        case .changes(let field), .arrivals(let field): field
        case .whole: nil
        }
    }
}
