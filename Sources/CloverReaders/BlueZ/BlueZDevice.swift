import CloverDBus

/// A device that BlueZ hears, or remembers.
struct BlueZDevice: Sendable, Equatable {
    let path: String
    /// The path of the adapter that knows it.
    let adapter: String
    /// Where a device changes its address for privacy, the one that it has now.
    let address: String
    let name: String?
    let rssi: Int?
    /// Heard in a discovery that runs, or connected: BlueZ has the property `RSSI` only while it hears the device.
    let isLive: Bool
    let isPaired: Bool
    let isConnected: Bool
    let areServicesResolved: Bool
    let services: [String]
    let battery: Int?

    /// In dBm; what the controller gives when it does not know (Core specification, LE Advertising Report event).
    private static let unknownRSSI: Int64 = 127

    /// Nil for an object that is no device.
    init?(path: String, interfaces: [String: [String: DBusValue]]) {
        guard let properties = interfaces[BlueZNames.device], let address = properties["Address"]?.text else {
            return nil
        }
        self.path = path
        self.address = address
        adapter = properties["Adapter"]?.text ?? ""
        // Not the alias: it is the user's own word, and the address where there is neither.
        name = properties["Name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        let rssi = properties["RSSI"]?.integer
        self.rssi = rssi.flatMap { $0 == Self.unknownRSSI ? nil : Int($0) }
        isPaired = properties["Paired"]?.bool ?? false
        isConnected = properties["Connected"]?.bool ?? false
        isLive = rssi != nil || isConnected
        areServicesResolved = properties["ServicesResolved"]?.bool ?? false
        services = properties["UUIDs"]?.elements?.compactMap { $0.text?.lowercased() } ?? []
        battery = interfaces[BlueZNames.battery]?["Percentage"]?.integer.flatMap(Self.percent)
    }

    /// What a charge may be; nil for anything else.
    static func percent(_ number: Int64) -> Int? {
        (0...100).contains(number) ? Int(number) : nil
    }

    var isClovers: Bool { name?.hasPrefix(ReaderRules.namePrefix) ?? false }

    /// By address or name.
    func isCalled(_ word: String) -> Bool {
        address.lowercased() == word.lowercased() || name == word
    }

    var reader: Reader {
        Reader(
            id: address, transport: .ble, name: name, rssi: rssi, battery: battery, paired: isPaired,
            connected: isConnected)
    }
}
