import ArgumentParser
import CloverCore

/// Proof of what a run delivered.
struct ReceiptOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Write at the end, as one JSON object, what was delivered and whether it is all; - is standard error.",
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
