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
        return operation(method, at: ["v3", "merchants", "M"] + (words == ["merchant"] ? [] : words))
    }
}
