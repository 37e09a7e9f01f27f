/// A response as received from the socket.
struct HTTPAnswer {
    let status: Int
    /// Headers by lower-case name.
    let headers: [String: String]
    let body: [UInt8]
    /// False when the connection ended before the announced length.
    let isWhole: Bool

    var text: String { String(decoding: body, as: UTF8.self) }
}
