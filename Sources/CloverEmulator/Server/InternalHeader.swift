import HTTPTypes

/// Headers between the connection handler and the responder. They never reach the network: the handler overwrites the
/// first on every request and strips the second from every answer.
enum InternalHeader {
    /// On a request: the number of its ticket.
    static let ticket = HTTPField.Name("Clover-Emulator-Ticket")
    /// On an answer: how many bytes of the body to send before the connection closes.
    static let cut = HTTPField.Name("Clover-Emulator-Cut")
}
