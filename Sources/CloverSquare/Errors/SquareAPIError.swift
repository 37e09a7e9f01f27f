/// An error of the domain `SCCAPIErrorDomain`: the Square app says why there was no payment.
package struct SquareAPIError: Sendable {
    package let code: SquareAPIErrorCode
    /// The text as the app sent it, also when it is unknown.
    package let wire: SquareText
    /// Whose names and words are used.
    package let profile: SquareProfile

    package init(wire: SquareText, profile: SquareProfile) {
        code = SquareAPIErrorCode(wireText: wire)
        self.wire = wire
        self.profile = profile
    }

    package var name: String { code.name(in: profile) }

    /// Whether the profile's SDK itself does not know the text, and would report `Unknown`.
    package var isTextOfOtherSDK: Bool {
        code == .locationIDMismatch && wire != profile.locationMismatchText
    }

    /// The cause in plain words.
    package var message: String {
        let meaning = code.meaning(in: profile)
        if isTextOfOtherSDK {
            let age = profile == .register21 ? "from 3.1 on" : "up to 3.0"
            return "\(meaning); '\(wire)' is the text of SDKs \(age), \(profile.rawValue) itself reads it as Unknown"
        }
        let unread = SquareAPIErrorCode.clientNotAuthorizedForUser
        if code == .unknown, wire == unread.wireText(in: profile) { return unread.meaning(in: profile) }
        return meaning
    }

    package var remedy: String {
        let unread = SquareAPIErrorCode.clientNotAuthorizedForUser
        if code == .unknown, wire == unread.wireText(in: profile) { return unread.remedy(in: profile) }
        return code.remedy(in: profile)
    }

    /// `{"domain","number","name","wire","message","remedy"}`.
    package var json: SquareJSON {
        .object([
            .init("domain", .string(SquareText(SquareAPIErrorCode.domain))),
            .init("number", .integer(code.rawValue)),
            .init("name", .string(SquareText(name))),
            .init("wire", .string(wire)),
            .init("message", .string(SquareText(message))),
            .init("remedy", .string(SquareText(remedy))),
        ])
    }
}

extension SquareAPIError: Hashable {
    /// As the SDK's errors: domain, code and the raw text count, so two unknown texts differ. The profile only chooses
    /// words.
    package static func == (left: SquareAPIError, right: SquareAPIError) -> Bool {
        left.code == right.code && left.wire == right.wire
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(wire)
    }
}
