import CloverDBus

/// BlueZ's objects, kept up to date by its signals: adapters, devices, and what is inside devices. Pure.
struct BlueZObjects: Sendable {
    /// Path, interface, property.
    private var objects: [String: [String: [String: DBusValue]]] = [:]

    init() {}

    /// - Parameter managed: what `GetManagedObjects` returned; nil when it is not what it should be.
    init?(managed: [DBusValue]) {
        guard managed.count == 1, let paths = managed[0].members else { return nil }
        for (path, interfaces) in paths {
            for (interface, properties) in interfaces.members ?? [:] {
                objects[path, default: [:]][interface] = properties.members ?? [:]
            }
        }
    }

    /// Takes over a signal of the object manager, or of an object's properties; others change nothing.
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
            // Of an object that is not there any more, or not yet.
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

    /// In the order of their names.
    var adapters: [BlueZAdapter] {
        objects.keys.sorted().compactMap { adapter($0) }
    }

    func adapter(_ path: String) -> BlueZAdapter? {
        objects[path]?[BlueZNames.adapter].map { BlueZAdapter(path: path, properties: $0) }
    }

    /// In the order of their paths.
    func devices(of adapter: String) -> [BlueZDevice] {
        objects.keys.filter { $0.hasPrefix(adapter + "/") }.sorted().compactMap { device($0) }
    }

    func device(_ path: String) -> BlueZDevice? {
        objects[path].flatMap { BlueZDevice(path: path, interfaces: $0) }
    }

    /// The device that an object is, or is a part of.
    func device(holding path: String) -> BlueZDevice? {
        var path = path[...]
        while !path.isEmpty {
            if let device = device(String(path)) { return device }
            path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        }
        return nil
    }

    /// The path of a characteristic of one of the device's services, by their UUIDs; the first where there are several.
    func characteristic(_ uuid: String, of service: String, in device: String) -> String? {
        objects.keys.filter { $0.hasPrefix(device + "/") }.sorted().first { path in
            guard let characteristic = objects[path]?[BlueZNames.gattCharacteristic],
                characteristic["UUID"]?.text?.lowercased() == uuid, let owner = characteristic["Service"]?.text
            else { return false }
            return objects[owner]?[BlueZNames.gattService]?["UUID"]?.text?.lowercased() == service
        }
    }

    /// The value that a characteristic had when it was last read or told.
    func value(of characteristic: String) -> [UInt8]? {
        objects[characteristic]?[BlueZNames.gattCharacteristic]?["Value"]?.bytes
    }
}
