import CloverAPI
import CloverCore
import CloverHTTP
import CloverJSON
import CloverSystem

extension ErrorReport {
    /// Refusals of the service, and failures to reach it.
    init(_ error: ServiceError) {
        switch error {
        case .unauthorized(let url, let message):
            self = Self.answer(
                401, String(url.prefix { $0 != "?" }), "unauthorized", .notAuthorized,
                "the service does not accept the token", message)
            hints = [
                "the token may be wrong or expired, belong to another merchant or environment, or lack a permission",
                "see 'clover auth status --check'",
            ]
        case .forbidden(let url, let message):
            self = Self.answer(403, url, "forbidden", .notAuthorized, "the service does not allow this", message)
            let permission = Self.endpoint(of: url)?.permission.map { "the permission \($0)" } ?? "another permission"
            // Clover explains a refusal in JSON, which has a message.
            hints =
                message == nil
                ? Self.pageHints
                : [
                    "the app of this token needs \(permission), set in Clover's developer dashboard",
                    "a permission takes effect after the merchant has uninstalled and reinstalled the app",
                ]
        case .notFound(let url, let message):
            self = Self.answer(404, url, "not_found", .notFound, "not found", message)
            if let record = Self.missingRecord(url) { self.message = "no \(record)\(Self.quotedMessage(message))" }
            hints =
                Self.relativeHints(url) + Self.searchHints(url) + [
                    "check the id, the merchant and the environment: 'clover auth status'"
                ]
        case .refused(let status, let url, let message):
            self = Self.answer(
                status, url, Self.code(of: status), .usage, "the service refused the request (\(status))", message)
            hints = Self.hints(forRefusal: status, url)
        case .rateLimited(let url, let retries, let limit, let wait, let message):
            let which = (limit.map { " (\($0))" } ?? "") + Self.asks(wait)
            self = Self.answer(
                429, url, "rate_limited", .tryAgain,
                "the service \(retries > 0 ? "still " : "")limits requests\(which)\(Self.after(retries, " after "))",
                message)
            hints = [
                limit?.lowercased().contains("crosstoken") == true
                    ? "try again later; the limit is of the app, and its other merchants use it up too"
                    : "try again later; other programs may be using the same token",
                "to see who uses the budget, and how long a pause lasts: clover limits",
            ]
        case .paused(let seconds, let url, let limit):
            let left = Self.shortened(seconds.rounded(.up))
            self.init(
                code: "rate_limited", status: .tryAgain,
                message: "the service limits requests (\(limit)) for \(left) more, so this was not sent: \(url)",
                path: Self.path(of: url))
            hints = [
                "try again then; without --no-retry, clover waits until the pause is over",
                "to see how long it lasts: clover limits",
            ]
        case .failed(let status, let url, let retries, let wait, let message):
            let isPage = !RetryPolicy.isServiceFailure(status)
            self = Self.answer(
                status, url, "service_failed", .unavailable,
                (isPage
                    ? "a web page with status \(status) came instead of a response"
                    : "the service failed with \(status)")
                    + Self.asks(wait) + Self.after(retries), message)
            hints = isPage ? Self.pageHints : Self.hints(forFailure: status, mayRetry: wait == nil)
        case .unreachable(let error, let url, let retries):
            self = Self.unreachable(error, url: url, retries: retries)
        case .redirected(let status, let url, let location, let isElsewhere):
            self = Self.answer(
                status, url, "redirected", .nonsense,
                "the service redirects to '\(location)'\(isElsewhere ? ", which is another server" : ""): not followed",
                nil)
            hints = ["check the environment: 'clover auth status'"]
        case .unreadable(let fault, let url, let retries):
            self = Self.answer(
                200, url, "unreadable", .nonsense, "\(Self.words(for: fault))\(Self.after(retries))", nil)
            hints = [
                "check the environment's address and the path; with a proxy, check that it passes the service's responses"
            ]
        case .filterIgnored(let fields, let url, let allowed):
            self = Self.answer(
                200, url, "unknown_filter", .nonsense,
                "the service does not filter by \(fields.joined(separator: ", ")) here", nil)
            hints = ["it filters by: " + allowed.joined(separator: ", ")]
        }
    }

