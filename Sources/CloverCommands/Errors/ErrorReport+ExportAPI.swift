import CloverCore
import CloverExport

extension ErrorReport {
    /// Clover's Export API.
    init(_ error: ExportAPIError) {
        switch error {
        case .notExported(let resource):
            self.init(
                code: "not_exported", status: .usage,
                message: "the service exports orders and payments, not \(resource)",
                hints: ["leave --via export-api out, or run \(resource) by itself"])
        case .ended(let resource, let from, let to, let status, let tries):
            self.init(
                code: "export_failed", status: .unavailable,
                message:
                    "the service could not export \(resource.rawValue) of \(Self.span(from, to)): it says \(status), \(tries) times",
                hints: ["run again later, or without --via export-api"])
        case .filesGone(let resource, let from, let to, let tries):
            self.init(
                code: "export_gone", status: .unavailable,
                message:
                    "the files of the service's export of \(resource.rawValue) of \(Self.span(from, to)) could not be read, \(tries) times",
                hints: ["run again later, or without --via export-api"])
        case .fewer(let resource, let from, let to, let records, let tries):
            self.init(
                code: "incomplete", status: .incomplete,
                message:
                    "incomplete: the service's export of \(resource.rawValue) of \(Self.span(from, to)) has \(records) records, "
                    + "and its list shows more, \(tries) times",
                hints: ["nothing of it is published; run again later, or without --via export-api"])
        case .unreadable(let url):
            self.init(
                code: "unreadable", status: .nonsense, message: "the answer of \(url) describes no export",
                hints: ["run again without --via export-api"])
        case .insecureFile(let url):
            self.init(
                code: "insecure_file", status: .nonsense,
                message: "the service names a file of its export that cannot be fetched safely: \(url)",
                hints: ["run again without --via export-api"])
        }
    }

    private static func span(_ from: Int64, _ to: Int64) -> String {
        "\(InstantText.utc(milliseconds: from)) to \(InstantText.utc(milliseconds: to))"
    }
}
