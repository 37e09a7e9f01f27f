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
            let state = Self.state(of: found, shell, patient)
            if state == .whole { return [.ok(.completions, "completions for \(shell): \(name)")] }
            let isInOwn = found == place.files.first
            return [
                .warn(
                    .completions,
                    state == .foreign
                        ? "\(name) holds no completions of clover for \(shell)"
                        : "\(name) is not what this clover prints for \(shell): it is of another version, or damaged",
                    next: (isInOwn && state == .foreign ? ["mv \(name) \(name).aside"] : [])
                        + steps(shell, place, patient))
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
        let file = place.own + "/" + place.name
        var ahead: [String] = []
        // Neither a folder nor a file can be made through a link that leads nowhere.
        if let (link, target) = DirectoryFacts.deadLink(on: file) {
            let slash = link.lastIndex(of: "/") ?? link.startIndex
            ahead = [
                link == file
                    ? "rm \(patient.shortened(link))"
                    : "mkdir -p \(patient.shortened(target.hasPrefix("/") ? target : link[..<slash] + "/" + target))"
            ]
        }
        let steps =
            ahead + ["mkdir -p \(folder)", "clover --generate-completion-script \(shell) >\(folder)/\(place.name)"]
        return shell == "zsh" ? steps + ["and in ~/.zshrc, before compinit: fpath+=(\(folder))"] : steps
    }

    private struct Place {
        let files: [String]
        /// The user's own folder, and the name of the file in it.
        let own: String
        let name: String
    }

    /// What is in the place of a script.
    private enum State {
        /// What this program prints.
        case whole
        /// It was ours.
        case other
        case foreign
    }

    /// No script of ours is as long, in bytes.
    private static let limit = 1 << 23

    /// Functions of a script of ours begin with the program's name, in each shell. Packages leave out the line that names
    /// the shell.
    private static func state(of path: String, _ shell: String, _ patient: Patient) -> State {
        let text = content(of: path)
        func body(_ script: String) -> Substring {
            let lines = script.hasPrefix("#!") ? script.drop { $0 != "\n" }.dropFirst() : script[...]
            return lines.lastIndex { $0 != "\n" }.map { lines[...$0] } ?? ""
        }
        guard let script = patient.completionScript(shell) else {
            return text.contains("__clover_") ? .whole : .foreign
        }
        if body(script) == body(text) { return .whole }
        return text.contains("__clover_") ? .other : .foreign
    }

    private static func content(of path: String) -> String {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < limit {
            let step = read(file, &buffer, buffer.count)
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { break }
            bytes += buffer[..<step]
        }
        return String(decoding: bytes, as: UTF8.self)
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
