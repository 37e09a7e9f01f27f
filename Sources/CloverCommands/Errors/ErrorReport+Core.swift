import CloverCore
import Glibc

extension ErrorReport {
    /// The commands' own failures.
    init(_ error: CoreError) {
        switch error {
        case .notSignedIn(let merchantID, let environment):
            let merchant = merchantID.map { " to merchant \($0)" } ?? ""
            let place = environment.map { " (\($0))" } ?? ""
            self.init(
                code: "not_signed_in", status: .notAuthorized, message: "not signed in\(merchant)\(place)",
                hints: [
                    "run: clover auth login --with-token --merchant \(merchantID ?? "MERCHANT")"
                        + (environment.map { " --environment \($0)" } ?? "") + " <token.txt",
                    "or set CLOVER_ACCESS_TOKEN and CLOVER_MERCHANT_ID",
                ])
        case .severalCredentials(let names):
            self.init(
                code: "several_credentials", status: .usage,
                message: "signed in to several merchants: " + names.joined(separator: ", "),
                hints: ["choose one with --merchant and --environment"])
        case .staticTokenWithoutMerchant:
            self.init(
                code: "merchant_missing", status: .configuration,
                message: "CLOVER_ACCESS_TOKEN is set, but no merchant is", hints: ["set CLOVER_MERCHANT_ID too"])
        case .merchantMissing:
            self.init(
                code: "merchant_missing", status: .usage, message: "a token belongs to one merchant: say which",
                hints: ["add --merchant ID, or set CLOVER_MERCHANT"])
        case .noTokenOnInput:
            self.init(
                code: "no_token", status: .usage, message: "standard input held no token",
                hints: ["run: clover auth login --with-token --merchant MERCHANT <token.txt"])
        case .malformedToken:
            self.init(
                code: "bad_token", status: .usage,
                message: "the first line of standard input is no token: it holds spaces or unusual characters")
        case .recordsFailed(_, isArray: true):
            self.init(code: "records_failed", status: .badData, message: "the jq program did not come to its end")
        case .recordsFailed(let count, isArray: false):
            self.init(
                code: "records_failed", status: .badData,
                message: "jq failed on \(count == 1 ? "1 record" : "\(count) records"); all others were delivered")
        case .historyLimited(let path, let days, let records):
            self.init(
                code: "incomplete", status: .incomplete,
                message: "incomplete: Clover answers here for \(days) days at most, so older \(path) may be missing; "
                    + "\(records) are in the output",
                hints: [
                    "bound the time: --filter 'createdTime>=-\(days - 1)d', or two dates at most \(days) days apart"
                ])
        case .nestedListsCut(let path, let records, let examples):
            let count = records == 1 ? "1 record" : "\(records) records"
            let names = examples.isEmpty ? "" : ": " + examples.joined(separator: ", ") + (records > 3 ? ", ..." : "")
            self.init(
                code: "incomplete", status: .incomplete,
                message: "incomplete: Clover sends 100 entries of an expanded list at most, and \(count) of \(path) "
                    + "reached that\(names)",
                hints: [
                    "all other records are whole; the list itself is read from its own path: "
                        + "clover get orders/ID/line_items --all"
                ])
        case .timeRanOut(let seconds, let records):
            self.init(
                code: "time_ran_out", status: .timeRanOut,
                message: "--max-time \(Self.shortened(seconds)) ran out after \(records) records",
                hints: ["what was written is whole records, but not all of them"])
        case .malformedDuration(let text):
            self.init(
                code: "bad_duration", status: .usage, message: "'\(text)' is no length of time",
                hints: ["write it as 30, 90s, 5m or 1h"])
        case .unreadableFile(let path, let number):
            self.init(
                code: "unreadable_file", status: .inputOutput,
                message: "cannot read \(path): \(String(cString: strerror(number)))")
        case .programMissing(let name):
            self.init(
                code: "program_missing", status: .configuration, message: "\(name) is not installed",
                hints: ["install it beside clover or in a directory of PATH"])
        }
    }

    private static func shortened(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}
