package import CloverReaders

/// A reader that a scan tells of.
package struct FoundReader: Sendable, Equatable {
    package let reader: Reader
    package let wasConnected: Bool
    /// Milliseconds since 1970.
    package let seenAt: Int64

    package var json: String {
        var line = JSONLine()
        line.add("id", reader.id)
        line.add("name", reader.name)
        line.add("transport", reader.transport.rawValue)
        line.add("rssi", reader.rssi.map(Int64.init))
        line.add("battery", reader.battery.map(Int64.init))
        line.add("firmware", reader.firmware)
        line.add("serial", reader.serial)
        line.addOptional("paired", reader.paired)
        line.add("connected", reader.connected)
        line.add("previouslyConnected", wasConnected)
        line.add("seenAt", InstantText.utc(milliseconds: seenAt))
        return line.text + "\n"
    }
}

extension JSONLine {
    /// Yes, no, or null.
    mutating func addOptional(_ name: String, _ value: Bool?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }

    /// A number, or null.
    mutating func addOptional(_ name: String, _ value: Double?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }
}
