import CloverReaders
import Synchronization

/// BlueZ, asked once for all the checks that are about it.
final class BluetoothAttempt: Sendable {
    private let seen = Mutex<Result<BlueZInspection, any Error>?>(nil)

    private static let patience = Duration.seconds(3)

    func result(_ patient: Patient) async throws -> Result<BlueZInspection, any Error> {
        if let result = seen.withLock({ $0 }) { return result }
        let result: Result<BlueZInspection, any Error>
        do {
            result = .success(
                try await BlueZInspection.run(variables: patient.environment.variables, within: Self.patience))
        } catch let error as CancellationError {
            throw error
        } catch {
            result = .failure(error)
        }
        seen.withLock { $0 = result }
        return result
    }
}
