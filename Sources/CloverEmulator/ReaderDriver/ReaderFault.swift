/// Something that goes wrong with a reader or a charge on purpose: `KIND[@NUMBER]`.
package struct ReaderFault: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        // Readers; the number is that of the reader, from 1.
        case outOfRange = "out-of-range"
        case busy
        case needsUpdate = "update"
        case needsKeys = "keys"
        case lowBattery = "low-battery"
        case dropInUpdate = "drop-update"
        case drop
        case startFailed = "init-failed"
        // Charges; the number is that of the charge in this run, from 1.
        case pinCancelled = "pin-cancelled"
        case noCard = "no-card"
        case declined = "decline"
        case partial
        case retry = "try-again"
        case loseAnswer = "lose-answer"
        case crashBefore = "crash-charge"
        case slowCard = "slow-card"
    }

    package let kind: Kind
    /// Nil for every one.
    package let number: Int?

    /// Nil when the text is no fault.
    package init?(parsing text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.kind = kind
        if parts.count == 1 {
            number = nil
        } else {
            guard let number = Int(parts[1]), number > 0 else { return nil }
            self.number = number
        }
    }

    /// The faults of a script: one a line; what is behind `#` is for people.
    /// - Returns: nil and the number of the line that is no fault.
    package static func script(_ text: String) -> (faults: [ReaderFault], badLine: Int?) {
        var faults: [ReaderFault] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            for word in words {
                guard let fault = ReaderFault(parsing: String(word)) else { return (faults, number + 1) }
                faults.append(fault)
            }
        }
        return (faults, nil)
    }
}
