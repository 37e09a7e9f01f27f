package import CloverAPI

/// A write that did not succeed, with what one has to know to go on.
package struct WriteFailure: Error, Sendable {
    package enum Cause: Sendable {
        /// It was not carried out.
        case refused(ServiceError)
        case unknown(UnknownOutcome)
        /// It was carried out.
        case answerLost(LostAnswer)
    }

    package var cause: Cause
    package var method: Endpoint.Method
    /// As messages name it: `orders/ID`.
    package var path: String
    /// The model of the body that the service takes there; nil when it is not known.
    package var model: String?
    /// The permission that is needed; nil when it is not known.
    package var permission: String?
    /// The command that shows what is there now; nil when nothing can be read.
    package var look: String?

    init(_ cause: Cause, _ method: Endpoint.Method, at path: ResourcePath) {
        self.cause = cause
        self.method = method
        self.path = path.display
        model = path.endpoint?.body.flatMap { ModelCatalogue.model(named: $0)?.name }
        permission = path.endpoint?.permission
        let isGone = if case .refused(.notFound) = cause { true } else { false }
        look = path.readable(isGone: isGone).map { found in
            // Only what may have been made just now is among the newest.
            let isNew = !isGone && method == .post && found.path == path.display
            let recent = isNew ? found.endpoint.timeField.map { " --filter '\($0)>=-10m'" } ?? "" : ""
            return "clover get \(found.path)\(recent)"
        }
    }

    package var outcome: LineOutcome {
        switch cause {
        case .refused: .failed
        case .unknown: .unknown
        case .answerLost: .answerIncomplete
        }
    }
}
