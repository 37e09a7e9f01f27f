import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverFeed
import CloverSystem

/// Why a feed ended, apart from errors of the service and the state.
enum FollowFailure: Error, Sendable, Equatable {
    /// The command of `--exec` did not take a change.
    case commandFailed(status: Int32, String, id: String, tries: Int)
}

extension ErrorReport {
    init(_ error: FollowFailure) {
        switch error {
        case .commandFailed(let status, let resource, let id, let tries):
            self.init(
                code: "command_failed", status: .tryAgain,
                message: "the command ended with status \(status) for \(resource) \(id), \(tries) times",
                hints: ["nothing after this change was delivered; the next run begins with it"])
        }
    }

    /// Errors of a feed's state.
    init(_ error: FeedError) {
        switch error {
        case .busy(let path, let holder):
            self.init(
                code: "lock_busy", status: .tryAgain,
                message: "another run follows with the same state: \(path)" + (holder.map { " (\($0))" } ?? ""),
                hints: ["for a second feed, give it a separate state: --state FILE"])
        case .otherMerchant(let path, let found, let wanted):
            self.init(
                code: "other_merchant", status: .configuration,
                message: "\(path) is the state of a feed of \(found), and this run is for \(wanted)",
                hints: ["choose the sign-in with --profile or --merchant, or another --state FILE"])
        }
    }
}

/// Where the state of a feed is.
enum FollowState {
    /// Opens the state of `--state`, or that of the merchant in the state directory.
    static func open(
        _ request: FollowRequest, _ connection: Connection, in environment: CommandEnvironment
    ) async throws -> FeedStore {
        let usual = try environment.stateDirectory()
        let service = connection.environment.name
        var directory = usual
        // One feed for each merchant.
        var name = "follow-\(StableHash.words(for: "\(service) \(connection.merchantID)")).sqlite"
        if let path = request.state {
            let parts = split(path)
            name = parts.name
            directory = StateDirectory(
                path: try UnattendedCommand.absolute(parts.directory),
                allowsNetworkFileSystem: usual.allowsNetworkFileSystem)
        }
        return try await FeedStore.open(
            name, in: directory, environment: service, merchant: connection.merchantID, now: environment.clock.wall())
    }

    /// The directory and the name of a path.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}
