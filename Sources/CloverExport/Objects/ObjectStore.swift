package import CloverHTTP
import CloverSystem

/// A bucket of Amazon S3, or of a service like it: whole objects, and multipart uploads for large ones.
///
/// Every request is repeated while the store is away, until `Waiting.end`. Bodies are signed with their SHA-256, which the
/// store checks.
package struct ObjectStore: Sendable {
    /// Waits while the store is away.
    package struct Waiting: Sendable {
        /// Seconds since the machine started.
        package var now: @Sendable () -> Double
        /// When to give up, on that clock.
        package var end: Double
        package var sleep: @Sendable (Double) async throws -> Void
        /// Called with the reason when a wait begins, and with nil when the store is back.
        package var notice: @Sendable (String?) -> Void

        package init(
            now: @escaping @Sendable () -> Double, end: Double,
            sleep: @escaping @Sendable (Double) async throws -> Void,
            notice: @escaping @Sendable (String?) -> Void
        ) {
            self.now = now
            self.end = end
            self.sleep = sleep
            self.notice = notice
        }
    }

    package struct Object: Sendable, Equatable {
        /// Key without the prefix.
        package var name: String
        package var size: Int64
        package var tag: String
    }

    /// What must be true for an object to be replaced.
    package enum Condition: Sendable {
        case isNew
        case hasTag(String)

        fileprivate var header: HTTPHeader {
            switch self {
            case .isNew: HTTPHeader(name: "If-None-Match", value: "*")
            case .hasTag(let tag): HTTPHeader(name: "If-Match", value: tag)
            }
        }
    }

    package let address: ObjectAddress
    private let signature: AWSSignature
    private let transport: any HTTPTransport
    private let waiting: Waiting

    /// Size of a part in bytes, and of the largest object that is sent at once. Parts are larger where there would be more
    /// than `partLimit` (Amazon S3 user guide: multipart upload limits).
    package static let partSize: Int64 = 8 << 20
    private static let partLimit: Int64 = 10_000
    /// Size of the largest response other than an object, in bytes.
    private static let replyLimit = 8 << 20
    /// A request may be repeated within a second, and the run has to say why it gives up.
    private static let margin = 1.0

    package init(
        _ address: ObjectAddress, _ signature: AWSSignature, _ transport: any HTTPTransport, _ waiting: Waiting
    ) {
        self.address = address
        self.signature = signature
        self.transport = transport
        self.waiting = waiting
    }

    // MARK: Objects

    /// All objects below the prefix, by key.
    package func list() async throws -> [Object] {
        var objects: [Object] = []
        var token: String?
        repeat {
            var query = [("encoding-type", "url"), ("list-type", "2"), ("prefix", address.keyPrefix)]
            if let token { query.append(("continuation-token", token)) }
            let reply = try await reply(.get, nil, query: query)
            guard let isTruncated = reply["IsTruncated"] else {
                throw failure(200, code: "no IsTruncated", message: "the response is not a list of objects")
            }
            for element in reply.elements("Contents") {
                guard let text = element["Key"], let key = PercentCoding.decode(text[...], isQuery: true),
                    key.hasPrefix(address.keyPrefix), let size = element["Size"].flatMap({ Int64($0) })
                else { continue }
                objects.append(
                    Object(
                        name: String(key.dropFirst(address.keyPrefix.count)), size: size, tag: element["ETag"] ?? ""))
            }
            token = reply["NextContinuationToken"]
            if isTruncated == "false" { return objects }
        } while token != nil
        throw failure(200, code: "no NextContinuationToken", message: "the list of objects has no next page")
    }

    /// Passes the bytes of an object to a new receiver, piece by piece; again from its first byte when the connection was
    /// lost.
    ///
    /// - Returns: the receiver; nil when there is no such object.
    package func get<Receiver: Sendable>(
        _ name: String, into makeReceiver: () throws -> Receiver,
        _ receive: (inout Receiver, [UInt8]) throws -> Void
    ) async throws -> Receiver? {
        try await send(.get, name, accepting: [404]) { response in
            if response.status == 404 {
                try await check(missing: response)
                return nil
            }
            var receiver = try makeReceiver()
            while let piece = try await response.body.next() { try receive(&receiver, piece) }
            return receiver
        }
    }

    /// The bytes of a small object; nil when there is none.
    package func bytes(of name: String) async throws -> [UInt8]? {
        try await get(name, into: { [UInt8]() }) { bytes, piece in
            if bytes.count <= Self.replyLimit { bytes += piece }
        }
    }

    /// Writes an object at once.
    ///
    /// - Returns: its tag.
    /// - Throws: `.overtaken` when the condition does not hold. Where the store does not know conditions, it is written
    ///   without.
    @discardableResult
    package func put(_ name: String, _ bytes: [UInt8], if condition: Condition? = nil) async throws -> String {
        let headers = [condition?.header].compactMap(\.self)
        let (tag, status) = try await send(
            .put, name, headers: headers, body: bytes, accepting: condition == nil ? [] : [412, 501]
        ) { response in
            _ = try await response.body.prefix(Self.replyLimit)
            return (response.headers.first(named: "ETag") ?? "", response.status)
        }
        switch status {
        // The response to the first attempt may have been lost.
        case 412 where try await self.bytes(of: name) == bytes: return try await self.tag(of: name)
        case 412: throw ObjectStoreError.overtaken(name: address.name, object: name)
        case 501: return try await put(name, bytes)
        default: return tag
        }
    }

    private func tag(of name: String) async throws -> String {
        try await send(.get, name) { response in
            response.body.cancel()
            return response.headers.first(named: "ETag") ?? ""
        }
    }

    package func remove(_ name: String) async throws {
        try await send(.delete, name, accepting: [404]) { _ = try await $0.body.prefix(Self.replyLimit) }
    }

    /// Copies an object within the bucket (at most 5 GB: Amazon S3 API reference, CopyObject).
    package func copy(_ name: String, to newName: String) async throws {
        let source = HTTPHeader(name: "x-amz-copy-source", value: address.source(name))
        _ = try await reply(.put, newName, headers: [source], body: [])
    }

    // MARK: Large objects

    /// Writes an object in parts: it appears when all are there. What is left of an upload that failed is removed.
    ///
    /// - Parameters:
    ///   - size: in bytes.
    ///   - begun: called with the upload's id before its first part, and with nil after its end.
    ///   - read: bytes from an offset.
    package func upload(
        _ name: String, size: Int64, begun: (String?) async throws -> Void,
        read: (_ offset: Int64, _ count: Int) async throws -> [UInt8]
    ) async throws {
        guard size > Self.partSize else {
            try await put(name, read(0, Int(size)))
            return
        }
        guard let upload = try await reply(.post, name, query: [("uploads", "")], body: [])["UploadId"] else {
            throw failure(200, code: "no UploadId", message: "the response has no id of the upload")
        }
        try await begun(upload)
        do {
            let partSize = max(Self.partSize, size / Self.partLimit + 1)
            var parts: [String] = []
            for offset in stride(from: 0, to: size, by: Int64.Stride(partSize)) {
                let bytes = try await read(offset, Int(min(partSize, size - offset)))
                let query = [("partNumber", "\(parts.count + 1)"), ("uploadId", upload)]
                parts.append(
                    try await send(.put, name, query: query, body: bytes) { response in
                        _ = try await response.body.prefix(Self.replyLimit)
                        return response.headers.first(named: "ETag") ?? ""
                    })
            }
            let list = parts.enumerated().map { place, tag in
                "<Part><PartNumber>\(place + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
            }
            let body = "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
            // A status of 200 is sent before the store knows whether it works.
            _ = try await reply(.post, name, query: [("uploadId", upload)], body: Array(body.utf8))
        } catch {
            // Not when the task was cancelled, which would end this request, too; the next run does it.
            if !Task.isCancelled, !Self.isAway(error) {
                try await abort(upload, of: name)
                try await begun(nil)
            }
            throw error
        }
        try await begun(nil)
    }

    private static func isAway(_ error: any Error) -> Bool {
        switch error {
        case ObjectStoreError.away, ObjectStoreError.unusable: true
        default: false
        }
    }

    /// Removes the parts of an upload; does nothing for one that is over.
    package func abort(_ upload: String, of name: String) async throws {
        try await send(.delete, name, query: [("uploadId", upload)], accepting: [404]) {
            _ = try await $0.body.prefix(Self.replyLimit)
        }
    }

    // MARK: Requests

    private func reply(
        _ method: HTTPMethod, _ name: String?, query: [(String, String)] = [], headers: [HTTPHeader] = [],
        body: [UInt8]? = nil
    ) async throws -> ObjectReply {
        try await send(method, name, query: query, headers: headers, body: body) { response in
            let bytes = try await response.body.prefix(Self.replyLimit)
            let reply = ObjectReply(bytes)
            if let error = reply.element("Error") { throw failure(response.status, error) }
            return reply
        }
    }

    /// Sends a request until there is a response that `receive` takes.
    ///
    /// - Parameter accepting: statuses of failures for `receive`.
    private func send<Value>(
        _ method: HTTPMethod, _ name: String?, query: [(String, String)] = [], headers: [HTTPHeader] = [],
        body: [UInt8]? = nil, accepting: Set<Int> = [],
        _ receive: (HTTPResponse) async throws -> Value
    ) async throws -> Value {
        var request = HTTPRequest(
            method: method, url: address.url(name, region: signature.region, query: query), headers: headers,
            body: body.map { HTTPRequestBody(bytes: $0, contentType: "application/octet-stream") })
        request.signature = signature
        request.headers.append(
            HTTPHeader(name: "x-amz-content-sha256", value: SHA256.hash(body ?? []).hexadecimalDigits))
        let policy = RetryPolicy(maximumRetries: .max)
        var retries = 0
        defer { if retries > 0 { waiting.notice(nil) } }
        while true {
            let problem: RetryPolicy.Failure
            var transportError: HTTPTransportError?
            do {
                let response = try await transport.send(request, departure: SendGate(), onEnd: {})
                if 200...299 ~= response.status || accepting.contains(response.status) {
                    return try await receive(response)
                }
                // Two requests for one object at a time (Amazon S3 API reference: error responses).
                guard RetryPolicy.mayPass(response.status) || [409, 429].contains(response.status) else {
                    throw try await failure(response)
                }
                let wait = RetryAfter.seconds(in: response.headers, now: { nil })
                response.body.cancel()
                problem = .status(response.status == 409 ? 503 : response.status, retryAfter: wait)
            } catch let error as HTTPTransportError {
                if error == .cancelled { throw CancellationError() }
                transportError = error
                problem = .transport(error, answeredBefore: true)
            } catch ObjectStoreError.failed(_, let status, _, _) where 200...299 ~= status && retries < 3 {
                problem = .unreadable
            }
            try Task.checkCancellation()
            switch policy.decide(problem, retries: min(retries, 20), jitter: Double.random(in: 0..<1)) {
            case .giveUp:
                guard let transportError else { throw ObjectStoreError.away(name: address.name, nil) }
                throw ObjectStoreError.unusable(name: address.name, transportError)
            case .again(let seconds), .pauseAll(let seconds):
                guard waiting.now() + seconds + Self.margin < waiting.end else {
                    throw ObjectStoreError.away(name: address.name, transportError)
                }
                if retries == 1 { waiting.notice("\(address.name) does not respond") }
                try await waiting.sleep(seconds)
            }
            retries += 1
        }
    }

    /// Tells a missing bucket from a missing object.
    private func check(missing response: HTTPResponse) async throws {
        let reply = ObjectReply(try await response.body.prefix(Self.replyLimit))
        if reply["Code"] == "NoSuchBucket" { throw ObjectStoreError.noBucket(name: address.name) }
    }

    private func failure(_ response: HTTPResponse) async throws -> ObjectStoreError {
        let reply = ObjectReply(try await response.body.prefix(Self.replyLimit))
        let (code, message) = (reply["Code"] ?? "", reply["Message"] ?? "")
        let region = response.headers.first(named: "x-amz-bucket-region") ?? reply["Region"]
        switch (response.status, code) {
        case (404, "NoSuchBucket"), (404, ""): return .noBucket(name: address.name)
        case (301, _), (307, _), (400, "AuthorizationHeaderMalformed"), (400, "IllegalLocationConstraintException"):
            return .otherRegion(name: address.name, region: region == signature.region ? nil : region)
        case (401, _), (403, _), (400, "ExpiredToken"), (400, "InvalidToken"):
            return .denied(name: address.name, code: code, message: message)
        default: return failure(response.status, code: code, message: message)
        }
    }

    private func failure(_ status: Int, _ error: ObjectReply) -> ObjectStoreError {
        failure(status, code: error["Code"] ?? "", message: error["Message"] ?? "")
    }

    private func failure(_ status: Int, code: String, message: String) -> ObjectStoreError {
        .failed(name: address.name, status: status, code: code, message: message)
    }
}

/// Errors of an object store. `name` is the address.
package enum ObjectStoreError: Error, Equatable, Sendable {
    /// Neither the environment nor this profile has an access key.
    case noCredentials(profile: String)
    /// No file of AWS's tools has this profile.
    case unknownProfile(String)
    case badRegion(String)
    case noBucket(name: String)
    /// The bucket is in another region; nil when the store does not say in which.
    case otherRegion(name: String, region: String?)
    /// The store does not accept the key, or the key does not permit it; `code` and `message` are the store's words.
    case denied(name: String, code: String, message: String)
    /// No response for as long as the run may wait; nil for a response that says that it cannot respond now.
    case away(name: String, HTTPTransportError?)
    /// No connection that could be used, however long the run waits.
    case unusable(name: String, HTTPTransportError)
    /// Another program replaced this object meanwhile.
    case overtaken(name: String, object: String)
    /// Any other response.
    case failed(name: String, status: Int, code: String, message: String)
}
