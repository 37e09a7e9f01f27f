/// A reader that was connected once.
package struct KnownReader: Sendable, Equatable {
    /// As it was known when it was last connected: without rssi, and not connected.
    package let reader: Reader
    /// Milliseconds since 1970.
    package let firstConnected: Int64
    package let lastConnected: Int64

    package init(reader: Reader, firstConnected: Int64, lastConnected: Int64) {
        self.reader = reader
        self.firstConnected = firstConnected
        self.lastConnected = lastConnected
    }
}
