internal import CBytes

/// A nested list with exactly as many entries as a truncated one.
struct TruncatedList: Equatable {
    /// The member names that lead from the record to the list, without `elements`: `["lineItems", "discounts"]`.
    var names: [String]
    /// The id of the object that has the list; nil if it has none.
    var ownerID: String?
    /// The range between the list's brackets, in the record's bytes.
    var inside: Range<Int>
    /// The range of each entry, in the record's bytes.
    var entries: [Range<Int>]
}

/// Finds the lists in a record that may have been truncated. It parses structure only; `NestedListScan` tells quickly
/// whether a record needs it.
struct TruncatedListFinder {
    private let record: UnsafeRawBufferPointer
    private var index = 0
    private var found: [TruncatedList] = []

    static func lists(in record: UnsafeRawBufferPointer) -> [TruncatedList] {
        var finder = TruncatedListFinder(record: record)
        finder.skipSpace()
        if finder.peek == UInt8(ascii: "{") { _ = finder.object([]) }
        return finder.found
    }

    private init(record: UnsafeRawBufferPointer) {
        self.record = record
    }

    private var peek: UInt8? { index < record.count ? record[index] : nil }

    /// Reads the object at the current position. Returns the indices in `found` of the lists that are its `elements`.
    private mutating func object(_ names: [String]) -> [Int] {
        var own: [Int] = []
        var id: String?
        var lists: [Int] = []
        index += 1
        while let byte = peek, byte != UInt8(ascii: "}") {
            guard byte == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            let name = text(string())
            skipSpace()
            guard peek == UInt8(ascii: ":") else { continue }
            index += 1
            skipSpace()
            switch peek {
            case UInt8(ascii: "{"): lists += object(names + [name])
            case UInt8(ascii: "["):
                let entries = array(name == "elements" ? names : names + [name])
                if name == "elements", entries.places.count == NestedListScan.cut {
                    found.append(
                        TruncatedList(names: names, ownerID: nil, inside: entries.inside, entries: entries.places))
                    own.append(found.count - 1)
                }
            case UInt8(ascii: "\""):
                let value = string()
                if name == "id" { id = text(value) }
            default: skipWord()
            }
        }
        index += 1
        for place in lists { found[place].ownerID = id }
        return own
    }

    /// Reads the array at the current position.
    private mutating func array(_ names: [String]) -> (inside: Range<Int>, places: [Range<Int>]) {
        index += 1
        let start = index
        var entries: [Range<Int>] = []
        while let byte = peek, byte != UInt8(ascii: "]") {
            let first = index
            switch byte {
            case UInt8(ascii: "{"):
                _ = object(names)
                entries.append(first..<index)
            case UInt8(ascii: "["):
                _ = array(names)
                entries.append(first..<index)
            case UInt8(ascii: "\""):
                _ = string()
                entries.append(first..<index)
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: index += 1
            default:
                skipWord()
                entries.append(first..<index)
            }
        }
        let inside = start..<min(index, record.count)
        index += 1
        return (inside, entries)
    }

    /// Reads the string at the current position and returns the range inside its quotes.
    private mutating func string() -> Range<Int> {
        let start = index + 1
        index = start
        while let byte = peek, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
        let end = max(start, min(index, record.count))
        index = end + 1
        return start..<end
    }

    /// Escapes are not decoded: names and ids contain none, and a name with one simply does not match.
    private func text(_ range: Range<Int>) -> String { String(decoding: record[range], as: UTF8.self) }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    private mutating func skipWord() {
        repeat { index += 1 } while peek.map { !",]} \t\n\r".utf8.contains($0) } ?? false
    }
}

/// Checks quickly for nested lists that may have been truncated: Clover returns the first 100 entries of a list inside
/// a record without a sign that there are more (Clover: paginating elements).
enum NestedListScan {
    /// The number of entries of a truncated list.
    static let cut = 100

    /// Whether an `elements` array in the record has exactly as many entries as a truncated one.
    static func mayBeCut(_ record: UnsafeRawBufferPointer) -> Bool {
        // Counting commas is many times faster than parsing, and most records have too few for such a list.
        guard commas(in: record) >= cut - 1 else { return false }
        var arrays: [OpenArray?] = []
        var lastString = 0..<0
        var key = 0..<0
        var index = 0
        while index < record.count {
            switch record[index] {
            case UInt8(ascii: "\""):
                lastString = string(in: record, from: index)
                index = lastString.upperBound
            case UInt8(ascii: ":"): key = lastString
            case UInt8(ascii: "["): arrays.append(OpenArray(isElements: isElements(record, key)))
            case UInt8(ascii: "{"): arrays.append(nil)
            case UInt8(ascii: ","):
                if let last = arrays.indices.last { arrays[last]?.commas += 1 }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if case .some(.some(let array)) = arrays.popLast(), array.isElements, array.commas == cut - 1 {
                    return true
                }
            default: break
            }
            index += 1
        }
        return false
    }

    /// The number of commas, including those in strings.
    private static func commas(in record: UnsafeRawBufferPointer) -> Int {
        record.baseAddress.map { Int(clover_count($0, record.count, UInt8(ascii: ","))) } ?? 0
    }

    private struct OpenArray {
        var isElements: Bool
        var commas = 0
    }

    /// The contents of the string that opens at `start`; the upper bound is its closing quote.
    private static func string(in record: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
        var index = start + 1
        while index < record.count, record[index] != UInt8(ascii: "\"") {
            index += record[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return start + 1..<max(start + 1, min(index, record.count))
    }

    private static func isElements(_ record: UnsafeRawBufferPointer, _ key: Range<Int>) -> Bool {
        key.count == 8 && record[key].elementsEqual("elements".utf8)
    }
}
