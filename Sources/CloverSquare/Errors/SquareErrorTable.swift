/// The two tables of error numbers, for looking up.
package enum SquareErrorTable {
    package struct Row: Sendable, Hashable {
        /// `SCCErrorDomain` or `SCCAPIErrorDomain`.
        package let domain: String
        package let number: Int
        package let name: String
        /// The text of the app that the profile's SDK has for the number; nil where there is none.
        package let wire: SquareText?
        /// Every text that is read as the number.
        package let accepted: [SquareText]
        package let meaning: String
        package let remedy: String

        /// `{"domain","number","name","wire","accepted","meaning","remedy"}`.
        package var json: SquareJSON {
            .object([
                .init("domain", .string(SquareText(domain))),
                .init("number", .integer(number)),
                .init("name", .string(SquareText(name))),
                .init("wire", SquareJSON(wire)),
                .init("accepted", .array(accepted.map(SquareJSON.string))),
                .init("meaning", .string(SquareText(meaning))),
                .init("remedy", .string(SquareText(remedy))),
            ])
        }
    }

    /// What the SDK finds wrong with money, requests and responses; then what the app reports. By number.
    package static func rows(profile: SquareProfile) -> [Row] {
        let own = SquareErrorCode.allCases.map { code in
            Row(
                domain: SquareErrorCode.domain, number: code.rawValue, name: code.name(in: profile), wire: nil,
                accepted: [], meaning: code.meaning(in: profile), remedy: code.remedy(in: profile))
        }
        let reported = SquareAPIErrorCode.allCases.map { code in
            Row(
                domain: SquareAPIErrorCode.domain, number: code.rawValue, name: code.name(in: profile),
                wire: code.wireText(in: profile), accepted: code.texts, meaning: code.meaning(in: profile),
                remedy: code.remedy(in: profile))
        }
        return own + reported
    }
}
