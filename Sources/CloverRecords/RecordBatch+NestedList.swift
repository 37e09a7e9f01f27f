extension RecordBatch {
    /// Removes a nested list, `"name":{"elements":[...]}`, from a record.
    ///
    /// - Parameter prefix: what each entry that is an object begins with: a brace and members, without a trailing
    ///   comma.
    /// - Returns: the record without the list, and the entries, each with the prefix. Nil if the record has no such
    ///   list, or is not JSON.
    package func removing(
        list name: String, from record: Record, prefix: [UInt8]
    ) -> (record: [UInt8], entries: RecordBatch)? {
        bytes.withUnsafeBytes { all in
            let own = UnsafeRawBufferPointer(rebasing: all[record.range])
            var reader = MemberReader(bytes: own)
            guard let member = reader.place(of: name) else { return nil }
            let list = UnsafeRawBufferPointer(rebasing: own[member.value])
            var inside = MemberReader(bytes: list)
            guard let place = inside.place(of: "elements") else { return nil }
            let array = UnsafeRawBufferPointer(rebasing: list[place.value])
            var entries = MemberReader(bytes: array)
            guard let ranges = entries.elements() else { return nil }
            var batch = RecordBatch()
            for range in ranges {
                Self.prefixed(UnsafeRawBufferPointer(rebasing: array[range]), with: prefix)
                    .withUnsafeBytes { batch.append($0) }
            }
            return (Array(own[..<member.whole.lowerBound]) + Array(own[member.whole.upperBound...]), batch)
        }
    }

    /// Inserts members at the start of an object; other values stay unchanged.
    package static func prefixed(_ object: UnsafeRawBufferPointer, with prefix: [UInt8]) -> [UInt8] {
        guard object.first == UInt8(ascii: "{") else { return Array(object) }
        let rest = object.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        return prefix + (rest.first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]) + Array(rest)
    }
}
