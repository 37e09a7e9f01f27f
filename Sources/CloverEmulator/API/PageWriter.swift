/// Writes lists: the envelope of a page, and collections inside a record.
package enum PageWriter {
    /// `{"elements":[...],"href":"..."}` with the records of one page. The `href` names the API host with `http`, as the
    /// recorded answers do, whatever host the request went to.
    ///
    /// - Parameter rows: how many records the page has at most; the limit, but for pages that are short on purpose.
    package static func page<Source: RecordSource>(
        _ source: Source, _ selection: Selection, _ query: ListQuery, rows: Int, href: String,
        to writer: inout JSONWriter
    ) {
        writer.raw("{\"elements\":[")
        var scratch = source.makeScratch(expanding: query.expand)
        var isFirst = true
        selection.forEach(offset: query.offset, limit: rows) { position in
            if !isFirst { writer.byte(UInt8(ascii: ",")) }
            isFirst = false
            source.load(position, into: &scratch)
            source.write(&scratch, to: &writer)
        }
        writer.raw("],\"href\":")
        writer.string("\(href)?\(query.echo)")
        writer.byte(UInt8(ascii: "}"))
    }

    /// `{"elements":[...]}` with the first records of a source, as many as a nested collection holds.
    static func nested<Source: RecordSource>(_ source: Source, expanding tree: ExpandTree) -> [UInt8] {
        var writer = JSONWriter(capacity: 32_768)
        var scratch = source.makeScratch(expanding: tree)
        writer.raw("{\"elements\":[")
        for position in 0..<min(source.count, NestedCollection.cap) {
            if position > 0 { writer.byte(UInt8(ascii: ",")) }
            source.load(position, into: &scratch)
            source.write(&scratch, to: &writer)
        }
        writer.raw("]}")
        return writer.bytes()
    }
}
