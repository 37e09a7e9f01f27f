/// A card reader and its current properties, whatever its transport. An unknown property is nil, never 0 or -1.
package struct Reader: Sendable, Equatable {
    /// The ID for use in every command: a Bluetooth address, a device ID, or an ID chosen by the driver. Unique within the
    /// transport.
    package let id: String
    package let transport: ReaderTransport
    /// The display name, such as `Clover_Go_630094`.
    package var name: String?
    /// Signal strength in dBm, negative; closer to 0 is stronger.
    package var rssi: Int?
    /// Battery level in percent, 0...100.
    package var battery: Int?
    package var firmware: String?
    package var serial: String?
    package var model: String?
    /// Whether this machine is paired with it; nil if pairing does not apply or is unknown.
    package var paired: Bool?
    /// Whether any process or device is connected to it now.
    package var connected: Bool

    package init(
        id: String, transport: ReaderTransport, name: String? = nil, rssi: Int? = nil, battery: Int? = nil,
        firmware: String? = nil, serial: String? = nil, model: String? = nil, paired: Bool? = nil,
        connected: Bool = false
    ) {
        self.id = id
        self.transport = transport
        self.name = name
        self.rssi = rssi
        self.battery = battery
        self.firmware = firmware
        self.serial = serial
        self.model = model
        self.paired = paired
        self.connected = connected
    }

    /// The name for display; the ID if there is no name.
    package var label: String { name ?? id }
}

extension Reader {
    /// Takes over each property that `facts` has, and keeps the rest.
    package mutating func learn(_ facts: Reader) {
        name = facts.name ?? name
        rssi = facts.rssi ?? rssi
        battery = facts.battery ?? battery
        firmware = facts.firmware ?? firmware
        serial = facts.serial ?? serial
        model = facts.model ?? model
        paired = facts.paired ?? paired
    }
}

extension Reader {
    /// Whether the user's input names this reader: its ID or its name, ignoring case.
    package func isCalled(_ word: String) -> Bool {
        id.lowercased() == word.lowercased() || name?.lowercased() == word.lowercased()
    }
}

/// A reader as a driver just reported it.
package struct DiscoveredReader: Sendable, Equatable {
    package let reader: Reader
    /// False if the driver only remembers it from earlier, without seeing it in this discovery.
    package let isLive: Bool

    package init(_ reader: Reader, isLive: Bool = true) {
        self.reader = reader
        self.isLive = isLive
    }
}

/// How a reader is reached; each transport has its driver.
package enum ReaderTransport: String, Sendable, CaseIterable {
    /// Bluetooth Low Energy, through BlueZ.
    case ble
    /// Clover's own devices, through the service.
    case cloud
    /// A program that speaks the driver protocol, clover-reader-driver(5).
    case driver
}

/// The process that holds a reader.
package struct ReaderLockHolder: Sendable, Equatable {
    package let processID: Int32
    /// Such as `reader connect`; nil if unknown.
    package let command: String?
}
