/// A nested list with exactly as many entries as a truncated one.
struct CutList: Equatable {
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
struct CutListFinder {
    private let record: UnsafeRawBufferPointer
    private var index = 0
    private var found: [CutList] = []

    static func lists(in record: UnsafeRawBufferPointer) -> [CutList] {
        var finder = CutListFinder(record: record)
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
                        CutList(names: names, ownerID: nil, inside: entries.inside, entries: entries.places))
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
