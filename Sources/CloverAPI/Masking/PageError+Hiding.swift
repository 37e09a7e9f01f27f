import CloverHTTP
import CloverRecords

extension PageError {
    /// The error with secrets redacted in its excerpt, including those that were sent and that the service may repeat.
    func hiding(_ values: SensitiveValues) -> PageError {
        guard case .notJSON(let offset, let excerpt) = self else { return self }
        return .notJSON(at: offset, excerpt: values.hidden(in: TextRedaction.redacted(excerpt)))
    }
}
