/// Finds the access token of a request.
package enum AccessToken {
    /// The token of `Authorization: Bearer TOKEN` (RFC 6750 section 2.1), or of the query parameter `access_token`, which
    /// an official sample of the export interface still sends.
    package static func read(authorization: String?, target: String) -> String? {
        if let authorization {
            let words = authorization.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return String(words[1])
        }
        guard target.contains("access_token="), let mark = target.firstIndex(of: "?") else { return nil }
        return QueryString(target[target.index(after: mark)...]).values("access_token").last
    }
}
