/// The pages for everything that is not the callback.
extension Page {
    static func alreadyAnswered(_ purpose: CallbackChoice.Purpose) -> Page {
        Page(
            status: 409, tone: .plain, headline: "Already answered",
            detail: "This \(purpose.word) has already been answered.", closing: purpose.closing)
    }

    /// For a browser that still waits when the command gives up.
    static func stopped(_ purpose: CallbackChoice.Purpose) -> Page {
        switch purpose {
        case .signIn:
            Page(
                status: 503, tone: .bad, headline: "Sign-in stopped",
                detail: "The command was stopped before it could finish.")
        case .payment:
            Page(
                status: 503, tone: .bad, headline: "Nobody waits any more",
                detail: "The answer came too late to be shown here. Ask the shop how the payment went.",
                closing: close)
        }
    }

    /// The right path, and nothing in it.
    static func withoutQuery(_ purpose: CallbackChoice.Purpose) -> Page {
        switch purpose {
        case .signIn:
            Page(
                status: 200, tone: .plain, headline: "One more step",
                detail: """
                    This page cannot see the answer. If the address above has a part that begins with #, the answer is \
                    in there: copy the whole address and give it to 'clover auth receive' in a terminal.
                    """,
                closing: "Keep this window open until then.")
        case .payment:
            Page(
                status: 400, tone: .plain, headline: "Nothing here",
                detail: "The address holds no answer of the Square app.", closing: close)
        }
    }

    /// An answer to something else.
    static func unexpected(_ purpose: CallbackChoice.Purpose) -> Page {
        switch purpose {
        case .signIn:
            Page(
                status: 409, tone: .bad, headline: "Not this sign-in",
                detail: "The address holds no answer to the sign-in that is waited for here.")
        case .payment:
            Page(
                status: 409, tone: .plain, headline: "Not this payment",
                detail: "The address holds no answer to the payment that is waited for here.", closing: close)
        }
    }

    static func hostMissing(_ purpose: CallbackChoice.Purpose) -> Page {
        Page(
            status: 400, tone: .bad, headline: "Bad request",
            detail: "The request does not say which host it is for.", closing: purpose.closing)
    }

    static func hostForeign(_ purpose: CallbackChoice.Purpose) -> Page {
        Page(
            status: 421, tone: .bad, headline: "Wrong host",
            detail: "The request is for a host that is not served here.", closing: purpose.closing)
    }

    static func pathUnknown(_ purpose: CallbackChoice.Purpose) -> Page {
        Page(
            status: 404, tone: .plain, headline: "Nothing here",
            detail: "Only the end of a \(purpose.word) is received at this address.", closing: purpose.closing)
    }

    static func methodNotAllowed(_ purpose: CallbackChoice.Purpose) -> Page {
        Page(
            status: 405, tone: .bad, headline: "Method not allowed",
            detail: "The end of a \(purpose.word) is received with GET.", closing: purpose.closing)
    }

    static func notNavigation(_ purpose: CallbackChoice.Purpose) -> Page {
        Page(
            status: 403, tone: .bad, headline: "Not from here",
            detail: "A \(purpose.word) ends with a page that is opened, not with a part of another page.",
            closing: purpose.closing)
    }
}

extension CallbackChoice.Purpose {
    fileprivate var word: String {
        switch self {
        case .signIn: "sign-in"
        case .payment: "payment"
        }
    }

    fileprivate var closing: String {
        switch self {
        case .signIn: Page.closing
        case .payment: Page.close
        }
    }
}
