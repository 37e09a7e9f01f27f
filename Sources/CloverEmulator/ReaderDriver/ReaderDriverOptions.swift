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
