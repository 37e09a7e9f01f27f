import CloverAPI
import CloverAuth
import CloverConfiguration
import CloverCore
import CloverExport
import CloverPayments
import CloverReaders
import CloverSystem

/// Names known on this machine, for shell completion. Sends no request, creates no file, waits for no lock, and treats
/// state that it cannot read as empty, because completion has no place for an error.
extension CompletionResponse {
    /// Maximum number of charges offered, newest first.
    private static let chargeLimit = 50

    /// Names of sign-ins and sections of the configuration file.
    func profiles() async -> [String] {
        var names: Set<String> = []
        await collecting {
            if let document = try environment.configuration() { names.formUnion(document.profiles.keys) }
        }
        await collecting {
            // Names in a database are not asked for: a server may take seconds to respond, or not respond at all.
            guard let state = try existing(), try environment.sharedState() == nil else { return }
            names.formUnion(try await ProfileStore(state: state).all().keys)
        }
        return names.sorted()
    }

    /// Arguments of `auth switch`: names of sign-ins, and ids of merchants with a single possible sign-in.
    ///
    /// - Parameters:
    ///   - prefix: what is typed so far.
    ///   - choice: the other options.
    func signIns(beginning prefix: String, _ choice: ConnectionChoice) async -> [String] {
        var possible: [String] = []
        await collecting {
            guard try existing() != nil, try environment.sharedState() == nil else { return }
            let kept = try await StoredSignIns.read(in: environment)
            let names = Set(kept.profiles.keys).union(kept.keys.map(\.merchantID)).filter { $0.hasPrefix(prefix) }
            for name in names.sorted() {
                await collecting {
                    _ = try await kept.find(name, choice, in: environment)
                    possible.append(name)
                }
            }
        }
        return possible
    }

    /// Readers that were connected before, by name if they have one, and by id.
    func readers() async -> [String] {
        var names: [String] = []
        await collecting {
            guard let state = try existing() else { return }
            for known in try await DedicatedThread.run({ try ReaderStore(directory: state).glance() }) {
                names += [known.reader.name, known.reader.id].compactMap(\.self)
            }
        }
        return names
    }

    /// The newest charges that a command can be applied to.
    ///
    /// - Parameter command: subcommand of `charge`, such as `void`.
    func charges(for command: String) async -> [String] {
        var names: [String] = []
        await collecting {
            // A database may take seconds to say that it is away.
            guard try environment.sharedState() == nil, let state = try existing(),
                let journal = try await ChargeJournal.glance(in: state)
            else { return }
            for charge in try await journal.charges(limit: Self.chargeLimit) {
                if let kind = OperationKind(rawValue: command) {
                    let earlier = try await journal.followUps(of: charge.id)
                    guard FollowUpPlan.isPossible(kind, on: charge, after: earlier) else { continue }
                }
                if command == "settle", !Self.isOpen(charge) { continue }
                names.append(charge.id)
            }
        }
        return names
    }

    /// Whether its outcome may be entered by hand.
    private static func isOpen(_ charge: PaymentOperation) -> Bool {
        !charge.rail.isHandedOff && (!charge.state.isFinal || charge.outcome.isByHand == true)
    }

    private func existing() throws -> StateDirectory? {
        let state = try StateDirectory(environment: environment.variables)
        if try state.existing() != nil { return state }
        return nil
    }

    /// Runs `body` and ignores its errors: the command itself will report them.
    private func collecting(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            return
        }
    }
}

/// Names that can be typed after `clover export`, for shell completion.
enum ExportNames {
    /// Resources of a merchant that are lists.
    static let resources = EndpointCatalogue.families().filter { resource in
        path(resource)?.endpoint?.shape == .list
    }

    /// The lists of each record that `--with` takes for a resource; empty for an unknown resource.
    static func parts(of resource: String) -> [String] {
        path(resource).map(ExportPart.names) ?? []
    }

    private static func path(_ resource: String) -> ResourcePath? {
        do throws(QueryError) {
            return try ResourcePath(parsing: resource, identifier: nil, merchantID: "{mId}", isChecked: true)
        } catch {
            return nil
        }
    }
}
