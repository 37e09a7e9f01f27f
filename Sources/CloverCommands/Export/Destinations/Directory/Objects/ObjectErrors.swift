import ArgumentParser
import CloverCore
import CloverExport
import CloverHTTP

extension ObjectAddress {
    /// The object store that a word of the command line names; nil for none.
    ///
    /// - Parameter option: what the word stands for, such as `--to`.
    static func parsed(_ text: String, of option: String) throws(ValidationError) -> ObjectAddress? {
        do throws(Fault) {
            return try ObjectAddress(parsing: text)
        } catch {
            throw refusal(error, of: option)
        }
    }

    /// The same, with the endpoint of an option, a variable or a profile of AWS's tools.
    static func located(
        _ text: String, endpoint: String? = nil, of option: String, in environment: CommandEnvironment
    ) throws -> ObjectAddress? {
        guard let address = try parsed(text, of: option) else { return nil }
        do {
            return try address.with(endpoint: endpoint ?? ObjectStoreSettings.read(in: environment).endpoint)
        } catch let fault as Fault {
            throw refusal(fault, of: endpoint == nil ? "AWS_ENDPOINT_URL" : "--endpoint-url")
        }
    }

    private static func refusal(_ fault: Fault, of option: String) -> ValidationError {
        switch fault {
        case .bucket:
            ValidationError(
                "\(option): write the bucket and a prefix, such as s3://my-bucket/exports; the name of a bucket has 3 to 63 "
                    + "letters, digits, '-', '.' and '_'")
        case .prefix: ValidationError("\(option): the prefix after the bucket has an empty part, '.', '..' or '?'")
        case .endpoint: ValidationError("\(option) takes an endpoint such as https://minio.example.com:9000")
        // Without the address, which would show them once more.
        case .hasCredentials:
            ValidationError(
                "\(option) takes no keys: other programs of this machine see the words of a command; set "
                    + "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials")
        }
    }
}

extension ErrorReport {
    private static let keys = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to ~/.aws/credentials"

    /// Errors of an export to an object store.
    init(_ error: ObjectStoreError) {
        switch error {
        case .noCredentials(let profile):
            self.init(
                code: "no_credentials", status: .notAuthorized,
                message: "no access key for the object store in the environment or in profile \(profile)",
                hints: [
                    Self.keys,
                    "roles and single sign-on: eval \"$(aws configure export-credentials --format env)\"",
                ])
        case .unknownProfile(let name):
            self.init(
                code: "unknown_profile", status: .configuration,
                message: "AWS_PROFILE names the profile \(name), which ~/.aws/credentials and ~/.aws/config lack",
                hints: ["correct AWS_PROFILE, or unset it"])
        case .badRegion(let region):
            self.init(
                code: "bad_region", status: .configuration, message: "'\(region)' is not a region",
                hints: ["set AWS_REGION, such as us-east-1"])
        case .noBucket(let name):
            self.init(
                code: "no_bucket", status: .cannotCreate, message: "there is no bucket for \(name)",
                hints: ["create it first", "another service than Amazon's: --endpoint-url URL"])
        case .otherRegion(let name, let region):
            self.init(
                code: "other_region", status: .configuration,
                message: "\(name) is in another region" + (region.map { ": \($0)" } ?? ""),
                hints: ["set AWS_REGION" + (region.map { "=\($0)" } ?? "")])
        case .denied(let name, let code, let message):
            self.init(
                code: "object_store_denied", status: .notAuthorized,
                message: "\(name) does not let this key in: \(Self.words(code, message))",
                hints: [
                    "check the key, its secret and AWS_SESSION_TOKEN",
                    "an export needs ListBucket, GetObject, PutObject, DeleteObject and AbortMultipartUpload",
                ])
        case .away(let name, let error):
            self.init(
                code: "object_store_away", status: .tryAgain,
                message: "no response from \(name)"
                    + (error.map { ": " + Self.unreachable($0, url: nil, retries: 0).message } ?? ""),
                hints: [
                    "run again later: the next run continues with the same window", "to wait longer, use --max-time",
                ])
        case .unusable(_, let error):
            self = .unreachable(error, url: nil, retries: 0)
            status = .configuration
        case .overtaken(let name, let object):
            self.init(
                code: "lock_busy", status: .tryAgain,
                message: "another program replaced \(object) of \(name) meanwhile",
                hints: ["run again; let only one machine or user export there"])
        case .failed(let name, let status, let code, let message):
            self.init(
                code: "object_store_failed", status: .inputOutput,
                message: "\(name) responded with status \(status): \(Self.words(code, message))")
            http = status
        }
    }

    private static func words(_ code: String, _ message: String) -> String {
        let text = [code, String(message.prefix(200))].filter { !$0.isEmpty }.joined(separator: ": ")
        return text.isEmpty ? "without a reason" : text
    }
}
