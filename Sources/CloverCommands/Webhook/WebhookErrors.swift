import CloverCore
import CloverSystem
import CloverWebhooks
import Glibc

/// Errors of the webhook commands.
enum WebhookFault: Error {
    /// The body with this number, from 1, in this file (`-` for standard input) cannot be read.
    case unreadableBody(String, number: Int, WebhookBodyError)
    /// Some of the files could not be read; each was reported on standard error. The status is that of the first one.
    case filesFailed(Int, of: Int, status: ExitStatus)
    /// Neither an option nor a variable gives the secret.
    case secretMissing(WebhookSecret)
    /// The file with the secret cannot be read.
    case unreadableSecret(WebhookSecret, errno: Int32)
    /// What was given as the secret is empty, or has spaces or unusual characters.
    case unusableSecret(WebhookSecret)
    /// The signature of a body is not valid.
    case signature(WebhookSignatureError)
    /// This file of a certificate or key cannot be read.
    case unreadableFile(String, errno: Int32)
    /// Other users have access to the file with the certificate's key.
    case looseKey(String, mode: String)
    /// The certificate and the key in these files cannot be used.
    case tls(WebhookTLSError, certificate: String, key: String)
    /// The listener cannot listen at this address and port.
    case cannotListen(WebhookListenerError, address: String, port: Int)
    /// The listener at this port would forward to itself.
    case forwardsToItself(Int)
    /// The handler did not accept a made-up webhook.
    case notAccepted(WebhookDeliveryFailure)
    /// The service at this address is no emulator that sends webhooks.
    case notEmulator(String)
    /// An emulator cannot make this change of this kind of object.
    case notPossible(String, String)
    /// The shop has no record in this list.
    case shopIsEmpty(String)
    /// The spool has no delivery with this number.
    case noDelivery(Int64)
    /// The delivery with this number has not failed.
    case deliveryWaits(Int64)
    /// Some deliveries failed again; each was reported on standard error.
    case replayFailed(Int, of: Int)
}

