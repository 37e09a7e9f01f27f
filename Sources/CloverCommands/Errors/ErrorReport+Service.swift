import CloverAPI
import CloverHTTP

extension ErrorReport {
    /// What the service or the way to it refused.
    init(_ error: ServiceError) {
        switch error {
        case .unauthorized(let url, let message):
            self = Self.answer(
                401, url, "unauthorized", .notAuthorized, "the service does not accept the token", message)
            hints = [
                "the token may be wrong or expired, belong to another merchant or environment, or lack a permission",
                "see 'clover auth status --check'",
            ]
        case .forbidden(let url, let message):
            self = Self.answer(403, url, "forbidden", .notAuthorized, "the service does not allow this", message)
            hints = ["the app of this token needs another permission, set in Clover's developer dashboard"]
        case .notFound(let url, let message):
            self = Self.answer(404, url, "not_found", .notFound, "not found", message)
            hints = ["check the id, the merchant and the environment: 'clover auth status'"]
        case .refused(let status, let url, let message):
            self = Self.answer(status, url, "refused", .usage, "the service refused the request (\(status))", message)
            hints = ["see what it takes: 'clover help get'"]
        case .rateLimited(let url, let retries):
            self = Self.answer(
                429, url, "rate_limited", .tryAgain, "the service still limits us after \(Self.times(retries))", nil)
            hints = ["try again later; other programs may be using the same token"]
        case .failed(let status, let url, let retries, let message):
            self = Self.answer(
                status, url, "service_failed", .unavailable,
                "the service failed with \(status), also after \(Self.times(retries))", message)
            hints = ["try again later"]
        case .unreachable(let error, let url, let retries):
            self = Self.unreachable(error, url: url, retries: retries)
        case .redirected(let status, let url, let location):
            self = Self.answer(
                status, url, "redirected", .nonsense,
                "the service redirects to '\(location)', which is another place: not followed", nil)
            hints = ["check the environment: 'clover auth status'"]
        case .unreadable(let fault, let url, let retries):
            let after = retries > 0 ? ", also after \(Self.times(retries))" : ""
            self = Self.answer(
                200, url, "unreadable", .nonsense, "the answer is no page of records: \(fault)\(after)", nil)
            hints = ["check the environment's address and the path; with a proxy, check that it answers as the service"]
        case .filterIgnored(let fields, let url, let allowed):
            self = Self.answer(
                200, url, "unknown_filter", .usage,
                "the service does not filter by \(fields.joined(separator: ", ")) here", nil)
            hints = ["it filters by: " + allowed.joined(separator: ", "), "send it all the same with --no-check"]
        }
    }

    private static func answer(
        _ http: Int, _ url: String, _ code: String, _ status: ExitStatus, _ words: String, _ message: String?
    ) -> ErrorReport {
        let said = message.map { " (the service says: \($0))" } ?? ""
        return ErrorReport(
            code: code, status: status, message: "\(words): \(url)\(said)", http: http, path: path(of: url))
    }

    private static func times(_ count: Int) -> String {
        count == 1 ? "1 retry" : "\(count) retries"
    }

    private static func path(of url: String) -> String? {
        guard let scheme = url.firstRange(of: "://"),
            let slash = url[scheme.upperBound...].firstIndex(of: "/")
        else { return nil }
        return String(url[slash...].prefix { $0 != "?" })
    }

    static func unreachable(_ error: HTTPTransportError, url: String, retries: Int) -> ErrorReport {
        let after = retries > 0 ? ", also after \(times(retries))" : ""
        var report = ErrorReport(code: "unreachable", status: .unavailable, message: "", path: path(of: url))
        switch error {
        case .unknownHost(let host, _):
            report.message = "cannot reach \(host): no such host\(after)"
            report.hints = ["check the environment's address and the network"]
        case .notConnected(let host, let detail):
            report.message = "cannot reach \(host): no connection\(after): \(detail)"
            report.hints = ["check the environment's address, the network, and https_proxy when there is a proxy"]
        case .proxy(let detail):
            report.message = "the proxy does not work: \(detail)"
            report.hints = ["check http_proxy, https_proxy and no_proxy"]
        case .tls(let host, let detail):
            report.code = "tls"
            report.message = "no trusted connection to \(host): \(detail)"
            report.hints = [
                "a private authority is trusted with --cacert FILE or CLOVER_CA_BUNDLE; check that the address is an https one"
            ]
        case .certificateFile(let path, let detail):
            report.code = "certificate_file"
            report.message = "cannot use the certificate file '\(path)': \(detail)"
            report.hints = ["--cacert and CLOVER_CA_BUNDLE name a PEM file"]
        case .timedOut(let host, let detail):
            report.message = "no answer from \(host) in time\(after): \(detail): \(url)"
            report.hints = ["try again later"]
        case .connectionLost(let host, let detail):
            report.message = "the connection to \(host) was lost\(after): \(detail): \(url)"
            report.hints = ["try again later; with a proxy, check https_proxy"]
        case .cutOff(let host, let detail):
            report.status = .nonsense
            report.code = "cut_off"
            report.message = "the answer of \(host) was cut off\(after): \(detail): \(url)"
            report.hints = ["try again later"]
        case .notHTTP(let host, let detail):
            report.status = .nonsense
            report.code = "not_http"
            report.message = "\(host) does not speak HTTP: \(detail)"
        case .cancelled:
            report.message = "cancelled"
        case .other(let code, let detail):
            report.message = "cannot read \(url): \(detail) (libcurl \(code))"
        }
        return report
    }
}
