import CloverHTTP

/// The operations of Clover's API. Tables are parsed on first use, and a lookup by path parses only the matching row.
package enum EndpointCatalogue {
    /// Every operation, in the catalogue's order: V3, then the rest.
    package static let operations: [Endpoint] = {
        var operations: [Endpoint] = []
        TableText(EndpointTable.operations).forEach { line in
            if let endpoint = EndpointLine(line.columns).endpoint { operations.append(endpoint) }
        }
        return operations
    }()

    package static var endpoints: [Endpoint] { operations.filter { $0.api == .v3 && $0.method == .get } }

    /// The readable V3 endpoint at an absolute path.
    package static func endpoint(at segments: [String]) -> Endpoint? {
        operation(.get, at: segments).flatMap { $0.api == .v3 ? $0 : nil }
    }

    /// The operation for a method on an absolute path; literal segments take precedence over placeholders.
    package static func operation(_ method: Endpoint.Method, at segments: [String]) -> Endpoint? {
        var best: (line: TableText.Line, literals: Int)?
        TableText(EndpointTable.operations).forEach { line in
            guard line.begins(with: method.rawValue),
                let literals = PathTemplate.literals(of: line.secondColumn, matching: segments),
                literals > best?.literals ?? -1
            else { return }
            best = (line, literals)
        }
        return best.flatMap { EndpointLine($0.line.columns).endpoint }
    }

    /// All operations on an absolute path, in method order.
    package static func operations(at segments: [String]) -> [Endpoint] {
        let found = Endpoint.Method.allCases.compactMap { operation($0, at: segments) }
        let literals = found.map { $0.segments.count(where: { $0.first != "{" }) }
        // `employees/current` is a separate path, even though `employees/{empId}` takes methods that it does not.
        return zip(found, literals).filter { $1 == literals.max() }.map(\.0)
    }

    /// The operation of an iOS SDK method, by alias (`merchant-orders`) or by the method's own name.
    package static func operation(alias name: String) -> Endpoint? {
        guard name.contains("-") || name.hasPrefix("get") else { return nil }
        let wanted = name.lowercased()
        let plain = wanted.hasPrefix("get-") ? String(wanted.dropFirst(4)) : wanted
        return operations.first { $0.alias == plain || $0.sdkMethod?.lowercased() == plain }
    }

    package static var aliases: [String] { operations.compactMap(\.alias) }

    package static var allFamilies: [String] { Set(operations.map(\.family)).sorted() }

    /// The first words of the paths below a merchant that take this method, sorted.
    package static func families(taking method: Endpoint.Method = .get) -> [String] {
        let words = operations.filter { $0.method == method && $0.api == .v3 }
            .compactMap { displayPath($0).split(separator: "/").first.map(String.init) }
        return Set(words.filter { !$0.hasPrefix("v3") }).sorted()
    }

    /// A path as a user would type it: `orders/{orderId}` rather than `/v3/merchants/{mId}/orders/{orderId}`.
    package static func displayPath(_ endpoint: Endpoint) -> String {
        let prefix = "/v3/merchants/{mId}/"
        if endpoint.path == "/v3/merchants/{mId}" { return "merchant" }
        guard endpoint.path.hasPrefix(prefix) else { return endpoint.path }
        let relative = endpoint.path.dropFirst(prefix.count)
        return String(relative.last == "/" ? relative.dropLast() : relative)
    }
}

extension EndpointCatalogue {
    /// The path that a name of the ecommerce API stands for: `v1/charges` for `charges`, `v1/orders` for
    /// `ecommerce/orders`, because `orders` and `refunds` are lists of V3. Nil for other names.
    static func ecommerceSegments(_ typed: [String]) -> [String]? {
        if typed.first == "ecommerce", typed.count > 1 { return ["v1"] + typed.dropFirst() }
        return typed.first == "charges" ? ["v1"] + typed : nil
    }

