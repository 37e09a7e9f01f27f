import ArgumentParser
import CloverCore

/// `clover completion`.
struct Completion: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the completion script of a shell",
        discussion: """
            Examples:
              clover completion bash >~/.local/share/bash-completion/completions/clover
              clover completion zsh >~/.zfunc/_clover
              clover completion fish >~/.config/fish/completions/clover.fish

            The Debian package, 'make install' and the tarball install these scripts already. In zsh, the folder must \
            be in fpath before compinit runs. Completion asks the catalogue and this machine, and never the service. \
            'clover doctor' says whether the script of your shell is the one of this version.
            """
    )

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "The shell.")
    var shell: Shell

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        let script =
            switch shell {
            case .bash: HelpCompletion.script(for: CompletionShell.bash)
            case .zsh: HelpCompletion.script(for: CompletionShell.zsh)
            case .fish: HelpCompletion.script(for: CompletionShell.fish)
            }
        try await StandardOutput.print(script + "\n", in: environment)
        return 0
    }
}
