import CloverConfiguration
import CloverCore
import CloverSystem
import Glibc

/// Checks the configuration file's permissions and values, and the variables that override it.
struct ConfigurationCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        var findings: [Finding]
        do {
            findings = try file(context)
        } catch let error as StorageError {
            findings = .fail(ConfigurationError.unreadable(error))
        } catch {
            findings = .fail(error)
        }
        findings += context.settingFaults.flatMap { fault -> [Finding] in
            .fail(fault.error, next: ["unset \(fault.variable)"])
        }
        let layers = ConfigurationLayers(variables: context.environment.variables)
        for key in ConfigurationKey.allCases {
            do throws(ConfigurationError) {
                _ = try layers.value(of: key)
            } catch {
                findings += .fail(error)
            }
        }
        return findings
    }

    private func file(_ context: DoctorContext) throws -> [Finding] {
        let file = try context.environment.configurationFile()
        let path = context.shortened(file.path)
        if let finding = SuggestedFix.deadLink(file.directory, variable: "CLOVER_CONFIG_DIR", context) {
            return finding
        }
        if let (link, target) = DirectoryFacts.deadLink(on: file.path) {
            return .fail(
                "\(context.shortened(link)) is a link to \(target), which does not exist",
                next: ["restore the target, or remove the link: rm \(ShellWord.quoted(link))"])
        }
        var repaired: [String] = []
        if let fault = try file.directoryFault() {
            if context.repairs, let repair = try fault.mend() {
                repaired.append(repair)
            } else if let finding = try Self.looseDirectory(file, fault) {
                return finding
            }
        }
        if let fault = try PermissionFault.find(file.path, rule: .ownOrSystem) {
            guard context.repairs, let repair = try fault.mend() else {
                return .fail(ConfigurationError.unreadable(fault.error))
            }
            repaired.append(repair)
        }
        guard let document = try file.read() else {
            if DirectoryFacts.isClosed(file.directory) { return Self.closed(file) }
            return .ok("no configuration file \(path), and none is needed", repairs: repaired)
        }
        guard document.problems.isEmpty else {
            return .fail(ConfigurationError.invalid(path: file.path, document.problems))
        }
        if DirectoryFacts.isClosed(file.directory) { return Self.closed(file) }
        let count = document.profiles.count
        let profiles = count == 0 ? "" : count == 1 ? ", 1 profile" : ", \(count) profiles"
        return .ok("configuration \(path)\(Self.place(file))\(profiles)", repairs: repaired)
    }

    /// The finding for a directory without write permission: commands can read the file, but `config set` fails.
    private static func closed(_ file: ConfigurationFile) -> [Finding] {
        .warn(ConfigurationError.storage(.system(.write, path: file.directory, errno: EACCES)))
    }

    /// The facts of the file's directory; empty if they cannot be read.
    private static func place(_ file: ConfigurationFile) -> String {
        do throws(StorageError) {
            return try DirectoryFacts(of: file.directory).map { " (\($0.words()))" } ?? ""
        } catch {
            return ""
        }
    }

    /// Commands refuse a file in a directory that others may change. If there is no file, this is only a warning.
    private static func looseDirectory(_ file: ConfigurationFile, _ fault: PermissionFault) throws -> [Finding]? {
        do throws(ConfigurationError) {
            if try file.read() != nil { return nil }
        } catch {
            return .fail(error)
        }
        return .warn(ConfigurationError.unreadable(fault.error))
    }
}
