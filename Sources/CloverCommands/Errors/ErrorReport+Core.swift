import CloverAPI
import CloverAuth
import CloverCore
import CloverOutput
import Glibc

extension ErrorReport {
    /// Errors of the core.
    init(_ error: CoreError) {
        switch error {
        case .notSignedIn(let choice):
            self.init(
                "not_signed_in", .notAuthorized, "not signed in" + Self.place(choice),
                "run: clover auth login" + Self.flags(choice) + " --app-id APP",
                "or set CLOVER_ACCESS_TOKEN and CLOVER_MERCHANT_ID")
        case .profileNotSignedIn(let choice):
            self.init(
                "not_signed_in", .notAuthorized, "not signed in" + Self.place(choice),
                "run: clover auth login" + Self.flags(choice) + " --app-id APP",
                "or leave --profile out: it overrides CLOVER_ACCESS_TOKEN, which is set")
        case .unknownProfile(let name, let known):
            self.init(
                "not_signed_in", .notAuthorized, "no sign-in has the name '\(name)'",
                known.isEmpty ? "no sign-in has a name yet" : "known names: " + known.joined(separator: ", "),
                name == "all"
                    ? "for all sign-ins with a name: --profiles all, of get, report and export"
                    : "run: clover auth login --profile \(name) --app-id APP")
        case .profileConflict(let name, let merchantID, let environment, let isByVariables):
            self.init(
                "profile_conflict", .usage,
                "profile '\(name)' is for merchant \(merchantID) (\(environment)), but another one was requested as well",
                isByVariables
                    ? "CLOVER_PROFILE and CLOVER_MERCHANT or CLOVER_ENVIRONMENT disagree: unset the wrong one, or use --profile"
                    : "leave out --merchant and --environment, or leave out --profile")
        case .variableNotForgotten:
            self.init(
                "variable_token", .usage,
                "the sign-in in use is CLOVER_ACCESS_TOKEN, which is not stored here: nothing was forgotten",
                "to forget a stored sign-in, name it: clover auth logout --profile NAME, or --merchant ID, or --all",
                "to list stored sign-ins: clover auth list; to use one: unset CLOVER_ACCESS_TOKEN")
        case .onlyVariableToken:
            self.init(
                "not_signed_in", .notAuthorized,
                "no sign-in is stored on this machine: the token in use comes from CLOVER_ACCESS_TOKEN, which was not changed",
                "to stop using it: unset CLOVER_ACCESS_TOKEN")
        case .malformedProfile(let name):
            self.init(
                "bad_profile", .usage, "'\(name)' is not a valid profile name",
                "a name is 1 to 64 letters, digits, '-', '_' or '.', and begins with a letter or digit")
        case .appMissing:
            self.init(
                "app_missing", .usage, "signing in with a browser needs an app",
                "add --app-id ID, or set CLOVER_APP_ID; Clover's developer dashboard shows it in the app's settings",
                "or store a merchant's own token: clover auth login --with-token --merchant MERCHANT <token.txt")
        case .secretMissing(let file):
            self.init("no_secret", .usage, "\(file == "-" ? "standard input" : file) has no secret in its first line")
        case .noCallback(let seconds, isPasted: true):
            self.init(
                "no_answer", .tryAgain, "no address was pasted within \(Self.shortened(seconds))",
                "run it again; to wait longer, use --timeout")
        case .noCallback(let seconds, isPasted: false):
            self.init(
                "no_answer", .tryAgain, "no response came from the browser within \(Self.shortened(seconds))",
                "run it again; to wait longer, use --timeout",
                "if the browser shows an error from Clover, the app's Site URL does not begin with the address that clover listens on",
                "if the browser is on another machine, run it again with --paste")
        case .bareCallback(let seconds):
            self.init(
                "no_code", .notAuthorized,
                "not signed in: the browser returned without a code and without an error, and nothing else came within "
                    + Self.shortened(seconds),
                "start again; the app's Default OAuth Response must be 'Code'",
                "if the browser's address has a part that begins with #, give the whole address to 'clover auth receive'"
            )
        case .tokens(let error, let signedIn):
            self.init(error, of: signedIn.key)
            let flags = Self.flags(signedIn)
            if case .credential(.missingInKeyring) = error, let profile = signedIn.profile {
                message += ", where profile \(profile) had them"
            }
            hints = hints.map {
                $0.replacing("clover auth login", with: "clover auth login" + flags)
                    .replacing("clover auth migrate", with: "clover auth migrate" + flags)
            }
        case .oauth(let error, let occasion):
            self.init(error, during: occasion)
        case .wouldReplaceRenewable(let signedIn):
            let flags = signedIn.profile.map { " --profile \($0)" } ?? Self.choiceFlags(signedIn.key)
            self.init(
                "would_replace", .usage,
                "merchant \(signedIn.key.merchantID) (\(signedIn.key.environment)) has tokens that are renewed; "
                    + "a token of the legacy flow, which cannot be renewed, would replace them",
                "nothing was changed; to replace them anyway, sign out first: clover auth logout\(flags)")
        case .appMissingForMigration:
            self.init(
                "app_missing", .usage, "name the app that the legacy token was issued to",
                "add --app-id ID, or set CLOVER_APP_ID",
                "a token that the merchant made in the dashboard was issued to no app, and cannot be migrated")
        case .unreadableSecret(let number):
            self.init(
                "unreadable_file", .inputOutput,
                "cannot read the file with the app's secret: \(String(cString: strerror(number)))",
                "--app-secret-file takes the name of a file that holds the secret, or - for standard input")
        case .malformedSecret:
            self.init(
                "bad_secret", .usage, "the app's secret contains spaces or unusual characters, so it is not valid")
        case .redirectWithoutMerchant:
            self.init(
                "no_merchant", .nonsense, "the browser's response does not name a merchant, so its code was not used",
                "sign in again and name the merchant: add --merchant ID")
        case .noAddressOnInput:
            self.init(
                "no_address", .usage, "standard input has no address and no code",
                "give the complete address that the browser was sent to, on one line")
        case .nothingToMigrate(let key):
            self.init(
                "nothing_to_migrate", .usage,
                "the tokens of merchant \(key.merchantID) (\(key.environment)) are not legacy tokens: they are renewed already"
            )
        case .unreadableCredentials(let count):
            self.init(
                "credential_file", .configuration,
                "\(count == 1 ? "1 sign-in" : "\(count) sign-ins") could not be read",
                "each was named above, with the reason")
        case .signOutIncomplete(let kept, let inKeyring, let removed):
            func names(_ keys: [CredentialKey]) -> String {
                keys.map { "\($0.merchantID) (\($0.environment))" }.joined(separator: ", ")
            }
            let parts =
                (kept.isEmpty ? [] : ["still signed in: " + names(kept)])
                + (inKeyring.isEmpty ? [] : ["tokens left in the keyring: " + names(inKeyring)])
            self.init(
                "sign_out_incomplete", .partlyFailed,
                "\(parts.joined(separator: "; ")); \(removed == 0 ? "no sign-in was" : removed == 1 ? "1 other was" : "\(removed) others were") removed",
                "the reasons are above" + (kept.isEmpty ? "" : "; fix them, and run it again"))
        case .timeZoneMissing(let merchant, let cause, let option):
            self.init(
                "no_time_zone", .configuration,
                "the service does not report the time zone of merchant \(merchant)"
                    + (cause.map { ": \($0)" } ?? ""),
                hints: Self.zoneHints(option))
        case .timeZoneRefused(let merchant, let option):
            self.init(
                "permission_missing", .notAuthorized,
                "not allowed to read the time zone of merchant \(merchant): the permission MERCHANT_R is missing",
                hints: [
                    "give the app this permission in Clover's developer dashboard, and install it again"
                ] + Self.zoneHints(option))
        case .noSuchTimeZone(let name, let merchant, let option):
            self.init(
                "bad_merchant_zone", .nonsense,
                "the service reports a time zone for merchant \(merchant) that does not exist: '\(name)'",
                hints: Self.zoneHints(option))
        case .severalCredentials(let names):
            self.init(
                "several_credentials", .usage, "several sign-ins match: " + names.joined(separator: ", "),
                "choose one with --profile, or with --merchant and --environment; to list them: clover auth list",
                "if there are several to one merchant: clover auth switch MERCHANT --app-id APP "
                    + "(\(CredentialKey.noApp) for the one without an app)")
        case .issuedForOtherMerchant(let found, let expected):
            self.init(
                "other_merchant", .notAuthorized,
                "the code is for merchant \(found), not for merchant \(expected): nothing was stored",
                "the code is used up: get a new one, and add --merchant \(found), or approve as \(expected)")
        case .staticTokenWithoutMerchant:
            self.init(
                "merchant_missing", .configuration, "CLOVER_ACCESS_TOKEN is set, but no merchant is",
                "set CLOVER_MERCHANT_ID too")
        case .merchantMissing:
            self.init(
                "merchant_missing", .usage, "a token belongs to one merchant: name it",
                "add --merchant ID, or set CLOVER_MERCHANT")
        case .noTokenOnInput:
            self.init(
                "no_token", .usage, "standard input has no token",
                "run: clover auth login --with-token --merchant MERCHANT <token.txt")
        case .malformedToken:
            self.init(
                "bad_token", .usage,
                "the first line of standard input is not a token: it has spaces or unusual characters")
        case .recordsFailed(_, isArray: true):
            self.init("records_failed", .badData, "the jq program did not finish")
        case .recordsFailed(let count, isArray: false):
            self.init(
                "records_failed", .badData,
                count == 1
                    ? "jq failed on 1 record, which is missing in the output"
                    : "jq failed on \(count) records, which are missing in the output")
        case .recordsNotPrinted(let count):
            self.init(
                "records_failed", .badData,
                count == 1
                    ? "1 record could not be printed, and is missing in the output"
                    : "\(count) records could not be printed, and are missing in the output")
        case .unmaskable(let id, let offset):
            self.init(
                "unmaskable", .nonsense,
                "\(id.map { "record \($0)" } ?? "a record") is not JSON at byte \(offset), so its sensitive fields "
                    + "cannot be masked, and it was not printed",
                "to print it unmasked, add --show-sensitive")
        case .noModel(let path):
            self.init(
                "no_model", .usage,
                "the catalogue has no model for the records of \(path), so they cannot be validated",
                "leave --validate out; to see what is known: clover endpoints")
        case .historyLimited(let path, let days, let records):
            self.init(
                "incomplete", .incomplete,
                "incomplete: Clover returns at most \(days) days here, so older \(path) may be missing",
                "limit the time: --filter 'createdTime>=-\(days - 1)d', or two dates at most \(days) days apart")
            outputFacts = ["\(records) \(records == 1 ? "is" : "are") in the output"]
        case .filtersUnproved(let fields, let path):
            let names = fields.joined(separator: ", ")
            self.init(
                "filter_unproved", .incomplete,
                "Clover does not say that it filters \(path) by \(names)",
                "to check them: --jq 'select(.\(fields.first ?? "") ...)'", "to accept this, add --no-check")
            outputFacts = ["the output may have records that do not match"]
        case .filterContradicted(let found, let path):
            // Other values can be sensitive, such as PINs.
            let value = found.isTime ? Int64(found.value).map(InstantText.utc(milliseconds:)) : nil
            let symbol = found.condition.prefix { "<>=".contains($0) }
            let bound = found.isTime ? Int64(found.condition.dropFirst(symbol.count)) : nil
            let asked = found.field + (bound.map { symbol + InstantText.utc(milliseconds: $0) } ?? found.condition)
            let records = found.count == 1 ? "1 such record is" : "\(found.count) such records are"
            self.init(
                "filter_ignored", .incomplete,
                "incomplete: the service does not filter \(path) as asked: with \(asked), it returned "
                    + "\(found.id ?? "a record")" + (value.map { " whose \(found.field) is \($0)" } ?? ""),
                "to get what it returns, add --no-check")
            if found.isDelivered {
                outputFacts = [
                    "\(records) in the output, although outside of the time asked for; others may be missing"
                ]
            } else {
                hints.insert("\(records) left out, and others may be missing", at: 0)
            }
        case .sortContradicted(let found, let path):
            let order = "sort_by(.\(found.field))" + (found.isDescending ? " | reverse" : "")
            self.init(
                "sort_ignored", .incomplete, found.words(of: path),
                "to sort the whole list yourself: --all --slurp --jq '\(order)'", "to accept this, add --no-check")
            outputFacts = ["others than the records in the output may be the first in that order"]
        case .incomplete(let shortfall):
            self.init(shortfall)
        case .timeRanOut(let seconds, let records, let obstacle, let isWritten):
            self.init(
                outOfTime: obstacle,
                "--max-time \(Self.shortened(seconds)) ran out after \(records == 1 ? "1 record" : "\(records) records")"
                    + (obstacle.map { ": \($0.words)" } ?? ""),
                records == 0
                    ? "nothing was written; to wait longer, raise --max-time" : "to read longer, raise --max-time")
            guard records > 0 else { break }
            outputFacts = [
                !isWritten
                    ? "the records written are complete, but some are missing"
                    : records == 1 ? "it was written" : "all of them were written"
            ]
        case .malformedDuration(let text):
            self.init("bad_duration", .usage, "'\(text)' is not a duration", "write it as 30, 90s, 5m or 1h")
        case .unreadableFile(let path, let number):
            self.init("unreadable_file", .inputOutput, "cannot read \(path): \(String(cString: strerror(number)))")
        case .unwritableFile(let path, let number):
            let isFull = [ENOSPC, EDQUOT, EFBIG, EIO].contains(number)
            self.init(
                "unwritable_file", isFull ? .inputOutput : .cannotCreate,
                "cannot write \(path): \(String(cString: strerror(number)))")
        case .cannotRun(let number):
            self.init("cannot_run", .unclassified, "cannot run the command: \(String(cString: strerror(number)))")
        case .demoFailed(let command, let status):
            self.init(
                "demo_failed", .unclassified, "the tour stopped at: \(command) (status \(status))",
                "check this machine: clover doctor --offline")
        case .programMissing(let name):
            self.init(
                "program_missing", .configuration, "\(name) is not installed",
                "install it beside clover or in a directory of PATH")
        case .programUnusable(let path, let number):
            self.init(
                "program_unusable", .configuration,
                number == ENOENT
                    ? "cannot run \(path): the interpreter that its first line names is not there"
                    : "cannot run \(path): \(String(cString: strerror(number)))",
                number == ENOEXEC
                    ? "a script begins with the line of its interpreter, such as #!/bin/sh"
                    : "look at it: head -n 1 \(ShellWord.quoted(path))")
        }
    }

