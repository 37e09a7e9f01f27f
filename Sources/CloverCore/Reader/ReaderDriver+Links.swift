import CloverReaders

extension ReaderDriver {
    /// The readers with a link; none on a machine that has no Bluetooth.
    func linkedReadersIfAny() async throws -> [Reader] {
        do {
            return try await linkedReaders()
        } catch ReaderError.noSystemBus, ReaderError.noBluetoothService, ReaderError.noAdapter(named: nil) {
            return []
        }
    }
}
