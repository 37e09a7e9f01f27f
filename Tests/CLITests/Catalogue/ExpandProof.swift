import CloverTestSupport
import Testing

/// Shows that each name in an endpoint's list of expansions adds something to its records.
struct ExpandProof {
    let shop: CatalogueShop
    let operation: CatalogueOperation

    /// 0 for a part that is absent, 1 for one that is a reference, a link or empty, 2 for one that has content: the
    /// most over all records, by name.
    private static let states = """
        def rich: if type == "object" then (if has("elements") then any(.elements[]; rich) else (keys - ["id", "href"]) != [] end)
            elif type == "array" then any(.[]; rich) else . != null end;
        def state: if . == null then 0 elif rich then 2 else 1 end;
        def parts: if type == "object" and has("elements") then .elements[] elif . == null then empty else . end;
        def part($name): if $name == "payment" and (has("payment") | not) then .payments else .[$name] end;
        def states: . as $record | [$names[] | split(".") as $name | $record | part($name[0])
            | if $name[1] then [parts | .[$name[1]] | state] | max // 0 else state end];
        """

    /// The names that could not be shown to work.
    func unproved() async throws -> [String] {
        let names = operation.expandNames
        guard !names.isEmpty else { return [] }
        let whole = names.filter { !$0.contains(".") }
        let withParts = Set(names.filter { $0.contains(".") }.map(owner))
        let paths = try await chosenPaths()
        var best = Array(repeating: 0, count: names.count)
        for path in paths { best = Self.most(best, try await states(path, expanding: names)) }
        let plain = try await rawStates(paths, expanding: []).reduce(best.map { _ in 0 }, Self.most)
        let first = try await rawStates(paths, expanding: withParts.union(whole).sorted())
            .reduce(best.map { _ in 0 }, Self.most)
        return names.indices.filter { place in
            best[place] <= (names[place].contains(".") ? first[place] : plain[place])
        }.map { names[$0] }
    }

    /// The same, with a separate request for each name.
    func unprovedAlone() async throws -> [String] {
        let paths = try await chosenPaths()
        var unproved: [String] = []
        for (place, name) in operation.expandNames.enumerated() {
            let owner = name.contains(".") ? [owner(name)] : []
            var isProved = false
            for path in paths where !isProved {
                let expanded = try await states(path, expanding: [name])[place]
                isProved = try await expanded > states(path, expanding: owner)[place]
            }
            if !isProved { unproved.append(name) }
        }
        return unproved
    }

    /// Paths that together show every name: one for a list of the shop, some for parts of records.
    private func chosenPaths() async throws -> [String] {
        let paths = try await shop.concrete(operation.shortPath)
        guard paths.count > 1 else { return paths }
        var chosen: [String] = []
        var best = Array(repeating: 0, count: operation.expandNames.count)
        for (path, states) in zip(paths, try await rawStates(paths, expanding: operation.expandNames)) {
            guard states.count == best.count, zip(states, best).contains(where: { $0 > $1 }) else { continue }
            best = Self.most(best, states)
            chosen.append(path)
        }
        return chosen
    }

    /// What curl gets of each path: of a list its first page.
    private func rawStates(_ paths: [String], expanding names: [String]) async throws -> [[Int]] {
        let query =
            "?limit=\(operation.largestPage)" + (names.isEmpty ? "" : "&expand=" + names.joined(separator: ","))
        let program =
            "\(Self.states) [\(operation.isList ? ".elements[]" : ".") | states] | transpose | map(max | tostring) "
            + "| [\"=\"] + . | join(\" \")"
        let lines = try await shop.raw(
            paths.map { shop.absolute($0) + query }, jq: program, options: "--argjson names '\(namesJSON)'")
        return lines.map { $0.split(separator: " ").dropFirst().compactMap { Int($0) } }
    }

    /// What has the part: `payments` for `payments.tender`, and for `payment.tender`, as the documentation spells it.
    private func owner(_ name: String) -> String {
        let owner = String(name.prefix { $0 != "." })
        return owner == "payment" && !operation.expandNames.contains(owner) ? "payments" : owner
    }

    private func states(_ path: String, expanding names: [String]) async throws -> [Int] {
        let program = "\(Self.states) [.[] | states] | transpose | map(max)"
        let options = operation.isList ? ["--all"] : []
        let expand = names.isEmpty ? [] : ["--expand", names.joined(separator: ",")]
        let result = try await shop.get(
            [path] + options + expand + ["--slurp", "--argjson", "names", namesJSON, "--jq", program])
        expectSuccess(result)
        return try JSONValue(result.outputText).elements?.compactMap(\.integer) ?? []
    }

    private var namesJSON: String { "[" + operation.expandNames.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    private static func most(_ left: [Int], _ right: [Int]) -> [Int] {
        left.indices.map { place in right.indices.contains(place) ? max(left[place], right[place]) : left[place] }
    }
}
