import NIOCore
import Synchronization

/// Writes lists: the envelope of a page, and collections inside a record.
package enum PageWriter {
    /// Writes `{"elements":[...],"href":"..."}` with the records of one page. The `href` names the API host with
    /// `http`, as recorded responses do, whatever host the request used.
    ///
    /// - Parameter rows: maximum number of records of the page; the limit, except for deliberately short pages.
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

    /// `{"elements":[...]}` with the first records of a source, up to the size of a nested collection.
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

/// Limits of collections inside a record.
package enum NestedCollection {
    /// Maximum number of entries of a nested collection. It is cut silently and cannot be paged inside its parent
    /// (Clover REST documentation, paginating elements).
    package static let cap = 100
}

/// A pool of page buffers. A page is about a megabyte; allocating fresh memory for each one takes as long as filling
/// it.
final class PageBufferPool: Sendable {
    /// Unchecked: a writer is either in the pool or owned by the one request that took it, never both.
    private final class Writer: @unchecked Sendable {
        var json = JSONWriter(capacity: 65_536)
    }

    private struct Pool: Sendable {
        var writers: [Writer] = []
        var bodies: [ByteBuffer] = []
    }

    /// More than the in-flight limit of one token.
    private static let keptBodies = 6
    private static let keptWriters = 2
    /// Larger buffers are rare and not kept.
    private static let largestKept = 4 << 20

    private let pool = Mutex(Pool())

    /// The bytes that `body` writes.
    func render(_ body: (inout JSONWriter) -> Void) -> ByteBuffer {
        let writer = pool.withLock { $0.writers.popLast() } ?? Writer()
        body(&writer.json)
        let result = writer.json.withBytes { copy($0) }
        if writer.json.count <= Self.largestKept {
            writer.json.removeAll()
            pool.withLock { if $0.writers.count < Self.keptWriters { $0.writers.append(writer) } }
        }
        return result
    }

    /// Reuses the oldest body, which most likely has been sent. If it has not, `clear` sees that its memory is shared
    /// and allocates anew.
    private func copy(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer {
        guard bytes.count >= 65_536, bytes.count <= Self.largestKept else { return ByteBuffer(bytes: bytes) }
        var body =
            pool.withLock { $0.bodies.count < Self.keptBodies ? nil : $0.bodies.removeFirst() } ?? ByteBuffer()
        body.clear(minimumCapacity: bytes.count)
        body.writeBytes(bytes)
        let kept = body
        pool.withLock { if $0.bodies.count < Self.keptBodies { $0.bodies.append(kept) } }
        return body
    }
}

/// The two lists that are available as comma-separated values (RFC 4180).
enum CSVWriter {
    /// A column: its title and how to get its value.
    struct Column {
        let title: String
        let value: @Sendable (JSONValue) -> JSONValue?

        init(_ title: String, _ value: @escaping @Sendable (JSONValue) -> JSONValue?) {
            self.title = title
            self.value = value
        }
    }

    static let customers = [
        Column("Customer ID") { $0["id"] }, Column("First Name") { $0["firstName"] },
        Column("Last Name") { $0["lastName"] },
        Column("Email Address") { $0["emailAddresses"]?.elements.first?["emailAddress"] },
        Column("Phone Number") { $0["phoneNumbers"]?.elements.first?["phoneNumber"] },
        Column("Address") { $0["addresses"]?.elements.first?["address1"] },
        Column("City") { $0["addresses"]?.elements.first?["city"] },
        Column("State") { $0["addresses"]?.elements.first?["state"] },
        Column("Zip") { $0["addresses"]?.elements.first?["zip"] },
        Column("Marketing Allowed") { $0["marketingAllowed"] }, Column("Customer Since") { $0["customerSince"] },
    ]

    static let shifts = [
        Column("Shift ID") { $0["id"] }, Column("Employee ID") { $0[path: "employee", "id"] },
        Column("Employee Name") { $0[path: "employee", "name"] }, Column("In Time") { $0["inTime"] },
        Column("Out Time") { $0["outTime"] }, Column("Cash Tips Collected") { $0["cashTipsCollected"] },
        Column("Server Banking") { $0["serverBanking"] },
    ]

    /// The whole list, filtered and sorted; one page of it when the request has a limit.
    static func answer<Source: RecordSource>(
        _ source: Source, _ columns: [Column], _ query: QueryString, _ selector: Selector
    ) throws(APIError) -> EmulatorResponse {
        let list = try ListQuery(query)
        let selection = try selector.select(list, from: source)
        var scratch = source.makeScratch(
            expanding: ExpandTree(["emailAddresses,phoneNumbers,addresses,employee"]))
        var writer = JSONWriter(capacity: 1024)
        var text = columns.map(\.title).joined(separator: ",") + "\r\n"
        let limit = query.values("limit").isEmpty ? selection.count : list.limit
        selection.forEach(offset: list.offset, limit: limit) { position in
            source.load(position, into: &scratch)
            writer.removeAll()
            source.write(&scratch, to: &writer)
            let record = JSONParser.value(of: writer.bytes()) ?? .object([])
            text += columns.map { field($0.value(record)) }.joined(separator: ",") + "\r\n"
        }
        var answer = EmulatorResponse(status: 200, body: ByteBuffer(string: text))
        answer.contentType = "text/csv"
        answer.filterFields = source.fields.map(\.name).joined(separator: ", ")
        return answer
    }

    private static func field(_ value: JSONValue?) -> String {
        guard let value else { return "" }
        guard let text = value.text else { return String(decoding: value.encoded, as: UTF8.self) }
        let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return needsQuotes
            ? "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
            : text
    }
}
