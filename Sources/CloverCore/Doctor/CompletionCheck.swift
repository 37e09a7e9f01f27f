import CloverStorage
import Glibc

/// The completions of the user's shell, where that shell looks for them.
struct CompletionCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let variables = patient.environment.variables
        let shell = variables.nonEmpty("SHELL")?.split(separator: "/").last.map(String.init) ?? ""
        guard let place = try Self.place(of: shell, variables) else {
            let name = shell.isEmpty ? "not known" : shell
            return [.ok(.completions, "completions are for bash, zsh and fish; the shell here is \(name)")]
        }
        // The shell takes the first that is there, whatever is in it.
        if let found = place.files.first(where: { access($0, R_OK) == 0 }) {
            let name = patient.shortened(found)
            if Self.isOurs(found) { return [.ok(.completions, "completions for \(shell): \(name)")] }
            let isInOwn = found == place.files.first
            return [
                .warn(
                    .completions, "\(name) holds no completions of clover for \(shell)",
                    next: (isInOwn ? ["mv \(name) \(name).aside"] : []) + steps(shell, place, patient))
            ]
        }
        return [
            .warn(
                .completions, "no completions for \(shell)",
                next: steps(shell, place, patient))
        ]
    }

    private func steps(_ shell: String, _ place: Place, _ patient: Patient) -> [String] {
        let folder = patient.shortened(place.own)
        let steps = ["mkdir -p \(folder)", "clover --generate-completion-script \(shell) >\(folder)/\(place.name)"]
        return shell == "zsh" ? steps + ["and in ~/.zshrc, before compinit: fpath+=(\(folder))"] : steps
    }

    private struct Place {
        let files: [String]
        /// The user's own folder, and the name of the file in it.
        let own: String
        let name: String
    }

    /// How much of a script is looked at, in bytes; its own functions begin before that.
    private static let beginning = 1 << 16

    /// Whether a script of ours is in the file: functions of one begin with the program's name, in each shell.
    private static func isOurs(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: beginning)
        var count = 0
        while count < buffer.count {
            let step = buffer.withUnsafeMutableBytes { bytes in
                read(file, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { break }
            count += step
        }
        return String(decoding: buffer[..<count], as: UTF8.self).contains("__clover_")
    }

    private static func place(of shell: String, _ variables: [String: String]) throws(StorageError) -> Place? {
        // As the XDG base directory specification has it, a relative path does not count.
        func base(_ name: String, _ fallback: String) throws(StorageError) -> String {
            if let path = variables[name], path.hasPrefix("/") { return path }
            return try UserDirectory.inHome(fallback, in: variables)
        }
        let prefixes = ["/usr/local/share", "/usr/share"] + (ownPrefix().map { [$0 + "/share"] } ?? [])
        let name: String
        let own: String
        let system: [String]
        switch shell {
        case "bash":
            name = "clover"
            own = try base("XDG_DATA_HOME", ".local/share") + "/bash-completion/completions"
            system = ["bash-completion/completions"]
        case "zsh":
            name = "_clover"
            own = try UserDirectory.inHome(".zsh/completions", in: variables)
            system = ["zsh/site-functions", "zsh/vendor-completions"]
        case "fish":
            name = "clover.fish"
            own = try base("XDG_CONFIG_HOME", ".config") + "/fish/completions"
            system = ["fish/vendor_completions.d"]
        default: return nil
        }
        let folders = [own] + prefixes.flatMap { prefix in system.map { "\(prefix)/\($0)" } }
        return Place(files: folders.map { "\($0)/\(name)" }, own: own, name: name)
    }

    /// Where the program's own folder `bin` is.
    private static func ownPrefix() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = path.split(separator: "/")
        guard parts.count > 2, parts[parts.count - 2] == "bin" else { return nil }
        return "/" + parts.dropLast(2).joined(separator: "/")
    }
}
