import CloverDBus

/// What a reader says of itself: the device information service (Bluetooth SIG, DIS 1.1).
struct BlueZInformation: Sendable {
    let link: BlueZLink
    /// The path of the device.
    let device: String

    /// Reads serial number, firmware and model; what the reader does not have is nil.
    func read(_ objects: BlueZObjects) async throws -> Reader {
        guard let known = objects.device(device) else { throw ReaderError.vanished(device) }
        var reader = known.reader
        reader.serial = try await text(BlueZNames.serialNumber, objects)
        reader.firmware = try await text(BlueZNames.firmwareRevision, objects)
        reader.model = try await text(BlueZNames.modelNumber, objects)
        return reader
    }

    /// What a characteristic says; nil where the reader, or BlueZ, does not let it be read.
    func value(_ characteristic: String) async throws -> [UInt8]? {
        do throws(DBusError) {
            return try await link.call(
                characteristic, BlueZNames.gattCharacteristic, "ReadValue", [.variants([:])]
            ).first?.bytes
        } catch .reply {
            return nil
        } catch {
            throw BlueZFailure.error(error, during: .initializing)
        }
    }

    private func text(_ uuid: String, _ objects: BlueZObjects) async throws -> String? {
        guard let path = objects.characteristic(uuid, of: BlueZNames.informationService, in: device),
            let bytes = try await value(path)
        else { return nil }
        // Some devices fill the value up with zeros.
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        let clean = String(text.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(Character.init))
        return clean.isEmpty ? nil : clean
    }
}
