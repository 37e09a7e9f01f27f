package import CloverReaders
import CloverRecords

extension SessionReport {
    /// A line of JSON.
    package var json: String {
        var line = JSONLine()
        line.add("event", event.rawValue)
        line.add("state", state)
        line.add("reader", reader)
        line.add("name", name)
        line.add("transport", transport)
        line.addOptional("progress", progress)
        line.add("battery", battery.map(Int64.init))
        line.add("firmware", firmware)
        line.add("serial", serial)
        line.add("at", InstantText.utc(milliseconds: at))
        return line.text + "\n"
    }

    /// A line for a person, the state in its colour.
    package func text(isColored: Bool) -> String {
        let style = isColored ? ColumnMeaning.state.style(of: state) : nil
        return Diagnostics.printable(name ?? reader) + "  " + (style?.applied(to: shownState) ?? shownState)
            + Diagnostics.printable(details) + "\n"
    }

    /// It may come from another program.
    private var shownState: String { Diagnostics.printable(state) }

    private var details: String {
        var words = ""
        if let progress { words += "  \(Int((progress * 100).rounded())) %" }
        if let battery { words += "  battery \(battery) %" }
        if let firmware, event == .state, state == ReaderState.ready.rawValue { words += "  firmware \(firmware)" }
        return words
    }
}
