/// One of the merchant's Clover devices, as `/v3/merchants/{mId}/devices` lists them (model `device.Device`).
struct CloudDevice: Sendable, Equatable, Decodable {
    let id: String
    let name: String?
    /// The word for the kind of hardware, such as `Clover_C406`.
    let model: String?
    /// By which Pay Display knows it; a device without one takes no calls.
    let serial: String?
    /// What a person calls the kind, such as `Flex`.
    let productName: String?
    let deviceTypeName: String?
    /// Of its system.
    let buildNumber: Int64?

    /// By id, serial number or name.
    func isCalled(_ word: String) -> Bool {
        id == word || serial == word || name == word
    }

    var reader: Reader {
        Reader(
            id: id, transport: .cloud, name: name ?? productName ?? deviceTypeName,
            firmware: buildNumber.map { String($0) }, serial: serial, model: productName ?? model)
    }
}
