package import CloverHTTP
import CloverSystem

/// The signature of Hosted Checkout's webhooks, in the header `Clover-Signature`: `t=SECONDS,v1=HEX`.
///
/// `v1` is the HMAC-SHA-256 of `SECONDS.BODY` under the signing secret of the merchant's dashboard (Clover: Hosted
/// Checkout webhook).
package struct WebhookSignature: Sendable, Equatable {
    /// Seconds since 1970, as written in the header: that text was signed.
    private let time: String
    /// When the body was signed, in seconds since 1970.
    package let seconds: Int64
    /// The values of `v1`, 32 bytes each. Several if the secret is being replaced.
    private let codes: [[UInt8]]

    /// Default of the greatest difference between the signature's time and now, in seconds. Clover documents none; five
    /// minutes are usual.
    package static let defaultTolerance = 300.0

    /// Reads the value of the header. Members other than `t` and `v1` are ignored.
    ///
    /// - Throws: `.malformed`.
    package init(parsing header: String) throws(WebhookSignatureError) {
        var time: String?
        var codes: [[UInt8]] = []
        for member in header.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            guard parts.count == 2 else { throw .malformed }
            switch parts[0] {
            case "t": time = parts[1]
            case "v1":
                guard let code = Self.bytes(hex: parts[1]), code.count == 32 else { throw .malformed }
                codes.append(code)
            default: break
            }
        }
        guard let time, !time.isEmpty, time.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(time),
            !codes.isEmpty
        else { throw .malformed }
        self.time = time
        self.seconds = seconds
        self.codes = codes
    }

    /// Signs a body, as Clover does.
    ///
    /// - Parameter seconds: now, in seconds since 1970.
    /// - Returns: the value of the header.
    package static func header(for body: [UInt8], secret: Secret, at seconds: Int64) -> String {
        let code = code(of: body, time: "\(seconds)", secret)
        return "t=\(seconds),v1=" + code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Checks that a body was signed under the secret, and when. Takes the same time wherever codes differ.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - tolerance: the greatest difference between the signature's time and now, in either direction, in seconds.
    /// - Throws: `.otherCode` or `.outdated`.
    package func verify(
        _ body: [UInt8], secret: Secret, now: Int64, tolerance: Double
    ) throws(WebhookSignatureError) {
        let expected = Self.code(of: body, time: time, secret)
        var matches = false
        for code in codes where ConstantTime.areEqual(code, expected) { matches = true }
        guard matches else { throw .otherCode }
        let age = now.subtractingReportingOverflow(seconds)
        guard !age.overflow, Double(age.partialValue).magnitude <= tolerance else {
            throw .outdated(seconds: seconds, tolerance: tolerance)
        }
    }

    private static func code(of body: [UInt8], time: String, _ secret: Secret) -> [UInt8] {
        SHA256.authenticationCode(of: Array("\(time).".utf8) + body, key: Array(secret.exposed.utf8))
    }

    /// Nil unless the text is pairs of hexadecimal digits.
    private static func bytes(hex text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension Substring {
    /// Without white space around it.
    fileprivate var trimmed: String {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// Why a signature proves nothing.
package enum WebhookSignatureError: Error, Equatable, Sendable {
    /// Not of the form `t=SECONDS,v1=HEX`.
    case malformed
    /// The body was changed, or signed under another secret.
    case otherCode
    /// The body was signed longer ago than the tolerance, or that far in the future; both in seconds.
    case outdated(seconds: Int64, tolerance: Double)
}
