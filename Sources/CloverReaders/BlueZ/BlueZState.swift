import CloverDBus

/// What is known of BlueZ at one moment, and what of it has not been looked at.
struct BlueZState: Sendable {
    var objects: BlueZObjects
    /// The paths of devices that changed since somebody looked, each once, the oldest change first.
    private var changed: [String] = []
    private var isChanged: Set<String> = []
    /// How many signals were taken over that tell of objects and their properties.
    private(set) var signals = 0
    /// Why nothing more will come.
    var end: ReaderError?

    init(_ objects: BlueZObjects) {
        self.objects = objects
    }

    /// Takes over a signal of BlueZ, or the bus's word that BlueZ left.
    mutating func apply(_ signal: DBusSignal) {
        if signal.interface == BlueZNames.objectManager || signal.interface == BlueZNames.properties { signals += 1 }
        if signal.interface == BlueZNames.bus, signal.member == "NameOwnerChanged" {
            // The name, who had it, and who has it now. After a new start nothing that we asked for goes on.
            if signal.arguments.count == 3, signal.arguments[1].text != "" { end = .bluetoothServiceLost }
            return
        }
        guard let path = objects.apply(signal), let device = objects.device(holding: path) else { return }
        note(device.path)
    }

    mutating func note(_ device: String) {
        if isChanged.insert(device).inserted { changed.append(device) }
    }

    /// The next device that changed and is still there.
    mutating func nextChanged() -> BlueZDevice? {
        while !changed.isEmpty {
            let path = changed.removeFirst()
            isChanged.remove(path)
            if let device = objects.device(path) { return device }
        }
        return nil
    }
}
