import CloverPayments
package import CloverSquare

/// `charge square request`: one payment, asked for by options.
package struct SquareHandOffRequest: Sendable {
    /// How much is asked for.
    package enum Amount: Sendable, Equatable {
        /// In major units, as a user writes it: `12.50`.
        case major(String)
        /// In the currency's smallest unit, as a user writes it: `1250`.
        case minor(String)
    }

    package let rules: SquareRules
    /// Everything but the amount, the application id and the tenders.
    package var draft = SquareRequestDraft()
    package var amount: Amount?
    package var clientID: String?
    /// `all`, or words of tenders separated by commas; nil allows all.
    package var tenders: String?
    /// Another version of the interface than the SDK's own.
    package var apiVersion: String?
    package init(rules: SquareRules) {
        self.rules = rules
    }

    /// A request that was checked, and that nobody has seen yet.
    package struct Made: Sendable {
        package let handOff: SquareHandOff
        private let draft: SquareRequestDraft

        init(_ handOff: SquareHandOff, _ draft: SquareRequestDraft) {
            self.handOff = handOff
            self.draft = draft
        }

        /// Writes it down in the journal of charges, which has to come before anybody sees it.
        package func writeDown(in environment: CommandEnvironment) async throws {
            let diagnostics = environment.diagnostics
            for row in try await SquareJournal.add([(handOff, draft)], in: environment) {
                diagnostics.detail("written down as \(row.id)")
                guard let rival = row.rival else { continue }
                let consequence =
                    rival.isSameRequest
                    ? "is the same request and has no answer yet: the next answer settles the newer of the two"
                    : "has the same state and no answer yet, so an answer settles neither of the two by itself"
                diagnostics.notice(
                    "\(rival.id) \(consequence); if nobody answers the older one: clover charge square settle "
                        + "\(rival.id) --not-paid")
            }
        }
    }

    /// The URL and what it says.
    ///
    /// The URL is the SDK's to the byte: a request without a state gets none, although no answer can be told to belong to
    /// it then.
    ///
    /// - Throws: `SquareError.request` with the first of the SDK's checks that fails, `.unknownTender`,
    ///   `.allAmongTenders`, `.apiVersionRefused`, `.decimalsUnknown`; `AmountRefusal`.
    package func made(in environment: CommandEnvironment) async throws -> Made {
        var draft = draft
        draft.clientID = try await SquareClientID.resolve(clientID, in: environment)
        try SquareAmount.put(amount, into: &draft, profile: rules.profile)
        if let tenders { draft.tenders = try tenderSet(tenders) }
        if let apiVersion {
            let takesOthers = rules.profile.takesOtherAPIVersions && rules.platform != .androidWeb
            guard takesOthers, !apiVersion.isEmpty else { throw SquareError.apiVersionRefused(rules) }
        }
        let handOff = try handOff(draft)
        for notice in handOff.notices { environment.diagnostics.notice(notice.message) }
        return Made(handOff, draft)
    }

    private func handOff(_ draft: SquareRequestDraft) throws -> SquareHandOff {
        do throws(SquareFailure) {
            let request = try SquareRequest(draft, profile: rules.profile, platform: rules.platform)
            let other = apiVersion.flatMap { request.withAPIVersion(SquareText($0)) }
            return try (other ?? request).handOff()
        } catch {
            throw SquareError.request(error)
        }
    }

    private func tenderSet(_ words: String) throws(SquareError) -> SquareTenderSet {
        do throws(SquareTenderError) {
            return try SquareTenderSet(words: words, profile: rules.profile)
        } catch {
            switch error {
            case .unknown(let word, let known): throw .unknownTender(word, known: known)
            case .allAmongOthers: throw .allAmongTenders
            }
        }
    }
}
