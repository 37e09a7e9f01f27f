package import NIOCore

/// What the emulator answers to a request: status, body, and the filter fields to announce.
package struct Answer: Sendable {
    package var status: Int
    package var contentType = "application/json"
    package var body: ByteBuffer
    /// Value of `X-Clover-Allowed-Filter-Fields`; nil where the service sends none.
    package var filterFields: String?
    /// Further headers.
    package var headers: [(name: String, value: String)] = []

    package init(status: Int, body: ByteBuffer, filterFields: String? = nil) {
        self.status = status
        self.body = body
        self.filterFields = filterFields
    }

    package init(status: Int, json: JSONValue) {
        var writer = JSONWriter(capacity: 256)
        json.write(to: &writer)
        self.init(status: status, body: writer.buffer())
    }

    package init(_ error: APIError) {
        self.init(status: error.status, json: error.body)
        if case .methodNotAllowed(let methods) = error {
            headers.append(("Allow", methods.joined(separator: ", ")))
        }
    }
}

extension JSONWriter {
    /// A copy of the bytes for the network.
    package func buffer() -> ByteBuffer {
        withBytes { ByteBuffer(bytes: $0) }
    }
}
