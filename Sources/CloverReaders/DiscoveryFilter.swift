/// What a discovery should tell of. A driver may use it to hear less; it is applied again to what the driver tells.
package struct DiscoveryFilter: Sendable, Equatable {
    /// Every device that the transport hears, not only Clover's readers.
    package var includesAllDevices: Bool

    package init(includesAllDevices: Bool = false) {
        self.includesAllDevices = includesAllDevices
    }
}
