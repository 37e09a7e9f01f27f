/// Objects and lists inside of a record in a few words, for a cell of a table: their names where they have some,
/// `Latte, Bagel, +3` for five line items, and compact JSON where nothing else tells.
struct NestedText: Sendable {
    /// What names an object, the best first.
    private static let names = ["name", "label", "title", "id"]
    /// Entries of a list that are named.
    private static let entries = 3

    private var scanner: FieldScanner
    /// One list of slots for each thing that may be named: the object itself, then entries of a list.
    private let things: [[Int]]
    private let lengths: [Int]

    init() {
        var paths: [FieldPath] = []
        func slot(_ text: String) -> Int? {
            do throws(RecordFormatError) {
                paths.append(try FieldPath(parsing: text))
                return paths.count - 1
            } catch {
                return nil
            }
        }
        things =
            [Self.names.compactMap { slot($0) }]
            + (0..<Self.entries).map { entry in
                Self.names.flatMap { ["elements.\(entry).\($0)", "\(entry).\($0)"] }.compactMap { slot($0) }
            }
        lengths = ["elements.length", "length"].compactMap { slot($0) }
        scanner = FieldScanner(paths)
    }

    /// - Parameter json: an object or array, compact.
    mutating func text(_ json: UnsafeRawBufferPointer) -> String {
        do throws(FieldScanner.Malformed) {
            try scanner.scan(json)
        } catch {
            return String(decoding: json, as: UTF8.self)
        }
        let values = scanner.values
        let length = lengths.lazy.map { values[$0] }.first { $0.kind == .count }?.start
        let found = (length == nil ? things.prefix(1) : things.dropFirst()).map { slots in
            slots.lazy.map { values[$0] }.first { $0.isText }
        }
        let words = found.compactMap(\.self).map { value in
            JSONString(escaped: UnsafeRawBufferPointer(rebasing: json[value.range])).text
        }
        guard let length else { return words.first ?? String(decoding: json, as: UTF8.self) }
        if length == 0 { return "" }
        guard words.count == min(length, Self.entries) else { return String(decoding: json, as: UTF8.self) }
        return words.joined(separator: ", ") + (length > words.count ? ", +\(length - words.count)" : "")
    }
}
