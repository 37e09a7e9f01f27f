/// The way in which a reader is reached; each has its driver.
package enum ReaderTransport: String, Sendable, CaseIterable {
    /// Bluetooth Low Energy, through BlueZ.
    case ble
    /// Clover's own devices, through the service.
    case cloud
    /// A program that speaks the driver protocol, clover-reader-driver(5).
    case driver
}
