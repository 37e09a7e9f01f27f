/// Records extracted from a page, in order.
///
/// `bytes` holds each record followed by one newline, and nothing else. A record's bytes are the server's own, except
/// that line breaks outside strings are removed and invalid UTF-8 is replaced by U+FFFD.
package struct RecordBatch: Sendable {
    /// All records, each followed by one newline.
    package var bytes: [UInt8] = []
    /// The location of each record in `bytes`, in order and without gaps other than the newlines.
    package var records: [Record] = []

    package init() {}

    package var isEmpty: Bool { records.isEmpty }

    /// Reserves space for records of this total size in bytes.
    package mutating func reserve(_ count: Int) {
        // Each newline replaces the comma after the record.
        bytes.reserveCapacity(count + 1)
        records.reserveCapacity(count / Self.usualSize)
    }

    /// The size of a small record in bytes.
    private static let usualSize = 256

    /// Appends a complete record without line breaks outside strings.
    ///
    /// - Parameter replacements: the number of replacements already made in it.
    package mutating func append(_ record: UnsafeRawBufferPointer, replacements: Int = 0) {
        let start = bytes.count
        bytes.append(contentsOf: record)
        records.append(Record(range: start..<bytes.count, replacements: replacements))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends the records in `run`, which are separated by one byte each.
    ///
    /// - Parameters:
    ///   - run: from the first byte of the first record to the last byte of the last one. None has line breaks outside
    ///     strings.
    ///   - ends: where each record ends in `run`.
    package mutating func append(_ run: UnsafeRawBufferPointer, endingAt ends: [Int]) {
        let start = bytes.count
        bytes.append(contentsOf: run)
        bytes.append(UInt8(ascii: "\n"))
        var first = start
        for end in ends {
            records.append(Record(range: first..<start + end))
            bytes[start + end] = UInt8(ascii: "\n")
            first = start + end + 1
        }
    }

    /// Appends records that are adjacent in another batch.
    private mutating func append(_ neighbours: ArraySlice<Record>, of all: UnsafeRawBufferPointer) {
        guard let first = neighbours.first, let last = neighbours.last else { return }
        let distance = bytes.count - first.range.lowerBound
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: all[first.range.lowerBound..<last.range.upperBound]))
        bytes.append(UInt8(ascii: "\n"))
        for record in neighbours {
            records.append(
                Record(
                    range: record.range.lowerBound + distance..<record.range.upperBound + distance,
                    replacements: record.replacements))
        }
    }

    /// Removes the records for which `isUnwanted` returns true, and closes the gaps.
    ///
    /// Copies nothing if no record is removed. The closure receives the original batch, so that it can inspect the
    /// record (`id(of:)`), and is called once per record, in order.
    /// - Returns: the number of removed records.
    @discardableResult
    package mutating func removeRecords<Failure: Error>(
        where isUnwanted: (RecordBatch, Record) throws(Failure) -> Bool
    ) throws(Failure) -> Int {
        var unwanted: [Int] = []
        for (index, record) in records.enumerated() where try isUnwanted(self, record) {
            unwanted.append(index)
        }
        guard !unwanted.isEmpty else { return 0 }
        var kept = RecordBatch()
        kept.bytes.reserveCapacity(bytes.count)
        kept.records.reserveCapacity(records.count - unwanted.count)
        var first = 0
        bytes.withUnsafeBytes { all in
            for gap in unwanted + [records.count] {
                kept.append(records[first..<gap], of: all)
                first = gap + 1
            }
        }
        self = kept
        return unwanted.count
    }
}

package struct Record: Sendable, Equatable {
    /// The record's bytes in `RecordBatch.bytes`, without the newline that follows them.
    package var range: Range<Int>
    /// The number of invalid UTF-8 sequences in it that were replaced by U+FFFD.
    package var replacements: Int

    package init(range: Range<Int>, replacements: Int = 0) {
        self.range = range
        self.replacements = replacements
    }
}

extension RecordBatch {
    /// The record's top-level `id` if it is a string or a number; nil otherwise, or if the record is not JSON.
    ///
    /// A string is decoded, a number is returned as written. Reads only as far as needed: Clover puts `id` near the
    /// front. Member names are compared literally.
    package func id(of record: Record) -> String? {
        value(of: "id", in: record)
    }