    /// The name for a path of the ecommerce API, as a user would type it.
    static func ecommerceName(of segments: [String]) -> String {
        let names = segments.dropFirst()
        return ((names.first == "charges" ? [] : ["ecommerce"]) + names).joined(separator: "/")
    }

    /// The lists of the ecommerce API whose name an unknown path has: `ecommerce/refunds` for `v1/charges/ID/refunds`.
    static func ecommerceNames(like segments: [String]) -> [String] {
        operations.filter { $0.api == .ecommerce && $0.method == .get && $0.shape == .list }.map(\.segments)
            .filter { $0.last.map { segments.dropFirst(2).contains(String($0)) } ?? false }
            .map { ecommerceName(of: $0.map(String.init)) }
    }

    /// The merchant's lists and single objects whose path is one word, sorted, and the charges of the ecommerce API: what
    /// can be exported.
    package static var exportable: [String] {
        let names = endpoints.filter { [.list, .object].contains($0.shape) }
            .map(displayPath).filter { !$0.contains("/") && !$0.contains("{") }
        return (names + ["charges"]).sorted()
    }

    /// The names of the lists below each record of a list, sorted: `shifts` for `employees`, because of
    /// `employees/{empId}/shifts`.
    package static func lists(ofEach path: ResourcePath) -> [String] {
        guard let parent = path.endpoint, parent.shape == .list else { return [] }
        return endpoints.compactMap { endpoint in
            let segments = endpoint.segments
            guard endpoint.shape == .list, segments.count == parent.segments.count + 2,
                segments.starts(with: parent.segments), segments[segments.count - 2].first == "{",
                let name = segments.last, name.first != "{"
            else { return nil }
            return String(name)
        }.sorted()
    }
}

extension EndpointCatalogue {
    /// Completions for a partly typed path: whole paths up to the next slash, sorted. An id segment matches any text,
    /// and ids are never offered.
    ///
    /// - Parameters:
    ///   - typed: relative to the merchant, such as `orders/ABC/l`, or absolute, such as `/v3/merchants/ABC/or`.
    ///   - method: offers only paths that take this method; nil for any.
    package static func completions(of typed: String, method: Endpoint.Method? = nil) -> [String] {
        let given = typed.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let last = given.last else { return [] }
        let isAbsolute = typed.hasPrefix("/")
        let beginning = given.dropLast()
        var found: Set<String> = []
        for operation in operations where operation.api == .v3 && (method == nil || operation.method == method) {
            let template =
                isAbsolute
                ? operation.path.split(separator: "/", omittingEmptySubsequences: false)
                : displayPath(operation).split(separator: "/")
            guard template.count >= given.count, !operation.path.isEmpty,
                isAbsolute || template.first?.hasPrefix("v3") == false,
                zip(template, beginning).allSatisfy({ $0.first == "{" ? !$1.isEmpty : $0 == $1 })
            else { continue }
            let next = template[given.count - 1]
            if next.first != "{", !next.isEmpty, next.hasPrefix(last) {
                found.insert((beginning + [String(next)]).joined(separator: "/"))
            }
        }
        return found.sorted()
    }

    /// The operation for a path from the command line; nil if there is none.
    package static func operation(typed path: String, method: Endpoint.Method = .get) -> Endpoint? {
        let words = path.split(separator: "/").map(String.init)
        if path.hasPrefix("/") { return operation(method, at: words) }
        if let segments = ecommerceSegments(words) { return operation(method, at: segments) }
        return operation(method, at: ["v3", "merchants", "M"] + (words == ["merchant"] ? [] : words))
    }
}

