import ArgumentParser
import CloverCore
import CloverJSON
import CloverOutput
import CloverReaders

extension ReaderCommand {
    struct List: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the readers that were connected before, in range or not",
            discussion: """
                Examples:
                  clover reader list
                  clover reader list --last --jq .id -r
                  clover reader list --format csv

                Prints one JSON object for each reader, or a table on a terminal. The last connected reader comes first. No reader is contacted.
                """
        )

        @Flag(help: "List only the last connected reader.")
        var last = false

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var paging: PagingOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = paging.applied(to: environment)
            var readers = try await KnownReaders(environment).all()
            if last {
                guard let reader = readers.first else { throw ReaderError.noPreviousReader }
                readers = [reader]
            }
            return try await ReaderText.list(readers).print(output, messages, in: environment) { times in
                guard readers.isEmpty else { return ReaderText.table(readers, times, in: environment) }
                environment.diagnostics.notice("no reader has been connected yet; to find some: clover reader scan")
                return TextPage("")
            }
        }
    }
}

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

    /// The readers as records.
    static func list(_ readers: [KnownReader]) -> OwnList {
        OwnList(
            lines: readers.map(json),
            columns: [
                "id", "name", "transport", "battery", "firmware", "serial", "model", "firstConnected", "lastConnected",
            ], times: ["firstConnected", "lastConnected"])
    }

    /// One JSON object.
    private static func json(_ known: KnownReader) -> String {
        var line = JSONLine()
        line.add("id", known.reader.id)
        line.add("name", known.reader.name)
        line.add("transport", known.reader.transport.rawValue)
        line.add("battery", known.reader.battery.map(Int64.init))
        line.add("firmware", known.reader.firmware)
        line.add("serial", known.reader.serial)
        line.add("model", known.reader.model)
        line.add("firstConnected", instant: known.firstConnected)
        line.add("lastConnected", instant: known.lastConnected)
        return line.text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - DisplayWidth.of(text)))
    }
}