    static func answer(
        _ http: Int, _ url: String, _ code: String, _ status: ExitStatus, _ words: String, _ message: String?
    ) -> ErrorReport {
        // Without the query, to which clover adds pages and times; '--debug request' shows all of it.
        ErrorReport(
            code: code, status: status, message: "\(words): \(url.prefix { $0 != "?" })\(quotedMessage(message))",
            http: http, path: path(of: url))
    }

    private static func quotedMessage(_ message: String?) -> String {
        message.map { " (the service says: \($0))" } ?? ""
    }

    /// `order XYZ at merchant 7ZK9`, if the address is that of a single record of a kind in the catalogue.
    private static func missingRecord(_ url: String) -> String? {
        guard let path = path(of: url), let endpoint = endpoint(of: url), endpoint.path.hasSuffix("}"),
            let model = endpoint.model?.split(separator: ".").last
        else { return nil }
        let segments = path.split(separator: "/")
        guard segments.count > 4, segments[1] == "merchants", let id = segments.last else { return nil }
        let kind = model.reduce(into: "") { words, letter in
            words += letter.isUppercase && !words.isEmpty ? " " + letter.lowercased() : letter.lowercased()
        }
        return "\(kind) \(id) at merchant \(segments[2])"
    }

    /// Describes a response that is not usable JSON.
    private static func words(for fault: PageError) -> String {
        if case .notJSON(at: 0, let excerpt) = fault, let value = bareValue(excerpt) {
            return "the response is \(value), neither an object nor a list"
        }
        return switch fault {
        case .html, .notJSON, .anArray, .aList, .otherRecord: "the response is \(fault)"
        case .cutOff: "the response was \(fault)"
        case .noRecord: "the response came \(fault)"
        case .noElements, .noData, .elementsNotAnArray, .elementsRepeated, .notAnObject, .recordTooLarge, .gapTooLarge:
            "the response is not a page of records: \(fault)"
        case .unusableID: "the response contains \(fault)"
        }
    }

    /// The JSON value that the whole text is, without spaces after it; nil if it is none.
    private static func bareValue(_ excerpt: String) -> String? {
        let text = String(excerpt.reversed().drop { $0 == " " }.reversed())
        let isValue =
            ["null", "true", "false"].contains(text) || Double(text) != nil
            || text.count > 1 && text.first == "\"" && text.last == "\""
        return isValue ? text : nil
    }

    private static func code(of status: Int) -> String {
        switch status {
        case 405: "method_not_allowed"
        case 409: "conflict"
        case 415: "unsupported_media_type"
        default: "refused"
        }
    }

    /// Hints for a web page instead of a response: the cause is neither a permission nor an ID.
    private static let pageHints = [
        "something on the way responded instead: a firewall, a proxy, the login page of a network, or a bot check",
        "with a proxy, check https_proxy", addressStep,
    ]

    /// - Parameter mayRetry: false if the service asks for a wait that no number of retries makes.
    private static func hints(forFailure status: Int, mayRetry: Bool) -> [String] {
        let again = mayRetry ? "try again later; to retry longer, use --retry N" : "try again then"
        return switch status {
        case 501: ["the service does not support this: check the path"]
        case 505: ["check that no proxy changes the request"]
        case 500...: [again, "for outages, see status.clover.com"]
        default: [again]
        }
    }

    /// Hints for a refusal with a status that has no separate case.
    private static func hints(forRefusal status: Int, _ url: String) -> [String] {
        let endpoint = endpoint(of: url).map(EndpointCatalogue.displayPath)
        let look =
            endpoint.map { "to see what it takes: clover endpoints \($0)" } ?? "to list all paths: clover endpoints"
        switch status {
        case 400 where url.contains("filter="):
            return [look, "to filter the records here: --jq 'select(...)'"]
        case 405: return ["the path cannot be read, or not any more", look]
        case 409: return ["the record was changed in the meantime: read it again"]
        case 410: return ["it has been removed permanently"]
        case 413, 414: return ["ask for less at once: fewer ids in a filter, fewer expansions"]
        case 415: return ["the service accepts only JSON: check that no proxy changes the request"]
        default: return [look]
        }
    }