extension EndpointCatalogue {
    /// The paths that take this method nearest to an unknown one, nearest first; relative to the merchant where possible.
    package static func suggestions(for segments: [String], method: Endpoint.Method = .get) -> [String] {
        let candidates = operations.filter { $0.method == method && $0.api == .v3 }
        let scored = candidates.compactMap { endpoint -> (distance: Int, path: String)? in
            let template = endpoint.segments
            guard template.count == segments.count else { return nil }
            var distance = 0
            for (wanted, given) in zip(template, segments) where wanted.first != "{" {
                let step = editDistance(String(wanted), given)
                guard NearestNames.isTypingError(String(wanted), given, distance: step) else { return nil }
                distance += step
            }
            return (distance, displayPath(endpoint))
        }
        let nearest = scored.map(\.distance).min()
        return scored.filter { $0.distance == nearest }.map(\.path).sorted().prefix(3).map(\.self)
    }

    /// The aliases nearest to a hyphenated word.
    package static func aliasSuggestions(for word: String) -> [String] {
        guard word.contains("-") else { return [] }
        let scored = aliases.map { (distance: editDistance(word, $0), alias: $0) }
        return scored.filter { $0.distance <= max(2, word.count / 5) }
            .sorted { ($0.distance, $0.alias) < ($1.distance, $1.alias) }.prefix(3).map(\.alias)
    }

    /// The paths one segment below the longest known prefix of an unknown path, such as `orders/{orderId}/line_items`
    /// for `orders/X/lines`. Empty if only the merchant is known, because everything is below it.
    ///
    /// - Parameter method: includes only paths that take this method; nil for any.
    package static func continuations(of segments: [String], method: Endpoint.Method? = nil) -> [String] {
        let candidates = operations.filter { $0.api == .v3 && (method == nil || $0.method == method) }
        for length in (4..<max(5, segments.count)).reversed() {
            let beginning = segments.prefix(length)
            let below = candidates.filter { candidate in
                let template = candidate.segments
                return beginning.count == length && template.count == length + 1
                    && zip(template, beginning).allSatisfy { $0.first == "{" || $0 == $1 }
            }
            if !below.isEmpty { return Set(below.map(displayPath)).sorted() }
        }
        return []
    }
}

/// Finds the names closest to a mistyped one, for "did you mean". A wrong suggestion is worse than none: it sends people to
/// something that they did not ask for.
package enum NearestNames {
    /// The shortest name that says enough to be the beginning of another one.
    private static let shortestBeginning = 3
    /// The longest ending that a name may have been given, such as that of a plural.
    private static let longestEnding = 3

    /// Returns up to `count` of `names`, nearest first, without those that are clearly farther than the nearest. A name that
    /// differs only in case, underscores or hyphens, or of which one is the beginning of the other, counts as near. A name
    /// that is typed exactly is no suggestion.
    package static func of(_ name: String, among names: [String], count: Int = 3) -> [String] {
        let plain = folded(name)
        let scored = names.compactMap { candidate -> (score: Int, name: String)? in
            let other = folded(candidate)
            if candidate == name { return nil }
            if other == plain { return (0, candidate) }
            // A name with another word after it is another word.
            let isBeginning =
                other.hasPrefix(plain)
                || plain.hasPrefix(other) && plain.count - other.count <= longestEnding
                    && words(of: name).count == words(of: candidate).count
            if isBeginning, min(plain.count, other.count) >= shortestBeginning { return (1, candidate) }
            let distance = editDistance(plain, other)
            guard isTypingError(candidate, name, distance: distance) else { return nil }
            // The first letter is seldom typed wrong.
            return (1 + distance + (other.first == plain.first ? 0 : 1), candidate)
        }
        let best = scored.map(\.score).min() ?? 0
        func rank(_ entry: (score: Int, name: String)) -> (Int, Int, String) {
            (entry.score, abs(entry.name.count - name.count), entry.name)
        }
        return scored.filter { $0.score <= (best == 0 ? 0 : max(2, best)) }.sorted { rank($0) < rank($1) }
            .prefix(count).map(\.name)
    }

    /// Whether a name is likely to be another one with a typing error: one error in a short word, two in a word of six
    /// letters or more that begins in the same way, and one more for every three letters beyond eight. Of names with as many
    /// words, such as `order_items` and `order_fees`, each word must be near by itself.
    ///
    /// - Parameter distance: the edit distance of both.
    static func isTypingError(_ name: String, _ typed: String, distance: Int) -> Bool {
        let (names, words) = (words(of: name), words(of: typed))
        if names.count > 1, names.count == words.count {
            return zip(names, words).allSatisfy { isTypingError($0, $1, distance: editDistance($0, $1)) }
        }
        // The hyphens of options are not typed wrong.
        let (plainName, plainTyped) = (name.drop { $0 == "-" }, typed.drop { $0 == "-" })
        let length = min(plainName.count, plainTyped.count)
        switch length {
        case ...2: return distance == 0
        case 3...5: return distance <= 1
        case 6...8: return distance <= (plainName.first == plainTyped.first ? 2 : 1)
        default: return distance <= length / 3
        }
    }

    /// The words of a name that separates them by `_`, `-`, `.` or a capital letter.
    private static func words(of name: String) -> [String] {
        var words = [""]
        var isLower = false
        for character in name {
            let isBreak = "_-.".contains(character)
            if isBreak || isLower && character.isUppercase { words.append("") }
            if !isBreak { words[words.count - 1].append(character) }
            isLower = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    private static func folded(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}

/// The edit distance with transpositions of adjacent characters (optimal string alignment), ignoring case.
func editDistance(_ first: String, _ second: String) -> Int {
    let left = Array(first.lowercased())
    let right = Array(second.lowercased())
    var rows = [Array(0...right.count)]
    for (row, character) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            let previous = rows[row]
            var distance = min(
                previous[column + 1] + 1, current[column] + 1, previous[column] + (character == other ? 0 : 1))
            if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                distance = min(distance, rows[row - 1][column - 1] + 1)
            }
            current.append(distance)
        }
        rows.append(current)
    }
    return rows[left.count][right.count]
}

