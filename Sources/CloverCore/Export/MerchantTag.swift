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
        batch.bytes.withUnsafeBytes { bytes in
            for record in batch.records {
                RecordBatch.prefixed(UnsafeRawBufferPointer(rebasing: bytes[record.range]), with: member)
                    .withUnsafeBytes { result.append($0) }
            }
        }
        return result
    }
}
