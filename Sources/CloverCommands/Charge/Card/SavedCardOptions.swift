import ArgumentParser

/// The cardholder's consent, without which no card is put on file (Clover: save a card for future transactions).
struct ConsentOption: ParsableArguments {
    @Flag(name: .customLong("consent"), help: "State that the cardholder agreed to have the card kept on file.")
    var isGiven = false
}

/// Saving the card of a charge.
struct SavedCardOptions: ParsableArguments {
    @Option(
        name: .customLong("save-card"), parsing: .unconditional,
        help: ArgumentHelp(
            "Also keep the card on file, for a new customer with this email address; needs --consent.",
            valueName: "email"))
    var email: String?

    @Flag(name: .customLong("save-again"), help: "Save the card although an earlier charge may have saved it.")
    var isAgain = false

    @OptionGroup
    var consent: ConsentOption

    func validate() throws {
        guard let email else {
            if isAgain { throw ValidationError("--save-again goes with --save-card") }
            if consent.isGiven { throw ValidationError("--consent goes with --save-card") }
            return
        }
        let halves = email.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), !email.contains(where: \.isWhitespace) else {
            throw ValidationError("--save-card takes an email address")
        }
        guard consent.isGiven else {
            throw ValidationError("--save-card needs --consent: the cardholder must have agreed to it")
        }
    }
}
