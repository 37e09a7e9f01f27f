package import CloverReaders

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

    /// A line for a person.
    package var text: String {
        var words = "\(name ?? reader)  \(state)"
        if let progress { words += "  \(Int((progress * 100).rounded())) %" }
        if let battery { words += "  battery \(battery) %" }
        if let firmware, event == .state, state == ReaderState.ready.rawValue { words += "  firmware \(firmware)" }
        return Diagnostics.printable(words) + "\n"
    }
}
