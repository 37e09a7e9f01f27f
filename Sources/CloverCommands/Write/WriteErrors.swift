import CloverAPI
import CloverCore
import CloverHTTP
import CloverJSON

extension ErrorReport {
    /// A write that was refused, or whose outcome is unknown.
    init(_ failure: WriteFailure) {
        switch failure.cause {
        case .refused(let error):
            self.init(error)
            hints = Self.hints(for: error, failure) ?? hints
        case .unknown(let unknown):
            self.init(unknown.cause)
            if unknown.doubt == nil, case .refused(let http, let url, let answer) = unknown.cause {
                self = Self.answer(
                    http, url, "outcome_unknown", .unavailable,
                    "a response with status \(http) came that is not in the form of Clover's errors", answer)
            }
            code = "outcome_unknown"
            status = unknown.movesMoney ? .outcomeUnknown : status == .nonsense ? .nonsense : .unavailable
            let earlier = unknown.doubt.map { " by an earlier attempt, \(Self.words(for: $0)); the last one" } ?? ""
            message =
                "outcome unknown: the \(unknown.method.rawValue) may have been carried out\(earlier): \(message)"
            hints = Self.lookHints(failure, movesMoney: unknown.movesMoney)
        case .answerLost(let lost):
            self.init(
                code: "answer_lost", status: .nonsense,
                message: "the service carried it out (\(lost.status)), but its response is incomplete: \(lost.reason): "
                    + lost.url,
                hints: ["do not send it again"] + Self.look(failure), http: lost.status, path: Self.path(of: lost.url))
        }
    }

    private static func words(for doubt: ServiceClient.Doubt) -> String {
        switch doubt {
        case .noAnswer: "whose response was lost"
        case .failed(let status): "which got status \(status)"
        }
    }

    private static func look(_ failure: WriteFailure) -> [String] {
        failure.look.map { ["to see what is there: \($0)"] } ?? []
    }

    private static func lookHints(_ failure: WriteFailure, movesMoney: Bool) -> [String] {
        let warning =
            movesMoney
            ? "money may have moved: do not send it again before you have checked"
            : failure.method == .post
                ? "if sent again, it may be carried out twice: check first"
                : "it can be sent again: doing it twice has the same effect as once"
        return [warning] + look(failure)
    }

    /// Hints for a refused write; nil if there are none better than those for any request.
    private static func hints(for error: ServiceError, _ failure: WriteFailure) -> [String]? {
        switch error {
        case .forbidden:
            let permission = failure.permission.map { "the permission \($0)" } ?? "another permission"
            return ["the app of this token needs \(permission), set in Clover's developer dashboard"]
        case .notFound:
            return ["check the ids in the path, and the merchant: 'clover auth status'"] + look(failure)
        case .refused(let http, _, _):
            switch http {
            case 405: return ["to see the methods that it takes: clover endpoints \(failure.path)"]
            case 409: return ["it was changed in the meantime, or exists already; read it, then decide"] + look(failure)
            case 413: return ["send less at once"]
            case 415: return ["the service takes another kind of body there: clover endpoints \(failure.path)"]
            default:
                return failure.model.map { ["to see what it takes: clover schema \($0)"] }
                    ?? ["to see what it takes: clover endpoints \(failure.path)"]
            }
        case .failed(501, _, _, _, _):
            return ["the service does not support this there: clover endpoints \(failure.path)"]
        case .failed, .unauthorized, .rateLimited, .paused, .unreachable, .redirected, .unreadable, .filterIgnored:
            return nil
        }
    }

