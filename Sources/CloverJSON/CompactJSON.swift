/// Removes white space between JSON tokens.
package enum CompactJSON {
    /// Appends a value that is known to be complete.
    package static func append(_ json: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        var start = 0
        var offset = 0
        var isInString = false
        while offset < json.count {
            let byte = json[offset]
            if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString {
                if byte == UInt8(ascii: "\\") { offset += 1 }
            } else if byte <= 0x20 {
                output.append(contentsOf: UnsafeRawBufferPointer(rebasing: json[start..<offset]))
                start = offset + 1
            }
            offset += 1
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: json[start...]))
    }
}
