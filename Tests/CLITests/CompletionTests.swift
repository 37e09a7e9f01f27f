import CloverTestSupport
import Foundation
import Testing

@Suite("completions in the real shells")
struct CompletionTests {
    @Test("bash completes 'clover ge' to get, and options of get")
    func bash() async throws {
        let script = """
            set -eu
            source "$1"
            complete -p clover >/dev/null
            function=$(complete -p clover | sed -n 's/.*-F \\([^ ]*\\).*/\\1/p')
            try() {
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
                COMP_POINT=${#COMP_LINE} COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
                "$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
            }
            set +u
            echo "[$(try clover ge)]"
            echo "[$(try clover get orders --fil)]"
            """
        let result = try await run("/bin/bash", ["--norc", "-c", script, "bash"], shell: "bash")
        #expect(result.outputText == "[get]\n[--filter]\n", "\(result)")
        #expect(result.errorText == "")
    }

    @Test("zsh completes 'clover ge' to get")
    func zsh() async throws {
        let script = """
            zmodload zsh/zpty
            zpty -b shell zsh -f -i
            zpty -w shell "PS1=; cd ${1:h}; fpath=(${1:h} \\$fpath); autoload -Uz compinit && compinit -D -u; echo REA''DY"
            zpty -r shell seen '*READY*' || exit 1
            zpty -w -n shell $'clover ge\\t'
            zpty -r shell seen '*clover get*' || exit 1
            print -r -- "completed"
            zpty -d shell
            """
        let result = try await run("/usr/bin/zsh", ["-f", "-c", script, "zsh"], shell: "zsh", name: "_clover")
        #expect(result.outputText == "completed\n", "\(result)")
    }

    @Test("fish completes 'clover ge' to get, and options of get")
    func fish() async throws {
        let script = """
            source $argv[1]
            complete -C 'clover ge'
            complete -C 'clover get orders --fil'
            """
        let result = try await run("/usr/bin/fish", ["--no-config", "-c", script], shell: "fish")
        let words = result.lines.map { $0.prefix { $0 != "\t" } }
        #expect(words == ["get", "--filter"], "\(result)")
        #expect(result.errorText == "")
    }

    private func run(
        _ program: String, _ arguments: [String], shell: String, name: String = "completion"
    ) async throws -> CommandResult {
        try await Sandbox.run { sandbox in
            let script = try await sandbox.clover("--generate-completion-script", shell)
            expectSuccess(script)
            let path = try sandbox.directory.write(name, script.output)
            var runner = CommandRunner(executable: program, environment: sandbox.variables)
            let folder = try CommandRunner.builtProgram("clover").dropLast("/clover".count)
            runner.environment["PATH"] = "\(folder):/usr/bin:/bin"
            runner.environment["TERM"] = "xterm"
            let result = try await runner.run(arguments + [path])
            #expect(result.ending == .exited(0), "\(result)")
            return result
        }
    }
}
