/// Takes the fields of a request out of a JSON object, and keeps what is wrong with them.
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

    /// A whole number, however it is spelled: to JSON, and to the SDK's numbers, 12, 12.0 and 1.2e1 are one value. A
    /// fraction is refused and not cut off.
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

    /// The amount as it is written, where it is written otherwise than as an integer.
    var amountSpelling: String? {
        if case .number(let spelling) = value(of: .amount) { spelling } else { nil }
    }

    /// `"ALL"`, or an array of the names on the wire. A name that only the newest SDK has is taken under every profile,
    /// as its bit is in the SDK.
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
                refuse(.tenders, "holds what is no name of a tender (\(known))")
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
