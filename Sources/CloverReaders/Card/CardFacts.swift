/// What may be told of a card. The words are those of Clover's payment records; unknown ones are kept as they come.
package struct CardFacts: Sendable, Equatable {
    /// Such as `VISA`.
    package var type: String?
    package var first6: String?
    package var last4: String?
    /// How it was read, such as `EMV_CONTACTLESS`.
    package var entryType: String?

    package init(type: String?, first6: String?, last4: String?, entryType: String?) {
        self.type = type
        self.first6 = first6
        self.last4 = last4
        self.entryType = entryType
    }
}
