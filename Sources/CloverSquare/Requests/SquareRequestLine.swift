/// One line of a batch of requests: a JSON object with the keys of ``SquareRequestField`` and an `id`.
///
/// An absent or null key means not given. Reading never fails: unusable values become faults of the draft, so that each
/// line gets an output line.
package struct SquareRequestLine: Sendable {
    /// The line's `id`, any JSON value, for its output line; null if there is none.
    package let id: SquareJSON
    package var draft: SquareRequestDraft
    /// The amount as written, if it is not written as an integer: `12.00` may have been meant in major units.
    package private(set) var amountSpelling: String?
    /// Unknown keys, perhaps misspelled. They are ignored.
    package let unknownKeys: [String]

    /// - Parameter line: UTF-8, without its line break.
    package init(_ line: some Sequence<UInt8>) {
        draft = SquareRequestDraft()
        let value = SquareJSONParser.value(of: Array(line), dialect: .standard)
        guard let value, case .object(let members) = value else {
            id = .null
            unknownKeys = []
            draft.faults = [.init(field: nil, reason: "the line is not a JSON object")]
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

    /// The URL of the line's request, or the reason why there is none.
    package func handOff(
        profile: SquareProfile, platform: SquarePlatform
    ) -> Result<SquareHandOff, SquareFailure> {
        Result { () throws(SquareFailure) in
            try SquareRequest(draft, profile: profile, platform: platform).handOff()
        }
    }
}

/// Reads the fields of a request from a JSON object, and collects their faults.
struct SquareRequestLineReader {
    let object: SquareJSON
    private(set) var faults: [SquareRequestDraft.Fault] = []

    init(object: SquareJSON) {
        self.object = object
    }

    mutating func text(_ field: SquareRequestField) -> SquareText? {
        guard let value = value(of: field) else { return nil }
        if let text = value.text { return text }
        refuse(field, "is \(value.kind), not text")
        return nil
    }

    mutating func flag(_ field: SquareRequestField) -> Bool? {
        guard let value = value(of: field) else { return nil }
        if case .boolean(let flag) = value { return flag }
        refuse(field, "is \(value.kind), not true or false")
        return nil
    }

    /// A whole number in any spelling: in JSON and in the SDK, 12, 12.0 and 1.2e1 are the same value. A fraction is refused,
    /// not truncated.
    mutating func amount() -> Int? {
        guard let value = value(of: .amount) else { return nil }
        if let amount = value.wholeNumber { return amount }
        if case .number = value {
            refuse(.amount, "is not a whole number of 64 bits")
        } else {
            refuse(.amount, "is \(value.kind), not a number")
        }
        return nil
    }

    /// The amount as written, if it is not written as an integer.
    var amountSpelling: String? {
        if case .number(let spelling) = value(of: .amount) { spelling } else { nil }
    }

    /// `"ALL"`, or an array of wire names. A name that only the newest SDK has is accepted under each profile, as its bit is
    /// by the SDK.
    mutating func tenders() -> SquareTenderSet? {
        guard let value = value(of: .tenders) else { return nil }
        if value.text == "ALL" { return .all }
        guard case .array(let names) = value else {
            refuse(.tenders, "is neither \"ALL\" nor an array of names")
            return nil
        }
        var tenders: [SquareTender] = []
        for name in names {
            guard let tender = SquareTender.allCases.first(where: { $0.wireName == name.text }) else {
                let known = SquareTender.allCases.map(\.wireName.string).joined(separator: ", ")
                refuse(.tenders, "contains a value that is not a tender (\(known))")
                return nil
            }
            tenders.append(tender)
        }
        return SquareTenderSet(tenders)
    }

    private func value(of field: SquareRequestField) -> SquareJSON? {
        switch object[SquareText(field.rawValue)] {
        case nil, .null: nil
        case let value: value
        }
    }

    private mutating func refuse(_ field: SquareRequestField, _ reason: String) {
        faults.append(SquareRequestDraft.Fault(field: field, reason: reason))
    }
}