    /// The catalogue's entry for the address.
    private static func endpoint(of url: String) -> Endpoint? {
        guard let path = path(of: url) else { return nil }
        return EndpointCatalogue.endpoint(at: path.split(separator: "/").map(String.init))
    }

    /// How to write a path that was taken as one below the merchant.
    private static func relativeHints(_ url: String) -> [String] {
        let segments = path(of: url)?.split(separator: "/").map(String.init) ?? []
        guard segments.count > 3, segments[0] == "v3", segments[1] == "merchants",
            EndpointCatalogue.endpoint(at: segments) == nil
        else { return [] }
        if segments[3] == "merchants" {
            return [
                "a path without a slash in front is relative to the merchant: for the merchant, clover get merchant; "
                    + "for others, /v3/merchants/{mId}/..."
            ]
        }
        let name = segments[3...].joined(separator: "/")
        return ["the catalogue has no path '\(name)' below the merchant; to list all paths: clover endpoints"]
    }

    /// How to search for the record in its list.
    private static func searchHints(_ url: String) -> [String] {
        guard let path = path(of: url) else { return [] }
        let segments = path.split(separator: "/").map(String.init)
        guard segments.count > 4, segments[0] == "v3", let id = segments.last,
            let list = EndpointCatalogue.endpoint(at: segments.dropLast()), list.shape == .list,
            list.filterable.contains("id")
        else { return [] }
        let typed = segments[3..<segments.count - 1].joined(separator: "/")
        let name = PercentCoding.decode(id[...]) ?? id
        // A name was typed for an ID, more likely than an ID with several errors.
        let fields = ["name", "firstName", "lastName"].filter(list.filterable.contains)
        if !id.contains(/[0-9]/), !fields.isEmpty {
            let ways = fields.map { "clover get \(typed) --filter '\($0)=\(name)'" }
            return ["'\(name)' is no ID; by name: " + ways.joined(separator: ", or ")]
        }
        return ["look for it: clover get \(typed) --filter id=\(id)"]
    }

    /// What a service asks for whose `Retry-After` is too long to wait; empty if there is none.
    private static func asks(_ wait: Double?) -> String {
        guard let wait else { return "" }
        let most = DoctorContext.span(Int(RetryPolicy.longestNamedPause))
        let asked = DoctorContext.span(Int(wait.rounded(.up)))
        return " and asks to wait for \(asked); clover waits for \(asked == most ? "less" : "\(most) at most")"
    }

    /// `, even after 3 retries`; empty if there was no retry.
    private static func after(_ retries: Int, _ words: String = ", even after ") -> String {
        retries > 0 ? words + (retries == 1 ? "1 retry" : "\(retries) retries") : ""
    }

    static func path(of url: String) -> String? {
        guard let scheme = url.firstRange(of: "://"),
            let slash = url[scheme.upperBound...].firstIndex(of: "/")
        else { return nil }
        return String(url[slash...].prefix { $0 != "?" })
    }

    /// How to find out which setting selects the service.
    private static let addressStep = "to see which service is set, and where: clover config list --explain"

