package import CloverHTTP

/// Errors of an object store. `name` is the address.
package enum ObjectStoreError: Error, Equatable, Sendable {
    /// Neither the environment nor this profile has an access key.
    case noCredentials(profile: String)
    /// No file of AWS's tools has this profile.
    case unknownProfile(String)
    case badRegion(String)
    case noBucket(name: String)
    /// The bucket is in another region; nil when the store does not say in which.
    case otherRegion(name: String, region: String?)
    /// The store does not accept the key, or the key does not permit it; `code` and `message` are the store's words.
    case denied(name: String, code: String, message: String)
    /// No response for as long as the run may wait; nil for a response that says that it cannot respond now.
    case away(name: String, HTTPTransportError?)
    /// No connection that could be used, however long the run waits.
    case unusable(name: String, HTTPTransportError)
    /// Another program replaced this object meanwhile.
    case overtaken(name: String, object: String)
    /// Any other response.
    case failed(name: String, status: Int, code: String, message: String)
}
