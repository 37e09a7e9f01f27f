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
        case let error as StorageError: return steps(error, patient)
        case let error as StateDatabaseError: return steps(error, patient)
        case let error as CredentialError: return steps(error, patient)
        case let error as ConfigurationError: return steps(error, patient)
        default: return steps(finding.check, patient)
        }
    }

    /// - Parameter another: the variable that names another place, where that helps.
    private static func steps(_ error: StorageError, _ patient: Patient, another: String? = nil) -> [String] {
        switch error {
        case .refused(_, .looseMode): []
        case .refused(let path, .foreignOwner): ["sudo chown --no-dereference \"$(id -u)\" \(ShellWord.quoted(path))"]
        case .refused(let path, .symbolicLink), .refused(let path, .notRegularFile), .refused(let path, .notDirectory),
            .refused(let path, .tooLarge):
            outOfTheWay(path, patient, another: another)
        case .system(_, let path, let number): rights(number, path) + looks(at: path)
        case .networkFileSystem(let path, _): ["df -T \(ShellWord.quoted(path))"]
        case .noHomeDirectory: ["export HOME=/home/$(id -un)"]
        case .lockHeld: ["ps -C clover"]
        }
    }

    private static func steps(_ error: StateDatabaseError, _ patient: Patient) -> [String] {
        switch error {
        case .storage(let error): steps(error, patient)
        case .newerVersion: update
        case .otherContent(let path, _), .damaged(let path): outOfTheWay(path, patient)
        case .busy: ["ps -C clover"]
        case .full(let path), .failed(let path, _): ["df -h \(ShellWord.quoted(existing(path)))"]
        }
    }

    private static func steps(_ error: CredentialError, _ patient: Patient) -> [String] {
        switch error {
        case .storage(let error): steps(error, patient)
        case .notJSON(let path), .malformed(let path, _), .otherKey(let path):
            outOfTheWay(path, patient) + ["clover auth login"]
        case .newerVersion: update
        case .lockBusy: ["ps -C clover"]
        case .missingInKeyring, .leftInKeyring, .keyring: []
        case .invalidEnvironment, .invalidMerchant, .invalidApp, .unusableToken, .invalidProfile:
            ["see who says so: clover config list --explain"]
        case .notEncodable, .leaseEnded, .cancelled: ["clover auth login"]
        }
    }

    private static func steps(_ error: ConfigurationError, _ patient: Patient) -> [String] {
        switch error {
        case .storage(let error), .unreadable(let error): steps(error, patient, another: "CLOVER_CONFIG_DIR")
        case .notText(let path, _), .forbiddenCharacter(let path, _, _), .notYAML(let path, _, _),
            .invalid(let path, _), .notEditable(let path, _):
            ["${EDITOR:-nano} \(ShellWord.quoted(path))"]
        case .wrongVariable(let name, _, _): ["unset \(name)"]
        case .unknownKey, .secretKey, .wrongValue, .onlyAtTop, .notSet, .noValue, .otherSignIn:
            ["see who says so: clover config list --explain"]
        }
    }

    /// What is to be done about a directory behind a link that leads nowhere; nil when there is no such link on the way.
    static func deadLink(_ check: CheckName, _ path: String, variable: String, _ patient: Patient) -> Finding? {
        guard let (link, target) = DirectoryFacts.deadLink(on: path) else { return nil }
        let slash = link.lastIndex(of: "/") ?? link.startIndex
        let folder = target.hasPrefix("/") ? target : link[..<slash] + "/" + target
        return .fail(
            check, "\(patient.shortened(link)) is a link to \(target), which is not there",
            next: ["mkdir -p -m 700 \(ShellWord.quoted(folder))", "or name another directory by \(variable)"])
    }

    /// A file of the user's own is put beside its place. Anything else is left alone, such as a device, and so is what a
    /// variable names: then the variable is wrong.
    private static func outOfTheWay(_ path: String, _ patient: Patient, another: String? = nil) -> [String] {
        let named = ["CLOVER_STATE_DIR", "CLOVER_CONFIG_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"].first { name in
            guard let value = patient.environment.variables.nonEmpty(name) else { return false }
            return value.drop { $0 == "/" } == path.drop { $0 == "/" } || value == path + "/"
        }
        if let named { return ["unset \(named)"] }
        if FileRefusal.isMovable(path) { return ["mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".aside"))"] }
        let look = "ls -ld \(ShellWord.quoted(existing(path)))"
        guard let another, let slash = path.lastIndex(of: "/") else { return [look] }
        // A directory that is not there is made when something is kept in it.
        return [look, "export \(another)=\(ShellWord.quoted(path[..<slash] + "-other"))"]
    }

    /// The command that gives the user rights back that are his to give.
    private static func rights(_ number: Int32, _ path: String) -> [String] {
        guard number == EACCES else { return [] }
        if let (place, rights) = DirectoryFacts.missingRights(on: path) {
            return ["chmod u+\(rights) \(ShellWord.quoted(place))"]
        }
        // Of somebody else's only an administrator makes the user's own, and only of a file.
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_uid != geteuid() else { return [] }
        return ["sudo chown \"$(id -u)\" \(ShellWord.quoted(path))"]
    }

    private static func looks(at path: String) -> [String] {
        let place = ShellWord.quoted(existing(path))
        return ["df -h \(place)", "ls -ld \(place)"]
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
        case .driver: ["clover config list --explain"]
        case .credentials: ["clover auth login"]
        case .configuration, .state, .permissions, .leftovers, .ledger, .database, .clock, .completions:
            ["see where things are: clover config path"]
        }
    }
}
