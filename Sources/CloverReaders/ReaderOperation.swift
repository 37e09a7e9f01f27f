/// What was being done with readers, for a message.
package enum ReaderOperation: String, Sendable {
    case reachingBluetooth = "asking for the Bluetooth service"
    case startingDiscovery = "starting the discovery"
    case stoppingDiscovery = "stopping the discovery"
    case connecting = "connecting"
    case resolvingServices = "reading the reader's services"
    case initializing = "preparing the reader"
    case updating = "updating the reader"
    case disconnecting = "disconnecting"
    case poweringOn = "turning Bluetooth on"
    case pinging = "asking the device whether it is there"
}
