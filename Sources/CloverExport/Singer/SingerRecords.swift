package import CloverJSON

/// Writes records as RECORD messages. The bytes of their members are unchanged.
///
/// Members that are not in the schema are omitted, because targets create columns from the schema and some reject any
/// other member.
package struct SingerRecords: Sendable {
    private let start: [UInt8]
    private let members: Set<String>?
    /// Names of omitted members.
    package private(set) var leftOut: Set<String> = []

    package init(_ stream: SingerStream) {
        start = Array(#"{"type":"RECORD","stream":"\#(stream.name)","record":"#.utf8)
        members = stream.schema.members
    }

    /// Messages of a batch, one line each.
    ///
    /// - Parameter extracted: time when the records were read, in the format of RFC 3339.
    package mutating func messages(_ batch: RecordBatch, extracted: String) -> [UInt8] {
        let end = Array(#","time_extracted":"\#(extracted)"}"#.utf8) + [UInt8(ascii: "\n")]
        var result: [UInt8] = []
        result.reserveCapacity(batch.bytes.count + batch.records.count * (start.count + end.count))
        for record in batch.records {
            result += start
            append(batch.bytes[record.range], to: &result)
            result += end
        }
        return result
    }

    private mutating func append(_ record: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard let members, let found = Self.parts(of: record) else {
            result += record
            return
        }
        let kept = found.filter { members.contains($0.name) }
        guard kept.count < found.count else {
            result += record
            return
        }
        leftOut.formUnion(found.map(\.name).filter { !members.contains($0) })
        result.append(UInt8(ascii: "{"))
        for (place, part) in kept.enumerated() {
            if place > 0 { result.append(UInt8(ascii: ",")) }
            result += record[part.range]
        }
        result.append(UInt8(ascii: "}"))
    }

    /// Members of an object, each from its name's quote to its value's end; nil for a record that is not an object.
    private static func parts(of record: ArraySlice<UInt8>) -> [(name: String, range: Range<Int>)]? {
        var parts: [(name: String, range: Range<Int>)] = []
        var depth = 0
        /// Start of the current member.
        var begin: Int?
        var name: Range<Int>?
        var place = record.startIndex
        func end() {
            guard let begin, let name else { return }
            parts.append((String(decoding: record[name], as: UTF8.self), begin..<place))
        }
        while place < record.endIndex {
            switch record[place] {
            case UInt8(ascii: "\""):
                let quote = place
                place += 1
                while place < record.endIndex, record[place] != UInt8(ascii: "\"") {
                    place += record[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                if depth == 1, begin == nil {
                    begin = quote
                    name = quote + 1..<min(place, record.endIndex)
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { end() }
            case UInt8(ascii: ",") where depth == 1:
                end()
                begin = nil
            default:
                // A record that does not start with a bracket is not an object.
                if depth == 0, record[place] != UInt8(ascii: " ") { return nil }
            }
            place += 1
        }
        return record.first == UInt8(ascii: "{") ? parts : nil
    }
}
