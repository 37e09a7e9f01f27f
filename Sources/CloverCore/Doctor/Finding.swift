/// What a check came to.
package struct Finding: Sendable {
    package enum Grade: String, Sendable {
        case ok
        /// Something works less well than it could.
        case warn
        /// Something does not work.
        case fail
        /// It could not be looked at, or was not meant to be.
        case skip
    }

    /// What is said.
    package enum Words: Sendable {
        /// One line, and the commands or steps that mend it.
        case plain(String, next: [String])
        /// An error of a part, in its own words and with its own next steps; and what mends it besides.
        case error(any Error & Sendable, next: [String])
    }

    package let check: CheckName
    package let grade: Grade
    package let words: Words
    /// What was mended on the way, a line each.
    package let repairs: [String]

    static func ok(_ check: CheckName, _ text: String, next: [String] = [], repairs: [String] = []) -> Finding {
        Finding(check: check, grade: .ok, words: .plain(text, next: next), repairs: repairs)
    }

    static func warn(_ check: CheckName, _ text: String, next: [String] = []) -> Finding {
        Finding(check: check, grade: .warn, words: .plain(text, next: next), repairs: [])
    }

    static func fail(_ check: CheckName, _ text: String, next: [String] = []) -> Finding {
        Finding(check: check, grade: .fail, words: .plain(text, next: next), repairs: [])
    }

    static func fail(_ check: CheckName, _ error: any Error & Sendable) -> Finding {
        Finding(check: check, grade: .fail, words: .error(error, next: []), repairs: [])
    }

    static func warn(_ check: CheckName, _ error: any Error & Sendable) -> Finding {
        Finding(check: check, grade: .warn, words: .error(error, next: []), repairs: [])
    }

    /// The same with further steps.
    func adding(_ steps: [String]) -> Finding {
        switch words {
        case .plain(let text, let next):
            Finding(check: check, grade: grade, words: .plain(text, next: next + steps), repairs: repairs)
        case .error(let error, let next):
            Finding(check: check, grade: grade, words: .error(error, next: next + steps), repairs: repairs)
        }
    }

    static func skip(_ check: CheckName, _ reason: String) -> Finding {
        Finding(check: check, grade: .skip, words: .plain(reason, next: []), repairs: [])
    }
}
