import CloverAuth
import CloverCallback
import Glibc

extension ErrorReport {
    /// A browser response that is not what was asked for.
    init(_ error: SignInError) {
        switch error {
        case .malformedVerifier:
            self.init(code: "bad_verifier", status: .usage, message: "\(error)")
            hints = ["the file must have the verifier that the challenge was made from (RFC 7636), on one line"]
        case .notARedirect:
            self.init(code: "bad_address", status: .usage, message: "\(error)")
            hints = ["give the complete address that the browser was sent to, from the address bar"]
        case .malformedParameter, .repeatedParameter:
            self.init(code: "bad_address", status: .nonsense, message: "\(error)")
            hints = ["it was not used; start again, and use the address as the browser shows it"]
        case .missingState, .wrongState:
            self.init(code: "wrong_state", status: .notAuthorized, message: "\(error)")
            hints = ["it was not used; start again, and approve in the page of that same sign-in"]
        case .denied:
            self.init(code: "denied", status: .notAuthorized, message: "not signed in: \(error)")
            hints = ["run it again and approve, or ask someone who may install apps for the merchant to approve"]
        case .serviceError:
            self.init(code: "sign_in_failed", status: .notAuthorized, message: "not signed in: \(error)")
            hints = ["check the app's id and that the app is installed for the merchant"]
        case .otherApp:
            self.init(code: "other_app", status: .notAuthorized, message: "\(error)")
            hints = ["it was not used; name the app with --app-id"]
        case .otherMerchant:
            self.init(code: "other_merchant", status: .notAuthorized, message: "\(error)")
            hints = ["it was not used; sign in to the other merchant in the browser, or change --merchant"]
        case .malformedMerchant:
            self.init(code: "bad_merchant", status: .nonsense, message: "\(error)")
            hints = ["it was not used; start again, and name the merchant with --merchant"]
        case .noCode:
            self.init(code: "no_code", status: .notAuthorized, message: "not signed in: \(error)")
            hints = ["start again; the app's Default OAuth Response must be 'Code'"]
        case .unusableCode:
            self.init(code: "bad_code", status: .notAuthorized, message: "\(error)")
            hints = ["start again"]
        }
    }

    /// Errors of the listener for the browser's response.
    init(_ error: CallbackError) {
        switch error {
        case .portInUse(let port):
            self.init(
                code: "port_in_use", status: .tryAgain,
                message: "cannot listen on 127.0.0.1:\(port) for the browser's response: the port is in use",
                hints: [
                    "end the other program (another sign-in that is waiting?), or choose another port with --callback-port",
                    "the app's Site URL must begin with the address of that port; with --paste, no port is needed",
                ])
        case .cannotListen(let port, let number):
            self.init(
                code: "cannot_listen", status: .unavailable,
                message:
                    "cannot listen on 127.0.0.1:\(port) for the browser's response: \(String(cString: strerror(number)))",
                hints: ["choose another port with --callback-port (1024 or above), or use --paste"])
        case .alreadyTaken, .closed:
            self.init(code: "listener", status: .bug, message: "\(error)")
        }
    }

    /// Errors of the desktop's keyring.
    init(_ error: SecretVaultError) {
        switch error {
        case .absent(let detail):
            self.init(
                code: "no_keyring", status: .unavailable, message: "the keyring cannot be used: \(detail)",
                hints: [
                    "a keyring belongs to a desktop session, which cron and ssh do not have: sign in without --keyring",
                    "the tokens are then stored in a file that only you can read",
                ])
        case .noCollection:
            self.init(
                code: "no_keyring", status: .unavailable, message: "\(error)",
                hints: [
                    "create a keyring in the desktop session and make it the default, or sign in without --keyring"
                ])
        case .locked(let detail):
            self.init(
                code: "keyring_locked", status: .notAuthorized, message: "the keyring is locked: \(detail)",
                hints: ["unlock it in the desktop session, or sign in without --keyring"])
        case .noAnswer(let seconds):
            self.init(
                code: "keyring_silent", status: .unavailable,
                message: "the keyring did not answer within \(seconds) s",
                hints: ["restart it, or sign in without --keyring"])
        case .notKept:
            self.init(
                code: "keyring_lost", status: .unavailable, message: "\(error)",
                hints: ["sign in without --keyring: the tokens are then stored in a file that only you can read"])
        case .failed(let detail):
            self.init(
                code: "keyring", status: .unavailable, message: "the keyring does not work: \(detail)",
                hints: ["sign in without --keyring"])
        }
    }
}
