package import CloverReaders

/// What can go wrong in a reader command besides the readers' own errors.
package enum ReaderFault: Error, Sendable, Equatable {
    /// A driver is needed, and none is named.
    case noDriver
    /// This names no driver program.
    case malformedDriver(String)
    /// A scan ended without a reader. `seconds` is nil when it was stopped by something else; `others` were seen, and not
    /// what was asked for.
    case noneFound(seconds: Double?, transports: [ReaderTransport], others: Int)
    /// Nobody is connected to a reader.
    case noneConnected
    /// The reader is connected, but not to what was asked for.
    case otherConnected(String, by: ReaderHolder)
    /// The process that holds the reader does not let it go.
    case notReleased(String, by: ReaderHolder)
    /// More than one known reader goes by this name.
    case severalReaders(String, ids: [String])
    /// A driver fails its check.
    case driverFails(program: String)
    /// A driver's check found no reader that could be connected.
    case checkIncomplete(program: String)
}
