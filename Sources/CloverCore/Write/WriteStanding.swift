/// How a write stands that is stopped from outside.
package enum WriteStanding: Sendable, Equatable {
    /// It never left, or what left was refused: it was not carried out.
    case notDone
    /// It has left, and its answer is awaited.
    case underWay
    /// An earlier try left, and no answer says what became of it.
    case doubtful
}
