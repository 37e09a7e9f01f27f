/// What an extraction looks at in a value. The rest of a record is checked, and not built.
enum ExtractionNeed: Sendable, Equatable {
    /// All of it.
    case whole
    /// How many entries an array or an object has; anything else is needed whole.
    case count
    /// These members of an object, each name once; anything else is needed whole.
    case members([Member])

    struct Member: Sendable, Equatable {
        /// Of ASCII.
        var name: String
        var need: ExtractionNeed
    }

    /// What these steps look at in the value that the first of them gets.
    init(of steps: some Collection<Extraction.Step>) {
        switch steps.first {
        case nil: self = .whole
        case .length: self = .count
        case .field(let name): self = .members([Member(name: name, need: ExtractionNeed(of: steps.dropFirst()))])
        case .object(let members):
            self = members.dropFirst().reduce(ExtractionNeed(of: members[0].steps)) {
                $0.joined(with: ExtractionNeed(of: $1.steps))
            }
        }
    }

    /// What serves both.
    private func joined(with other: ExtractionNeed) -> ExtractionNeed {
        if self == other { return self }
        guard case .members(var members) = self, case .members(let others) = other else { return .whole }
        for member in others {
            if let index = members.firstIndex(where: { $0.name == member.name }) {
                members[index].need = members[index].need.joined(with: member.need)
            } else {
                members.append(member)
            }
        }
        return .members(members)
    }
}
