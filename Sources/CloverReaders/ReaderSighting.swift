/// A reader that a driver has just told of.
package struct ReaderSighting: Sendable, Equatable {
    package let reader: Reader
    /// False for one that the driver only remembers from earlier, and has not heard in this discovery.
    package let isLive: Bool

    package init(_ reader: Reader, isLive: Bool = true) {
        self.reader = reader
        self.isLive = isLive
    }
}
