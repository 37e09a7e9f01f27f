/// What a device says it is at, in the words of Clover's Remote Pay models; there may be more of them.
enum CloudDeviceState: Sendable, Equatable {
    case free
    /// With another request; the word as it came.
    case busy(String)

    init(word: String?) {
        switch word {
        case "BUSY", "WAITING_FOR_CUSTOMER": self = .busy(word ?? "")
        // WAITING_FOR_POS only shows the end of an earlier request. Any other word is no reason not to try.
        default: self = .free
        }
    }
}
