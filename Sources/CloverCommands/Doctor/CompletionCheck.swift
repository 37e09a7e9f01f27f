import CloverCore
import CloverSystem
import Glibc

/// Checks the completion script of the user's shell, in the places where that shell looks for it.
struct CompletionCheck: DoctorCheck {
    func run(_ context: DoctorContext) async throws -> [Finding] {
        let variables = context.environment.variables
        let shell = variables.nonEmpty("SHELL")?.split(separator: "/").last.map(String.init) ?? ""
        guard let place = try Self.place(of: shell, variables) else {
            let name = shell.isEmpty ? "unknown" : shell
            return .ok("completions exist for bash, zsh and fish; your shell is \(name)")
        }
        // The shell uses the first file that exists, whatever it contains.
        if let found = place.files.first(where: { access($0, R_OK) == 0 }) {
            let name = context.shortened(found)
            let state = Self.state(of: found, shell)
            if state == .current { return .ok("completions for \(shell): \(name)") }
            let isInOwn = found == place.files.first
            return .warn(
                state == .foreign
                    ? "\(name) contains no clover completions for \(shell)"
                    : "\(name) differs from what this clover prints for \(shell): it is from another version, or damaged",
                next: (isInOwn && state == .foreign ? ["mv \(name) \(name).aside"] : []) + steps(shell, place, context))
        }
        return .warn("no completions for \(shell)", next: steps(shell, place, context))
    }

    private func steps(_ shell: String, _ place: Place, _ context: DoctorContext) -> [String] {
        let folder = context.shortened(place.own)
        let file = place.own + "/" + place.name
        var ahead: [String] = []
        // Neither a directory nor a file can be created through a dangling link.
        if let (link, target) = DirectoryFacts.deadLink(on: file) {
            let slash = link.lastIndex(of: "/") ?? link.startIndex
            ahead = [
                link == file
                    ? "rm \(context.shortened(link))"
                    : "mkdir -p \(context.shortened(target.hasPrefix("/") ? target : link[..<slash] + "/" + target))"
            ]
        }
        let steps =
            ahead + ["mkdir -p \(folder)", "clover --generate-completion-script \(shell) >\(folder)/\(place.name)"]
        return shell == "zsh" ? steps + ["and in ~/.zshrc, before compinit: fpath+=(\(folder))"] : steps
    }

    private struct Place {
        let files: [String]
        /// The user's own directory, and the name of the file in it.
        let own: String
        let name: String
    }

    /// The content of a completion script.
    private enum State {
        /// What this program prints.
        case current
        /// From another version of clover, or damaged.
        case other
        /// Not from clover.
        case foreign
    }

    /// Maximum number of bytes to read; no completion script is as long.
    private static let limit = 1 << 23

    /// Compares a script with the one that this program prints, without the shebang, which packages leave out. In each
    /// shell, the functions of a clover script begin with `__clover_`.
    private static func state(of path: String, _ shell: String) -> State {
        let text = content(of: path)
        func body(_ script: String) -> Substring {
            let lines = script.hasPrefix("#!") ? script.drop { $0 != "\n" }.dropFirst() : script[...]
            return lines.lastIndex { $0 != "\n" }.map { lines[...$0] } ?? ""
        }
        guard let script = HelpCompletion.script(for: shell) else {
            return text.contains("__clover_") ? .current : .foreign
        }
        if body(script) == body(text) { return .current }
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
        // The XDG base directory specification ignores relative paths.
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

    /// The directory that contains the program's `bin` directory; nil if the program is not in one.
    private static func ownPrefix() -> String? {
        guard let folder = EmulatorProgram.ownFolder, folder.hasSuffix("/bin"), folder != "/bin" else { return nil }
        return String(folder.dropLast("/bin".count))
    }
}
