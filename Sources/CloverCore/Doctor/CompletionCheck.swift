import Glibc

/// The completions of the user's shell, where that shell looks for them.
struct CompletionCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let variables = patient.environment.variables
        let shell = variables.nonEmpty("SHELL")?.split(separator: "/").last.map(String.init) ?? ""
        guard let place = Self.place(of: shell, variables) else {
            let name = shell.isEmpty ? "not known" : shell
            return [.ok(.completions, "completions are for bash, zsh and fish; the shell here is \(name)")]
        }
        if let found = place.files.first(where: { access($0, R_OK) == 0 }) {
            return [.ok(.completions, "completions for \(shell): \(patient.shortened(found))")]
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

    private static func place(of shell: String, _ variables: [String: String]) -> Place? {
        let home = variables.nonEmpty("HOME") ?? ""
        let data = variables.nonEmpty("XDG_DATA_HOME") ?? home + "/.local/share"
        let configuration = variables.nonEmpty("XDG_CONFIG_HOME") ?? home + "/.config"
        let prefixes = ["/usr/local/share", "/usr/share"] + (ownPrefix().map { [$0 + "/share"] } ?? [])
        let name: String
        let own: String
        let system: [String]
        switch shell {
        case "bash":
            name = "clover"
            own = data + "/bash-completion/completions"
            system = ["bash-completion/completions"]
        case "zsh":
            name = "_clover"
            own = home + "/.zsh/completions"
            system = ["zsh/site-functions", "zsh/vendor-completions"]
        case "fish":
            name = "clover.fish"
            own = configuration + "/fish/completions"
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
