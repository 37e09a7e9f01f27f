/// A reader as a driver program tells of it.
struct DriverReader: Decodable, Sendable {
    var id: String
    var name: String?
    var rssi: Int?
    var battery: Int?
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
        if let battery, !(0...100).contains(battery) {
            throw .violation(rule: "a reader's 'battery' is from 0 to 100, or left out")
        }
        if let rssi, !(-127...(-1)).contains(rssi) {
            throw .violation(rule: "a reader's 'rssi' is from -127 to -1, or left out")
        }
        for (name, text) in [("name", name), ("firmware", firmware), ("serial", serial), ("model", model)]
        where text?.isEmpty == true {
            throw .violation(rule: "a reader's '\(name)' is not empty, or left out")
        }
    }

    var value: Reader {
        Reader(
            id: id, transport: .driver, name: name, rssi: rssi, battery: battery, firmware: firmware, serial: serial,
            model: model, paired: paired, connected: connected ?? false)
    }
}