    private static func zoneHints(_ option: String) -> [String] {
        ["name a zone: \(option) America/New_York", "or write times with an offset, such as 2026-11-20T00:00:00-05:00"]
    }

    private static func place(_ choice: ConnectionChoice) -> String {
        let merchant = choice.merchantID.map { " to merchant \($0)" } ?? ""
        let environment = choice.environment.map { " (\($0))" } ?? ""
        return choice.profile.map { " as \($0)" } ?? merchant + environment
    }

    /// The choice as flags, so that a hint can be run as it is.
    static func flags(_ choice: ConnectionChoice) -> String {
        [("--profile", choice.profile), ("--merchant", choice.merchantID), ("--environment", choice.environment)]
            .compactMap { name, value in value.map { " \(name) \($0)" } }.joined()
    }

    /// Flags that sign in to the same place again; a profile includes the rest.
    static func flags(_ signedIn: SignedIn) -> String {
        if let profile = signedIn.profile { return " --profile \(profile)" }
        return choiceFlags(signedIn.key) + (signedIn.key.appID.map { " --app-id \($0)" } ?? "")
    }

    private static func choiceFlags(_ key: CredentialKey) -> String {
        " --environment \(key.environment) --merchant \(key.merchantID)"
    }

    static func shortened(_ seconds: Double) -> String {
        // What is left of a limit has many digits.
        let seconds = (seconds * 1000).rounded() / 1000
        return Int(exactly: seconds).map { "\($0) s" } ?? "\(seconds) s"
    }
}

extension ErrorReport {
    /// Adds the sign-in that was chosen by flags to the suggested commands, so that they apply to the same sign-in.
    func naming(_ choice: ConnectionChoice) -> ErrorReport {
        let flags = Self.flags(choice)
        guard !flags.isEmpty else { return self }
        var report = self
        report.hints = hints.map { hint in
            guard !hint.contains(" --profile "), !hint.contains(" --merchant "), !hint.contains(" --environment ")
            else { return hint }
            return [
                "clover auth status --check", "clover auth status", "clover auth login", "clover auth logout",
                "clover auth migrate",
            ].first { hint.contains($0) }.map { hint.replacing($0, with: $0 + flags) } ?? hint
        }
        return report
    }
}
