package import CloverAPI
import CloverAuth
import CloverHTTP
import CloverRateLimit
package import CloverSystem
import FoundationEssentials
public import Logging

/// A merchant whose records are read and written.
///
/// All requests keep within the rate limit that the programs of this user on this machine share. Reads are repeated where that
/// helps, and are complete or throw. A copy is the same shop.
///
/// ```swift
/// let shop = try await Shop()
/// let merchant = try await shop.merchant()
/// print(merchant.name ?? shop.merchantID)
/// ```
public struct Shop: Sendable {
    /// The id of the merchant.
    public let merchantID: String
    package let client: ServiceClient
    /// Sends charges, which go before other requests.
    package let chargeClient: ServiceClient
    package let state: StateDirectory
    package let service: ServiceEnvironment
    /// The sign-in that the tokens are from; nil for a token that was passed in.
    let signIn: StoredSignIn?
    let logger: Logger?

    /// What is the same for all requests of a shop.
    ///
    /// ```swift
    /// var options = Shop.Options()
    /// options.logger = Logger(label: "shop")
    /// options.certificateFile = "/etc/ssl/company.pem"
    /// options.stateDirectory = "/var/lib/my-service"
    /// let shop = try await Shop(signedIn: "MERCHANT", options: options)
    /// print(shop.merchantID)
    /// ```
    public struct Options: Sendable {
        /// A PEM file of certificate authorities to trust instead of the system's; nil for the system's.
        public var certificateFile: String?
        /// The directory of sign-ins, rate limits and the journal of charges; nil for the one that the programs of this user
        /// share. If these programs use a database (the setting `state`), nil is an error of the kind `.state`: the library uses
        /// files only, and the programs see neither the requests nor the charges that are counted in this directory.
        public var stateDirectory: String?
        /// Gets each request and its status at the level `debug`, waits and retries at `info`, and pauses that Clover
        /// demanded at `notice`. A wait for the end of a pause is logged when it begins, with its end in `until`. Records that a
        /// filter by time left out because they lack the time are counted at `notice`. No entry has a secret.
        public var logger: Logger?
        /// The longest pause of all requests that a call waits out, after a 429 to it or to any other call or program: 5
        /// minutes. If the pause is longer, the call throws an error of the kind `.rateLimited`. Clover's pauses are counted
        /// for an hour at most.
        ///
        /// ```swift
        /// var options = Shop.Options()
        /// options.longestPause = .seconds(20)
        /// let shop = try await Shop(options: options)
        /// print(try await shop.merchant().name ?? "")
        /// ```
        public var longestPause: Duration = .seconds(300)
        /// Called with each request after its response began, on any thread; must not block.
        public var observer: (@Sendable (RequestReport) -> Void)?

        /// What the programs of this user use, without log and observer.
        public init() {}
    }

