package import CloverAPI

/// One resource as Singer's streams are: its name, its records' schema and key, and what it is bookmarked by.
package struct SingerStream: Sendable {
    /// The resource, with what no name of a table has made an underscore.
    package let name: String
    /// The member with the time by which changes are asked for; nil when everything is read each time.
    package let bookmark: String?
    private let key: [String]
    let schema: SingerSchema

    /// - Parameters:
    ///   - resource: such as `orders`.
    ///   - filterable: what the list can be filtered by.
    package init(_ resource: String, model: Model?, filterable: [String] = [], bookmark: String?) {
        name = String(resource.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        self.bookmark = bookmark
        schema = SingerSchema(model: model, filterable: filterable)
        key = schema.members?.contains("id") == true ? ["id"] : []
    }

    /// The message that comes before the first record, with its line break.
    package var schemaMessage: String {
        let bookmarks = bookmark.map { #","bookmark_properties":["\#($0)"]"# } ?? ""
        let keys = key.map { "\"\($0)\"" }.joined(separator: ",")
        return
            #"{"type":"SCHEMA","stream":"\#(name)","schema":\#(schema.text),"key_properties":[\#(keys)]\#(bookmarks)}"#
            + "\n"
    }
}
