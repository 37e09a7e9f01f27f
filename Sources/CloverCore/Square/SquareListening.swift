import CloverCallback
import CloverSquare

/// `charge square listen`: waits for the answer to one request, as a browser brings it.
package struct SquareListening: Sendable {
    package let rules: SquareRules
    /// The address to bind, as a number.
    package var bindAddress = "127.0.0.1"
    package var port = Self.defaultPort
    package var path = Self.defaultPath
    /// The callback URL of the request, when something else receives it and passes it on to the listener.
    package var publicURL: String?
    /// Only the answer with this state counts; nil takes the first answer.
    package var state: String?
    /// Seconds to wait.
    package var timeout = Self.defaultTimeout
    package var checksMarker = false
    /// Whether the journal of charges learns how its hand-off ended.
    package var settles = true

    package init(rules: SquareRules) {
        self.rules = rules
    }

    /// Beside the one of signing in, so that both can be under way.
    package static let defaultPort = 8977
    package static let defaultPath = "/square"
    package static let defaultTimeout = 900.0

    /// Prints the answer as `charge square response` does, and shows its browser a page.
    ///
    /// - Throws: `SquareError.notPaid`, `.noAnswer`, `.cannotListen` and what is wrong with the options.
    package func run(in environment: CommandEnvironment) async throws {
        let choice = try choice(in: environment)
        let listener: CallbackListener
        do {
            listener = try await environment.openCallbackListener(choice)
        } catch let error as CallbackError {
            throw SquareError.cannotListen(address: bindAddress, error)
        }
        do {
            let result = try await wait(for: listener, in: environment)
            await listener.close()
            if let error = SquareResponseTally.error(of: result) { throw error }
        } catch {
            await listener.close()
            throw error
        }
    }

    private func wait(
        for listener: CallbackListener, in environment: CommandEnvironment
    ) async throws -> Result<any SquareOutcome, SquareFailure> {
        let diagnostics = environment.diagnostics
        let addresses = listener.callableURIs
        let place = addresses.count == 1 ? "this address" : "these addresses"
        diagnostics.notice("waiting for the Square app's answer at \(place); Ctrl-C gives up:")
        if diagnostics.level >= .normal { addresses.forEach(diagnostics.address) }
        if publicURL != nil {
            diagnostics.notice("whatever receives it must pass it on to port \(listener.port) of \(bindAddress)")
        }
        if checksMarker, let notice = rules.markNotice { diagnostics.notice(notice) }
        if state == nil { diagnostics.notice("without --state any answer is taken") }
        let timeout = timeout
        let callback = try await TimeLimit.run(
            seconds: timeout, sleep: environment.sleep, timeRanOut: { SquareError.noAnswer(seconds: timeout) },
        ) { try await listener.callback() }
        let result = rules.platform.outcome(of: callback.url, profile: rules.profile)
        let line = SquareAnswer.response(
            url: callback.url, result,
            isSquareResponse: checksMarker ? rules.mark(of: callback.url) : nil)
        var settlement = SquareSettlement(isOn: settles, in: environment)
        let verdicts = await settlement.settle(by: [result], expected: state)
        try await SquareLine.print(line, in: environment)
        for verdict in verdicts { settlement.tell(verdict) }
        await callback.answer(Self.page(result))
        return result
    }

    private static func page(_ result: Result<any SquareOutcome, SquareFailure>) -> ResultPage {
        switch SquareResponseTally.error(of: result) {
        case nil: .payment(isDone: true, headline: "Paid", detail: "The payment is done. Thank you.")
        case .notPaid(let error):
            .payment(
                isDone: false, headline: "Not paid",
                detail: "There was no payment: \(error.message).")
        default:
            .payment(isDone: false, headline: "Not read", detail: "The answer of the Square app cannot be read.")
        }
    }
}