    /// No response, or an incomplete one.
    ///
    /// - Parameters:
    ///   - url: the requested address; nil if it says nothing because it is the same for every request.
    ///   - occasion: what the request was for, such as ` when it was asked for tokens`.
    static func unreachable(
        _ error: HTTPTransportError, url: String?, retries: Int, when occasion: String = ""
    ) -> ErrorReport {
        let tried = after(retries)
        let after = occasion + tried
        let place = url.map { ": \($0)" } ?? ""
        var report = ErrorReport(
            code: "unreachable", status: .unavailable, message: "", path: url.flatMap { path(of: $0) })
        switch error {
        case .unknownHost(let host, _):
            report.message = "cannot reach \(host)\(occasion): no such host\(tried)"
            report.hints = ["check the environment's address and the network", Self.addressStep]
        case .notConnected(let host, let detail):
            report.message = "cannot reach \(host)\(occasion): no connection\(tried): \(detail)"
            report.hints = [
                "check the environment's address, the network, and https_proxy when there is a proxy", Self.addressStep,
            ]
        case .proxy(let detail):
            report.message = "the proxy does not work: \(detail)"
            report.hints = ["check http_proxy, https_proxy and no_proxy"]
        case .tls(let host, let detail):
            report.code = "tls"
            report.message = "no trusted connection to \(host): \(detail)"
            report.hints = [
                "to trust a private authority, use --cacert FILE or CLOVER_CA_BUNDLE; check that the address is an https one"
            ]
        case .certificateFile(let path, let detail):
            report.code = "certificate_file"
            report.message = "cannot use the certificate file '\(path)': \(detail)"
            report.hints = ["--cacert and CLOVER_CA_BUNDLE name a PEM file"]
        case .timedOut(let host, let detail):
            report.message = "no response from \(host) in time\(after): \(detail)\(place)"
            report.hints = ["try again later", Self.addressStep]
        case .connectionLost(let host, let detail):
            report.message = "the connection to \(host) was lost\(after): \(detail)\(place)"
            report.hints = ["try again later; with a proxy, check https_proxy"]
        case .cutOff(let host, let detail):
            report.status = .nonsense
            report.code = "cut_off"
            report.message = "the response from \(host) was cut off\(after): \(detail)\(place)"
            report.hints = ["try again later"]
        case .notHTTP(let host, let detail):
            report.status = .nonsense
            report.code = "not_http"
            report.message = "\(host) does not speak HTTP: \(detail)"
        case .headTooLarge(let host):
            report.status = .nonsense
            report.code = "head_too_large"
            report.message = "the head of the response from \(host) is larger than libcurl accepts\(place)"
            report.hints = ["with a proxy, check that it passes the service's responses", Self.addressStep]
        case .libraryMissing(let detail):
            report.code = "library_missing"
            report.message = "libcurl cannot be used: \(detail)"
            report.hints = ["install it: apt-get install libcurl4"]
        case .cancelled:
            report.message = "cancelled"
        case .heldBack:
            report.message = "nothing was sent: a pause began first\(place)"
            report.hints = ["run it again"]
        case .other(let code, let detail):
            report.message = "cannot read \(url ?? "the service's response")\(occasion): \(detail) (libcurl \(code))"
        }
        return report
    }
}

extension ErrorReport {
    /// A list whose oldest record has an impossible time.
    init(_ error: ImpossibleOldestRecord) {
        self.init(
            code: "impossible_time", status: .badData,
            message:
                "a record of \(error.list) has \(error.field) \(error.time), which is before 1900: a list that starts there "
                + "cannot be read in time windows",
            hints: [
                "to see it: clover get \(error.list) --sort \(error.field) --limit 1",
                "to leave it out: --since DATE with export, --filter '\(error.field)>=0' with get",
            ])
    }

    /// Missing records: which ones, and how to get them.
    init(_ shortfall: Shortfall) {
        var parts: [(message: String, output: [String], hints: [String])] = []
        if !shortfall.failedWindows.isEmpty { parts.append(Self.windows(of: shortfall)) }
        if shortfall.summary.truncatedCount > 0 { parts.append(Self.lists(of: shortfall)) }
        if let place = shortfall.summary.gapsNear.first {
            parts.append(
                (
                    "\(shortfall.path) were added and removed faster than they could be read: some near \(place) may be missing",
                    [],
                    ["run again when there is less activity, or limit the time with --filter"]
                ))
        }
        if let shortage = shortfall.summary.shortages.first {
            let words = Shortfall.words(for: shortage)
            parts.append(
                shortage.isFixed
                    ? (
                        "the service repeats rows of \(shortfall.path), always in the same places: \(words); whether "
                            + "others are missing in their places is unknown", [],
                        ["to compare, read it in another order: --sort with a field such as createdTime"]
                    )
                    : (
                        "the service returns \(shortfall.path) in changing orders: \(words)", [],
                        ["run again, or add --sort with a field that does not change, such as createdTime"]
                    ))
        }
        if let first = shortfall.summary.twins.first {
            let names = shortfall.summary.twins.prefix(10).joined(separator: ", ")
            parts.append(
                (
                    "records of \(shortfall.path) came twice, with different contents: \(names)",
                    ["the first of each is in the output"],
                    ["to see it as it is now: clover get \(shortfall.path) \(first)"]
                ))
        }
        self.init(
            code: "incomplete", status: .incomplete, message: "incomplete: " + (parts.first?.message ?? ""),
            hints: (parts.first?.hints ?? []) + parts.dropFirst().flatMap { ["also: " + $0.message] + $0.hints })
        let facts = parts.flatMap(\.output)
        if shortfall.isPrinted { outputFacts = facts } else { hints = facts + hints }
    }

