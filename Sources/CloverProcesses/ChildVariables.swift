internal import Glibc

/// The environment of programs that we start, and of jq programs in this process.
package enum ChildVariables {
    /// The variables that hold a secret of ours. A program of the user's has credentials of its own, or none.
    package static let secrets = ["CLOVER_ACCESS_TOKEN", "CLOVER_APP_SECRET"]

    /// The variables without those that hold a secret of ours.
    package static func withoutSecrets(_ variables: [String: String]) -> [String: String] {
        variables.filter { !secrets.contains($0.key) }
    }

    /// Takes the secrets out of the environment of this process, which `env` and `$ENV` of jq read.
    ///
    /// For the beginning of the process, before there are threads that read the environment (unsetenv(3)).
    package static func hideSecretsFromProcess() {
        for name in secrets { unsetenv(name) }
    }
}
