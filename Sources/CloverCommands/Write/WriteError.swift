import CloverAPI
import CloverCore
import CloverHTTP

/// Errors of a write as a whole.
enum WriteError: Error, Sendable, Equatable {
    /// Deleting this needs a confirmation that was not given. `what` names what would be deleted.
    case confirmationMissing(what: String)
    /// The user answered no to the question.
    case declined(what: String)
    /// More than one option reads standard input.
    case standardInputTwice
    /// A deletion for each line, but the path has no placeholder to fill.
    case nothingToFill(path: String)
    /// The first line to send is past the end of the input.
    case noSuchLine(Int, lines: Int)
    /// The run sent all lines, and some failed, each named on standard error.
    case linesFailed(BatchResults)
    /// All lines were carried out, but some responses are incomplete.
    case answersIncomplete(BatchResults)
    /// A dry run found lines that could not be sent.
    case linesInvalid(BatchResults)
    /// A line failed in a way that would repeat for the others, or that leaves a doubt to resolve first.
    case stopped(FailureDetails, line: Int, BatchResults, outcome: LineOutcome)
    /// `--max-time` ran out. `line` is the one to resume from, nil for a single request; `path` is its request's encoded
    /// path; `obstacle` says what the run was waiting for, where known.
    case timeRanOut(
        seconds: Double, line: Int?, path: String?, WriteState, movesMoney: Bool, obstacle: String?)
}

/// Outcome of one line's request.
enum LineOutcome: String, Sendable, Equatable {
    /// Carried out, with an incomplete response.
    case answerIncomplete = "answer_incomplete"
    /// Not carried out.
    case failed
    /// Sent, and unknown whether it was carried out.
    case unknown
}

/// A write that did not succeed, with the facts for the next step.
struct WriteFailure: Error, Sendable {
    enum Cause: Sendable {
        /// It was not carried out.
        case refused(ServiceError)
        case unknown(IndeterminateWriteError)
        /// It was carried out.
        case answerLost(ResponseLostError)
    }

    var cause: Cause
    var method: Endpoint.Method
    /// Path in messages: `orders/ID`.
    var path: String
    /// Model of the body; nil when unknown.
    var model: String?
    /// Required permission; nil when unknown.
    var permission: String?
    /// The command that shows what is there now; nil when there is nothing to read.
    var look: String?

    init(_ cause: Cause, _ method: Endpoint.Method, at path: ResourcePath) {
        self.cause = cause
        self.method = method
        self.path = path.display
        model = path.endpoint?.body.flatMap { ModelCatalogue.model(named: $0)?.name }
        permission = path.endpoint?.permission
        let isGone = if case .refused(.notFound) = cause { true } else { false }
        look = path.readable(isGone: isGone).map { found in
            // A record that may just have been created is among the newest.
            let isNew = !isGone && method == .post && found.path == path.display
            let recent = isNew ? found.endpoint.timeField.map { " --filter '\($0)>=-10m'" } ?? "" : ""
            return "clover \(found.endpoint.api == .v3 ? "get" : "api") \(found.path)\(recent)"
        }
    }

    var outcome: LineOutcome {
        switch cause {
        case .refused: .failed
        case .unknown: .unknown
        case .answerLost: .answerIncomplete
        }
    }
}
