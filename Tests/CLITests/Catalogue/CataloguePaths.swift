import CloverTestSupport

/// Finds ids for the places in braces, by reading the lists that are in front of them.
actor CataloguePaths {
    private var known: [String: Task<[String], any Error>] = [:]

    /// The number of parents that are searched for child records.
    private static let parents = 200

    /// Every path that there is; for parts of parts, those of some parents.
    func of(_ template: String, in shop: CatalogueShop) async throws -> [String] {
        if let task = known[template] { return try await task.value }
        let task = Task { try await Self.find(template, in: shop) }
        known[template] = task
        return try await task.value
    }

    private static func find(_ template: String, in shop: CatalogueShop) async throws -> [String] {
        var segments = template.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let last = segments.popLast() else { return [] }
        if segments.isEmpty || segments == [""] { return [template] }
        let owners = try await shop.concrete(segments.joined(separator: "/"))
        guard last.first == "{" else { return owners.map { "\($0)/\(last)" } }
        let ids: [String]
        switch (last, segments.last) {
        case ("{mId}", _): return owners.map { "\($0)/{mId}" }
        case ("{appId}", _): ids = [shop.emulator.appID]
        case ("{meteredId}", _): ids = ["METERED00001A"]
        case ("{table}", _): ids = ["items"]
        case ("{eventId}", "print_event"):
            let order = try await shop.raw([shop.absolute("orders") + "?limit=1"], jq: ".elements[0].id")
            ids = [try await shop.post("print_event", #"{"orderRef":{"id":"\#(order.first ?? "")"}}"#)]
        default:
            let lists = owners.prefix(parents).map { list in
                // A counted event is below its counter, whose own path is the list of them.
                list.hasSuffix("/events") ? String(list.dropLast("/events".count)) : list
            }
            let page = lists.first?.hasSuffix("cash_events") == true ? 500 : 1000
            let answers = try await shop.raw(
                lists.flatMap { list in
                    [0, 1].map { "\(shop.absolute(list))?limit=\(page)&offset=\($0 * page)" }
                }, jq: "\"= \" + ([.elements[] | .id // .item.id] | join(\" \"))")
            return zip(owners.flatMap { [$0, $0] }, answers).flatMap { owner, line in
                line.split(separator: " ").dropFirst().map { "\(owner)/\($0)" }
            }
        }
        return owners.flatMap { owner in ids.map { "\(owner)/\($0)" } }
    }
}
