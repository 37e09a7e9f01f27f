import CloverAuth
import CloverConfiguration
import CloverCore
import CloverDatabase
import CloverOutput
import CloverReaders
import CloverSystem
import Glibc

/// Suggests commands that fix an error whose own hints name none.
enum SuggestedFix {
    /// For files that a newer version of clover wrote.
    static let update = [
        "see which clover this is: clover --version", "and update it: sudo apt install ./clover-cli_*.deb",
    ]

    static func steps(_ finding: Finding, of check: CheckName, _ context: DoctorContext) -> [String] {
        guard finding.grade == .fail || finding.grade == .warn, case .error(let error) = finding.message,
            finding.next.isEmpty
        else { return [] }
        switch error {
        case let error as StorageError: return steps(error, context)
        case let error as StateDatabaseError: return steps(error, context)
        case let error as CredentialError: return steps(error, context)
        case let error as ConfigurationError: return steps(error, context)
        default: return steps(check, context)
        }
    }

    /// - Parameter another: the variable that sets another location, if that helps.
    private static func steps(_ error: StorageError, _ context: DoctorContext, another: String? = nil) -> [String] {
        switch error {
        case .refused(_, .looseMode): []
        case .refused(let path, .foreignOwner): ["sudo chown --no-dereference \"$(id -u)\" \(ShellWord.quoted(path))"]
        case .refused(let path, .symbolicLink), .refused(let path, .notRegularFile), .refused(let path, .notDirectory),
            .refused(let path, .tooLarge):
            moveAside(path, context, another: another)
        case .system(_, let path, let number): permissionSteps(number, path) + inspectionSteps(at: path)
        case .networkFileSystem(let path, _): ["df -T \(ShellWord.quoted(path))"]
        case .noHomeDirectory: ["export HOME=/home/$(id -un)"]
        case .lockHeld: ["ps -C clover"]
        case .moved(_, let place, .left): ["clover config set state \(ShellWord.quoted(place))"]
        case .moved(_, let place, .arriving): ["env CLOVER_STATE=\(ShellWord.quoted(place)) clover state move --back"]
        case .moved(_, let place, .preparing), .moved(_, let place, .leaving):
            ["env CLOVER_STATE=\(ShellWord.quoted(place)) clover state move"]
        case .moved: ["clover state move"]
        }
    }

    private static func steps(_ error: StateDatabaseError, _ context: DoctorContext) -> [String] {
        switch error {
        case .storage(let error): steps(error, context)
        case .newerVersion: update
        case .otherContent(let path, _), .damaged(let path), .emptied(let path): moveAside(path, context)
        case .removed(let path, let witness):
            ["restore \(ShellWord.quoted(path)) from a backup"] + moveAside(witness, context)
        case .busy: ["ps -C clover"]
        case .full(let path), .failed(let path, _): ["df -h \(ShellWord.quoted(existing(path)))"]
        }
    }

    private static func steps(_ error: CredentialError, _ context: DoctorContext) -> [String] {
        switch error {
        case .storage(let error): steps(error, context)
        case .notJSON(let path), .malformed(let path, _), .otherKey(let path):
            moveAside(path, context) + ["clover auth login"]
        case .newerVersion: update
        case .lockBusy: ["ps -C clover"]
        case .missingInKeyring, .leftInKeyring, .keyring: []
        case .invalidEnvironment, .invalidMerchant, .invalidApp, .unusableToken, .invalidProfile:
            ["see where it is set: clover config list --explain"]
        case .notEncodable, .leaseEnded, .cancelled: ["clover auth login"]
        case .databaseAway, .databaseUnusable, .overtaken, .tokensUnstored: ["clover state check"]
        case .stateKey: ["clover state key"]
        }
    }

