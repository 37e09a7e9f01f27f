/// An `ExtractionNeed` in the form that the parser uses: a tree of objects, with names as bytes.
final class PreparedNeed {
    struct Member {
        let name: [UInt8]
        /// Nil for the whole value.
        let need: PreparedNeed?
    }

    /// Nil if only the count is needed.
    let members: [Member]?

    /// Returns nil if everything is needed.
    init?(_ need: ExtractionNeed) {
        switch need {
        case .whole: return nil
        case .count: members = nil
        case .members(let members):
            self.members = members.map { Member(name: Array($0.name.utf8), need: PreparedNeed($0.need)) }
        }
    }
}
