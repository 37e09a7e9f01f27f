/// A driver whose readers take payments: its sessions are `CardSession`s.
package protocol CardDriver: ReaderDriver {
    /// What became of a charge, by its `externalPaymentID`: also one of an earlier run, and without a session.
    func payment(externalID: String) async throws -> CardLookup
}
