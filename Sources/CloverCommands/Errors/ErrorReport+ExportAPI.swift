import CloverCore
import CloverExport

extension ErrorReport {
    /// Errors of Clover's Export API.
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
                    "the service could not export \(resource.rawValue) of \(Self.span(from, to)): status \(status), \(tries) times",
                hints: ["run again later, or without --via export-api"])
        case .filesGone(let resource, let from, let to, let tries):
            self.init(
                code: "export_gone", status: .unavailable,
                message:
                    "cannot read the files of the service's export of \(resource.rawValue) of \(Self.span(from, to)) (tried \(tries) times)",
                hints: ["run again later, or without --via export-api"])
        case .fewer(let resource, let from, let to, let records, let tries):
            self.init(
                code: "incomplete", status: .incomplete,
                message:
                    "incomplete: the service's export of \(resource.rawValue) of \(Self.span(from, to)) has \(records) records, "
                    + "and the list of records shows more (tried \(tries) times)",
                hints: ["nothing of it is published; run again later, or without --via export-api"])
        case .unreadable(let url):
            self.init(
                code: "unreadable", status: .nonsense, message: "the response from \(url) does not describe an export",
                hints: ["run again without --via export-api"])
        case .insecureFile(let url):
            self.init(
                code: "insecure_file", status: .nonsense,
                message: "the service returned an export file that cannot be fetched safely: \(url)",
                hints: ["run again without --via export-api"])
        }
    }

    private static func span(_ from: Int64, _ to: Int64) -> String {
        "\(InstantText.utc(milliseconds: from)) to \(InstantText.utc(milliseconds: to))"
    }
}
