import CloverAuth
import CloverCallback
import CloverSquare
import Glibc

/// `charge square listen`: waits for the response to one request, which a browser delivers.
package struct SquareResponseListener: Sendable {
    package let rules: SquareRules
    /// The numeric IP address to bind.
    package var bindAddress = "127.0.0.1"
    package var port = Self.defaultPort
    package var path = Self.defaultPath
    /// The callback URL of the request, if another server receives the response and forwards it to the listener.
    package var publicURL: String?
    /// The state of the expected response; nil accepts the first response.
    package var state: String?
    /// Timeout in seconds.
    package var timeout = Self.defaultTimeout
    package var checksMarker = false
    /// Whether to record the outcome in the charge journal.
    package var settles = true

    package init(rules: SquareRules) {
        self.rules = rules
    }

    /// Different from the port of `auth login`, so that both can run at once.
    package static let defaultPort = 8977
    package static let defaultPath = "/square"
    package static let defaultTimeout = 900.0

    /// Prints the response as `charge square response` does, and shows a page in the browser.
    ///
    /// - Throws: `SquareError.notPaid`, `.outcomeUnknown`, `.unmatched`, `.noAnswer`, `.cannotListen`, and errors of the
    ///   options.
    package func run(in environment: CommandEnvironment) async throws {
        let choice = try choice(in: environment)
        let listener: CallbackListener
        do {
            listener = try await environment.openCallbackListener(choice)
        } catch let error as CallbackError {
            throw SquareError.cannotListen(address: bindAddress, error)
        }
        do {
            let error = try await wait(for: listener, in: environment)
            await listener.close()
            if let error { throw error }
        } catch {
            await listener.close()
            throw error
        }
    }

    /// - Returns: the error of the response; nil for a payment.
    private func wait(
        for listener: CallbackListener, in environment: CommandEnvironment
    ) async throws -> SquareError? {
        let diagnostics = environment.diagnostics
        let addresses = listener.callableURIs
        let place = addresses.count == 1 ? "this address" : "these addresses"
        diagnostics.notice("waiting for the Square app's response at \(place) (to cancel, press Ctrl-C):")
        if diagnostics.level >= .normal { addresses.forEach(diagnostics.address) }
        if publicURL != nil {
            diagnostics.notice("the server there must forward it to port \(listener.port) of \(bindAddress)")
        }
        if checksMarker, let notice = rules.markNotice { diagnostics.notice(notice) }
        if state == nil { diagnostics.notice("without --state, any response is accepted") }
        let timeout = timeout
        let callback = try await TimeLimit.run(
            seconds: timeout, sleep: environment.sleep, timeRanOut: { SquareError.noAnswer(seconds: timeout) },
        ) { try await listener.callback() }
        let result = rules.platform.outcome(of: callback.url, profile: rules.profile)
        let line = SquareOutputLine.response(
            url: callback.url, result,
            isSquareResponse: checksMarker ? rules.mark(of: callback.url) : nil)
        var settlement = SquareSettlement(isOn: settles, in: environment)
        let verdicts = await settlement.settle(by: [result], expected: state)
        try await SquareLine.print(line, in: environment)
        for verdict in verdicts { settlement.tell(verdict) }
        let error = SquareResponseSummary.error(of: result, verdicts.first ?? nil)
        await callback.answer(Self.page(error))
        return error
    }

    private static func page(_ error: SquareError?) -> ResultPage {
        switch error {
        case nil: .payment(isDone: true, headline: "Paid", detail: "The payment is complete. Thank you.")
        case .notPaid(let error):
            .payment(
                isDone: false, headline: "Not paid",
                detail: "There was no payment: \(error.message).")
        case .outcomeUnknown(let error):
            .payment(
                isDone: false, headline: "Not confirmed",
                detail: "It is not certain whether the payment was made: \(error.message).")
        case .unmatched:
            .payment(
                isDone: false, headline: "Not confirmed",
                detail: "The Square app reports a payment that belongs to no open request.")
        default:
            .payment(isDone: false, headline: "Not readable", detail: "The response of the Square app cannot be read.")
        }
    }
}

extension SquareResponseListener {
    /// The listener's options.
    func choice(in environment: CommandEnvironment) throws(SquareError) -> CallbackOptions {
        guard Self.isAddress(bindAddress) else { throw .malformedAddress(bindAddress) }
        var choice = CallbackOptions(port: port, path: path)
        if let publicURL {
            guard let parts = Self.parts(of: publicURL) else { throw .malformedPublicURL(publicURL) }
            choice.publicOrigin = parts.origin
            choice.path = parts.path
        }
        // The path that the SDK makes of this callback URL, for an app on iOS.
        choice.otherPaths = [CallbackMarker.marked(path: choice.path)]
        choice.bindAddress = bindAddress
        choice.purpose = .payment
        let diagnostics = environment.diagnostics
        let settlement = SquareSettlement(isOn: settles, in: environment)
        let start = environment.clock.wall()
        choice.isExpected = { [rules, state] url in
            let result = rules.platform.outcome(of: url, profile: rules.profile)
            var refusal = Self.refusal(of: result, state: state)
            // Reloading the page of an earlier payment sends its response again.
            if refusal == nil, let id = await settlement.handOff(paidBy: result, before: start) {
                refusal = "a repeated response to \(id)"
            }
            if let refusal { diagnostics.notice("refused \(refusal)") }
            return refusal == nil
        }
        choice.onSecond = { diagnostics.notice("refused a second response") }
        return choice
    }

    /// What is wrong with a response that is not the expected one; nil if it is.
    static func refusal(of result: Result<any SquareOutcome, SquareFailure>, state: String?) -> String? {
        switch result {
        case .failure(let failure): return "a request that is not a response of the app (\(failure.name))"
        case .success(let outcome):
            guard let state, outcome.state != SquareText(state) else { return nil }
            // The app on Android returns no state if it has no result at all.
            if outcome.state == nil, SquareReportedError(outcome)?.name == "ERROR_NO_RESULT" { return nil }
            return outcome.state == nil ? "a response without a state" : "a response with another state"
        }
    }

    /// Splits an http or https URL into its origin (scheme, host and port) and its path.
    static func parts(of url: String) -> (origin: String, path: String)? {
        guard let mark = url.firstRange(of: "://"), ["http", "https"].contains(url[..<mark.lowerBound].lowercased())
        else { return nil }
        let end = url[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard end > mark.upperBound, !url[mark.upperBound..<end].contains("@") else { return nil }
        let path = url[end...].prefix { $0 != "?" && $0 != "#" }
        return (String(url[..<end]), path.isEmpty ? "/" : String(path))
    }

    private static func isAddress(_ text: String) -> Bool {
        var storage = in6_addr()
        return inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1
    }
}
