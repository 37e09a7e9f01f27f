import CloverTestSupport

/// A query of one list, made by chance from the records that are there.
struct RandomQuery: Sendable, CustomStringConvertible {
    struct Filter: Sendable {
        let field: String
        let symbol: String
        let values: [JSONValue]
    }

    struct Sort: Sendable {
        let field: String
        let isDescending: Bool
    }

    var filters: [Filter] = []
    var expand: [String] = []
    var sort: [Sort] = []
    /// Nil for everything.
    var limit: Int?
    var offset = 0

    /// As a user types it.
    var arguments: [String] {
        var arguments: [String] = []
        for filter in filters {
            let values = filter.values.map(\.filterText)
            let text =
                switch filter.symbol {
                case "in": "\(filter.field) in (\(values.joined(separator: ",")))"
                case "is not null": "\(filter.field) is not null"
                default: filter.field + filter.symbol + values.joined()
                }
            arguments += ["--filter", text]
        }
        if !expand.isEmpty { arguments += ["--expand", expand.joined(separator: ",")] }
        if !sort.isEmpty {
            arguments += ["--sort", sort.map { $0.field + ($0.isDescending ? ":desc" : "") }.joined(separator: ",")]
        }
        arguments += limit.map { ["--limit", "\($0)"] } ?? ["--all"]
        return arguments + (offset > 0 ? ["--offset", "\(offset)"] : [])
    }

    var description: String { arguments.joined(separator: " ") }

    init(of list: ReferenceList, by random: inout some RandomNumberGenerator) {
        for _ in 0..<[0, 1, 1, 2, 3].picked(by: &random) {
            if let filter = Self.filter(of: list, by: &random) { filters.append(filter) }
        }
        expand = Array(list.expandable.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
        for _ in 0..<[0, 0, 1, 2].picked(by: &random) {
            guard let field = list.sortable.randomElement(using: &random) else { continue }
            guard !sort.contains(where: { $0.field == field }) else { continue }
            sort.append(Sort(field: field, isDescending: Bool.random(using: &random)))
        }
        let count = list.records.count
        if Bool.random(using: &random) { limit = Int.random(in: 1...count + 20, using: &random) }
        if Int.random(in: 0..<3, using: &random) == 0 { offset = Int.random(in: 0...count + 5, using: &random) }
        // Records that come window by window cannot be in the order of anything but time.
        if let bounds = list.bounds, !sort.isEmpty {
            filters.append(Filter(field: "createdTime", symbol: ">=", values: [.integer(bounds.lowerBound)]))
            filters.append(Filter(field: "createdTime", symbol: "<=", values: [.integer(bounds.upperBound)]))
        }
    }

    private static func filter(of list: ReferenceList, by random: inout some RandomNumberGenerator) -> Filter? {
        guard let field = list.filterable.randomElement(using: &random) else { return nil }
        let values = list.values(of: field)
        guard let value = values.randomElement(using: &random) else { return nil }
        var symbols = ["=", "!=", "is not null"]
        if case .integer = value { symbols += ["<", "<=", ">", ">=", "<", ">"] }
        // Values with commas and quotes cannot be in a list.
        let isPlain = values.allSatisfy { !$0.filterText.contains { ",'() ".contains($0) } }
        if isPlain { symbols += ["in", "in"] }
        let symbol = symbols.picked(by: &random)
        switch symbol {
        case "is not null": return Filter(field: field, symbol: symbol, values: [])
        case "in": return Filter(field: field, symbol: symbol, values: Array(values.shuffled(using: &random).prefix(4)))
        default: return Filter(field: field, symbol: symbol, values: [value])
        }
    }
}

extension Array {
    /// One of those of a list that is not empty.
    fileprivate func picked(by random: inout some RandomNumberGenerator) -> Element {
        self[Index.random(in: indices, using: &random)]
    }
}

extension JSONValue {
    /// As it stands in a filter.
    var filterText: String {
        switch self {
        case .integer(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .string(let text): text
        default: ""
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators): the same numbers for a seed anywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
