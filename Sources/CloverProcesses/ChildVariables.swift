/// The environment of a program that we start.
package enum ChildVariables {
    /// A program of the user's has credentials of its own, or none.
    private static let secrets = ["CLOVER_ACCESS_TOKEN", "CLOVER_APP_SECRET"]

    /// The variables without those that hold a secret of ours.
    package static func withoutSecrets(_ variables: [String: String]) -> [String: String] {
        variables.filter { !secrets.contains($0.key) }
    }
}
