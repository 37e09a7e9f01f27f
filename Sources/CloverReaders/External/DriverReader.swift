/// A reader as a driver program tells of it.
struct DriverReader: Decodable, Sendable {
    var id: String
    var name: String?
    // Whole numbers, which is checked: a decoder that refuses others does not say which field it was.
    var rssi: Double?
    var battery: Double?
    var firmware: String?
    var serial: String?
    var model: String?
    var paired: Bool?
    var connected: Bool?

    /// The longest id in bytes.
    private static let longestID = 128

    func check() throws(DriverFailure) {
        guard !id.isEmpty, id.utf8.count <= Self.longestID else {
            throw .violation(rule: "a reader's 'id' has 1 to \(Self.longestID) bytes")
        }
        if let battery, !DriverMessage.isWhole(battery, in: 0...100) {
            throw .violation(rule: "a reader's 'battery' is a whole number from 0 to 100, or left out")
        }
        if let rssi, !DriverMessage.isWhole(rssi, in: -127...(-1)) {
            throw .violation(rule: "a reader's 'rssi' is a whole number from -127 to -1, or left out")
        }
        for (name, text) in [("name", name), ("firmware", firmware), ("serial", serial), ("model", model)]
        where text?.isEmpty == true {
            throw .violation(rule: "a reader's '\(name)' is not empty, or left out")
        }
    }

    var value: Reader {
        Reader(
            id: id, transport: .driver, name: name, rssi: rssi.map { Int($0) }, battery: battery.map { Int($0) },
            firmware: firmware, serial: serial,
            model: model, paired: paired, connected: connected ?? false)
    }
}