enum PathTemplate {
    /// The number of literal segments that match; nil if the paths differ. A segment in braces matches any segment.
    static func literals<Bytes: Collection<UInt8>>(of template: Bytes, matching segments: [String]) -> Int? {
        var literals = 0
        var wanted = segments.makeIterator()
        for part in template.split(separator: UInt8(ascii: "/")) {
            guard let segment = wanted.next() else { return nil }
            if part.first == UInt8(ascii: "{") { continue }
            guard part.elementsEqual(segment.utf8) else { return nil }
            literals += 1
        }
        return wanted.next() == nil ? literals : nil
    }
}

/// The lines of a catalogue table. The text is static data of the program; lines are copied only when read.
struct TableText {
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter text: must be longer than one character; the compiler stores a single one differently.
    init(_ text: StaticString) {
        bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// One line, with columns separated by tabs.
    ///
    /// Sendable because it points into the program's static text, which is immutable and never freed.
    struct Line: @unchecked Sendable {
        fileprivate let bytes: Slice<UnsafeBufferPointer<UInt8>>

        var columns: [String] {
            bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }

        var firstColumn: String {
            String(decoding: bytes.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
        }

        func begins(with name: some StringProtocol) -> Bool {
            let name = name.utf8
            return bytes.starts(with: name) && bytes.dropFirst(name.count).first == UInt8(ascii: "\t")
        }

        /// The bytes of the second column, which is the key of some tables.
        var secondColumn: Slice<UnsafeBufferPointer<UInt8>> {
            let rest = bytes.drop { $0 != UInt8(ascii: "\t") }.dropFirst()
            return rest.prefix { $0 != UInt8(ascii: "\t") }
        }
    }

    /// Calls `body` for every line, in order.
    func forEach(_ body: (Line) -> Void) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            body(Line(bytes: rest[..<end]))
            rest = rest[end...].dropFirst()
        }
    }

    var texts: [String] {
        // Keeps an empty first line.
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
