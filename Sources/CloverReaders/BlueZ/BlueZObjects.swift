import CloverDBus

/// BlueZ's objects, updated from its signals: adapters, devices, and the parts of devices. It does no I/O.
struct BlueZObjects: Sendable {
    /// Path, interface, property.
    private var objects: [String: [String: [String: DBusValue]]] = [:]

    init() {}

    /// - Parameter managed: the result of `GetManagedObjects`. Returns nil if it does not have the expected form.
    init?(managed: [DBusValue]) {
        guard managed.count == 1, let paths = managed[0].members else { return nil }
        for (path, interfaces) in paths {
            for (interface, properties) in interfaces.members ?? [:] {
                objects[path, default: [:]][interface] = properties.members ?? [:]
            }
        }
    }

    /// Applies a signal of the object manager, or about an object's properties; others change nothing.
    /// - Returns: the path of the object that changed.
    mutating func apply(_ signal: DBusSignal) -> String? {
        let arguments = signal.arguments
        switch (signal.interface, signal.member) {
        case (BlueZNames.objectManager, "InterfacesAdded"):
            guard arguments.count == 2, let path = arguments[0].text, let interfaces = arguments[1].members else {
                return nil
            }
            for (interface, properties) in interfaces {
                objects[path, default: [:]][interface] = properties.members ?? [:]
            }
            return path
        case (BlueZNames.objectManager, "InterfacesRemoved"):
            guard arguments.count == 2, let path = arguments[0].text, let interfaces = arguments[1].elements else {
                return nil
            }
            for interface in interfaces.compactMap(\.text) { objects[path]?[interface] = nil }
            if objects[path]?.isEmpty ?? false { objects[path] = nil }
            return path
        case (BlueZNames.properties, "PropertiesChanged"):
            guard arguments.count == 3, let interface = arguments[0].text, let changed = arguments[1].members else {
                return nil
            }
            // Ignores an object that is already gone or not yet there.
            guard objects[signal.path]?[interface] != nil else { return nil }
            for (property, value) in changed { objects[signal.path]?[interface]?[property] = value }
            for property in arguments[2].elements?.compactMap(\.text) ?? [] {
                objects[signal.path]?[interface]?[property] = nil
            }
            return signal.path
        default:
            return nil
        }
    }

    /// All adapters, sorted by path.
    var adapters: [BlueZAdapter] {
        objects.keys.sorted().compactMap { adapter($0) }
    }

    func adapter(_ path: String) -> BlueZAdapter? {
        objects[path]?[BlueZNames.adapter].map { BlueZAdapter(path: path, properties: $0) }
    }

    /// The devices of an adapter, sorted by path.
    func devices(of adapter: String) -> [BlueZDevice] {
        objects.keys.filter { $0.hasPrefix(adapter + "/") }.sorted().compactMap { device($0) }
    }

    func device(_ path: String) -> BlueZDevice? {
        objects[path].flatMap { BlueZDevice(path: path, interfaces: $0) }
    }

    /// The device at this path, or the one that the object at this path belongs to.
    func device(holding path: String) -> BlueZDevice? {
        var path = path[...]
        while !path.isEmpty {
            if let device = device(String(path)) { return device }
            path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        }
        return nil
    }

    /// The path of a characteristic of one of the device's services, by their UUIDs; the first if there are several.
    func characteristic(_ uuid: String, of service: String, in device: String) -> String? {
        objects.keys.filter { $0.hasPrefix(device + "/") }.sorted().first { path in
            guard let characteristic = objects[path]?[BlueZNames.gattCharacteristic],
                characteristic["UUID"]?.text?.lowercased() == uuid, let owner = characteristic["Service"]?.text
            else { return false }
            return objects[owner]?[BlueZNames.gattService]?["UUID"]?.text?.lowercased() == service
        }
    }

    /// The characteristic's value when it was last read or reported.
    func value(of characteristic: String) -> [UInt8]? {
        objects[characteristic]?[BlueZNames.gattCharacteristic]?["Value"]?.bytes
    }
}

/// Names on the bus, from BlueZ's own documentation (doc/adapter-api.txt, doc/device-api.txt, doc/gatt-api.txt,
/// doc/battery-api.txt of BlueZ 5.66), and numbers assigned by the Bluetooth SIG.
enum BlueZNames {
    static let service = "org.bluez"
    static let root = "/"

    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let battery = "org.bluez.Battery1"
    static let gattService = "org.bluez.GattService1"
    static let gattCharacteristic = "org.bluez.GattCharacteristic1"

    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"
    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"

    static let errorPrefix = "org.bluez.Error."

    /// The full UUID for a number assigned by the Bluetooth SIG.
    static func uuid(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return "0000\(String(repeating: "0", count: 4 - digits.count))\(digits)-0000-1000-8000-00805f9b34fb"
    }

    static let batteryService = uuid(0x180F)
    static let batteryLevel = uuid(0x2A19)
    static let informationService = uuid(0x180A)
    static let modelNumber = uuid(0x2A24)
    static let serialNumber = uuid(0x2A25)
    static let firmwareRevision = uuid(0x2A26)
}

/// A Bluetooth adapter, as BlueZ shows it.
struct BlueZAdapter: Sendable, Equatable {
    let path: String
    let address: String?
    let isPowered: Bool
    /// Whether BlueZ reports that rfkill(8) blocks it.
    let isBlocked: Bool

    init(path: String, properties: [String: DBusValue]) {
        self.path = path
        address = properties["Address"]?.text
        isPowered = properties["Powered"]?.bool ?? false
        // Only newer BlueZ versions have this property.
        isBlocked = properties["PowerState"]?.text == "off-blocked"
    }

    /// Such as `hci0`.
    var name: String { String(path.split(separator: "/").last ?? "") }

    func isCalled(_ word: String) -> Bool {
        name == word || address?.lowercased() == word.lowercased()
    }
}

/// A device that BlueZ receives or remembers.
struct BlueZDevice: Sendable, Equatable {
    let path: String
    /// The path of the adapter that knows it.
    let adapter: String
    /// The current address, if the device changes its address for privacy.
    let address: String
    let name: String?
    let rssi: Int?
    /// Whether it is connected, or received in a running discovery: BlueZ has the property `RSSI` only while it receives
    /// the device.
    let isLive: Bool
    let isPaired: Bool
    let isConnected: Bool
    let areServicesResolved: Bool
    let services: [String]
    let battery: Int?

    /// The controller's value for an unknown signal strength, in dBm (Core specification, LE Advertising Report event).
    private static let unknownRSSI: Int64 = 127

    /// Returns nil for an object that is not a device.
    init?(path: String, interfaces: [String: [String: DBusValue]]) {
        guard let properties = interfaces[BlueZNames.device], let address = properties["Address"]?.text else {
            return nil
        }
        self.path = path
        self.address = address
        adapter = properties["Adapter"]?.text ?? ""
        // Not the alias, which the user may have chosen, and which is the address if there is no name.
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

    /// A valid battery level; nil for any other number.
    static func percent(_ number: Int64) -> Int? {
        (0...100).contains(number) ? Int(number) : nil
    }

    var isCloverReader: Bool { name?.hasPrefix(ReaderRules.namePrefix) ?? false }

    func isCalled(_ word: String) -> Bool {
        address.lowercased() == word.lowercased() || name == word
    }

    var reader: Reader {
        Reader(
            id: address, transport: .ble, name: name, rssi: rssi, battery: battery, paired: isPaired,
            connected: isConnected)
    }
}
