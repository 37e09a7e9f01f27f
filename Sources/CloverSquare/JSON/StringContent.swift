/// The content of a JSON string while it is read.
struct StringContent {
    /// UTF-8 since the beginning or since the last half of a surrogate pair.
    private var bytes: [UInt8] = []
    /// What came before, from the first half of a surrogate pair on.
    private var units: [UInt16] = []
    private var isBroken = false
    private var isUTF8 = true

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    mutating func append(unpaired unit: UInt16) {
        moveBytes()
        units.append(unit)
        isBroken = true
    }

    /// nil when the bytes are not UTF-8.
    var text: SquareText? {
        guard isBroken else { return String(validating: bytes, as: UTF8.self).map { SquareText($0) } }
        var whole = self
        whole.moveBytes()
        return whole.isUTF8 ? SquareText(units: whole.units) : nil
    }

    private mutating func moveBytes() {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            isUTF8 = false
            return
        }
        units.append(contentsOf: text.utf16)
        bytes.removeAll()
    }
}
