internal import CBytes

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
