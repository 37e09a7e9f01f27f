import CloverRecords

/// Lets each record say whose it is, as Clover's own records refer to a merchant: `"merchant":{"id":"M"}`, in front.
struct MerchantTag {
    private let member: [UInt8]

    init(_ merchantID: String) {
        member = Array("{\"merchant\":{\"id\":\(JSONText.string(merchantID))}".utf8)
    }

    /// The records with the tag; what is no object stays as it is.
    func tagged(_ batch: RecordBatch) -> RecordBatch {
        var result = RecordBatch()
        result.bytes.reserveCapacity(batch.bytes.count + batch.records.count * (member.count + 1))
        for record in batch.records {
            let bytes = batch.bytes[record.range]
            guard bytes.first == UInt8(ascii: "{") else {
                bytes.withUnsafeBytes { result.append($0) }
                continue
            }
            let rest = bytes.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            let separator = rest.first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]
            (member + separator + rest).withUnsafeBytes { result.append($0) }
        }
        return result
    }
}
