/// An `ExtractionNeed` in the form in which a parser asks it: a tree of objects, with names as bytes.
final class PreparedNeed {
    struct Member {
        let name: [UInt8]
        /// Nil: all of it.
        let need: PreparedNeed?
    }

    /// Nil: only the count is needed.
    let members: [Member]?

    /// Nil when everything is needed.
    init?(_ need: ExtractionNeed) {
        switch need {
        case .whole: return nil
        case .count: members = nil
        case .members(let members):
            self.members = members.map { Member(name: Array($0.name.utf8), need: PreparedNeed($0.need)) }
        }
    }
}
