/// The address that the browser was sent to, taken apart: the parameters of query and fragment together.
struct Redirect {
    private let parameters: [String: String]

    /// Parameters that decide something; each may be there once.
    private static let single: Set<String> = [
        "code", "access_token", "state", "error", "client_id", "merchant_id", "merchantId",
    ]
    private static let sizeLimit = 16_384

    /// Reads a whole address, with white space around it as pasting brings it along.
    init(parsing text: String) throws(SignInError) {
        let bare = Self.trimmed(text)
        guard bare.utf8.count <= Self.sizeLimit, bare.contains(where: { $0 == "?" || $0 == "#" }),
            !bare.contains(where: \.isWhitespace)
        else { throw .notARedirect }
        // The legacy flow puts its token into the fragment, in the form of a query.
        let head = bare.prefix { $0 != "#" }
        let query = head.drop { $0 != "?" }.dropFirst()
        let fragment = bare[head.endIndex...].dropFirst()
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") + fragment.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decodeQuery(halves[0]) else { throw .malformedParameter("?") }
            let isSingle = Self.single.contains(name)
            guard let value = PercentCoding.decodeQuery(halves.count == 2 ? halves[1] : "") else {
                if isSingle { throw .malformedParameter(name) }
                continue
            }
            if isSingle, parameters[name] != nil { throw .repeatedParameter(name) }
            parameters[name] = value
        }
        self.parameters = parameters
    }

    /// The value of a parameter; nil when it is absent or empty.
    subscript(name: String) -> String? {
        parameters[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
