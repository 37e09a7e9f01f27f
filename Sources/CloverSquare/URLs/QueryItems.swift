/// The items of a URL's query, as `NSURLComponents` takes them apart: at `&` and at the first `=`, each side
/// percent-decoded once.
enum QueryItems {
    /// The value of the last item with this name. nil when there is none, and when that item has no value, an empty
    /// one, or one that is not UTF-8: a bad last item hides a good one before it.
    static func value(of name: SquareText, in query: Substring?) -> SquareText? {
        guard let query else { return nil }
        let items = query.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
        let last = items.last { item in
            let itemName = item.prefix { $0 != "=" }
            return PercentEncoding.decoded(Substring(itemName)).map { SquareText($0) } == name
        }
        guard let last, let equals = last.firstIndex(of: "=") else { return nil }
        let value = PercentEncoding.decoded(Substring(last[last.index(after: equals)...]))
        return value.flatMap { $0.isEmpty ? nil : SquareText($0) }
    }
}
