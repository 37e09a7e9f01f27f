import CloverAuth
import CloverHTTP
import Synchronization

/// A keyring in memory that a test can break.
final class MemoryVault: SecretVault {
    private struct Contents {
        var items: [[String: String]: Secret] = [:]
        var labels: Set<String> = []
        var failure: SecretVaultError?
        /// Whether it says that it kept what it did not.
        var isForgetful = false
        /// What was done, in order.
        var steps: [String] = []
    }

    private let contents = Mutex(Contents())

    var items: [[String: String]: Secret] { contents.withLock(\.items) }
    var labels: Set<String> { contents.withLock(\.labels) }
    var steps: [String] { contents.withLock(\.steps) }

    /// Loses every item.
    func forgetItems() {
        contents.withLock { $0.items = [:] }
    }

    func forgetSteps() {
        contents.withLock { $0.steps = [] }
    }

    func beForgetful() {
        contents.withLock { $0.isForgetful = true }
    }

    func fail(with error: SecretVaultError?) {
        contents.withLock { $0.failure = error }
    }

    func store(_ secret: Secret, for attributes: [String: String], label: String) async throws(SecretVaultError) {
        try work("store") { contents in
            if contents.isForgetful { return }
            contents.items[attributes] = secret
            contents.labels.insert(label)
        }
    }

    func lookup(_ attributes: [String: String]) async throws(SecretVaultError) -> Secret? {
        try work("lookup") { $0.items[attributes] }
    }

    func remove(_ attributes: [String: String]) async throws(SecretVaultError) -> Bool {
        try work("remove") { $0.items.removeValue(forKey: attributes) != nil }
    }

    private func work<Value>(
        _ step: String, _ body: (inout Contents) -> Value
    ) throws(SecretVaultError) -> Value {
        let result: Result<Value, SecretVaultError> = contents.withLock { contents in
            contents.steps.append(step)
            if let failure = contents.failure { return .failure(failure) }
            return .success(body(&contents))
        }
        return try result.get()
    }
}
