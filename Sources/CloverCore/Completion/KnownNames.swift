import CloverAPI
import CloverAuth
import CloverConfiguration
import CloverPayments
import CloverReaders
import CloverStorage
import CloverThreads

/// Names that this machine knows, for whoever completes a command line: no request is sent, nothing is made, nobody is waited
/// for, and what cannot be read has no names, because there is nobody to tell.
package struct KnownNames: Sendable {
    private let environment: CommandEnvironment

    /// How many charges are offered, the newest first.
    private static let chargeLimit = 50

    package init(_ environment: CommandEnvironment) {
        self.environment = environment
    }

    /// Sign-ins and sections of the configuration file.
    package func profiles() async -> [String] {
        var names: Set<String> = []
        await collecting {
            if let document = try environment.configuration() { names.formUnion(document.profiles.keys) }
        }
        await collecting {
            guard let state = try existing() else { return }
            names.formUnion(try await ProfileBook(state: state).all().keys)
        }
        return names.sorted()
    }

    /// What `auth switch` takes: names of sign-ins, and ids of merchants where one sign-in alone can be meant.
    ///
    /// - Parameters:
    ///   - prefix: what is typed of it.
    ///   - choice: what options say besides.
    package func signIns(beginning prefix: String, _ choice: ConnectionChoice) async -> [String] {
        var possible: [String] = []
        await collecting {
            guard try existing() != nil else { return }
            let kept = try await KeptSignIns.read(in: environment)
            let names = Set(kept.profiles.keys).union(kept.keys.map(\.merchantID)).filter { $0.hasPrefix(prefix) }
            for name in names.sorted() {
                await collecting {
                    _ = try await SignInSwitch(name: name, choice: choice).chosen(among: kept, in: environment)
                    possible.append(name)
                }
            }
        }
        return possible
    }

    /// The readers that were connected once, by name where they have one, and by id.
    package func readers() async -> [String] {
        var names: [String] = []
        await collecting {
            guard let state = try existing() else { return }
            for known in try await DedicatedThread.run({ try ReaderStore(directory: state).glance() }) {
                names += [known.reader.name, known.reader.id].compactMap(\.self)
            }
        }
        return names
    }

    /// The newest charges with which the command can do something.
    ///
    /// - Parameter command: below `charge`, such as `void`.
    package func charges(for command: String) async -> [String] {
        var names: [String] = []
        await collecting {
            guard let state = try existing(), let journal = try await ChargeJournal.glance(in: state) else { return }
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

    /// Whether a person may say how it ended.
    private static func isOpen(_ charge: PaymentOperation) -> Bool {
        charge.rail != .square && (!charge.state.isFinal || charge.outcome.isByHand == true)
    }

    private func existing() throws -> StateDirectory? {
        let state = try StateDirectory(environment: environment.variables)
        if try state.existing() != nil { return state }
        return nil
    }

    /// What fails while somebody types a command line is told when the command runs.
    private func collecting(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            return
        }
    }
}

/// Names that can be typed after `clover export`, for shell completion.
package enum ExportNames {
    /// Resources of a merchant that are lists.
    package static let resources = EndpointCatalogue.families.filter { resource in
        path(resource)?.endpoint?.shape == .list
    }

    /// The lists of each record that `--with` takes for a resource; empty for an unknown resource.
    package static func parts(of resource: String) -> [String] {
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
