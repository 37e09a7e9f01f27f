import CloverAuth
import CloverConfiguration
import CloverReaders
import CloverStorage
import Glibc

/// Commands for what is wrong, where the error's own words name none: whoever asks a doctor wants to be mended.
enum Remedy {
    /// For files of a program that is newer than this one.
    static let update = [
        "see which clover this is: clover --version", "and update it: sudo apt install ./clover-cli_*.deb",
    ]

    static func steps(_ finding: Finding, _ patient: Patient) -> [String] {
        guard finding.grade == .fail || finding.grade == .warn, case .error(let error, let next) = finding.words,
            next.isEmpty
        else { return [] }
        switch error {
        case let error as StorageError: return steps(error)
        case let error as StateDatabaseError: return steps(error)
        case let error as CredentialError: return steps(error)
        case let error as ConfigurationError: return steps(error)
        default: return steps(finding.check, patient)
        }
    }

    private static func steps(_ error: StorageError) -> [String] {
        switch error {
        case .refused(_, .looseMode): []
        case .refused(let path, .foreignOwner): ["sudo chown --no-dereference \"$(id -u)\" \(path)"]
        case .refused(let path, .symbolicLink), .refused(let path, .notRegularFile), .refused(let path, .notDirectory),
            .refused(let path, .tooLarge):
            ["mv \(path) \(path).aside"]
        case .system(_, let path, _): ["df -h \(existing(path))", "ls -ld \(existing(path))"]
        case .networkFileSystem(let path, _): ["df -T \(path)"]
        case .noHomeDirectory: ["export HOME=/home/$(id -un)"]
        case .lockHeld: ["ps -C clover"]
        }
    }

    private static func steps(_ error: StateDatabaseError) -> [String] {
        switch error {
        case .storage(let error): steps(error)
        case .newerVersion: update
        case .otherContent(let path, _), .damaged(let path): ["mv \(path) \(path).aside"]
        case .busy: ["ps -C clover"]
        case .full(let path), .failed(let path, _): ["df -h \(existing(path))"]
        }
    }

    private static func steps(_ error: CredentialError) -> [String] {
        switch error {
        case .storage(let error): steps(error)
        case .notJSON(let path), .malformed(let path, _), .otherKey(let path):
            ["mv \(path) \(path).aside", "clover auth login"]
        case .newerVersion: update
        case .lockBusy: ["ps -C clover"]
        case .missingInKeyring, .leftInKeyring, .keyring: []
        case .invalidEnvironment, .invalidMerchant, .invalidApp, .unusableToken, .invalidProfile:
            ["see who says so: clover config list --explain"]
        case .notEncodable, .leaseEnded, .cancelled: ["clover auth login"]
        }
    }

    private static func steps(_ error: ConfigurationError) -> [String] {
        switch error {
        case .storage(let error), .unreadable(let error): steps(error)
        case .notText(let path, _), .forbiddenCharacter(let path, _, _), .notYAML(let path, _, _),
            .invalid(let path, _), .notEditable(let path, _):
            ["${EDITOR:-nano} \(path)"]
        case .wrongVariable(let name, _, _): ["unset \(name)"]
        case .unknownKey, .secretKey, .wrongValue, .onlyAtTop, .notSet, .noValue, .otherSignIn:
            ["see who says so: clover config list --explain"]
        }
    }

    /// The path, or the directory above it that is there: of what is not there no command tells anything.
    private static func existing(_ path: String) -> String {
        var place = path
        var found = stat()
        while place != "/", lstat(place, &found) != 0, let slash = place.lastIndex(of: "/") {
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
        return place
    }

    /// Whatever else went wrong with it.
    private static func steps(_ check: CheckName, _ patient: Patient) -> [String] {
        switch check {
        case .network, .proxy, .service:
            patient.network.address.map { ["see what answers there: curl --include \($0)"] } ?? []
        case .tls:
            [
                "see who names a file of authorities: clover config list --explain",
                "renew those of the system: sudo update-ca-certificates",
            ]
        case .token: ["clover auth status --check"]
        case .curl: ["sudo apt install --reinstall libcurl4"]
        case .jq: ["sudo apt install --reinstall libjq1"]
        case .bus: []
        case .bluetooth, .adapters: ["sudo systemctl restart bluetooth"]
        case .keyring:
            ["systemctl --user restart gnome-keyring-daemon", "without one here: clover doctor --skip keyring"]
        case .driver: ["see who names it: clover config list --explain"]
        case .credentials: ["clover auth login"]
        case .configuration, .state, .permissions, .leftovers, .ledger, .database, .clock, .completions:
            ["see where things are: clover config path"]
        }
    }
}
