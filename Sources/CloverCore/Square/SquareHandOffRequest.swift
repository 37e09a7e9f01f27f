package import CloverSquare

/// `charge square request`: one payment, asked for by options.
package struct SquareHandOffRequest: Sendable {
    /// How much is asked for.
    package enum Amount: Sendable, Equatable {
        /// In major units, as a user writes it: `12.50`.
        case major(String)
        /// In the currency's smallest unit.
        case minor(Int)
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
    /// Whether a request with a state is written down in the journal of charges.
    package var isWrittenDown = true

    package init(rules: SquareRules) {
        self.rules = rules
    }

    /// The URL and what it says; written down before anybody sees it.
    ///
    /// Only what has a state is written down: without one, no answer can be told to belong to it. The URL is the SDK's
    /// to the byte, so nothing is added to it that was not asked for.
    ///
    /// - Throws: `SquareError.request` with the first of the SDK's checks that fails, `.unknownTender`,
    ///   `.apiVersionRefused`; what is wrong with the amount's text; trouble with the journal.
    package func handOff(in environment: CommandEnvironment) async throws -> SquareHandOff {
        var draft = draft
        draft.clientID = try await SquareClientID.resolve(clientID, in: environment)
        draft.amount = try SquareAmount.minorUnits(amount, currency: draft.currency, profile: rules.profile)
        if let tenders { draft.tenders = try tenderSet(tenders) }
        if let apiVersion {
            let takesOthers = rules.profile.takesOtherAPIVersions && rules.platform != .androidWeb
            guard takesOthers, !apiVersion.isEmpty else { throw SquareError.apiVersionRefused(rules) }
        }
        let handOff = try handOff(draft)
        for notice in handOff.notices { environment.diagnostics.notice(notice.message) }
        if isWrittenDown { try await SquareJournal.add(handOff, draft, in: environment) }
        return handOff
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
            }
        }
    }
}
