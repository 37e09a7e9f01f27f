import CloverAPI
import CloverAuth
import CloverJSON

/// One line of `--debug`, as text and as JSON fields.
struct DebugLine {
    let part: DebugParts
    /// Number of the request in the run, from 1; nil for a line about no request.
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

    func with(_ name: String, _ value: String?) -> DebugLine { adding { $0.add(name, value) } }

    func with(_ name: String, _ value: Bool) -> DebugLine { adding { $0.add(name, value) } }

    func with(_ name: String, _ value: Int?) -> DebugLine { adding { $0.add(name, value.map { Int64($0) }) } }

    /// A copy with a field in seconds, rounded to the microsecond.
    func with(_ name: String, seconds: Double) -> DebugLine {
        adding { $0.add(name, json: "\((seconds * 1e6).rounded() / 1e6)") }
    }

    private func adding(_ change: (inout JSONLine) -> Void) -> DebugLine {
        var line = self
        change(&line.fields)
        return line
    }

    var json: String { "{\"debug\":\(fields.text)}" }

    /// The line as text: `debug: request GET https://... [1]`.
    var plain: String { "debug: \(part.name) \(text)" + (request.map { " [\($0)]" } ?? "") }
}

extension DebugLine {
    /// How long a request waited before it was sent, and why.
    ///
    /// - Parameter now: milliseconds since 1970.
    static func pacing(_ admittance: ServiceEvent.Admittance, now: Int64) -> DebugLine {
        let granted = InstantText.utc(milliseconds: now - Int64((admittance.age * 1000).rounded()))
        let reason: String
        if let pause = admittance.pause {
            reason = "a pause of the service's: \(pause)"
        } else if admittance.waitedForSlot > admittance.waited / 2 {
            reason = "all in-flight slots were taken"
        } else {
            reason = "the rate of all processes with this token"
        }
        let isLong = admittance.waited >= 0.001
        return DebugLine(
            .pacing,
            "waited \(ServiceEventText.rounded(admittance.waited)) s"
                + (isLong ? " for \(reason)" : "") + ", granted \(granted), slot \(admittance.slot)"
        )
        .with("waited", seconds: admittance.waited).with("waitedForSlot", seconds: admittance.waitedForSlot)
        .with("reason", isLong ? reason : nil).with("granted", granted).with("slot", admittance.slot)
        .with("pause", admittance.pause)
    }

    /// The token comes from the environment, and its expiry is unknown.
    static let staticToken = DebugLine(
        .cache, "the token of CLOVER_ACCESS_TOKEN is used; when it ends is not known, and it is never renewed"
    ).with("source", "CLOVER_ACCESS_TOKEN")

    /// The stored credential in use and how long it is valid.
    ///
    /// - Parameter path: the state directory.
    static func credential(_ credential: Credential, path: String, now: TokenClock.Reading) -> DebugLine {
        let freshness = Freshness.judge(credential, now: now)
        let age = now.wall / 1000 - (credential.refreshedAt ?? credential.createdAt)
        let file = "\(path)/\(credential.key.filePath)"
        let left = freshness.secondsLeft.map { $0 > 0 ? "good for \(Int($0)) s more" : "ended \(Int(-$0)) s ago" }
        let decision = freshness.isDue ? "to be renewed" : "not due"
        return DebugLine(
            .cache,
            "credential \(file)" + (credential.isInKeyring ? " (in the keyring)" : "")
                + ", token \(age) s old, \(left ?? "without an end"): \(decision)"
        )
        .with("file", file).with("inKeyring", credential.isInKeyring).with("age", Int(age))
        .with("secondsLeft", freshness.secondsLeft.map { Int($0) }).with("due", freshness.isDue)
    }

    /// A decision about a token.
    static func tokenDecision(_ text: String) -> DebugLine {
        DebugLine(.cache, text).with("decision", text)
    }
}

/// The parts of a run that `--debug` shows on standard error, like the debug options of Clover's SDKs.
package struct DebugParts: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Method and address of each request.
    package static let request = DebugParts(rawValue: 1 << 0)
    /// Header fields, sent and received.
    package static let headers = DebugParts(rawValue: 1 << 1)
    /// Bodies, sent and received, up to a size.
    package static let body = DebugParts(rawValue: 1 << 2)
    /// Status, size, protocol.
    package static let response = DebugParts(rawValue: 1 << 3)
    /// Timing of each request.
    package static let timing = DebugParts(rawValue: 1 << 4)
    /// What each request waited for before it was sent.
    package static let pacing = DebugParts(rawValue: 1 << 5)
    /// The credential in use and its renewal, and reuse of connections.
    package static let cache = DebugParts(rawValue: 1 << 6)

    /// Parts that concern a transfer.
    static let transfer: DebugParts = [.request, .headers, .body, .response, .timing, .cache]

    private static let all: [(name: String, part: DebugParts)] = [
        ("request", .request), ("headers", .headers), ("body", .body), ("response", .response), ("timing", .timing),
        ("pacing", .pacing), ("cache", .cache),
    ]

    package static let names = all.map(\.name) + ["all"]

    /// A name that no part has.
    package struct UnknownName: Error, Sendable, Equatable {
        package let name: String
    }

    /// Parses comma-separated names.
    package init(parsing text: String) throws(UnknownName) {
        var parts: DebugParts = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            if name == "all" {
                for entry in Self.all { parts.insert(entry.part) }
            } else if let entry = Self.all.first(where: { $0.name == name }) {
                parts.insert(entry.part)
            } else {
                throw UnknownName(name: name)
            }
        }
        self = parts
    }

    /// The name of a single part.
    var name: String { Self.all.first { $0.part == self }?.name ?? "" }
}
