struct EmulatedReader: Sendable {
    /// The newest firmware; a reader with another version is updated when it connects.
    static let newestFirmware = "1.0.14"
    private static let olderFirmware = "1.0.12"
    private static let charges = [87, 64, 24]

    /// In the form of a Bluetooth address.
    let id: String
    /// Six digits at the end of the name and of the serial number.
    let digits: String
    var battery: Int
    var firmware: String
    var needsKeys: Bool
    /// The average signal strength, in dBm.
    let signal: Int
    var rssi: Int

    var name: String { "Clover_Go_" + digits }
    var serial: String { "C070UG1234" + digits }
    var needsFirmware: Bool { firmware != Self.newestFirmware }

    /// Creates the reader with an index from 0: the first is ready for use, the second needs firmware and keys, the
    /// third needs firmware but its battery is too low; then the pattern repeats.
    init(seed: UInt64, place: Int) {
        var random = SeededRandom(seed: seed, stream: .reader, index: place)
        digits = random.below(1_000_000).digits(6)
        let tail = (0..<3).map { _ in random.below(256).digits(2, radix: 16, uppercase: true) }
        id = "D4:22:CD:" + tail.joined(separator: ":")
        battery = Self.charges[place % 3]
        firmware = place % 3 == 0 ? Self.newestFirmware : Self.olderFirmware
        needsKeys = place % 3 == 1
        signal = -50 - random.below(35)
        rssi = signal
    }

    /// The reader as a scan shows it; firmware, serial number and battery level are known only once it is connected.
    func sighting(isConnected: Bool) -> JSONValue {
        [
            "id": .string(id), "name": .string(name), "rssi": .integer(rssi), "paired": false,
            "connected": .boolean(isConnected),
        ]
    }

    var details: JSONValue {
        [
            "id": .string(id), "name": .string(name), "battery": .integer(battery), "firmware": .string(firmware),
            "serial": .string(serial), "model": "Clover Go",
        ]
    }
}

/// A deliberate fault of a reader or a charge: `KIND[@NUMBER]`.
package struct ReaderFault: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        // Reader faults; the number is the reader's, from 1.
        case outOfRange = "out-of-range"
        case busy
        case needsUpdate = "update"
        case needsKeys = "keys"
        case lowBattery = "low-battery"
        case dropInUpdate = "drop-update"
        case drop
        case startFailed = "init-failed"
        // Charge faults; the number counts the charges of this run, from 1.
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
    /// Nil for all.
    package let number: Int?

    /// Fails if the text is not a valid fault.
    package init?(parsing text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.kind = kind
        number = parts.count == 1 ? nil : Int(parts[1])
        guard parts.count == 1 || (number ?? 0) > 0 else { return nil }
    }

    /// Parses a script: faults separated by whitespace or line breaks; `#` begins a comment.
    /// - Returns: the faults, and the number of the first invalid line; nil if all are valid.
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

package struct ReaderDriverOptions: Sendable {
    package var seed: UInt64 = 1
    package var readers = 3
    /// Factor for all delays; 0 for no delays.
    package var pace = 1.0
    package var faults: [ReaderFault] = []
    /// Entry types of the presented cards, in order and then again from the first.
    package var cards = CardEntry.allCases
    /// A file that keeps payments and updates after this run.
    package var statePath: String?

    package enum CardEntry: String, Sendable, CaseIterable {
        case tap, dip, swipe

        var cardEntryType: String {
            switch self {
            case .tap: "EMV_CONTACTLESS"
            case .dip: "EMV_CONTACT"
            case .swipe: "SWIPED"
            }
        }

        var message: String {
            switch self {
            case .tap: "CARD_TAPPED"
            case .dip: "EMV_CARD_INSERTED"
            case .swipe: "CARD_SWIPED"
            }
        }
    }

    package init() {}
}
