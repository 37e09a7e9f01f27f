/// What Clover says about the charge of a reader, in percent (Clover Go quick start, device connection).
package enum ReaderRules {
    /// Below this a reader that is ready has the state `lowBattery`.
    package static let lowBattery = 20
    /// Below this no firmware update is begun: a reader that dies in the middle may not start again.
    package static let updateBattery = 30
    /// What Clover's readers are called: this and six digits.
    package static let namePrefix = "Clover_Go_"
}
