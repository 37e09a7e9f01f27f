/// Something that the emulated driver does at its time.
enum DriverStep {
    /// Tells of the reader at this place, in the discovery with this number.
    case sight(Int, discovery: Int)
    /// Says this line, in the session with this number.
    case say(JSONValue, session: Int)
    /// The session loses its reader.
    case lose(JSONValue, session: Int)
    /// The session's firmware or keys are done.
    case updated(firmware: Bool, session: Int)
    /// What comes next in the session's preparation.
    case prepare(session: Int)
    /// One percent of the charge is used.
    case drain(session: Int)
    /// A card is shown in the charge with this number.
    case present(charge: Int)
    /// Nobody showed one.
    case giveUp(charge: Int)
    /// The charge comes to its end.
    case settle(charge: Int)
}
