/// The names of the Secret Service API, https://specifications.freedesktop.org/secret-service/.
enum SecretServiceNames {
    /// The bus name.
    static let service = "org.freedesktop.secrets"
    static let servicePath = "/org/freedesktop/secrets"
    static let serviceInterface = "org.freedesktop.Secret.Service"
    static let collectionInterface = "org.freedesktop.Secret.Collection"
    static let itemInterface = "org.freedesktop.Secret.Item"
    static let promptInterface = "org.freedesktop.Secret.Prompt"

    /// The session algorithm without encryption.
    static let plain = "plain"
    /// The collection in which programs keep what the user did not place elsewhere.
    static let defaultAlias = "default"
    /// Stands for "no object" in replies.
    static let noObject = "/"

    static let labelProperty = "org.freedesktop.Secret.Item.Label"
    static let attributesProperty = "org.freedesktop.Secret.Item.Attributes"

    static let isLockedError = "org.freedesktop.Secret.Error.IsLocked"
    static let noSuchObjectError = "org.freedesktop.Secret.Error.NoSuchObject"
}
