/// What is wrong with a ledger file that was found. The name is also part of the name under which it is set aside.
package enum LedgerFault: String, Error, Equatable, Sendable {
    /// It has no byte.
    case empty
    /// It ends before what its head announces.
    case cut
    /// It does not start like a ledger, or is not a regular file.
    case foreign
    /// Its checksum does not match.
    case damaged
    /// An earlier version of this program wrote it.
    case older
    /// A later version of this program wrote it.
    case newer
    /// It is from before the machine was last started, so its times mean nothing.
    case otherBoot = "other-boot"
    /// It is whole, but what it says cannot be.
    case implausible
}
