/// Which credential is meant: one merchant in one environment, through one app or with a token of its own.
///
/// A key holds only what is safe in a file name and a message, because making one checks it.
package struct CredentialKey: Hashable, Sendable {
    /// `sandbox`, `us`, `eu`, `la`, or a base URL starting with `https://` or `http://`, spelled the same way
    /// everywhere.
    package let environment: String
    /// The merchant's id at the service.
    package let merchantID: String
    /// The app that the token was issued to; nil for a token that a merchant made without one.
    package let appID: String?

    /// Environments that go by a name.
    package static let namedEnvironments = ["sandbox", "us", "eu", "la"]
    /// The longest environment, in bytes of its name in the file system.
    package static let environmentLimit = 100

    /// Checks the parts.
    ///
    /// - Throws: `.invalidEnvironment`, `.invalidMerchant` or `.invalidApp`. Ids are 1 to 64 ASCII letters and digits;
    ///   an app cannot be called `static`, which is what the cache writes for none.
    package init(environment: String, merchantID: String, appID: String? = nil) throws(CredentialError) {
        let isURL = environment.hasPrefix("https://") || environment.hasPrefix("http://")
        let isPrintable = environment.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard Self.namedEnvironments.contains(environment) || (isURL && isPrintable),
            CredentialFileName.encode(environment).utf8.count <= Self.environmentLimit
        else { throw .invalidEnvironment(environment) }
        guard Self.isIdentifier(merchantID) else { throw .invalidMerchant(merchantID) }
        if let appID, !Self.isIdentifier(appID) || appID == CredentialFileName.noApp { throw .invalidApp(appID) }
        self.environment = environment
        self.merchantID = merchantID
        self.appID = appID
    }

    /// How a person says that a token belongs to no app. No app is called so.
    package static let noApp = CredentialFileName.noApp

    /// Where `FileCredentialStore` keeps it, from the state directory on.
    package var filePath: String { CredentialFiles.directoryName + "/" + CredentialFileName.name(for: self) }

    /// Whether this can be the id of a merchant or an app: 1 to 64 ASCII letters and digits.
    static func isIdentifier(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
    }
}
