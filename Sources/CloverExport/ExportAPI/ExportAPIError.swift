/// Why an export by Clover's Export API gave no records, besides what any call can meet. Times are milliseconds since
/// 1970; `url` is already redacted.
package enum ExportAPIError: Error, Sendable, Equatable {
    /// The service has no exports of this resource.
    case notExported(resource: String)
    /// The service ended every try of an export with this status.
    case ended(ExportAPIResource, from: Int64, to: Int64, status: String, tries: Int)
    /// The files went before they were fetched, each time that the export was made.
    case filesGone(ExportAPIResource, from: Int64, to: Int64, tries: Int)
    /// Each export had so many records, and the list of the same time shows more.
    case fewer(ExportAPIResource, from: Int64, to: Int64, records: Int, tries: Int)
    /// A 200 that describes no export.
    case unreadable(url: String)
    /// The address of a file would send it over the network in the clear, or is none.
    case insecureFile(url: String)
}

/// What an export does on the way that its user may want to know.
package enum ExportAPIEvent: Sendable, Equatable {
    case submitted(from: Int64, to: Int64)
    /// An earlier run has asked for it already.
    case resumed(from: Int64, to: Int64)
    /// In percent; nil when the service does not say.
    case progress(from: Int64, to: Int64, percent: Int?)
    /// Exports are taken from `opening` on, in milliseconds since 1970.
    case waitingForHours(opening: Int64, seconds: Double)
    /// The service makes as many exports as it can, or is not there.
    case waitingForService(seconds: Double)
    case downloaded(file: Int, of: Int, records: Int, bytes: Int)
    /// It has to be made again.
    case again(from: Int64, to: Int64, because: Reason)

    package enum Reason: Sendable, Equatable {
        case unknownToService
        case ended(status: String)
        case filesGone
        /// The list of the same time shows more than these records.
        case fewer(records: Int)
    }
}