extension ErrorReport {
    /// Errors of the webhook commands.
    init(_ fault: WebhookFault) {
        switch fault {
        case .unreadableBody(let file, let number, let error):
            let place = file == "-" ? "standard input" : file
            let body = number == 1 ? "" : " body \(number) of"
            self.init(
                code: "bad_webhook", status: .badData, message: "cannot read\(body) \(place): \(error)",
                hints: number == 1
                    ? []
                    : [number == 2 ? "the body before it was read" : "the \(number - 1) bodies before it were read"])
        case .filesFailed(let count, let all, let status):
            self.init(
                code: "bad_webhook", status: status,
                message: "\(count) of \(all) files could not be read to the end; the others were printed",
                hints: ["each was named above"])
        case .forwardsToItself(let port):
            self.init(
                code: "bad_usage", status: .usage,
                message:
                    "--forward-to is this listener's own address, port \(port), so that each webhook would come again",
                hints: ["give the handler's address, or another --port"])
        case .secretMissing(let secret):
            self.init(
                code: "no_secret", status: .usage, message: "\(secret.name) is missing",
                hints: ["add \(secret.option) FILE, or set \(secret.variable)"])
        case .unreadableSecret(let secret, let number):
            self.init(
                code: "unreadable_file", status: .inputOutput,
                message: "cannot read the file with \(secret.name): \(String(cString: strerror(number)))",
                hints: ["\(secret.option) takes the name of a file that holds it"])
        case .unusableSecret(let secret):
            self.init(
                code: "bad_secret", status: .usage,
                message: "\(secret.name) is empty, or contains spaces or unusual characters",
                hints: ["it must be the first line of the file, or the whole variable \(secret.variable)"])
        case .signature(.malformed):
            self.init(
                code: "bad_signature", status: .badData, message: "the signature is not of the form t=SECONDS,v1=HEX",
                hints: ["give the value of the header Clover-Signature without its name"])
        case .signature(.otherCode):
            self.init(
                code: "bad_signature", status: .notAuthorized,
                message: "the signature does not match: the body was changed, or signed under another secret",
                hints: ["the body must be byte for byte what Clover sent, without an added line break"])
        case .signature(.outdated(let seconds, let tolerance)):
            self.init(
                code: "outdated_signature", status: .notAuthorized,
                message: "the body was signed at \(InstantText.utc(seconds: seconds)), which is more than "
                    + "\(Self.shortened(tolerance)) from now",
                hints: ["it may have been recorded and sent again; to accept it anyway, raise --tolerance"])
        case .unreadableFile(let file, let number):
            self.init(
                code: "unreadable_file", status: .inputOutput,
                message: "cannot read \(file): \(String(cString: strerror(number)))")
        case .looseKey(let file, let mode):
            self.init(
                code: "loose_key", status: .configuration,
                message: "other users have access to the key in \(file) (mode \(mode))",
                hints: ["to fix it, run chmod 600 on it"])
        case .tls(.libraryMissing(let detail), _, _):
            self.init(
                code: "no_library", status: .unavailable, message: "cannot serve https: \(detail)",
                hints: ["install Debian's package libssl3, or put a reverse proxy in front of the listener"])
        case .tls(.badCertificate(let reason), let file, _):
            self.init(
                code: "bad_certificate", status: .configuration,
                message: "cannot use the certificate in \(file): \(reason)",
                hints: ["it must be in PEM, the server's certificate first, then its intermediate ones"])
        case .tls(.badKey(let reason), _, let file):
            self.init(
                code: "bad_key", status: .configuration, message: "cannot use the key in \(file): \(reason)",
                hints: ["it must be in PEM, and not encrypted"])
        case .tls(.otherKey, let certificate, let key):
            self.init(
                code: "other_key", status: .configuration,
                message: "the key in \(key) is not that of the certificate in \(certificate)",
                hints: ["if the file has several certificates, the server's must be the first"])
        case .cannotListen(.portInUse, let address, let port):
            self.init(
                code: "port_in_use", status: .tryAgain,
                message: "cannot listen on \(address), port \(port): the port is in use",
                hints: ["end the other program, or choose another port with --port"])
        case .cannotListen(.cannotListen(let number), let address, let port):
            self.init(
                code: "cannot_listen", status: .unavailable,
                message: "cannot listen on \(address), port \(port): \(String(cString: strerror(number)))",
                hints: ["choose a port above 1023 with --port, and a numeric address of this machine with --bind"])
        case .notAccepted(let failure):
            self.init(
                code: "not_accepted", status: .unavailable, message: "the webhook was not accepted: \(failure.text)",
                hints: [
                    "a handler accepts a webhook with a status from 200 to 299; is its auth code or signing secret another one?"
                ])
        case .notEmulator(let address):
            self.init(
                code: "not_emulator", status: .configuration,
                message: "the service at \(address) is not an emulator that sends webhooks",
                hints: [
                    "start one with: clover-emulator serve --webhook-url URL",
                    "or send a made-up webhook to a handler: add --to URL",
                ])
        case .notPossible(let kind, let action):
            self.init(
                code: "not_possible", status: .usage,
                message: "an emulator's shop has no \(kind) that can be \(action)",
                hints: ["to send a made-up webhook to a handler, add --to URL"])
        case .shopIsEmpty(let list):
            self.init(code: "no_record", status: .notFound, message: "the emulator's shop has no \(list)")
        case .noDelivery(let number):
            self.init(
                code: "no_delivery", status: .notFound, message: "there is no delivery \(number)",
                hints: ["it may have been delivered; to list the others: clover webhook list"])
        case .deliveryWaits(let number):
            self.init(
                code: "delivery_waits", status: .tryAgain, message: "delivery \(number) has not failed",
                hints: ["'clover webhook listen' delivers it"])
        case .replayFailed(let failures, let all):
            self.init(
                code: "delivery_failed", status: .partlyFailed,
                message: "\(failures) of \(all) deliveries failed again, and are kept",
                hints: ["the reasons are above; to list them: clover webhook list --failed"])
        }
    }

    /// A spool that cannot be used.
    init(_ error: WebhookSpoolError) {
        switch error {
        case .storage(let error): self.init(error)
        case .replaced(let path):
            self.init(
                code: "spool_replaced", status: .configuration,
                message: "\(path) was removed or replaced while the listener used it",
                hints: ["start the listener again; what the earlier file held and was not delivered is only there"])
        case .inUse(.listening, let holder):
            self.init(
                code: "spool_in_use", status: .configuration,
                message:
                    "\(holder?.description ?? "another process") already receives webhooks with this state directory",
                hints: ["end it, or set CLOVER_STATE_DIR to another directory"])
        case .inUse(.replaying, let holder):
            self.init(
                code: "spool_in_use", status: .tryAgain,
                message: "\(holder?.description ?? "another process") is delivering failed webhooks again",
                hints: ["run it again when that has ended"])
        }
    }
}
