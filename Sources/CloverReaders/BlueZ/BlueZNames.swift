/// What is called by name on the bus, as BlueZ's own documentation has it (doc/adapter-api.txt, doc/device-api.txt,
/// doc/gatt-api.txt, doc/battery-api.txt of BlueZ 5.66), and numbers that the Bluetooth SIG assigned.
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

    /// The end of an error's name, after `org.bluez.Error.`
    enum Refusal: String {
        case alreadyConnected = "AlreadyConnected"
        /// Through rfkill(8).
        case blocked = "Blocked"
        case doesNotExist = "DoesNotExist"
        case inProgress = "InProgress"
        case notAuthorized = "NotAuthorized"
        case notConnected = "NotConnected"
        case notPermitted = "NotPermitted"
        /// The adapter is off.
        case notReady = "NotReady"
        case connectionAttemptFailed = "ConnectionAttemptFailed"
        case failed = "Failed"

        static let prefix = "org.bluez.Error."
    }

    /// The whole UUID of a number that the Bluetooth SIG assigned.
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
