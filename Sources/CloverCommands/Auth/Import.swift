import ArgumentParser
import CloverAuth
import CloverCore
import CloverExport
import CloverHTTP
import CloverJSON
import CloverOutput

extension Auth {
    /// `clover auth import`.
    struct Import: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Sign in a list of merchants with refresh tokens or codes",
            discussion: """
                Examples:
                  clover auth import merchants.ndjson --app-id APP
                  clover auth import --app-id APP <merchants.ndjson
                  clover auth import --app-id APP --app-secret-file secret.txt <codes.ndjson

                Each line of FILE is a JSON object with "merchant" and either "refreshToken" or "code"; "profile" names \
                the sign-in, which is the merchant's ID otherwise, and "appId" is another app than that of --app-id. \
                Keep the file private, and delete it afterwards: each refresh token or code is used up. A line that was \
                imported before changes nothing.

                For each line one JSON object is printed: "line", "merchant", "profile", and "status", which is signedIn, kept \
                for a line that was imported before, or failed with "error". If the tokens of a line that is kept have expired, a \
                warning says so. A failure does not end the run. The current \
                sign-in stays: use --profile or --profiles.

                Up to eight merchants are signed in at a time. The objects are in the order of the lines. Ctrl-C begins no \
                further line, and waits a few seconds for those in progress, because their refresh tokens or codes may be \
                used up.

                Exit statuses:
                  0   all are signed in
                  64  wrong usage
                  74  the file cannot be read
                  82  some failed, the others are signed in; if all failed, the status
                      of the first failure, such as 77
                """
        )

        @Argument(
            help: ArgumentHelp("File with a JSON object a line (default: standard input).", valueName: "file"),
            completion: .file())
        var file: String?

        @OptionGroup(title: "App")
        var app: AppOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if app.secretFile == "-", file == nil || file == "-" {
                throw ValidationError("standard input holds the list: read the secret from a file")
            }
            if connection.merchant != nil || connection.profile != nil {
                throw ValidationError("the merchants and profiles are those of the file")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let path = file == "-" ? nil : file
            if let path { SecretFile.noteLooseMode(of: path, "the list", in: environment) }
            let proof = Proof(appSecret: try await app.secret(in: environment))
            let lines = try environment.openLines(path)
            let merchants = ImportedMerchants(
                choice: connection.choice, appID: app.appID, isInKeyring: try app.isInKeyring(in: environment),
                proof: proof, environment: environment)
            try await merchants.run(lines)
            return 0
        }
    }
}

/// Signs in the merchants of a list, several at a time.
private struct ImportedMerchants: Sendable {
    /// Number of lines in progress. Each has one request in flight, and Clover allows an app ten.
    private static let concurrency = 8

    let choice: ConnectionChoice
    let appID: String?
    let isInKeyring: Bool
    let proof: Proof
    let environment: CommandEnvironment

    private enum Step: Sendable {
        /// The next line of the list; nil at its end.
        case line(InputText?)
        case unreadable(any Error)
        /// A line with this number was signed in, and whether it was imported before; or it failed.
        case ended(Int, Result<Bool, any Error>)
    }

    /// Prints a result for each line, in the order of the list, as soon as it is known.
    ///
    /// - Throws: `MerchantFailures` after the last line if some failed. An error that ends the run, such as a database that
    ///   is away, ends it after the lines in progress.
    func run(_ lines: any InputLines) async throws {
        // The keyring is tried with one test item, which two lines would take from each other.
        var queue = ImportQueue<ImportedLine?, Result<Bool, any Error>>(limit: isInKeyring ? 1 : Self.concurrency)
        var failures = MerchantFailures(verb: "signed in")
        var count = 0
        var inputError: (any Error)?
        try await withThrowingTaskGroup(of: Step.self) { group in
            func read() { group.addTask { await Self.next(of: lines) } }
            read()
            while let step = try await group.next() {
                switch step {
                case .line(let input?):
                    count += 1
                    if input.isBlank {
                        read()
                    } else {
                        let entry = ImportedLine(input)
                        queue.add(count, entry, names: entry?.names ?? [])
                    }
                case .line(nil): break
                case .unreadable(let error): inputError = error
                case .ended(let number, let outcome): queue.end(number, outcome)
                }
                if !Task.isCancelled, let (number, entry) = queue.begin() {
                    if let entry {
                        group.addTask { await work(on: entry, number) }
                    } else {
                        queue.end(number, .failure(ImportFault.notAnObject))
                    }
                    read()
                }
                while let (number, entry, outcome) = queue.next() {
                    try await report(number, entry, outcome, &failures)
                }
            }
        }
        if let inputError { throw inputError }
        try Task.checkCancellation()
        guard count > 0 else { throw ImportFault.empty }
        try failures.finish()
    }

    private static func next(of lines: any InputLines) async -> Step {
        do {
            return .line(try await lines.next())
        } catch {
            return .unreadable(error)
        }
    }

