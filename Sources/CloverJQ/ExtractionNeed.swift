/// The parts of a value that an extraction reads. The rest of a record is validated but not built.
enum ExtractionNeed: Sendable, Equatable {
    /// The whole value.
    case whole
    /// The number of entries of an array or object; other values are needed whole.
    case count
    /// These members of an object, with unique names; other values are needed whole.
    case members([Member])

    struct Member: Sendable, Equatable {
        /// ASCII only.
        var name: String
        var need: ExtractionNeed
    }

    /// The parts that these steps read of their input.
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

    /// The union of both.
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
