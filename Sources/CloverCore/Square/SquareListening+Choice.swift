import CloverAuth
import CloverCallback
import CloverSquare
import Glibc

extension SquareListening {
    /// Where to listen, and what for.
    func choice(in environment: CommandEnvironment) throws(SquareError) -> CallbackChoice {
        guard Self.isAddress(bindAddress) else { throw .malformedAddress(bindAddress) }
        var choice = CallbackChoice(port: port, path: path)
        if let publicURL {
            guard let parts = Self.parts(of: publicURL) else { throw .malformedPublicURL(publicURL) }
            choice.publicOrigin = parts.origin
            choice.path = parts.path
        }
        // What the SDK makes of a callback URL with this path, for an app on iOS.
        choice.otherPaths = [CallbackMarker.marked(path: choice.path)]
        choice.bindAddress = bindAddress
        choice.purpose = .payment
        let diagnostics = environment.diagnostics
        let settlement = SquareSettlement(isOn: settles, in: environment)
        let start = environment.clock.wall()
        choice.isExpected = { [rules, state] url in
            let result = rules.platform.outcome(of: url, profile: rules.profile)
            var refusal = Self.refusal(of: result, state: state)
            // A page of an earlier payment that is opened again brings its answer again.
            if refusal == nil, let id = await settlement.handOff(paidBy: result, before: start) {
                refusal = "the answer to \(id) came again"
            }
            if let refusal { diagnostics.notice("\(refusal), and was refused") }
            return refusal == nil
        }
        choice.onSecond = { diagnostics.notice("a second answer came, and was refused") }
        return choice
    }

    /// Why an answer is not the one that is waited for; nil when it is.
    static func refusal(of result: Result<any SquareOutcome, SquareFailure>, state: String?) -> String? {
        switch result {
        case .failure(let failure): return "something came that is no answer (\(failure.name))"
        case .success(let outcome):
            guard let state, outcome.state != SquareText(state) else { return nil }
            // Android's app gives no state back when it gave no result at all.
            if outcome.state == nil, SquareReportedError(outcome)?.name == "ERROR_NO_RESULT" { return nil }
            return outcome.state == nil ? "an answer without a state came" : "an answer with another state came"
        }
    }

    /// Scheme, host and port of an address on the web, and its path.
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
