/// One line of `--debug`: words for a person, and the same as fields for a program.
struct DebugLine {
    let part: DebugParts
    /// Which request of the run it is about, from 1; nil when it is about none.
    let request: Int?
    let text: String
    private var fields = JSONLine()

    init(_ part: DebugParts, request: Int? = nil, _ text: String) {
        self.part = part
        self.request = request
        self.text = text
        fields.add("part", part.name)
        if let request { fields.add("request", Int64(request)) }
    }

    /// The line with one more field.
    func with(_ name: String, _ value: String?) -> DebugLine { adding { $0.add(name, value) } }

    func with(_ name: String, _ value: Bool) -> DebugLine { adding { $0.add(name, value) } }

    func with(_ name: String, _ value: Int?) -> DebugLine { adding { $0.add(name, value.map { Int64($0) }) } }

    /// The line with a number of seconds, to the microsecond.
    func with(_ name: String, seconds: Double) -> DebugLine {
        adding { $0.add(name, json: "\((seconds * 1e6).rounded() / 1e6)") }
    }

    private func adding(_ change: (inout JSONLine) -> Void) -> DebugLine {
        var line = self
        change(&line.fields)
        return line
    }

    var json: String { "{\"debug\":\(fields.text)}" }

    /// `debug: request GET https://... [1]`.
    var plain: String { "debug: \(part.name) \(text)" + (request.map { " [\($0)]" } ?? "") }
}