    private func report(
        _ number: Int, _ entry: ImportedLine?, _ outcome: Result<Bool, any Error>, _ failures: inout MerchantFailures
    ) async throws {
        var result = JSONLine()
        result.add("line", Int64(number))
        result.add("merchant", entry?.merchant)
        result.add("profile", entry?.profile)
        switch outcome {
        case .success(let isRepeated):
            result.add("status", isRepeated ? "kept" : "signedIn")
            if isRepeated { failures.kept += 1 } else { failures.done += 1 }
        case .failure(let error):
            let facts = try failures.add(entry?.merchant ?? "line \(number)", error, environment)
            result.add("status", "failed")
            result.add("error", json: facts.json)
        }
        try await StandardOutput.print(result.text + "\n", in: environment)
    }

    /// Signs in the merchant of one line. Once begun, that is not cancelled, because the service may have taken the code or
    /// refresh token, which then cannot be used again.
    private func work(on entry: ImportedLine, _ number: Int) async -> Step {
        if Task.isCancelled { return .ended(number, .failure(CancellationError())) }
        environment.criticalWork.begin()
        defer { environment.criticalWork.end() }
        // A bare task, awaited here and never cancelled.
        let task = Task { () async -> Result<Bool, any Error> in
            do {
                return .success(try await signIn(entry))
            } catch {
                return .failure(error)
            }
        }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            environment.diagnostics.notice("waiting for the sign-in of \(entry.merchant) before stopping")
        }
        return .ended(number, outcome)
    }

    /// - Returns: whether the same refresh token or code was imported before.
    private func signIn(_ entry: ImportedLine) async throws -> Bool {
        guard let secret = entry.refreshToken ?? entry.code, (entry.refreshToken == nil) != (entry.code == nil),
            Credential.isUsable(secret)
        else { throw ImportFault.noSecret }
        var named = choice
        named.merchantID = entry.merchant
        named.environment = entry.environment ?? choice.environment
        named.profile = entry.profile
        let target = try await SignInTarget.resolve(named, appID: entry.appID ?? appID, in: environment)
        try target.requireApp()
        var attempt = SignInAttempt(
            target: target, proof: proof,
            certificateFile: try await choice.completed(in: environment).certificateFile,
            isInKeyring: isInKeyring, origin: .receive)
        attempt.takesRefreshTokens = entry.refreshToken != nil
        attempt.isChosen = false
        attempt.hideSecrets(in: environment)
        let received = try await attempt.receive(AuthorizationResponse(.code, secret), in: environment)
        if received.isRepeated { try await warn(of: received.signedIn) }
        return received.isRepeated
    }

    /// Says that a sign-in that was kept does not last, because its tokens have ended meanwhile.
    private func warn(of signedIn: SignedIn) async throws {
        let status = try await SignInStatus.of(signedIn, in: environment)
        guard status.isRenewable != true, let reason = status.reason else { return }
        let name = signedIn.profile ?? signedIn.key.merchantID
        environment.diagnostics.warning(
            "the sign-in of \(signedIn.key.merchantID) is kept: \(StatusText.words(reason)); import a new refresh token, "
                + "or run: clover auth login --profile \(ShellWord.quoted(name))")
    }
}

/// A line of the list.
private struct ImportedLine: Sendable {
    let merchant: String
    let profile: String
    let appID: String?
    let environment: String?
    let refreshToken: Secret?
    let code: Secret?

    /// What signing in changes, of which the last line of the list decides.
    var names: Set<String> { ["merchant \(merchant)", "profile \(profile)"] }

    /// Nil for a line that is not an object with a merchant, or is too long for one.
    init?(_ input: InputText) {
        guard case .line(let bytes) = input, let line = JSONTree(bytes), let merchant = line["merchant"]?.string else {
            return nil
        }
        self.merchant = merchant
        profile = line["profile"]?.string ?? merchant
        appID = line["appId"]?.string
        environment = line["environment"]?.string
        refreshToken = line["refreshToken"]?.string.map { Secret($0) }
        code = line["code"]?.string.map { Secret($0) }
    }
}

/// Errors in the list of `clover auth import`. None shows a part of a line, which may be a secret.
enum ImportFault: Error, Equatable {
    case empty
    case notAnObject
    case noSecret
}

extension ErrorReport {
    init(_ error: ImportFault) {
        let form = #"write one object a line: {"merchant":"M","refreshToken":"T"}"#
        switch error {
        case .empty:
            self.init(code: "empty_list", status: .badData, message: "the list has no lines", hints: [form])
        case .notAnObject:
            self.init(
                code: "malformed_line", status: .badData,
                message: "this is not a JSON object with \"merchant\"", hints: [form])
        case .noSecret:
            self.init(
                code: "malformed_line", status: .badData,
                message: "it needs either \"refreshToken\" or \"code\"", hints: [form])
        }
    }
}