    /// The shop of a sign-in that `clover auth login` has stored. Its tokens are renewed when due, once for all programs of
    /// this machine.
    ///
    /// Of the program's configuration file only `state` is read; its profiles, and the variables `CLOVER_ACCESS_TOKEN` and
    /// `CLOVER_MERCHANT_ID`, are not.
    ///
    /// - Parameters:
    ///   - merchantID: the merchant; nil for the current sign-in, or for the only one.
    ///   - environment: `us`, `eu`, `la`, `sandbox`, or the address of a service; nil for any.
    ///   - options: what is the same for all requests.
    /// - Throws: `CloverError` of the kind `.notSignedIn` if no sign-in or several fit, and of the kind `.state` if it
    ///   cannot be read, or if sign-ins are in a database: see `Options.stateDirectory`.
    public init(
        signedIn merchantID: String? = nil, environment: String? = nil, options: Options = Options()
    ) async throws {
        do {
            let state = try Self.state(options)
            let signIn = try await StoredSignIn(merchantID, environment, in: state)
            let credential = signIn.credential
            let service = try ServiceEnvironment(parsing: credential.key.environment)
            let transport = Self.transport(options)
            let app = credential.kind == .oauth ? credential.key.appID : nil
            let scope = app.map {
                LedgerScope(service: service.apiBaseURL, merchantID: credential.key.merchantID, appID: $0)
            }
            self.init(
                credential.key.merchantID, service, signIn.tokens(service, transport, Self.sleep), transport, state,
                scope ?? LedgerScope(service: service.apiBaseURL, token: credential.accessToken), app: app, signIn,
                options)
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    /// The shop of a merchant's own API token, which does not expire.
    ///
    /// - Parameters:
    ///   - token: the token; it is never part of an error or a report.
    ///   - merchantID: the merchant that the token is for.
    ///   - environment: `us`, `eu`, `la`, `sandbox`, or the address of a service, such as that of `clover-emulator`.
    ///   - options: what is the same for all requests.
    /// - Throws: `CloverError` of the kind `.request` if a parameter cannot be right, and of the kind `.state` if the programs of
    ///   this user count requests in a database: see `Options.stateDirectory`.
    public init(
        token: String, merchantID: String, environment: String = "us", options: Options = Options()
    ) throws {
        do {
            let service = try ServiceEnvironment(parsing: environment)
            let key = try CredentialKey(environment: service.name, merchantID: merchantID)
            let secret = Secret(token)
            guard Credential.isUsable(secret) else { throw CredentialError.unusableToken(field: "token") }
            self.init(
                key.merchantID, service, FixedToken(secret), Self.transport(options), try Self.state(options),
                LedgerScope(service: service.apiBaseURL, token: secret), app: nil, nil, options)
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    private init(
        _ merchantID: String, _ service: ServiceEnvironment, _ tokens: any AccessTokenSource,
        _ transport: any HTTPTransport, _ state: StateDirectory, _ scope: LedgerScope, app: String?,
        _ signIn: StoredSignIn?, _ options: Options
    ) {
        let logger = options.logger
        self.logger = logger
        self.merchantID = merchantID
        self.service = service
        self.state = state
        self.signIn = signIn
        let ledger = RateLedger(
            directory: state, token: RateBudget(scope, limits: RateLimits()),
            app: app.map { RateBudget(LedgerScope(service: service.apiBaseURL, appID: $0), limits: .app) },
            command: "CloverKit", onNotice: { notice in if let logger { notice.log(to: logger) } })
        func client(_ priority: RequestPriority) -> ServiceClient {
            ServiceClient(
                environment: service, merchantID: merchantID, tokens: tokens, transport: transport, ledger: ledger,
                pacingClass: priority, longestPause: options.longestPause / .seconds(1), policy: RetryPolicy(),
                sleep: Self.sleep, wallClock: { Self.now / 1000 },
                onEvent: { event in if let logger { event.log(to: logger) } })
        }
        self.client = client(.interactive)
        chargeClient = client(.charge)
    }

    /// Milliseconds since 1970, UTC.
    package static var now: Int64 { TokenClock.live.wall() }

    static func state(_ options: Options) throws -> StateDirectory {
        try state(options, ProcessInfo.processInfo.environment)
    }

    /// The directory of sign-ins, rate limits and the journal.
    ///
    /// - Throws: `CloverError` of the kind `.state` if the programs of this user keep these in a database, which other machines
    ///   share: files would have another limit and other charges.
    package static func state(_ options: Options, _ variables: [String: String]) throws -> StateDirectory {
        if let path = options.stateDirectory { return StateDirectory(path: path) }
        if let source = try StateSetting.database(variables) {
            throw CloverError(
                .state,
                "\(source) sets 'state' to a database, which has the rate limit, the sign-ins and the charges of this user; the "
                    + "library uses files only",
                nextStep: "use the program 'clover', or name a directory for a limit and charges apart in "
                    + "Shop.Options.stateDirectory")
        }
        return try StateDirectory(environment: variables)
    }

    static func transport(_ options: Options) -> any HTTPTransport {
        let settings = CurlSettings(certificateFile: options.certificateFile, userAgent: "CloverKit")
        let (logger, observer) = (options.logger, options.observer)
        return ObservedTransport(transport: CurlTransport(settings: settings)) { report in
            if let logger { report.log(to: logger) }
            observer?(report)
        }
    }

    @inline(never)
    package static func sleep(_ seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }
}
