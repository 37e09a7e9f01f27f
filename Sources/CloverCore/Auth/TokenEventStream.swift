import CloverAPI
package import CloverAuth

/// `auth watch`: what happens to tokens on this machine, whichever process does it.
package struct TokenEventStream: Sendable {
    package var choice: ConnectionChoice

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// An event with the name that its credential goes by.
    package struct Event: Sendable {
        package let event: TokenEvent
        package let profile: String?
    }

    /// Calls `onEvent` for each event, one after the other, until cancelled. Without a profile, merchant or environment
    /// it watches all credentials.
    package func run(
        in environment: CommandEnvironment, onEvent: (Event) async throws -> Void
    ) async throws {
        let service = try choice.service()
        let profiles = try environment.profiles()
        if let name = choice.profile, !ProfileBook.isName(name) { throw CoreError.malformedProfile(name) }
        var names = try await profiles.all()
        if let name = choice.profile, names[name] == nil {
            let known = names.keys.sorted().joined(separator: ", ")
            environment.diagnostics.notice(
                "no sign-in goes by the name '\(name)' yet; waiting for one"
                    + (known.isEmpty ? "" : " (there are: \(known))"))
        }
        let watch = TokenWatch(state: try environment.stateDirectory())
        for try await event in try await watch.events(of: nil) {
            try Task.checkCancellation()
            guard service == nil || event.key.environment == service?.name,
                choice.merchantID == nil || event.key.merchantID == choice.merchantID
            else { continue }
            let present = try await profiles.all()
            names.merge(present) { $1 }
            // A name comes before its credential, and goes after it: for its end, those that are gone count too.
            var counting = present
            switch event.kind {
            case .nameForgotten(let name):
                names[name] = present[name]
                guard name == choice.profile ?? name else { continue }
                let end = TokenEvent(kind: .deleted, key: event.key, at: event.at)
                try await onEvent(Event(event: end, profile: name))
                continue
            case .deleted:
                counting = names
                // Those that are still in the book are on their way out, or are read again with the next event.
                names = names.filter { $0.value != event.key }
            case .new, .refreshed, .invalidated, .unreadable: break
            }
            if let name = choice.profile, counting[name] != event.key { continue }
            let name = try await profiles.name(of: event.key) ?? counting.filter { $0.value == event.key }.keys.min()
            try await onEvent(Event(event: event, profile: choice.profile ?? name))
        }
        // A cancelled task ends the events without an error.
        try Task.checkCancellation()
    }
}
