import CloverStorage

/// What the checks look at, and what one of them found out for others.
struct Patient: Sendable {
    let environment: CommandEnvironment
    let choice: ConnectionChoice
    /// Whether what is safe to mend is mended.
    let repairs: Bool
    /// What is wrong with variables that are none of the configuration's keys.
    let settingFaults: [(variable: String, error: any Error & Sendable)]
    /// The completion script of a shell, as this program prints it.
    let completionScript: @Sendable (_ shell: String) -> String?
    let network: ServiceAttempt
    let bluetooth: BluetoothAttempt

    /// The state directory, which need not exist, and is not made.
    func state() throws(StorageError) -> StateDirectory {
        try StateDirectory(environment: environment.variables)
    }

    /// Whether there is a state directory that can be used.
    func hasState() throws(StorageError) -> Bool {
        if try state().existing() != nil { return true }
        return false
    }

    /// A path as people write it.
    func shortened(_ path: String) -> String {
        guard let home = environment.variables.nonEmpty("HOME"), path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}
