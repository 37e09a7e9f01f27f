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
            let environment = messages.applied(to: environment)
            let path = file == "-" ? nil : file
            if let path { SecretFile.noteLooseMode(of: path, "the list", in: environment) }
            let proof = Proof(appSecret: try await app.secret(in: environment))
            let lines = try environment.openLines(path)
            var failures = MerchantFailures(verb: "signed in")
            var number = 0
            while let input = try await lines.next() {
                number += 1
                if input.isBlank { continue }
                var result = JSONLine()
                // A line that is too long is no line of a list.
                let entry = if case .line(let bytes) = input { ImportedLine(bytes) } else { nil as ImportedLine? }
                result.add("line", Int64(number))
                result.add("merchant", entry?.merchant)
                result.add("profile", entry?.profile)
                do {
                    guard let entry else { throw ImportFault.notAnObject }
                    let isRepeated = try await signIn(entry, proof, in: environment)
                    result.add("status", isRepeated ? "kept" : "signedIn")
                    if isRepeated { failures.kept += 1 } else { failures.done += 1 }
                } catch {
                    let facts = try failures.add(entry?.merchant ?? "line \(number)", error, environment)
                    result.add("status", "failed")
                    result.add("error", json: facts.json)
                }
                try await StandardOutput.print(result.text + "\n", in: environment)
            }
            guard number > 0 else { throw ImportFault.empty }
            try failures.finish()
            return 0
        }

        /// - Returns: whether the same refresh token or code was imported before.
        private func signIn(
            _ entry: ImportedLine, _ proof: Proof, in environment: CommandEnvironment
        ) async throws -> Bool {
            guard let secret = entry.refreshToken ?? entry.code, (entry.refreshToken == nil) != (entry.code == nil),
                Credential.isUsable(secret)
            else { throw ImportFault.noSecret }
            var choice = connection.choice
            choice.merchantID = entry.merchant
            choice.environment = entry.environment ?? choice.environment
            choice.profile = entry.profile
            let target = try await SignInTarget.resolve(choice, appID: entry.appID ?? app.appID, in: environment)
            try target.requireApp()
            var attempt = SignInAttempt(
                target: target, proof: proof,
                certificateFile: try await connection.choice.completed(in: environment).certificateFile,
                isInKeyring: try app.isInKeyring(in: environment), origin: .receive)
            attempt.takesRefreshTokens = entry.refreshToken != nil
            attempt.isChosen = false
            attempt.hideSecrets(in: environment)
            let received = try await attempt.receive(AuthorizationResponse(.code, secret), in: environment)
            if received.isRepeated { try await warn(of: received.signedIn, in: environment) }
            return received.isRepeated
        }

        /// Says that a sign-in that was kept does not last, because its tokens have ended meanwhile.
        private func warn(of signedIn: SignedIn, in environment: CommandEnvironment) async throws {
            let status = try await SignInStatus.of(signedIn, in: environment)
            guard status.isRenewable != true, let reason = status.reason else { return }
            let name = signedIn.profile ?? signedIn.key.merchantID
            environment.diagnostics.warning(
                "the sign-in of \(signedIn.key.merchantID) is kept: \(StatusText.words(reason)); import a new refresh token, "
                    + "or run: clover auth login --profile \(ShellWord.quoted(name))")
        }
    }
}

/// A line of the list.
private struct ImportedLine {
    let merchant: String
    let profile: String
    let appID: String?
    let environment: String?
    let refreshToken: Secret?
    let code: Secret?

    /// Nil for a line that is not an object with a merchant.
    init?(_ bytes: [UInt8]) {
        guard let line = JSONTree(bytes), let merchant = line["merchant"]?.string else { return nil }
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
