import CloverAPI
package import CloverAuth

/// `auth watch`: reports changes to tokens on this machine, made by any process.
package struct TokenEventStream: Sendable {
    package var choice: ConnectionChoice

    package init(choice: ConnectionChoice) {
        self.choice = choice
    }

    /// An event with its credential's name.
    package struct Event: Sendable {
        package let event: TokenEvent
        package let profile: String?
    }

    /// Calls `onEvent` for each event, one at a time, until cancelled. Without a profile, merchant or environment it watches
    /// all credentials, and reports an event once for each name of its credential.
    package func run(
        in environment: CommandEnvironment, onEvent: (Event) async throws -> Void
    ) async throws {
        let service = try choice.service()
        let profiles = try environment.profiles()
        if let name = choice.profile, !ProfileStore.isName(name) { throw CoreError.malformedProfile(name) }
        var names = try await profiles.all()
        if let name = choice.profile, names[name] == nil {
            let known = names.keys.sorted().joined(separator: ", ")
            environment.diagnostics.notice(
                "no sign-in is named '\(name)' yet; waiting for one"
                    + (known.isEmpty ? "" : " (known names: \(known))"))
        }
        let watch = TokenWatch(state: try environment.stateDirectory())
        for try await event in try await watch.events(of: nil) {
            try Task.checkCancellation()
            guard service == nil || event.key.environment == service?.name,
                choice.merchantID == nil || event.key.merchantID == choice.merchantID
            else { continue }
            let present = try await profiles.all()
            names.merge(present) { $1 }
            // A name is added before its credential and removed after it, so a deletion also counts removed names.
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
                // Names still stored are about to be removed, or are read again with the next event.
                names = names.filter { $0.value != event.key }
            case .new, .refreshed, .invalidated, .unreadable: break
            }
            let reported = counting.filter { $0.value == event.key && $0.key == choice.profile ?? $0.key }.keys.sorted()
            if reported.isEmpty, choice.profile == nil { try await onEvent(Event(event: event, profile: nil)) }
            // An unreadable file is reported once, however many names it has.
            for name in event.isFault ? reported.prefix(1) : reported[...] {
                try await onEvent(Event(event: event, profile: name))
            }
        }
        // A cancelled task ends the events without an error.
        try Task.checkCancellation()
    }
}

extension TokenEvent {
    fileprivate var isFault: Bool { if case .unreadable = kind { true } else { false } }
}
