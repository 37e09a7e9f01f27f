/// Why the Square app on Android took no payment.
package struct SquareAndroidError: Sendable, Hashable {
    /// Stands where iOS has an error domain. Android's errors have no numbers.
    package static let domain = "com.squareup.pos"

    /// The text as the app sent it, also when it is unknown.
    package let wire: SquareText
    /// The app's own words, which Square asks not to rely on.
    package let appDescription: SquareText?

    private var code: SquareAndroidErrorCode? {
        SquareAndroidErrorCode.allCases.first { SquareText(SquareHandOff.androidPrefix + $0.rawValue) == wire }
    }

    /// The text without its prefix; `UNKNOWN` when it is unknown.
    package var name: String { code?.rawValue ?? "UNKNOWN" }

    /// The cause in plain words, with those of the app.
    package var message: String {
        let meaning = code?.meaning ?? "the Square app reports an error that its SDK has no name for"
        return appDescription.map { "\(meaning); the app says: \($0)" } ?? meaning
    }

    package var remedy: String { code?.remedy ?? "look in the Square app what happened before asking again" }

    /// `{"domain","number","name","wire","message","remedy"}`, with null for the number.
    package var json: SquareJSON {
        .object([
            .init("domain", .string(SquareText(Self.domain))), .init("number", .null),
            .init("name", .string(SquareText(name))), .init("wire", .string(wire)),
            .init("message", .string(SquareText(message))), .init("remedy", .string(SquareText(remedy))),
        ])
    }
}
