/// A write as the desk sees it: which operation, on what, with which body.
struct WriteCall {
    let request: APIRequest
    let match: RouteTable.Match

    /// Method and path pattern, such as `POST orders/{}/line_items`.
    var name: String { "\(match.route.method) \(match.route.key)" }

    var method: String { match.route.method }

    /// The value of a path parameter.
    func parameter(_ place: Int) -> String {
        match.parameters.indices.contains(place) ? match.parameters[place] : ""
    }

    /// What the answer is to show.
    var tree: ExpandTree {
        var tree = ExpandTree()
        for text in request.query.values("expand") { tree.add(text) }
        return tree
    }

    /// The ids in a query parameter, separated by commas.
    ///
    /// - Throws: 400 when there are none.
    func ids(_ parameter: String) throws(APIError) -> [String] {
        let ids = request.query.values(parameter).flatMap { $0.split(separator: ",").map(String.init) }
        guard !ids.isEmpty else { throw .badRequest("Missing parameter: \(parameter)") }
        return ids
    }

    /// True when an association is to be taken away.
    var isRemoving: Bool { request.query.values("delete").last?.lowercased() == "true" }
}