    private static func windows(of shortfall: Shortfall) -> (String, [String], [String]) {
        let failed = shortfall.failedWindows
        if let undivided = failed.first, undivided.bounds == nil {
            return (
                "\(shortfall.path) were not read to their end: \(undivided.failure ?? "")",
                [printed("", shortfall)], []
            )
        }
        let count = shortfall.summary.windowCount ?? failed.count
        let places = joined(failed)
        let names = places.prefix(3).map { place in
            "\(day(place.bounds.from))..\(day(place.bounds.to - 1)): \(place.reason)"
        }
        let more = places.count > 3 ? ", ..." : ""
        let message =
            "\(failed.count) of \(count) windows of \(shortfall.path) could not be read "
            + "(\(names.joined(separator: ", "))\(more))"
        let read = shortfall.summary.windows.count - failed.count
        let rest = places.prefix(3).map { place in
            let field = shortfall.timeField ?? "createdTime"
            return "to read the rest: --filter '\(field)>=\(InstantText.utc(milliseconds: place.bounds.from))'"
                + " --filter '\(field)<\(InstantText.utc(milliseconds: place.bounds.to))'"
        }
        let windows = read == 1 ? "1 window" : "\(read) windows"
        return (message, [printed("\(windows), ", shortfall)] + rest, [])
    }

    /// Where the records that were read are.
    private static func printed(_ what: String, _ shortfall: Shortfall) -> String {
        shortfall.isPrinted
            ? "\(what)\(shortfall.summary.records) \(shortfall.path) are in the output"
            : "nothing of this reading of \(shortfall.path) is in the output; the next run reads them again"
    }

    private static func lists(of shortfall: Shortfall) -> (String, [String], [String]) {
        let cut = shortfall.summary.truncatedRecords
        let names = cut.prefix(10).map { entry in
            "\(entry.list) of \(entry.id ?? "a record without id") (\(Shortfall.words(for: entry.reason)))"
        }
        let count = shortfall.summary.truncatedCount
        let lists = count == 1 ? "1 nested list" : "\(count) nested lists"
        return (
            "\(lists) of \(shortfall.path) may lack entries: \(names.joined(separator: ", "))\(count > 10 ? ", ..." : "")",
            [
                shortfall.isPrinted
                    ? "everything else is complete; these lists are in the output as the service sent them"
                    : printed("", shortfall)
            ], []
        )
    }

    /// Merges adjacent failed windows, oldest first.
    private static func joined(_ windows: [RecordPager.Window]) -> [(bounds: TimeWindow, reason: String)] {
        var result: [(bounds: TimeWindow, reason: String)] = []
        for window in windows.sorted(by: { ($0.bounds?.from ?? 0) < ($1.bounds?.from ?? 0) }) {
            guard let bounds = window.bounds else { continue }
            if let last = result.indices.last, result[last].bounds.to == bounds.from {
                result[last].bounds.to = bounds.to
            } else {
                result.append((bounds, window.failure ?? ""))
            }
        }
        return result
    }

    private static func day(_ milliseconds: Int64) -> String {
        String(InstantText.utc(milliseconds: milliseconds).prefix(10))
    }
}
