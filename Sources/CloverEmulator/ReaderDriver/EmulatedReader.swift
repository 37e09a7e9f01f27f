/// One made-up Clover Go reader.
struct EmulatedReader: Sendable {
    /// What is newest; a reader with another version is updated when it is connected.
    static let newestFirmware = "1.0.14"
    private static let olderFirmware = "1.0.12"
    private static let charges = [87, 64, 24]

    /// In the form of a Bluetooth address.
    let id: String
    /// Six digits, which end the name and the serial number.
    let digits: String
    var battery: Int
    var firmware: String
    var needsKeys: Bool
    /// What the signal moves around, in dBm.
    let signal: Int
    var rssi: Int

    var name: String { "Clover_Go_" + digits }
    var serial: String { "C070UG1234" + digits }
    var needsFirmware: Bool { firmware != Self.newestFirmware }

    /// The reader at a place, from 0: the first is ready for use, the second needs firmware and keys, the third needs
    /// firmware and is too low for that; then they begin again.
    init(seed: UInt64, place: Int) {
        var random = SeededRandom(seed: seed, stream: .reader, index: place)
        var digits = String(random.below(1_000_000))
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        self.digits = digits
        let tail = (0..<3).map { _ in
            let text = String(random.below(256), radix: 16, uppercase: true)
            return text.count < 2 ? "0" + text : text
        }
        id = "D4:22:CD:" + tail.joined(separator: ":")
        battery = Self.charges[place % 3]
        firmware = place % 3 == 0 ? Self.newestFirmware : Self.olderFirmware
        needsKeys = place % 3 == 1
        signal = -50 - random.below(35)
        rssi = signal
    }

    /// What a scan shows: firmware, serial number and charge are told when it is connected.
    func sighting(isConnected: Bool) -> JSONValue {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("rssi", .integer(rssi)), ("paired", .boolean(false)),
            ("connected", .boolean(isConnected)),
        ])
    }

    var details: JSONValue {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("battery", .integer(battery)),
            ("firmware", .string(firmware)), ("serial", .string(serial)), ("model", .string("Clover Go")),
        ])
    }
}
