/// Summarizes nested objects and lists for a table cell: by their names if they have any, such as `Latte, Bagel, +3`
/// for five line items, and otherwise as compact JSON.
struct NestedText: Sendable {
    /// The members that name an object, best first.
    private static let names = ["name", "label", "title", "id"]
    /// The maximum number of list entries that are named.
    private static let entries = 3

    private var scanner: FieldScanner
    /// The slots for each possible name: those of the object itself, then those of each list entry.
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

    /// - Parameter json: a compact object or array.
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
