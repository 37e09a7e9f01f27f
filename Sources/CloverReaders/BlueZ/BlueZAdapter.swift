import CloverDBus

/// A Bluetooth adapter as BlueZ has it.
struct BlueZAdapter: Sendable, Equatable {
    let path: String
    let address: String?
    let isPowered: Bool
    /// What BlueZ says of rfkill(8), where it says anything.
    let isBlocked: Bool

    init(path: String, properties: [String: DBusValue]) {
        self.path = path
        address = properties["Address"]?.text
        isPowered = properties["Powered"]?.bool ?? false
        // Only newer versions have the property.
        isBlocked = properties["PowerState"]?.text == "off-blocked"
    }

    /// Such as `hci0`.
    var name: String { String(path.split(separator: "/").last ?? "") }

    /// By name or address.
    func isCalled(_ word: String) -> Bool {
        name == word || address?.lowercased() == word.lowercased()
    }
}
