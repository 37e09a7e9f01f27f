/// An error of the domain `SCCErrorDomain`: no request could be made, or a URL is no response.
package struct SquareFailure: Error, Sendable, Hashable {
    package let code: SquareErrorCode
    package let profile: SquareProfile
    package let platform: SquarePlatform
    /// What failed, on what, and why. Holds no more of the input than amounts and names of fields.
    package let message: String

    /// - Parameter message: nil for what the code means in general.
    package init(
        _ code: SquareErrorCode, profile: SquareProfile, platform: SquarePlatform = .ios, message: String? = nil
    ) {
        self.code = code
        self.profile = profile
        self.platform = platform
        self.message = message ?? code.meaning(in: profile)
    }

    package var name: String { code.name(in: profile) }

    package var remedy: String { code.remedy(in: profile, on: platform) }

    /// `{"domain","number","name","message","remedy"}`.
    package var json: SquareJSON {
        .object([
            .init("domain", .string(SquareText(SquareErrorCode.domain))),
            .init("number", .integer(code.rawValue)),
            .init("name", .string(SquareText(name))),
            .init("message", .string(SquareText(message))),
            .init("remedy", .string(SquareText(remedy))),
        ])
    }
}
