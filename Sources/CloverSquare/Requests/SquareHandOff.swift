/// A request in the form in which it is opened.
package struct SquareHandOff: Sendable, Hashable {
    package let url: String
    /// What the URL says: the JSON of its `data` item, or the parameters of the intent by their full names.
    package let data: SquareJSON
    /// What of the request the form cannot carry, or carries otherwise than one may think. For people.
    package let notices: [SquareNotice]

    /// `{"url","data"}`.
    package var json: SquareJSON {
        .object([.init("url", .string(SquareText(url))), .init("data", data)])
    }
}
