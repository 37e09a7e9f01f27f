/// A response as received over the socket, on a connection that was then closed.
struct LoopbackAnswer {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let text: String
    /// Whether the body is as long as announced, and nothing follows.
    let isWhole: Bool

    /// Nil when there is no whole head.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        self.status = status
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1)
            headers[halves[0].lowercased()] = halves.count > 1 ? String(halves[1].drop { $0 == " " }) : ""
        }
        self.headers = headers
        let body = bytes[end.upperBound...]
        text = String(decoding: body, as: UTF8.self)
        isWhole = headers["content-length"].flatMap { Int($0) } == body.count
    }
}
