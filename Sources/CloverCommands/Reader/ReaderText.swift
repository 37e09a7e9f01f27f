import CloverCore
import CloverReaders
import CloverRecords

/// Readers as text for a person.
enum ReaderText {
    private static let widths = (name: 18, id: 19)

    /// A line of a scan, which prints readers one by one.
    static func line(_ found: FoundReader, isColored: Bool) -> String {
        let reader = found.reader
        let head = padded(Diagnostics.printable(reader.name ?? "-"), widths.name)
        let id = padded(Diagnostics.printable(reader.id), widths.id)
        var words = padded(reader.transport.rawValue, 8) + padded(reader.rssi.map { "\($0) dBm" } ?? "-", 10)
        if let battery = reader.battery { words += padded("battery \(battery) %", 15) }
        if reader.connected { words += "connected  " }
        if found.wasConnected { words += "known" }
        while words.last == " " { words.removeLast() }
        return head + (isColored ? TextStyle.faint.applied(to: id) : id) + Diagnostics.printable(words) + "\n"
    }

    /// A table of the readers that were connected before.
    static func table(
        _ readers: [KnownReader], _ times: DisplayedTimes, in environment: CommandEnvironment
    ) -> TextPage {
        let rows = readers.map { known in
            [
                known.reader.name ?? "-", known.reader.id, known.reader.transport.rawValue,
                known.reader.firmware ?? "-", known.reader.battery.map { "\($0) %" } ?? "-",
                times.text(milliseconds: known.lastConnected),
            ].map { Diagnostics.printable($0) }
        }
        return AlignedRows.text(
            head: ["NAME", "ID", "TRANSPORT", "FIRMWARE", "BATTERY", "LAST CONNECTED"], rows, key: 1,
            meanings: ["NAME": .whole, "ID": .identifier, "LAST CONNECTED": .whole], in: environment)
    }

    /// One JSON object and a line break.
    static func json(_ known: KnownReader) -> String {
        var line = JSONLine()
        line.add("id", known.reader.id)
        line.add("name", known.reader.name)
        line.add("transport", known.reader.transport.rawValue)
        line.add("battery", known.reader.battery.map(Int64.init))
        line.add("firmware", known.reader.firmware)
        line.add("serial", known.reader.serial)
        line.add("model", known.reader.model)
        line.add("firstConnected", InstantText.utc(milliseconds: known.firstConnected))
        line.add("lastConnected", InstantText.utc(milliseconds: known.lastConnected))
        return line.text + "\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - DisplayWidth.of(text)))
    }
}
