import ArgumentParser
import CloverCore

struct Completion: CloverCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the completion script of a shell",
        discussion: """
            Examples:
              source <(clover completion bash)
              clover completion zsh >_clover
              clover completion fish >clover.fish

            The Debian package, 'make install' and the tarball install these scripts already. Otherwise, put the script \
            into ~/.local/share/bash-completion/completions/clover, into a folder of zsh's fpath as _clover, or into \
            ~/.config/fish/completions/clover.fish. Completion asks the catalogue and this machine, and never the service. \
            'clover doctor' says whether the script of your shell is the one of this version.
            """
    )

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell?

    @OptionGroup(title: "Messages")
    var messages: MessageOptions

    func validate() throws {
        if shell == nil { throw ValidationError("name the shell: bash, zsh or fish") }
    }

    func run(in environment: CommandEnvironment) async throws -> Int32 {
        let environment = messages.applied(to: environment)
        let script =
            switch shell {
            case .bash, nil: HelpCompletion.script(for: CompletionShell.bash)
            case .zsh: HelpCompletion.script(for: CompletionShell.zsh)
            case .fish: HelpCompletion.script(for: CompletionShell.fish)
            }
        try await StandardOutput.print(script + "\n", in: environment)
        return 0
    }
}
