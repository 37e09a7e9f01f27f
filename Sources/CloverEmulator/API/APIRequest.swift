package import NIOCore

/// A V3 request, as far as the shop needs to know it.
package struct APIRequest: Sendable {
    package var method: String
    /// Path segments behind `/v3`, percent-decoded.
    package var path: [String]
    package var query: QueryString
    package var body: ByteBuffer
    /// Value of the header `Content-Type`; nil without one.
    package var contentType: String?
    /// Value of the header `X-Clover-Account-Id`: who does it; nil without one.
    package var accountID: String?

    package init(
        method: String = "GET", path: [String], query: QueryString = QueryString(""), body: ByteBuffer = ByteBuffer(),
        contentType: String? = nil, accountID: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.contentType = contentType
        self.accountID = accountID
    }
}
