/// One line of a batch of requests: a JSON object with the keys of ``SquareRequestField`` and an `id`.
///
/// A key that is absent or null is not given. Reading never fails: what cannot be used is a fault of the draft, so that
/// every line gets its answer.
package struct SquareRequestLine: Sendable {
    /// The line's `id`, any JSON value, for its answer; null when there is none.
    package let id: SquareJSON
    package var draft: SquareRequestDraft
    /// The amount as it is written, where it is written otherwise than as an integer: `12.00` may have been meant in major
    /// units.
    package private(set) var amountSpelling: String?
    /// Keys that mean nothing, perhaps by a slip of the pen. They are ignored.
    package let unknownKeys: [String]

    /// - Parameter line: UTF-8, without its line break.
    package init(_ line: some Sequence<UInt8>) {
        draft = SquareRequestDraft()
        let value = SquareJSONParser.value(of: Array(line), dialect: .standard)
        guard let value, case .object(let members) = value else {
            id = .null
            unknownKeys = []
            draft.faults = [.init(field: nil, reason: "the line is no JSON object")]
            return
        }
        id = value["id"] ?? .null
        unknownKeys = members.map(\.name.string).filter { $0 != "id" && SquareRequestField(rawValue: $0) == nil }
        var reader = SquareRequestLineReader(object: value)
        draft.clientID = reader.text(.clientID)
        draft.amount = reader.amount()
        amountSpelling = reader.amountSpelling
        draft.currency = reader.text(.currency)
        draft.callbackURL = reader.text(.callbackURL)
        draft.state = reader.text(.state)
        draft.notes = reader.text(.notes)
        draft.locationID = reader.text(.locationID)
        draft.customerID = reader.text(.customerID)
        draft.tenders = reader.tenders() ?? .all
        draft.clearDefaultFees = reader.flag(.clearDefaultFees) ?? false
        draft.autoReturn = reader.flag(.autoReturn) ?? false
        draft.disableKeyedIn = reader.flag(.disableKeyedIn) ?? false
        draft.skipReceipt = reader.flag(.skipReceipt) ?? false
        draft.faults = reader.faults
    }

    /// The request of the line in the form in which it is opened, or why there is none.
    package func handOff(
        profile: SquareProfile, platform: SquarePlatform
    ) -> Result<SquareHandOff, SquareFailure> {
        Result { () throws(SquareFailure) in
            try SquareRequest(draft, profile: profile, platform: platform).handOff()
        }
    }
}
