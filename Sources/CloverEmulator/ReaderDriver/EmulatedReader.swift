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

/// What the emulated reader driver is told at its start.
package struct ReaderDriverOptions: Sendable {
    package var seed: UInt64
    package var readers: Int
    /// What every pause is multiplied with; 0 for none.
    package var pace: Double
    package var faults: [ReaderFault]
    /// Entry types of the cards that are shown, one after the other, and again from the first.
    package var cards: [CardEntry]
    /// A file that keeps payments and updates beyond this run.
    package var statePath: String?

    /// How a card is read.
    package enum CardEntry: String, Sendable, CaseIterable {
        case tap, dip, swipe
    }

    package init(
        seed: UInt64 = 1, readers: Int = 3, pace: Double = 1, faults: [ReaderFault] = [],
        cards: [CardEntry] = CardEntry.allCases, statePath: String? = nil
    ) {
        self.seed = seed
        self.readers = readers
        self.pace = pace
        self.faults = faults
        self.cards = cards
        self.statePath = statePath
    }
}
