package import CloverHTTP
import CloverSystem

/// What authenticates requests: an access token and, for OAuth, the refresh token that renews it.
package struct Credential: Equatable, Sendable {
    /// The kind of token, which decides whether it can be renewed.
    package enum Kind: String, Sendable {
        /// Created by the merchant or given on the command line; used until the service refuses it.
        case staticToken = "static"
        /// Issued by the service's OAuth, with an expiry and normally a refresh token.
        case oauth
        /// Issued by the service's older OAuth: it has no expiry and cannot be renewed.
        case legacy
    }

    /// How the current tokens were obtained.
    package enum Origin: String, Sendable {
        /// A person signed in with a browser.
        case login
        /// A refresh token was exchanged for them.
        case refresh
        /// The user passed in a code or a redirect URL obtained elsewhere.
        case receive
        /// A legacy token was migrated.
        case migration
        /// The user passed in the token itself.
        case token
    }

    package let key: CredentialKey
    package let kind: Kind
    package let accessToken: Secret
    /// Renews the access token; nil if it cannot be renewed.
    package let refreshToken: Secret?
    /// When the access token expires, in seconds since 1970 UTC by the service's clock; nil if unspecified.
    package let accessTokenExpires: Int64?
    /// The same of the refresh token.
    package let refreshTokenExpires: Int64?
    /// When the user signed in, in seconds since 1970 UTC by the local clock. A renewal does not change it.
    package let createdAt: Int64
    /// When the tokens were last renewed, by the same clock; nil if never.
    package let refreshedAt: Int64?
    /// Who signed in, if the service named an employee.
    package let employeeID: String?
    package let origin: Origin
    /// Number of renewals since the sign-in.
    package let generation: Int
    /// `SecretHash` of the code that the sign-in exchanged; nil if there was none.
    package let codeHash: String?
    /// The service's clock when the tokens were issued, in seconds since 1970 UTC; nil if unknown.
    package let serverTime: Int64?
    /// Milliseconds on the boot clock when the tokens were issued (`TokenClock.boot`); nil if unknown.
    package let bootTime: Int64?
    /// The boot that `bootTime` counts from; nil if unknown.
    package let bootID: String?
    /// Whether the tokens are in the desktop keyring and the file only refers to them. A renewal keeps this.
    package var isInKeyring: Bool

    /// Creates a credential. Whether the tokens are usable is checked when it is saved or loaded.
    ///
    /// - Parameter origin: nil means the default for the kind: `.token` for a static or legacy token, otherwise
    ///   `.login`.
    package init(
        key: CredentialKey, kind: Kind, accessToken: Secret, refreshToken: Secret? = nil,
        accessTokenExpires: Int64? = nil, refreshTokenExpires: Int64? = nil, createdAt: Int64,
        refreshedAt: Int64? = nil, employeeID: String? = nil, origin: Origin? = nil, generation: Int = 0,
        codeHash: String? = nil, serverTime: Int64? = nil, bootTime: Int64? = nil, bootID: String? = nil,
        isInKeyring: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessTokenExpires = accessTokenExpires
        self.refreshTokenExpires = refreshTokenExpires
        self.createdAt = createdAt
        self.refreshedAt = refreshedAt
        self.employeeID = employeeID
        self.origin = origin ?? kind.usualOrigin
        self.generation = generation
        self.codeHash = codeHash
        self.serverTime = serverTime
        self.bootTime = bootTime
        self.bootID = bootID
        self.isInKeyring = isInKeyring
    }

    /// Whether a token can be sent in a request header: 1 to 8192 visible ASCII characters, so that it cannot inject a
    /// second header. Nothing more is assumed about its form.
    package static func isUsable(_ token: Secret) -> Bool {
        (1...8192).contains(token.exposed.utf8.count)
            && token.exposed.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension Credential.Kind {
    /// The default origin of tokens of this kind.
    var usualOrigin: Credential.Origin {
        switch self {
        case .staticToken, .legacy: .token
        case .oauth: .login
        }
    }
}

extension Credential {
    /// The credential of a new sign-in, from the tokens that a code was exchanged for.
    ///
    /// - Parameters:
    ///   - code: the exchanged code; only its hash is stored.
    ///   - inKeyring: whether to store the tokens in the desktop keyring.
    package init(
        key: CredentialKey, issued: IssuedTokens, origin: Origin, code: Secret? = nil, employeeID: String? = nil,
        inKeyring: Bool = false
    ) {
        self.init(
            key: key, kind: .oauth, accessToken: issued.accessToken, refreshToken: issued.refreshToken,
            accessTokenExpires: issued.accessTokenExpires, refreshTokenExpires: issued.refreshTokenExpires,
            createdAt: issued.askedAt.wall / 1000, employeeID: employeeID, origin: origin,
            codeHash: code.map { SecretHash.hexadecimal(of: $0) }, serverTime: issued.serverTime,
            bootTime: issued.askedAt.knownBoot, bootID: issued.askedAt.knownBootID, isInKeyring: inKeyring)
    }

    /// The credential of a legacy sign-in.
    package init(
        key: CredentialKey, legacy token: Secret, origin: Origin, now: TokenClock.Reading, employeeID: String? = nil,
        inKeyring: Bool = false
    ) {
        self.init(
            key: key, kind: .legacy, accessToken: token, createdAt: now.wall / 1000, employeeID: employeeID,
            origin: origin, isInKeyring: inKeyring)
    }

    /// The same sign-in with the tokens that its refresh token was exchanged for.
    ///
    /// If the service issued no new refresh token, the credential has none: the old one is no longer valid.
    package func renewed(with issued: IssuedTokens) -> Credential {
        Credential(
            key: key, kind: kind, accessToken: issued.accessToken, refreshToken: issued.refreshToken,
            accessTokenExpires: issued.accessTokenExpires, refreshTokenExpires: issued.refreshTokenExpires,
            createdAt: createdAt, refreshedAt: issued.askedAt.wall / 1000, employeeID: employeeID, origin: .refresh,
            generation: generation + 1, codeHash: codeHash, serverTime: issued.serverTime,
            bootTime: issued.askedAt.knownBoot, bootID: issued.askedAt.knownBootID, isInKeyring: isInKeyring)
    }

    /// The same sign-in with the successor of its refresh token, which came without an access token.
    func replacing(refreshToken: Secret, expires: Int64?) -> Credential {
        Credential(
            key: key, kind: kind, accessToken: accessToken, refreshToken: refreshToken,
            accessTokenExpires: accessTokenExpires, refreshTokenExpires: expires, createdAt: createdAt,
            refreshedAt: refreshedAt, employeeID: employeeID, origin: origin, generation: generation,
            codeHash: codeHash, serverTime: serverTime, bootTime: bootTime, bootID: bootID, isInKeyring: isInKeyring)
    }
}

extension TokenClock.Reading {
    /// The boot clock, unless the boot it counts from is unknown.
    fileprivate var knownBoot: Int64? { bootID.isEmpty ? nil : boot }
    fileprivate var knownBootID: String? { bootID.isEmpty ? nil : bootID }
}

/// Identifies a credential: one merchant in one environment, through an app or with a static token.
///
/// The initializer validates the parts, so a key contains only what is safe in a file name and in a message.
package struct CredentialKey: Hashable, Sendable {
    /// `sandbox`, `us`, `eu`, `la`, or a base URL starting with `https://` or `http://`, spelled the same way
    /// everywhere.
    package let environment: String
    package let merchantID: String
    /// The app that the token was issued to; nil for a static token.
    package let appID: String?

    /// Environments that have a name.
    static let namedEnvironments = ["sandbox", "us", "eu", "la"]
    /// Maximum length of an environment, in bytes of its encoded name in the file system.
    private static let environmentLimit = 100
    /// Stands for "no app" where users type an app, and in file names. It is not a valid app ID.
    package static let noApp = "static"

    /// Validates the parts.
    ///
    /// - Throws: `.invalidEnvironment`, `.invalidMerchant` or `.invalidApp`. IDs are 1 to 64 ASCII letters and digits.
    package init(environment: String, merchantID: String, appID: String? = nil) throws(CredentialError) {
        let isURL = environment.hasPrefix("https://") || environment.hasPrefix("http://")
        let isPrintable = environment.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard Self.namedEnvironments.contains(environment) || (isURL && isPrintable),
            Self.encoded(environment).utf8.count <= Self.environmentLimit
        else { throw .invalidEnvironment(environment) }
        guard Self.isIdentifier(merchantID) else { throw .invalidMerchant(merchantID) }
        if let appID, !Self.isIdentifier(appID) || appID == Self.noApp { throw .invalidApp(appID) }
        self.environment = environment
        self.merchantID = merchantID
        self.appID = appID
    }

    /// The merchant in messages.
    package var words: String { "merchant \(merchantID) (\(environment))" }

    /// Whether this can be a merchant or app ID: 1 to 64 ASCII letters and digits.
    static func isIdentifier(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(PercentCoding.isAlphanumeric)
    }
}

/// The names of a credential's files: `ENVIRONMENT_MERCHANT_APP.json`, with the environment percent-encoded (RFC 3986,
/// 2.1) except for letters, digits, `-` and inner dots, so that no name contains a slash, starts with a dot, or has
/// underscores other than the two separators.
extension CredentialKey {
    private static let ending = ".json"
    private static let journalEnding = ".refresh.json"

    private var stem: String { Self.encoded(environment) + "_" + merchantID + "_" + (appID ?? Self.noApp) }

    var fileName: String { stem + Self.ending }
    /// The name of the refresh journal.
    var journalName: String { stem + Self.journalEnding }
    /// The name of the lock file for writers of either file.
    var lockName: String { fileName + ".lock" }
    /// Where `FileCredentialStore` stores the credential, relative to the state directory.
    package var filePath: String { CredentialFiles.directoryName + "/" + fileName }

    /// The key of a credential file or journal file with this name.
    init?(fromEither name: String) {
        // App IDs contain no dot, so the two endings cannot be confused.
        let isJournal = name.hasSuffix(Self.journalEnding)
        self.init(fileName: isJournal ? String(name.dropLast(Self.journalEnding.count)) + Self.ending : name)
    }

    /// The key of a credential file with this name; nil for other names, such as those of lock files.
    init?(fileName name: String) {
        guard name.hasSuffix(Self.ending) else { return nil }
        let parts = name.dropLast(Self.ending.count).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, let environment = PercentCoding.decode(parts[0]) else { return nil }
        do {
            try self.init(
                environment: environment, merchantID: String(parts[1]),
                appID: parts[2] == Self.noApp ? nil : String(parts[2]))
        } catch {
            return nil
        }
        // A different spelling of the same key is not the file that is read for it.
        if fileName != name { return nil }
    }

    private static func encoded(_ environment: String) -> String {
        let text = PercentCoding.encode(environment) {
            PercentCoding.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        return text.hasPrefix(".") ? "%2E" + text.dropFirst() : text
    }
}

extension CredentialKey: Codable {
    private enum CodingKeys: String, CodingKey {
        case environment
        case merchantID = "merchantId"
        case appID = "appId"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let environment = try fields.decode(String.self, forKey: .environment)
        let merchantID = try fields.decode(String.self, forKey: .merchantID)
        let appID = try fields.decodeIfPresent(String.self, forKey: .appID)
        do {
            try self.init(environment: environment, merchantID: merchantID, appID: appID)
        } catch {
            let field: CodingKeys =
                switch error {
                case .invalidMerchant: .merchantID
                case .invalidApp: .appID
                default: .environment
                }
            throw DecodingError.dataCorruptedError(forKey: field, in: fields, debugDescription: "not valid")
        }
    }
}

/// What the file of a credential in the keyring shows without the tokens.
package struct CredentialOutline: Equatable, Sendable {
    package let key: CredentialKey
    package let kind: Credential.Kind
    /// The item's random name, so that two state directories never share an item.
    let item: String
    /// See `Credential` for these.
    package let employeeID: String?
    package let accessTokenExpires: Int64?
    package let refreshTokenExpires: Int64?
    let createdAt: Int64
    let refreshedAt: Int64?
    let origin: Credential.Origin
    let generation: Int
    /// `SecretHash` of the refresh token, which links a journal to it.
    let refreshTokenHash: String?
}
