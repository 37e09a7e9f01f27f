/// What can go wrong with readers. Facts only; messages are made where they are shown.
package enum ReaderError: Error, Sendable, Equatable {
    // The machine's Bluetooth.

    /// There is no system bus, or it cannot be reached; `detail` says how that showed.
    case noSystemBus(detail: String)
    /// The bus is there, but nobody on it is BlueZ.
    case noBluetoothService
    /// BlueZ left the bus in the middle.
    case bluetoothServiceLost
    /// BlueZ is on the bus and does not answer; `isBus`: the system bus itself does not.
    case bluetoothSilent(isBus: Bool)
    /// The machine has no adapter, or none of this name.
    case noAdapter(named: String?)
    /// The adapter, such as `hci0`, is turned off.
    case adapterOff(String)
    /// rfkill(8) keeps the adapter off, `isHard` by a switch.
    case adapterBlocked(String, isHard: Bool)
    /// The bus or BlueZ refuses this user.
    case notPermitted(detail: String)
    /// BlueZ is at something else, and this cannot be done meanwhile (`org.bluez.Error.InProgress`).
    case busy(ReaderOperation)
    /// BlueZ refused for a reason that is none of the others: the error reply's name and text.
    case bluetooth(ReaderOperation, name: String, text: String)

    // A reader.

    /// No reader has this id or name.
    case unknownReader(String)
    /// No reader was ever connected, so there is no last one.
    case noPreviousReader
    /// It was there, and went away in the middle.
    case vanished(String)
    /// Somebody else, such as a phone, is connected to it.
    case connectedElsewhere(String)
    /// Another process of this machine holds it.
    case held(String, by: ReaderHolder)
    /// This user is connected to that one already; one at a time.
    case alreadyConnected(String, by: ReaderHolder)
    /// The link to that one is up, and no process holds it; one at a time.
    case alreadyLinked(String)
    /// The session broke; `during` says what it was at.
    case connectionLost(String, during: ReaderOperation?)
    /// It is not a card reader: what a reader must have is missing.
    case notReader(String, missing: String)
    /// It is known, but gives no sign of life.
    case notAnswering(String)
    /// It needs an update, and its charge in percent is too low for one.
    case batteryTooLow(String, battery: Int, needed: Int)
    /// The update came to no good end; `detail` is the driver's word.
    case updateFailed(String, detail: String)
    /// It did not get ready; `code` and `detail` are the driver's words.
    case failed(String, code: String, detail: String)
    /// Nothing came of it in the time allowed. `reader` is nil where none was concerned.
    case timedOut(ReaderOperation, reader: String?, seconds: Double)

    // A driver program.

    case driver(DriverFailure, program: String)

    /// Whether it is not known what there is, because what was asked did not answer.
    package var isSilence: Bool {
        switch self {
        case .bluetoothSilent, .driver(.unready, _): true
        default: false
        }
    }
}
