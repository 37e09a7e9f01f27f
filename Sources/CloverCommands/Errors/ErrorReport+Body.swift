import CloverAPI
import CloverHTTP

extension ErrorReport {
    /// A body that is invalid or cannot be read.
    init(_ error: BodyError) {
        switch error {
        case .malformedField(let text, let reason):
            self.init(
                code: "bad_field", status: .usage,
                message: "malformed field '\(TextRedaction.redacted(text))': \(Self.words(for: reason))",
                hints: ["write it as name=value, employee.id=X, ids[]=X or items[].id=X"])
        case .repeatedField(let place):
            self.init(
                code: "bad_field", status: .usage, message: "the field '\(place)' is given twice",
                hints: ["entries of a list are written with brackets: \(place)[]=A"])
        case .conflict(let place, let other):
            self.init(
                code: "bad_field", status: .usage,
                message: "the fields '\(place)' and '\(other)' exclude each other: one holds the other")
        case .unknownField(let place, let model, let suggestions):
            self.init(
                code: "unknown_field", status: .usage, message: "unknown field '\(place)' of \(model)",
                hints: [
                    suggestions.isEmpty
                        ? "for all fields: clover schema \(model)"
                        : "did you mean: " + suggestions.joined(separator: ", "),
                    "the service ignores unknown fields without notice; to send it anyway, add --no-check",
                ])
        case .wrongValue(let value, let field, let expected):
            let isSecret = SensitiveName.isSensitive(field.split(separator: ".").last ?? "")
            self.init(
                code: "bad_value", status: .usage,
                message: "the field '\(field)' cannot be '\(isSecret ? TextRedaction.mark : value)'",
                hints: Self.hints(for: expected, field: field) + ["to send it anyway, add --no-check"])
        case .notText(let source):
            self.init(
                code: "not_text", status: .badData, message: "the value in \(source) is not UTF-8 text",
                hints: ["convert it first: iconv -f LATIN1 -t UTF-8"])
        case .unfit(let field, let found, let expected):
            let what = field.isEmpty ? "the body" : "the field '\(field)'"
            let value =
                switch found {
                case .kind(let kind): Self.article(kind)
                case .text(let text): "'\(text.count > 60 ? text.prefix(57) + "..." : text)'"
                }
            self.init(
                code: "bad_value", status: .usage, message: "\(what) cannot be \(value)",
                hints: Self.hints(forJSON: expected) + ["to send it anyway, add --no-check"])
        case .notJSON(let fault, let source) where fault.isTooDeep:
            self.init(
                code: "too_deep", status: .badData,
                message: "the body in \(source) is nested more than \(JSONCheck.levels) levels deep "
                    + "at line \(fault.line), column \(fault.column)",
                hints: ["no record of the service nests objects and arrays this deep"])
        case .notJSON(let fault, let source):
            self.init(
                code: "not_json", status: .badData,
                message: "the body in \(source) is not JSON at line \(fault.line), column \(fault.column)",
                hints: ["to send a request for each line, add --each"])
        }
    }

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
        switch fault {
        case .notJSON(let column):
            self.init(
                code: "bad_line", status: .badData, message: "not JSON at column \(column)",
                hints: ["a line holds a JSON object, such as {\"name\":\"Latte\"}"])
        case .notAString(let column):
            self.init(
                code: "bad_line", status: .badData, message: "not JSON at column \(column)",
                hints: ["to turn plain words into JSON strings: jq -R ."])
        case .tooDeep(let column):
            self.init(
                code: "bad_line", status: .badData,
                message: "more than \(JSONCheck.levels) levels deep at column \(column)",
                hints: ["no record of the service nests objects and arrays this deep"])
        case .tooLong(let limit):
            self.init(
                code: "bad_line", status: .badData,
                message: "longer than \(limit >> 20) MiB, so it was skipped",
                hints: ["put every request on a line of its own"])
        case .notABody(let kind):
            self.init(
                code: "bad_line", status: .badData, message: "\(Self.article(kind)) cannot be a body",
                hints: ["a line holds a JSON object, such as {\"name\":\"Latte\"}"])
        case .missing(let name):
            self.init(
                code: "bad_line", status: .badData,
                message: "there is no string or number '\(name)' to fill the path with")
        case .unusable(let name):
            self.init(
                code: "bad_line", status: .badData,
                message: "'\(name)' is empty or consists of dots, and would lead to another path")
        }
    }

    private static func article(_ kind: RecordValidator.JSONKind) -> String {
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
