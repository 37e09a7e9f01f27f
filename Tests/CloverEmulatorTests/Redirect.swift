import Foundation

/// A parsed redirect.
struct Redirect {
    /// The part before the query.
    let base: String
    let query: [String: String]
    let fragment: String?

    init(_ answer: HTTPAnswer) {
        let location = answer.headers["location"] ?? ""
        let components = URLComponents(string: location)
        base = String(location.prefix { $0 != "?" })
        query = Dictionary(
            (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $0 + "," + $1 })
        fragment = components?.fragment
    }
}
