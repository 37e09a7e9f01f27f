import ArgumentParser
import CloverCore

/// The receipt of a run: what it delivered, and whether that is everything.
struct ReceiptOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Write a receipt to this file at the end, as one JSON object: what was delivered, and whether it is complete; - is standard error.",
            valueName: "file"), completion: .file())
    var receipt: String?

    func validate() throws {
        if receipt == "" { throw ValidationError("--receipt takes a file, or - for standard error") }
        try OutputPath.check(receipt, of: "--receipt")
    }

    func apply(to request: inout GetRequest) {
        request.receipt = receipt
    }
}
