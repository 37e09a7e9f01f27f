import CloverAPI

/// The line on standard error that names what was masked.
struct MaskNotice {
    let text: String
    let json: String

    /// Nil when nothing was masked.
    ///
    /// - Parameters:
    ///   - count: in how many.
    ///   - noun: of what: `record`, `request`.
    init?(count: Int, _ noun: String, fields: Set<String>) {
        guard count > 0 else { return nil }
        let fields = fields.sorted()
        var line = JSONLine()
        line.add("\(noun)s", Int64(count))
        line.add("fields", fields)
        var text =
            "masked in \(count == 1 ? "1 \(noun)" : "\(count) \(noun)s"): "
            + fields.joined(separator: ", ")
        // A token of the run itself is shown by 'clover auth token', and by nothing else.
        if fields != [RecordMasker.ownSecret] {
            text += "; --show-sensitive shows them"
            line.add("hint", "--show-sensitive shows them")
        }
        self.text = text
        json = "{\"masked\":\(line.text)}"
    }

    /// Says it, unless the user wants it quiet.
    func show(_ diagnostics: Diagnostics) { diagnostics.report(text, json: json, from: .normal) }
}
