package import CloverAPI

/// One resource as Singer's streams are: its name, its records' schema and key, and what it is bookmarked by.
package struct SingerStream: Sendable {
    /// The resource, with what no name of a table has made an underscore.
    package let name: String
    /// The member with the time by which changes are asked for; nil when everything is read each time.
    package let bookmark: String?
    /// The members that records have; nil when that is not known.
    let members: Set<String>?
    private let key: [String]
    private let schema: SingerSchema

    /// - Parameter resource: such as `orders`.
    package init(_ resource: String, model: Model?, bookmark: String?) {
        name = String(resource.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        self.bookmark = bookmark
        key = model?.field(named: "id") == nil ? [] : ["id"]
        schema = SingerSchema(model: model)
        members = model.map { Set($0.fields.map(\.name)).union([SingerSchema.address]) }
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
