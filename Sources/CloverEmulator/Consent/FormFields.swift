/// The fields of a form or of an authorize query: `application/x-www-form-urlencoded` (RFC 6749 appendix B), where a plus
/// sign is a space.
package struct FormFields: Sendable {
    private let query: QueryString

    package init(_ text: String) {
        query = QueryString(text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20"))
    }

    /// The one value of a field; nil when it is not there.
    ///
    /// - Throws: `ConsentError.repeated`: a parameter comes once or not at all (RFC 6749 section 3.1).
    package func value(_ name: String) throws(ConsentError) -> String? {
        let values = query.values(name)
        guard values.count < 2 else { throw .repeated(name) }
        return values.first
    }
}
