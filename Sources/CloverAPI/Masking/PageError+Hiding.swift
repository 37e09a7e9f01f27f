import CloverHTTP
import CloverRecords

extension PageError {
    /// The same without secrets in what is quoted, those that were sent among them: the service may have repeated them.
    func hiding(_ values: SensitiveValues) -> PageError {
        guard case .notJSON(let offset, let excerpt) = self else { return self }
        return .notJSON(at: offset, excerpt: values.hidden(in: TextRedaction.redacted(excerpt)))
    }
}