    private static func steps(_ error: ConfigurationError, _ context: DoctorContext) -> [String] {
        switch error {
        case .storage(let error), .unreadable(let error): steps(error, context, another: "CLOVER_CONFIG_DIR")
        case .notText(let path, _), .forbiddenCharacter(let path, _, _), .notYAML(let path, _, _),
            .invalid(let path, _), .notEditable(let path, _):
            ["${EDITOR:-nano} \(ShellWord.quoted(path))"]
        case .wrongVariable(let name, _, _): ["unset \(name)"]
        case .unknownKey, .secretKey, .wrongValue, .onlyAtTopLevel, .notSet, .noValue, .otherSignIn:
            ["see where it is set: clover config list --explain"]
        }
    }

    /// The finding for a directory behind a dangling link; nil if there is no such link on its path.
    static func deadLink(_ path: String, variable: String, _ context: DoctorContext) -> [Finding]? {
        guard let (link, target) = DirectoryFacts.deadLink(on: path) else { return nil }
        let slash = link.lastIndex(of: "/") ?? link.startIndex
        let folder = target.hasPrefix("/") ? target : link[..<slash] + "/" + target
        return .fail(
            "\(context.shortened(link)) is a link to \(target), which does not exist",
            next: ["mkdir -p -m 700 \(ShellWord.quoted(folder))", "or set \(variable) to another directory"])
    }

    /// The command that moves a file of the user aside. Anything else, such as a device, is left alone. If a variable names
    /// the path, the variable is wrong, and the command unsets it.
    private static func moveAside(_ path: String, _ context: DoctorContext, another: String? = nil) -> [String] {
        let named = ["CLOVER_STATE_DIR", "CLOVER_CONFIG_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"].first { name in
            guard let value = context.environment.variables.nonEmpty(name) else { return false }
            return value.drop { $0 == "/" } == path.drop { $0 == "/" } || value == path + "/"
        }
        if let named { return ["unset \(named)"] }
        if FileRefusal.isMovable(path) { return ["mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".aside"))"] }
        let look = "ls -ld \(ShellWord.quoted(existing(path)))"
        guard let another, let slash = path.lastIndex(of: "/") else { return [look] }
        // A missing directory is created when it is first used.
        return [look, "export \(another)=\(ShellWord.quoted(path[..<slash] + "-other"))"]
    }

    /// The command that restores missing permissions which the user may grant.
    private static func permissionSteps(_ number: Int32, _ path: String) -> [String] {
        guard number == EACCES else { return [] }
        if let (place, rights) = DirectoryFacts.missingPermissions(on: path) {
            return ["chmod u+\(rights) \(ShellWord.quoted(place))"]
        }
        // Only an administrator can take ownership from another user, and only a file is offered for that.
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_uid != geteuid() else { return [] }
        return ["sudo chown \"$(id -u)\" \(ShellWord.quoted(path))"]
    }

    private static func inspectionSteps(at path: String) -> [String] {
        let place = ShellWord.quoted(existing(path))
        return ["df -h \(place)", "ls -ld \(place)"]
    }

    /// The path or, if it does not exist, its nearest parent directory that does.
    private static func existing(_ path: String) -> String {
        var place = path
        var found = stat()
        while place != "/", lstat(place, &found) != 0, let slash = place.lastIndex(of: "/") {
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
        return place
    }

    /// Steps for all other errors of a check.
    private static func steps(_ check: CheckName, _ context: DoctorContext) -> [String] {
        switch check {
        case .network, .proxy, .service:
            context.network.address.map { ["see what responds there: curl --include \($0)"] } ?? []
        case .tls:
            [
                "see where a CA file is set: clover config list --explain",
                "update the system's CA certificates: sudo update-ca-certificates",
            ]
        case .token: ["clover auth status --check"]
        case .curl: ["sudo apt install --reinstall libcurl4"]
        case .jq: ["sudo apt install --reinstall \(LibjqFacts.debianPackage)"]
        case .bus: []
        case .bluetooth, .adapters: ["sudo systemctl restart bluetooth"]
        case .keyring:
            ["systemctl --user restart gnome-keyring-daemon", "if you use no keyring: clover doctor --skip keyring"]
        case .driver: ["clover config list --explain"]
        case .credentials: ["clover auth login"]
        case .configuration, .state, .permissions, .leftovers, .ledger, .database, .clock, .completions:
            ["see where files are: clover config path"]
        }
    }
}
