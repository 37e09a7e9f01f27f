/// A card reader, by whatever it is reached: what is known of it now. What is not known is nil, never 0 or -1.
package struct Reader: Sendable, Equatable {
    /// What the reader goes by in every command: a Bluetooth address, a device's id, or a driver's own word. Unique
    /// within its transport.
    package let id: String
    package let transport: ReaderTransport
    /// What people call it, such as `Clover_Go_630094`.
    package var name: String?
    /// Strength of the signal in dBm, negative; closer to 0 is stronger.
    package var rssi: Int?
    /// Charge in percent, 0...100.
    package var battery: Int?
    package var firmware: String?
    package var serial: String?
    package var model: String?
    /// Whether this machine has bonded with it; nil where pairing means nothing, or where it is not known.
    package var paired: Bool?
    /// Whether it has a connection now, whoever holds it.
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

    /// The name for a person; the id where it has none.
    package var label: String { name ?? id }
}

extension Reader {
    /// Takes over what `facts` knows, and keeps the rest.
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
    /// Whether a user's word means this reader: its id or its name, in small or large letters.
    package func isCalled(_ word: String) -> Bool {
        id.lowercased() == word.lowercased() || name?.lowercased() == word.lowercased()
    }
}

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

/// The way in which a reader is reached; each has its driver.
package enum ReaderTransport: String, Sendable, CaseIterable {
    /// Bluetooth Low Energy, through BlueZ.
    case ble
    /// Clover's own devices, through the service.
    case cloud
    /// A program that speaks the driver protocol, clover-reader-driver(5).
    case driver
}

/// The process that has a reader.
package struct ReaderHolder: Sendable, Equatable {
    package let processID: Int32
    /// Such as `reader connect`; nil when it could not be read.
    package let command: String?

    package init(processID: Int32, command: String?) {
        self.processID = processID
        self.command = command
    }
}