    /// Errors of writes, other than those of the service.
    init(_ error: WriteError) {
        switch error {
        case .confirmationMissing(let what):
            self.init(
                "confirmation_missing", .usage, "this deletes \(what): nothing was sent",
                "to confirm, add --yes; to see what would be sent, use --dry-run")
        case .declined(let what): self.init("declined", .declined, "not deleted: \(what)")
        case .standardInputTwice:
            self.init(
                "usage", .usage, "standard input can be read only once, but two options ask for it",
                "replace one - with the name of a file")
        case .noSuchLine(let first, let lines):
            self.init(
                "usage", .usage,
                "--resume-from \(first): the input has only \(lines == 1 ? "1 line" : "\(lines) lines"), so nothing was "
                    + "sent")
        case .nothingToFill(let path):
            self.init(
                "usage", .usage, "every line would delete the same path: \(path)",
                "add a name to the path that each line fills: clover delete '\(path)/{id}' --each")
        case .linesFailed(let counts):
            self.init("lines_failed", .partlyFailed, "\(Self.failures(counts)) failed")
            if counts.done > 0 { message += "; the other \(counts.done == 1 ? "1 is" : "\(counts.done) are") done" }
            if counts.incomplete > 0 { message += ", \(counts.incomplete) of them with an incomplete response" }
            hints = [Self.list(counts)] + Self.incompleteHints(counts)
        case .answersIncomplete(let counts):
            self.init(
                "answers_incomplete", .incomplete,
                counts.done == 1
                    ? "the line was carried out, but its response is incomplete"
                    : "all \(counts.done) lines were carried out, but \(counts.incomplete) of the responses "
                        + (counts.incomplete == 1 ? "is incomplete" : "are incomplete"))
            hints = Self.incompleteHints(counts)
        case .linesInvalid(let counts):
            self.init(
                "lines_unfit", .partlyFailed, "\(Self.failures(counts)) cannot be sent", Self.list(counts))
            if counts.done > 0 {
                let others = counts.done == 1 ? "request of the other 1 is" : "requests of the other \(counts.done) are"
                message += "; the \(others) printed"
            }
            message += ", and nothing was sent"
        case .stopped(let facts, let line, let counts, let outcome):
            self.init(
                code: facts.code, status: ExitStatus(rawValue: facts.status) ?? .unclassified,
                message: "stopped at line \(line): \(facts.message)",
                hints: facts.hints + Self.resumeHints(line, counts, outcome), http: facts.http, path: facts.path)
        case .timeRanOut(let seconds, let line, let path, let standing, let movesMoney, let obstacle):
            self.init(
                outOfTime: standing == .notDone ? obstacle : nil,
                "--max-time \(Self.shortened(seconds)) ran out\(line.map { " at line \($0)" } ?? "")")
            if standing != .notDone, movesMoney { status = .outcomeUnknown }
            self.path = path
            switch standing {
            case .underWay: message += " while waiting for the response: it may have been carried out"
            case .doubtful: message += " before another try: an earlier one may have been carried out"
            case .notDone:
                hints.insert(line == nil ? "it was not sent, or refused" : "that line was not sent, or refused", at: 0)
            }
            if let obstacle { message += ": \(obstacle.words)" }
            if standing != .notDone { hints = ["check before you send it again"] }
            if let line { hints.append(Self.resume(line, standing == .notDone ? .failed : .unknown)) }
        }
    }

    private static func failures(_ counts: BatchResults) -> String {
        let all = counts.done + counts.failed
        return "\(counts.failed) of \(all == 1 ? "1 line" : "\(all) lines")"
    }

    private static func incompleteHints(_ counts: BatchResults) -> [String] {
        guard counts.incomplete > 0 else { return [] }
        return [
            "do not send again: " + counts.incompleteLines.map(String.init).joined(separator: ", ")
                + (counts.incomplete > counts.incompleteLines.count ? ", ..." : "")
        ]
    }

    private static func list(_ counts: BatchResults) -> String {
        let more = counts.failed > counts.failedLines.count ? ", ..." : ""
        return "failed: " + counts.failedLines.map(String.init).joined(separator: ", ") + more
            + "; each has its error in the output"
    }

    private static func resumeHints(_ line: Int, _ counts: BatchResults, _ outcome: LineOutcome) -> [String] {
        let before = counts.failed > 1 ? ["of the lines before, \(counts.failed - 1) failed; " + list(counts)] : []
        return before + [resume(line, outcome)]
    }

    private static func resume(_ line: Int, _ outcome: LineOutcome) -> String {
        switch outcome {
        case .failed: "to continue: --resume-from \(line)"
        case .answerIncomplete: "to continue: --resume-from \(line + 1)"
        case .unknown:
            "to continue: --resume-from \(line + 1) if line \(line) was carried out, or \(line) if it was not"
        }
    }
}

extension ErrorReport {
    /// A body that is invalid or cannot be read.
    init(_ error: BodyError) {
        switch error {
        case .malformedField(let text, let reason):
            self.init(
                "bad_field", .usage, "malformed field '\(TextRedaction.redacted(text))': \(Self.words(for: reason))",
                "write it as name=value, employee.id=X, ids[]=X or items[].id=X")
        case .repeatedField(let place):
            self.init(
                "bad_field", .usage, "the field '\(place)' is given twice",
                "entries of a list are written with brackets: \(place)[]=A")
        case .conflict(let place, let other):
            self.init(
                "bad_field", .usage, "the fields '\(place)' and '\(other)' exclude each other: one holds the other")
        case .unknownField(let place, let model, let suggestions):
            self.init(
                "unknown_field", .usage, "unknown field '\(place)' of \(model)",
                suggestions.isEmpty
                    ? "for all fields: clover schema \(model)" : "did you mean: " + suggestions.joined(separator: ", "),
                "the service ignores unknown fields without notice; to send it anyway, add --no-check")
        case .wrongValue(let value, let field, let expected):
            let isSecret = SensitiveName.isSensitive(field.split(separator: ".").last ?? "")
            self.init("bad_value", .usage, "the field '\(field)' cannot be '\(isSecret ? TextRedaction.mark : value)'")
            hints = Self.hints(for: expected, field: field) + ["to send it anyway, add --no-check"]
        case .notText(let source):
            self.init(
                "not_text", .badData, "the value in \(source) is not UTF-8 text",
                "convert it first: iconv -f LATIN1 -t UTF-8")
        case .unfit(let field, let found, let expected):
            let value =
                switch found {
                case .kind(let kind): Self.article(kind)
                case .text(let text): "'\(text.count > 60 ? text.prefix(57) + "..." : text)'"
                }
            self.init("bad_value", .usage, "\(field.isEmpty ? "the body" : "the field '\(field)'") cannot be \(value)")
            hints = Self.hints(forJSON: expected) + ["to send it anyway, add --no-check"]
        case .notJSON(let fault, let source) where fault.isTooDeep:
            self.init(
                "too_deep", .badData,
                "the body in \(source) is nested more than \(JSONCheck.levels) levels deep "
                    + "at line \(fault.line), column \(fault.column)", Self.depthHint)
        case .notJSON(let fault, let source):
            self.init(
                "not_json", .badData,
                "the body in \(source) is not JSON at line \(fault.line), column \(fault.column)",
                "to send a request for each line, add --each")
        }
    }