    /// A top-level member if it is a string or a number, as for `id(of:)`.
    package func value(of name: String, in record: Record) -> String? {
        bytes.withUnsafeBytes { all in
            guard record.range.lowerBound >= 0, record.range.upperBound <= all.count else { return nil }
            let own = UnsafeRawBufferPointer(rebasing: all[record.range])
            guard let member = JSONCursor.member(name, of: own) else { return nil }
            let value = UnsafeRawBufferPointer(rebasing: own[member.value])
            switch value[0] {
            case UInt8(ascii: "\""):
                return JSONString.decoded(UnsafeRawBufferPointer(rebasing: value.dropFirst().dropLast()))
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return String(decoding: value, as: UTF8.self)
            default: return nil
            }
        }
    }

    /// The bytes of a top-level member that is an object; nil for any other.
    package func object(_ name: String, in record: Record) -> ArraySlice<UInt8>? {
        let found = bytes.withUnsafeBytes { all in
            JSONCursor.member(name, of: UnsafeRawBufferPointer(rebasing: all[record.range]))?.value
        }
        guard let found else { return nil }
        let start = record.range.lowerBound
        let value = bytes[start + found.lowerBound..<start + found.upperBound]
        return value.first == UInt8(ascii: "{") ? value : nil
    }

    /// Whether a top-level member is `true`.
    package func isTrue(_ name: String, in record: Record) -> Bool {
        bytes.withUnsafeBytes { all in
            let own = UnsafeRawBufferPointer(rebasing: all[record.range])
            return JSONCursor.member(name, of: own).map { own[$0.value].elementsEqual("true".utf8) } ?? false
        }
    }
}

extension RecordBatch {
    /// Removes a nested list, `"name":{"elements":[...]}`, from a record.
    ///
    /// - Parameter prefix: what each entry that is an object begins with: a brace and members, without a trailing
    ///   comma.
    /// - Returns: the record without the list, and the entries, each with the prefix. Nil if the record has no such
    ///   list, or is not JSON.
    package func removing(
        list name: String, from record: Record, prefix: [UInt8]
    ) -> (record: [UInt8], entries: RecordBatch)? {
        bytes.withUnsafeBytes { all in
            let own = UnsafeRawBufferPointer(rebasing: all[record.range])
            guard let member = JSONCursor.member(name, of: own) else { return nil }
            let list = UnsafeRawBufferPointer(rebasing: own[member.value])
            guard let place = JSONCursor.member("elements", of: list) else { return nil }
            let array = UnsafeRawBufferPointer(rebasing: list[place.value])
            guard let ranges = JSONCursor.elements(of: array) else { return nil }
            var batch = RecordBatch()
            for range in ranges {
                Self.prefixed(UnsafeRawBufferPointer(rebasing: array[range]), with: prefix)
                    .withUnsafeBytes { batch.append($0) }
            }
            return (Array(own[..<member.whole.lowerBound]) + Array(own[member.whole.upperBound...]), batch)
        }
    }

    /// The entries of a top-level array, such as `data`; nil if the record has none.
    package func entries(of name: String, in record: Record) -> RecordBatch? {
        bytes.withUnsafeBytes { all in
            let own = UnsafeRawBufferPointer(rebasing: all[record.range])
            guard let member = JSONCursor.member(name, of: own) else { return nil }
            let array = UnsafeRawBufferPointer(rebasing: own[member.value])
            guard let ranges = JSONCursor.elements(of: array) else { return nil }
            var batch = RecordBatch()
            for range in ranges { batch.append(UnsafeRawBufferPointer(rebasing: array[range])) }
            return batch
        }
    }

    /// Inserts members at the start of an object; other values stay unchanged.
    package static func prefixed(_ object: UnsafeRawBufferPointer, with prefix: [UInt8]) -> [UInt8] {
        guard object.first == UInt8(ascii: "{") else { return Array(object) }
        let rest = object.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        return prefix + (rest.first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]) + Array(rest)
    }
}

/// Whether a consumer wants more records.
package enum RecordFlow: Sendable, Equatable {
    case more
    /// The program has ended the run.
    case stop
}
