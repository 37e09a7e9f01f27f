import CloverTestSupport
import Foundation

/// Shows that each filter name of an endpoint finds the records that have a value, and only them.
struct FilterProof {
    let shop: CatalogueShop
    let context: FilterContext
    let operation: CatalogueOperation
    /// The list whose records tell the truth: the endpoint itself, but for text and totals.
    let list: CatalogueOperation

    /// The number of child lists that are searched for records with a value.
    private static let lists = 60

    /// A record of one list, and the values that each filter compares, percent-encoded.
    private struct Row {
        let path: String
        let key: String
        let values: [[String]]
    }

    /// The names that could not be shown to work, and why.
    func unproved() async throws -> [String] {
        guard !operation.filterNames.isEmpty else { return [] }
        let rows = try await truth()
        var unproved: [String] = []
        var opposites: [Opposite] = []
        for (place, filter) in operation.filterNames.enumerated() {
            do throws(Failure) {
                if isDeletion(filter) {
                    try await deletion(filter, rows)
                } else {
                    opposites.append(try await comparison(filter, place, rows))
                }
            } catch {
                unproved.append("\(filter): \(error.reason)")
            }
        }
        return try await unproved + wrong(opposites)
    }

    private struct Failure: Error {
        let reason: String
    }

    /// The negation of a filter, and what it finds: all of that shows that the name is not ignored.
    private struct Opposite {
        let filter: String
        let target: String
        let expected: [String]
    }

    private func isDeletion(_ filter: String) -> Bool {
        ["deletedTime", "deleted_time", "deleted"].contains(filter) && list.model != "order.VoidedLineItem"
    }

    /// Every record with what it is filtered by.
    private func truth() async throws -> [Row] {
        let paths = try await shop.concrete(list.shortPath).prefix(Self.lists)
        let values = operation.filterNames.map {
            "([\(FilterTruth.expression($0, of: list)) | tostring | @uri] | join(\" \"))"
        }
        let expand = FilterTruth.expansion(of: list)
        let query = expand.isEmpty ? "" : "&expand=" + expand.joined(separator: ",")
        // A line for each record: its list, its key, and the values of each filter between tabs.
        var rows: [Row] = []
        for offset in [0, list.largestPage] {
            let lines = try await shop.raw(
                paths.map { "\(shop.absolute($0))?limit=\(list.largestPage)&offset=\(offset)\(query)" },
                jq: """
                    $c[0] as $c | \(FilterTruth.definitions) (.href | split("?")[0] | split("/")[6:] | join("/")) as $list
                    | .elements[] | [$list, key, \(values.joined(separator: ","))] | join("\t")
                    """, options: context.options)
            rows += lines.compactMap { line in
                let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard parts.count == operation.filterNames.count + 2 else { return nil }
                return Row(
                    path: parts[0], key: parts[1],
                    values: parts.dropFirst(2).map { $0.split(separator: " ").map(String.init) })
            }
        }
        return rows
    }

    // MARK: Comparisons

    private func comparison(_ filter: String, _ place: Int, _ rows: [Row]) async throws(Failure) -> Opposite {
        guard let (path, value) = Self.choice(rows, place) else { throw Failure(reason: "no record has a value") }
        let own = rows.filter { $0.path == path }
        let expected = found(own.filter { $0.values[place].contains(value) })
        let keys = try await keys(path, "\(filter)=\(value.removingPercentEncoding ?? value)")
        guard keys == expected else {
            throw Failure(reason: "=\(value) at \(path) finds \(keys.count) records, not \(expected.count)")
        }
        let others = own.filter { $0.values[place].contains { $0 != value } }
        let target = operation.isList ? path : operation.shortPath
        return Opposite(
            filter: filter, target: "\(shop.absolute(target))?limit=\(list.largestPage)&filter=\(filter)!%3D\(value)",
            expected: operation.isList ? others.prefix(list.largestPage).map(\.key) : found(others))
    }

    /// The opposites that find something else.
    private func wrong(_ opposites: [Opposite]) async throws -> [String] {
        // Text is read by clover alone.
        guard operation.returns != "csv" else { return [] }
        let program =
            operation.isList
            ? "\(FilterTruth.definitions) [.elements[] | key] | tojson" : "[.deletedItems | tostring] | tojson"
        let answers = try await shop.raw(opposites.map(\.target), jq: program)
        return try zip(opposites, answers).compactMap { opposite, line in
            let keys = try JSONValue(line).elements?.compactMap(\.string) ?? []
            return keys == opposite.expected
                ? nil : "\(opposite.filter): != finds \(keys.count) records, not \(opposite.expected.count)"
        }
    }

    /// A list and a value that the fewest of its records have, but not all of them where that is possible.
    private static func choice(_ rows: [Row], _ place: Int) -> (path: String, value: String)? {
        var best: (path: String, value: String, share: Double)?
        for (path, own) in Dictionary(grouping: rows, by: \.path).sorted(by: { $0.key < $1.key }) {
            var counts: [String: Int] = [:]
            for row in own { for value in Set(row.values[place]) { counts[value, default: 0] += 1 } }
            guard let rare = counts.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { continue }
            let share = Double(rare.value) / Double(own.count)
            if share < best?.share ?? 2 { best = (path, rare.key, share) }
        }
        return best.map { ($0.path, $0.value) }
    }

    /// The keys of the records that `clover` finds; of text the first column, of totals their count.
    private func keys(_ path: String, _ filter: String) async throws(Failure) -> [String] {
        let arguments =
            switch operation.returns {
            case "csv": [operation.shortPath, "--filter", filter]
            case "object": [operation.shortPath, "--filter", filter, "--jq", ".deletedItems"]
            default: [path, "--all", "--filter", filter, "-r", "--jq", FilterTruth.definitions + " key"]
            }
        let result: CommandResult
        do {
            result = try await shop.get(arguments)
        } catch {
            throw Failure(reason: "\(error)")
        }
        guard result.status == 0 else { throw Failure(reason: "\(result)") }
        guard operation.returns == "csv" else { return result.lines }
        return result.lines.dropFirst().map { String($0.prefix { $0 != "," }) }
    }

    private func found(_ rows: [Row]) -> [String] {
        operation.returns == "object" ? ["\(rows.count)"] : rows.map(\.key)
    }

    // MARK: Deletion

    /// Deleted records are in no list, but for a filter that asks for them.
    private func deletion(_ filter: String, _ rows: [Row]) async throws(Failure) {
        let present = Set(rows.map(\.key))
        let time = CatalogueShop.now - 3_600_000
        let isFlag = filter == "deleted"
        let some = isFlag ? "deleted=true" : "\(filter)=\(time)"
        let none = isFlag ? "deleted=false" : "\(filter)>\(time)"
        var sum = 0
        // Lists of what belongs to something show nothing deleted at all, so a few of them do.
        let isPart = operation.shortPath.contains("{")
        let paths = operation.isList ? Set(rows.map(\.path)).sorted() : [operation.shortPath]
        for path in paths.prefix(isFlag && isPart ? 3 : paths.count) where sum == 0 {
            let gone = try await keys(path, some)
            guard present.isDisjoint(with: gone) else {
                throw Failure(reason: "\(some) finds a record that is not deleted")
            }
            sum += gone.count
            let others = try await keys(path, none)
            let expected = isFlag ? rows.filter { $0.path == path }.map(\.key) : []
            guard others == expected else {
                throw Failure(reason: "\(none) at \(path) finds \(others.count), not \(expected.count)")
            }
        }
        guard sum == 1 || isFlag && isPart && sum == 0 else {
            throw Failure(reason: "\(some) finds \(sum) deleted records")
        }
    }
}