    private static let depthHint = "no record of the service nests objects and arrays this deep"

    private static func hints(for expected: BodyError.Expectation, field: String) -> [String] {
        switch expected {
        case .string: ["it is a string"]
        case .boolean: ["it is true or false"]
        case .number: ["it is a number, such as 12.5"]
        case .time: ["it is a time: milliseconds since 1970, 2026-11-20T08:00Z, today, tomorrow, now, or -7d, -8w"]
        case .integer(let bits): ["it is a whole number of \(bits) bits, without leading zeros"]
        case .minorUnits(let suggestion):
            [
                "it is a whole number of the currency's minor units (cents)"
                    + (suggestion.map { ": write \(field)=\($0)" } ?? "")
            ]
        case .object: ["it has parts: write \(field).id=X, or a JSON object"]
        case .list: ["it is a list: write \(field)[]=X, \(field)[].id=X, or a JSON array"]
        case .single(let type): ["it is one value (\(type)), without parts or entries"]
        case .oneOf(let cases, let suggestions):
            suggestions.isEmpty
                ? ["it is one of: " + cases.joined(separator: ", ")]
                : [
                    "did you mean: " + suggestions.joined(separator: ", ") + "   (all: "
                        + cases.joined(separator: ", ") + ")"
                ]
        }
    }

    /// Hints for a body that is JSON already.
    private static func hints(forJSON expected: BodyError.Expectation) -> [String] {
        switch expected {
        case .time: ["it is a time: a whole number of milliseconds since 1970"]
        case .integer(let bits): ["it is a whole number of \(bits) bits"]
        case .minorUnits(let suggestion):
            ["it is a whole number of the currency's minor units (cents)" + (suggestion.map { ": \($0)" } ?? "")]
        case .object: ["it is an object, such as {\"id\":\"X\"}"]
        case .list: ["it is a list, such as [{\"id\":\"X\"}]"]
        case .string, .boolean, .number, .single, .oneOf: hints(for: expected, field: "")
        }
    }

    private static func words(for reason: BodyError.FieldFault) -> String {
        switch reason {
        case .noValue: "there is no '='"
        case .noName: "there is no name before '='"
        case .emptyName: "a part of the name is empty"
        case .openBracket: "the brackets do not match"
        case .index: "entries of a list have no numbers; [] adds one"
        case .nestedList: "write a list directly inside a list as JSON"
        }
    }

    /// An input line of --each that cannot become a request.
    init(_ fault: RequestLine.Fault) {
        let objectHint = "a line holds a JSON object, such as {\"name\":\"Latte\"}"
        self.init("bad_line", .badData, "")
        (message, hints) =
            switch fault {
            case .notJSON(let column): ("not JSON at column \(column)", [objectHint])
            case .notAString(let column):
                ("not JSON at column \(column)", ["to turn plain words into JSON strings: jq -R ."])
            case .tooDeep(let column):
                ("more than \(JSONCheck.levels) levels deep at column \(column)", [Self.depthHint])
            case .tooLong(let limit):
                ("longer than \(limit >> 20) MiB, so it was skipped", ["put each request on a separate line"])
            case .notABody(let kind): ("\(Self.article(kind)) cannot be a body", [objectHint])
            case .missing(let name): ("there is no string or number '\(name)' to fill the path with", [])
            case .unusable(let name): ("'\(name)' is empty or consists of dots, and would lead to another path", [])
            }
    }

    private static func article(_ kind: JSONKind) -> String {
        switch kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .object: "an object"
        case .array: "an array"
        }
    }
}

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
        seconds: Double, line: Int?, path: String?, WriteState, movesMoney: Bool, obstacle: Obstacle?)
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
