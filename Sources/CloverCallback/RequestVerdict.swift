import HTTPTypes

/// What a request is, judged by its head alone.
enum RequestVerdict: Equatable {
    /// The redirect of a sign-in, with the whole address asked for.
    case callback(url: String)
    /// The right path without a query. The legacy flow sends its token in the fragment, which no browser sends on.
    case withoutQuery
    /// No Host header, or more than one.
    case hostMissing
    /// Meant for another site or another port.
    case hostForeign
    case pathUnknown
    case methodNotAllowed
    /// A browser's guess at what the user may open next, or a part of another page; not the user's own navigation.
    case notNavigation

    /// - Parameter address: where the request arrived, and the path that counts.
    static func judge(_ request: HTTPRequest, at address: CallbackAddress) -> RequestVerdict {
        // The first Host header is the authority; what is left in the fields is a second one.
        let host = request.authority.flatMap { $0.isEmpty ? nil : $0 }
        guard host != nil || address.takesRequestsWithoutHost, !request.headerFields.contains(.hostField) else {
            return .hostMissing
        }
        if let host, !address.isNamed(by: host) { return .hostForeign }
        let target = request.path ?? ""
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard address.has(path: halves.first.map(String.init)) else { return .pathUnknown }
        guard request.method == .get else { return .methodNotAllowed }
        guard isNavigation(request.headerFields) else { return .notNavigation }
        guard halves.count == 2, !halves[1].isEmpty else { return .withoutQuery }
        return .callback(url: address.url(target: target, host: host))
    }

    /// Present browsers say what a request is for (W3C Fetch Metadata; `Sec-Purpose` of the Fetch standard). An image, a
    /// frame or a script of some other page that points here must not use up the one callback, nor may a prefetch.
    /// Programs that send no such header are taken at their word.
    private static func isNavigation(_ fields: HTTPFields) -> Bool {
        func says(_ name: String, otherThan expected: String) -> Bool {
            HTTPField.Name(name).flatMap { fields[$0] }.map { $0.lowercased() != expected } ?? false
        }
        func isPrefetch(_ name: String) -> Bool {
            HTTPField.Name(name).flatMap { fields[$0] }.map { $0.lowercased().hasPrefix("prefetch") } ?? false
        }
        return !says("Sec-Fetch-Mode", otherThan: "navigate") && !says("Sec-Fetch-Dest", otherThan: "document")
            && !isPrefetch("Sec-Purpose") && !isPrefetch("Purpose")
    }
}

extension HTTPField.Name {
    /// `HTTPTypes` keeps this name for itself and shows the header as the request's authority.
    fileprivate static let hostField: HTTPField.Name? = HTTPField.Name("Host")
}

extension HTTPFields {
    fileprivate func contains(_ name: HTTPField.Name?) -> Bool {
        name.map { contains($0) } ?? false
    }
}
