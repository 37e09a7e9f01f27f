// Made by Scripts/generate-kit from Catalogue/models.json. Change that file, then run `make docs`.
// swift-format-ignore-file

/// Clover's `account.Account`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan,
///     let reseller = merchantPlan.reseller,
///     let owner = reseller.owner {
///     print(owner.name ?? "", owner.status ?? "")
/// }
/// ```
public struct Account: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Account>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `email`.
    public var email: String? {
        get { self["email"] }
        set { self["email"] = newValue }
    }

    /// Clover's `primaryMerchant`.
    public var primaryMerchant: Merchant? {
        get { self["primaryMerchant"] }
        set { self["primaryMerchant"] = newValue }
    }

    /// Clover's `primaryDeveloper`.
    public var primaryDeveloper: Developer? {
        get { self["primaryDeveloper"] }
        set { self["primaryDeveloper"] = newValue }
    }

    /// Clover's `primaryReseller`.
    public var primaryReseller: BaseReference? {
        get { self["primaryReseller"] }
        set { self["primaryReseller"] = newValue }
    }

    /// Clover's `isActive`.
    public var isActive: Bool? {
        get { self["isActive"] }
        set { self["isActive"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `claimedTime`, in milliseconds since 1970.
    public var claimedTime: Timestamp? {
        get { self["claimedTime"] }
        set { self["claimedTime"] = newValue }
    }

    /// Clover's `lastLogin`, in milliseconds since 1970.
    public var lastLogin: Timestamp? {
        get { self["lastLogin"] }
        set { self["lastLogin"] = newValue }
    }

    /// Clover's `inviteSent`.
    public var inviteSent: Bool? {
        get { self["inviteSent"] }
        set { self["inviteSent"] = newValue }
    }

    /// Clover's `status`.
    public var status: String? {
        get { self["status"] }
        set { self["status"] = newValue }
    }

    /// Clover's `role`.
    public var role: Role? {
        get { self["role"] }
        set { self["role"] = newValue }
    }

    /// Clover's `merchants`.
    public var merchants: [Merchant]? {
        get { self[elements: "merchants"] }
        set { self[elements: "merchants"] = newValue }
    }

    /// Clover's `developers`.
    public var developers: [Developer]? {
        get { self[elements: "developers"] }
        set { self[elements: "developers"] = newValue }
    }

    /// Clover's `resellers`.
    public var resellers: [BaseReference]? {
        get { self[elements: "resellers"] }
        set { self[elements: "resellers"] = newValue }
    }

    /// Clover's `csrfToken`.
    public var csrfToken: String? {
        get { self["csrfToken"] }
        set { self["csrfToken"] = newValue }
    }

    /// Clover's `authFactors`.
    public var authFactors: [AuthFactor]? {
        get { self[elements: "authFactors"] }
        set { self[elements: "authFactors"] = newValue }
    }

    /// Clover's `primaryEnterprise`.
    public var primaryEnterprise: BaseReference? {
        get { self["primaryEnterprise"] }
        set { self["primaryEnterprise"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Account>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `email`.
        public var email: Field<String> { Field(name: "email") }

        /// Clover's `primaryMerchant`.
        public var primaryMerchant: Field<Merchant> { Field(name: "primaryMerchant") }

        /// Clover's `primaryDeveloper`.
        public var primaryDeveloper: Field<Developer> { Field(name: "primaryDeveloper") }

        /// Clover's `primaryReseller`.
        public var primaryReseller: Field<BaseReference> { Field(name: "primaryReseller") }

        /// Clover's `isActive`.
        public var isActive: Field<Bool> { Field(name: "isActive") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `claimedTime`, in milliseconds since 1970.
        public var claimedTime: Field<Timestamp> { Field(name: "claimedTime") }

        /// Clover's `lastLogin`, in milliseconds since 1970.
        public var lastLogin: Field<Timestamp> { Field(name: "lastLogin") }

        /// Clover's `inviteSent`.
        public var inviteSent: Field<Bool> { Field(name: "inviteSent") }

        /// Clover's `status`.
        public var status: Field<String> { Field(name: "status") }

        /// Clover's `role`.
        public var role: Field<Role> { Field(name: "role") }

        /// Clover's `merchants`.
        public var merchants: Field<[Merchant]> { Field(name: "merchants") }

        /// Clover's `developers`.
        public var developers: Field<[Developer]> { Field(name: "developers") }

        /// Clover's `resellers`.
        public var resellers: Field<[BaseReference]> { Field(name: "resellers") }

        /// Clover's `csrfToken`.
        public var csrfToken: Field<String> { Field(name: "csrfToken") }

        /// Clover's `authFactors`.
        public var authFactors: Field<[AuthFactor]> { Field(name: "authFactors") }

        /// Clover's `primaryEnterprise`.
        public var primaryEnterprise: Field<BaseReference> { Field(name: "primaryEnterprise") }
    }
}

/// Clover's `account.AuthFactor`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan,
///     let reseller = merchantPlan.reseller,
///     let owner = reseller.owner {
///     for authFactor in owner.authFactors ?? [] {
///         print(authFactor.type ?? "", authFactor.createdTime?.date ?? .distantPast)
///     }
/// }
/// ```
public struct AuthFactor: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AuthFactor>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `type`. One of `SMS`, `TOTP`, `BACKUP_CODES`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// Clover's `phoneNumber`.
    public var phoneNumber: String? {
        get { self["phoneNumber"] }
        set { self["phoneNumber"] = newValue }
    }

    /// Clover's `backupCodes`.
    public var backupCodes: String? {
        get { self["backupCodes"] }
        set { self["backupCodes"] = newValue }
    }

    /// Clover's `totpKey`.
    public var totpKey: String? {
        get { self["totpKey"] }
        set { self["totpKey"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `countryCode`.
    public var countryCode: String? {
        get { self["countryCode"] }
        set { self["countryCode"] = newValue }
    }

    /// Clover's `deletedTime`, in milliseconds since 1970.
    public var deletedTime: Timestamp? {
        get { self["deletedTime"] }
        set { self["deletedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AuthFactor>> { Field(name: "id") }

        /// Clover's `type`. One of `SMS`, `TOTP`, `BACKUP_CODES`; others may come.
        public var type: Field<String> { Field(name: "type") }

        /// Clover's `phoneNumber`.
        public var phoneNumber: Field<String> { Field(name: "phoneNumber") }

        /// Clover's `backupCodes`.
        public var backupCodes: Field<String> { Field(name: "backupCodes") }

        /// Clover's `totpKey`.
        public var totpKey: Field<String> { Field(name: "totpKey") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `countryCode`.
        public var countryCode: Field<String> { Field(name: "countryCode") }

        /// Clover's `deletedTime`, in milliseconds since 1970.
        public var deletedTime: Field<Timestamp> { Field(name: "deletedTime") }
    }
}

/// Clover's `apps.AndroidPermission`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered, let app = appMetered.app {
///         for androidPermission in app.androidPermissions ?? [] {
///             print(androidPermission.permission ?? "", androidPermission.id?.text ?? "")
///         }
///     }
/// }
/// ```
public struct AndroidPermission: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AndroidPermission>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `permission`.
    public var permission: String? {
        get { self["permission"] }
        set { self["permission"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AndroidPermission>> { Field(name: "id") }

        /// Clover's `permission`.
        public var permission: Field<String> { Field(name: "permission") }
    }
}

/// Clover's `apps.AndroidVersion`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// for merchantGroup in merchant.merchantGroups ?? [] {
///     for androidVersion in merchantGroup.androidVersions ?? [] {
///         print(androidVersion.createdAt?.date ?? .distantPast, androidVersion.version ?? 0)
///     }
/// }
/// ```
public struct AndroidVersion: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AndroidVersion>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `createdAt`, in milliseconds since 1970.
    public var createdAt: Timestamp? {
        get { self["createdAt"] }
        set { self["createdAt"] = newValue }
    }

    /// Clover's `version`.
    public var version: Int64? {
        get { self["version"] }
        set { self["version"] = newValue }
    }

    /// Clover's `versionName`.
    public var versionName: String? {
        get { self["versionName"] }
        set { self["versionName"] = newValue }
    }

    /// Clover's `approved`.
    public var approved: Bool? {
        get { self["approved"] }
        set { self["approved"] = newValue }
    }

    /// Clover's `hash`.
    public var hash: String? {
        get { self["hash"] }
        set { self["hash"] = newValue }
    }

    /// Clover's `deviceInstallCount`.
    public var deviceInstallCount: Int64? {
        get { self["deviceInstallCount"] }
        set { self["deviceInstallCount"] = newValue }
    }

    /// Clover's `hashOriginal`.
    public var hashOriginal: String? {
        get { self["hashOriginal"] }
        set { self["hashOriginal"] = newValue }
    }

    /// Clover's `approvalStatus`. One of `NEW`, `PENDING`, `APPROVED_PENDING_SIGNING`, `APPROVED`, `DENIED`, `PUBLISHED`; others may come.
    public var approvalStatus: String? {
        get { self["approvalStatus"] }
        set { self["approvalStatus"] = newValue }
    }

    /// Clover's `scanStatus`. One of `NOT_SCANNED`, `IN_PROGRESS`, `PASSED`, `FAILED`; others may come.
    public var scanStatus: String? {
        get { self["scanStatus"] }
        set { self["scanStatus"] = newValue }
    }

    /// Clover's `scanId`.
    public var scanId: String? {
        get { self["scanId"] }
        set { self["scanId"] = newValue }
    }

    /// Clover's `minSdkVersion`.
    public var minSdkVersion: Int64? {
        get { self["minSdkVersion"] }
        set { self["minSdkVersion"] = newValue }
    }

    /// Clover's `digestAlg`.
    public var digestAlg: String? {
        get { self["digestAlg"] }
        set { self["digestAlg"] = newValue }
    }

    /// Clover's `apkUrl`.
    public var apkUrl: String? {
        get { self["apkUrl"] }
        set { self["apkUrl"] = newValue }
    }

    /// Clover's `permissions`.
    public var permissions: [String]? {
        get { self["permissions"] }
        set { self["permissions"] = newValue }
    }

    /// Clover's `app`.
    public var app: App? {
        get { self["app"] }
        set { self["app"] = newValue }
    }

    /// Clover's `releaseNote`.
    public var releaseNote: BaseReference? {
        get { self["releaseNote"] }
        set { self["releaseNote"] = newValue }
    }

    /// Clover's `merchantGroups`.
    public var merchantGroups: [MerchantGroup]? {
        get { self[elements: "merchantGroups"] }
        set { self[elements: "merchantGroups"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AndroidVersion>> { Field(name: "id") }

        /// Clover's `createdAt`, in milliseconds since 1970.
        public var createdAt: Field<Timestamp> { Field(name: "createdAt") }

        /// Clover's `version`.
        public var version: Field<Int64> { Field(name: "version") }

        /// Clover's `versionName`.
        public var versionName: Field<String> { Field(name: "versionName") }

        /// Clover's `approved`.
        public var approved: Field<Bool> { Field(name: "approved") }

        /// Clover's `hash`.
        public var hash: Field<String> { Field(name: "hash") }

        /// Clover's `deviceInstallCount`.
        public var deviceInstallCount: Field<Int64> { Field(name: "deviceInstallCount") }

        /// Clover's `hashOriginal`.
        public var hashOriginal: Field<String> { Field(name: "hashOriginal") }

        /// Clover's `approvalStatus`. One of `NEW`, `PENDING`, `APPROVED_PENDING_SIGNING`, `APPROVED`, `DENIED`, `PUBLISHED`; others may come.
        public var approvalStatus: Field<String> { Field(name: "approvalStatus") }

        /// Clover's `scanStatus`. One of `NOT_SCANNED`, `IN_PROGRESS`, `PASSED`, `FAILED`; others may come.
        public var scanStatus: Field<String> { Field(name: "scanStatus") }

        /// Clover's `scanId`.
        public var scanId: Field<String> { Field(name: "scanId") }

        /// Clover's `minSdkVersion`.
        public var minSdkVersion: Field<Int64> { Field(name: "minSdkVersion") }

        /// Clover's `digestAlg`.
        public var digestAlg: Field<String> { Field(name: "digestAlg") }

        /// Clover's `apkUrl`.
        public var apkUrl: Field<String> { Field(name: "apkUrl") }

        /// Clover's `permissions`.
        public var permissions: Field<[String]> { Field(name: "permissions") }

        /// Clover's `app`.
        public var app: Field<App> { Field(name: "app") }

        /// Clover's `releaseNote`.
        public var releaseNote: Field<BaseReference> { Field(name: "releaseNote") }

        /// Clover's `merchantGroups`.
        public var merchantGroups: Field<[MerchantGroup]> { Field(name: "merchantGroups") }
    }
}

/// Clover's `apps.App`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered, let app = appMetered.app {
///         print(app.name ?? "", app.published ?? false)
///     }
/// }
/// ```
public struct App: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<App>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `published`.
    public var published: Bool? {
        get { self["published"] }
        set { self["published"] = newValue }
    }

    /// Clover's `developer`.
    public var developer: Developer? {
        get { self["developer"] }
        set { self["developer"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: Merchant? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// Clover's `description`.
    public var description: String? {
        get { self["description"] }
        set { self["description"] = newValue }
    }

    /// Clover's `tagline`.
    public var tagline: String? {
        get { self["tagline"] }
        set { self["tagline"] = newValue }
    }

    /// Clover's `videoUrl`.
    public var videoUrl: String? {
        get { self["videoUrl"] }
        set { self["videoUrl"] = newValue }
    }

    /// Clover's `activationUrl`.
    public var activationUrl: String? {
        get { self["activationUrl"] }
        set { self["activationUrl"] = newValue }
    }

    /// Clover's `siteUrl`.
    public var siteUrl: String? {
        get { self["siteUrl"] }
        set { self["siteUrl"] = newValue }
    }

    /// Clover's `defaultResponseType`. One of `TOKEN`, `CODE`; others may come.
    public var defaultResponseType: String? {
        get { self["defaultResponseType"] }
        set { self["defaultResponseType"] = newValue }
    }

    /// Clover's `appDomain`.
    public var appDomain: String? {
        get { self["appDomain"] }
        set { self["appDomain"] = newValue }
    }

    /// Clover's `androidVersion`.
    public var androidVersion: AndroidVersion? {
        get { self["androidVersion"] }
        set { self["androidVersion"] = newValue }
    }

    /// Clover's `packageName`.
    public var packageName: String? {
        get { self["packageName"] }
        set { self["packageName"] = newValue }
    }

    /// Clover's `approved`.
    public var approved: Bool? {
        get { self["approved"] }
        set { self["approved"] = newValue }
    }

    /// Clover's `systemApp`.
    public var systemApp: Bool? {
        get { self["systemApp"] }
        set { self["systemApp"] = newValue }
    }

    /// Clover's `hidden`.
    public var hidden: Bool? {
        get { self["hidden"] }
        set { self["hidden"] = newValue }
    }

    /// Clover's `filenameIcon`.
    public var filenameIcon: String? {
        get { self["filenameIcon"] }
        set { self["filenameIcon"] = newValue }
    }

    /// Clover's `filenameIconSmall`.
    public var filenameIconSmall: String? {
        get { self["filenameIconSmall"] }
        set { self["filenameIconSmall"] = newValue }
    }

    /// Clover's `filenameIconLarge`.
    public var filenameIconLarge: String? {
        get { self["filenameIconLarge"] }
        set { self["filenameIconLarge"] = newValue }
    }

    /// Clover's `installCount`.
    public var installCount: Int64? {
        get { self["installCount"] }
        set { self["installCount"] = newValue }
    }

    /// Clover's `sortOrder`.
    public var sortOrder: Int64? {
        get { self["sortOrder"] }
        set { self["sortOrder"] = newValue }
    }

    /// Clover's `permissionMerchantRead`.
    public var permissionMerchantRead: Bool? {
        get { self["permissionMerchantRead"] }
        set { self["permissionMerchantRead"] = newValue }
    }

    /// Clover's `permissionMerchantWrite`.
    public var permissionMerchantWrite: Bool? {
        get { self["permissionMerchantWrite"] }
        set { self["permissionMerchantWrite"] = newValue }
    }

    /// Clover's `permissionCustomersRead`.
    public var permissionCustomersRead: Bool? {
        get { self["permissionCustomersRead"] }
        set { self["permissionCustomersRead"] = newValue }
    }

    /// Clover's `permissionCustomersWrite`.
    public var permissionCustomersWrite: Bool? {
        get { self["permissionCustomersWrite"] }
        set { self["permissionCustomersWrite"] = newValue }
    }

    /// Clover's `permissionInventoryRead`.
    public var permissionInventoryRead: Bool? {
        get { self["permissionInventoryRead"] }
        set { self["permissionInventoryRead"] = newValue }
    }

    /// Clover's `permissionInventoryWrite`.
    public var permissionInventoryWrite: Bool? {
        get { self["permissionInventoryWrite"] }
        set { self["permissionInventoryWrite"] = newValue }
    }

    /// Clover's `permissionOrdersRead`.
    public var permissionOrdersRead: Bool? {
        get { self["permissionOrdersRead"] }
        set { self["permissionOrdersRead"] = newValue }
    }

    /// Clover's `permissionOrdersWrite`.
    public var permissionOrdersWrite: Bool? {
        get { self["permissionOrdersWrite"] }
        set { self["permissionOrdersWrite"] = newValue }
    }

    /// Clover's `permissionPaymentsRead`.
    public var permissionPaymentsRead: Bool? {
        get { self["permissionPaymentsRead"] }
        set { self["permissionPaymentsRead"] = newValue }
    }

    /// Clover's `permissionPaymentsWrite`.
    public var permissionPaymentsWrite: Bool? {
        get { self["permissionPaymentsWrite"] }
        set { self["permissionPaymentsWrite"] = newValue }
    }

    /// Clover's `permissionEmployeesRead`.
    public var permissionEmployeesRead: Bool? {
        get { self["permissionEmployeesRead"] }
        set { self["permissionEmployeesRead"] = newValue }
    }

    /// Clover's `permissionEmployeesWrite`.
    public var permissionEmployeesWrite: Bool? {
        get { self["permissionEmployeesWrite"] }
        set { self["permissionEmployeesWrite"] = newValue }
    }

    /// Clover's `permissionProcessCards`.
    public var permissionProcessCards: Bool? {
        get { self["permissionProcessCards"] }
        set { self["permissionProcessCards"] = newValue }
    }

    /// Clover's `permissionMidRead`.
    public var permissionMidRead: Bool? {
        get { self["permissionMidRead"] }
        set { self["permissionMidRead"] = newValue }
    }

    /// Clover's `privacyPolicy`.
    public var privacyPolicy: String? {
        get { self["privacyPolicy"] }
        set { self["privacyPolicy"] = newValue }
    }

    /// Clover's `eula`.
    public var eula: String? {
        get { self["eula"] }
        set { self["eula"] = newValue }
    }

    /// Clover's `supportPhone`.
    public var supportPhone: String? {
        get { self["supportPhone"] }
        set { self["supportPhone"] = newValue }
    }

    /// Clover's `supportPhoneHours`.
    public var supportPhoneHours: String? {
        get { self["supportPhoneHours"] }
        set { self["supportPhoneHours"] = newValue }
    }

    /// Clover's `supportEmail`.
    public var supportEmail: String? {
        get { self["supportEmail"] }
        set { self["supportEmail"] = newValue }
    }

    /// Clover's `supportUrl`.
    public var supportUrl: String? {
        get { self["supportUrl"] }
        set { self["supportUrl"] = newValue }
    }

    /// Clover's `productType`. One of `ANDROID`, `WEB`, `BOTH`; others may come.
    public var productType: String? {
        get { self["productType"] }
        set { self["productType"] = newValue }
    }

    /// Clover's `approvalStatus`. One of `NEW`, `PENDING`, `APPROVED_PENDING_SIGNING`, `APPROVED`, `DENIED`, `PUBLISHED`; others may come.
    public var approvalStatus: String? {
        get { self["approvalStatus"] }
        set { self["approvalStatus"] = newValue }
    }

    /// Clover's `androidPermissions`.
    public var androidPermissions: [AndroidPermission]? {
        get { self[elements: "androidPermissions"] }
        set { self[elements: "androidPermissions"] = newValue }
    }

    /// Clover's `screenshots`.
    public var screenshots: [Screenshot]? {
        get { self[elements: "screenshots"] }
        set { self[elements: "screenshots"] = newValue }
    }

    /// Clover's `availableSubscriptions`.
    public var availableSubscriptions: [AppSubscription]? {
        get { self[elements: "availableSubscriptions"] }
        set { self[elements: "availableSubscriptions"] = newValue }
    }

    /// Clover's `subscriptions`.
    public var subscriptions: [AppSubscription]? {
        get { self[elements: "subscriptions"] }
        set { self[elements: "subscriptions"] = newValue }
    }

    /// Clover's `availableMetereds`.
    public var availableMetereds: [AppMetered]? {
        get { self[elements: "availableMetereds"] }
        set { self[elements: "availableMetereds"] = newValue }
    }

    /// Clover's `metereds`.
    public var metereds: [AppMetered]? {
        get { self[elements: "metereds"] }
        set { self[elements: "metereds"] = newValue }
    }

    /// Clover's `usbDevices`.
    public var usbDevices: [AppUsbDevice]? {
        get { self[elements: "usbDevices"] }
        set { self[elements: "usbDevices"] = newValue }
    }

    /// Clover's `isMerchantInTrial`. Deprecated by Clover.
    public var isMerchantInTrial: Bool? {
        get { self["isMerchantInTrial"] }
        set { self["isMerchantInTrial"] = newValue }
    }

    /// Clover's `currentSubscription`.
    public var currentSubscription: AppSubscription? {
        get { self["currentSubscription"] }
        set { self["currentSubscription"] = newValue }
    }

    /// Clover's `webhook`.
    public var webhook: WebHook? {
        get { self["webhook"] }
        set { self["webhook"] = newValue }
    }

    /// Clover's `androidVersions`.
    public var androidVersions: [AndroidVersion]? {
        get { self[elements: "androidVersions"] }
        set { self[elements: "androidVersions"] = newValue }
    }

    /// Clover's `installed`.
    public var installed: Bool? {
        get { self["installed"] }
        set { self["installed"] = newValue }
    }

    /// Clover's `installedTime`, in milliseconds since 1970.
    public var installedTime: Timestamp? {
        get { self["installedTime"] }
        set { self["installedTime"] = newValue }
    }

    /// Clover's `paidAppHasTrial`.
    public var paidAppHasTrial: Bool? {
        get { self["paidAppHasTrial"] }
        set { self["paidAppHasTrial"] = newValue }
    }

    /// Clover's `approvalStatusModifiedTime`, in milliseconds since 1970.
    public var approvalStatusModifiedTime: Timestamp? {
        get { self["approvalStatusModifiedTime"] }
        set { self["approvalStatusModifiedTime"] = newValue }
    }

    /// Clover's `smartReceiptText`.
    public var smartReceiptText: String? {
        get { self["smartReceiptText"] }
        set { self["smartReceiptText"] = newValue }
    }

    /// Clover's `smartReceiptUrl`.
    public var smartReceiptUrl: String? {
        get { self["smartReceiptUrl"] }
        set { self["smartReceiptUrl"] = newValue }
    }

    /// Clover's `billingStartTime`, in milliseconds since 1970.
    public var billingStartTime: Timestamp? {
        get { self["billingStartTime"] }
        set { self["billingStartTime"] = newValue }
    }

    /// Clover's `appSecret`.
    public var appSecret: String? {
        get { self["appSecret"] }
        set { self["appSecret"] = newValue }
    }

    /// Clover's `businessTypes`.
    public var businessTypes: [BusinessType]? {
        get { self[elements: "businessTypes"] }
        set { self[elements: "businessTypes"] = newValue }
    }

    /// Clover's `deviceTypes`.
    public var deviceTypes: [DeviceType]? {
        get { self[elements: "deviceTypes"] }
        set { self[elements: "deviceTypes"] = newValue }
    }

    /// Clover's `modules`.
    public var modules: [Module]? {
        get { self[elements: "modules"] }
        set { self[elements: "modules"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<App>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `published`.
        public var published: Field<Bool> { Field(name: "published") }

        /// Clover's `developer`.
        public var developer: Field<Developer> { Field(name: "developer") }

        /// Clover's `merchant`.
        public var merchant: Field<Merchant> { Field(name: "merchant") }

        /// Clover's `description`.
        public var description: Field<String> { Field(name: "description") }

        /// Clover's `tagline`.
        public var tagline: Field<String> { Field(name: "tagline") }

        /// Clover's `videoUrl`.
        public var videoUrl: Field<String> { Field(name: "videoUrl") }

        /// Clover's `activationUrl`.
        public var activationUrl: Field<String> { Field(name: "activationUrl") }

        /// Clover's `siteUrl`.
        public var siteUrl: Field<String> { Field(name: "siteUrl") }

        /// Clover's `defaultResponseType`. One of `TOKEN`, `CODE`; others may come.
        public var defaultResponseType: Field<String> { Field(name: "defaultResponseType") }

        /// Clover's `appDomain`.
        public var appDomain: Field<String> { Field(name: "appDomain") }

        /// Clover's `androidVersion`.
        public var androidVersion: Field<AndroidVersion> { Field(name: "androidVersion") }

        /// Clover's `packageName`.
        public var packageName: Field<String> { Field(name: "packageName") }

        /// Clover's `approved`.
        public var approved: Field<Bool> { Field(name: "approved") }

        /// Clover's `systemApp`.
        public var systemApp: Field<Bool> { Field(name: "systemApp") }

        /// Clover's `hidden`.
        public var hidden: Field<Bool> { Field(name: "hidden") }

        /// Clover's `filenameIcon`.
        public var filenameIcon: Field<String> { Field(name: "filenameIcon") }

        /// Clover's `filenameIconSmall`.
        public var filenameIconSmall: Field<String> { Field(name: "filenameIconSmall") }

        /// Clover's `filenameIconLarge`.
        public var filenameIconLarge: Field<String> { Field(name: "filenameIconLarge") }

        /// Clover's `installCount`.
        public var installCount: Field<Int64> { Field(name: "installCount") }

        /// Clover's `sortOrder`.
        public var sortOrder: Field<Int64> { Field(name: "sortOrder") }

        /// Clover's `permissionMerchantRead`.
        public var permissionMerchantRead: Field<Bool> { Field(name: "permissionMerchantRead") }

        /// Clover's `permissionMerchantWrite`.
        public var permissionMerchantWrite: Field<Bool> { Field(name: "permissionMerchantWrite") }

        /// Clover's `permissionCustomersRead`.
        public var permissionCustomersRead: Field<Bool> { Field(name: "permissionCustomersRead") }

        /// Clover's `permissionCustomersWrite`.
        public var permissionCustomersWrite: Field<Bool> { Field(name: "permissionCustomersWrite") }

        /// Clover's `permissionInventoryRead`.
        public var permissionInventoryRead: Field<Bool> { Field(name: "permissionInventoryRead") }

        /// Clover's `permissionInventoryWrite`.
        public var permissionInventoryWrite: Field<Bool> { Field(name: "permissionInventoryWrite") }

        /// Clover's `permissionOrdersRead`.
        public var permissionOrdersRead: Field<Bool> { Field(name: "permissionOrdersRead") }

        /// Clover's `permissionOrdersWrite`.
        public var permissionOrdersWrite: Field<Bool> { Field(name: "permissionOrdersWrite") }

        /// Clover's `permissionPaymentsRead`.
        public var permissionPaymentsRead: Field<Bool> { Field(name: "permissionPaymentsRead") }

        /// Clover's `permissionPaymentsWrite`.
        public var permissionPaymentsWrite: Field<Bool> { Field(name: "permissionPaymentsWrite") }

        /// Clover's `permissionEmployeesRead`.
        public var permissionEmployeesRead: Field<Bool> { Field(name: "permissionEmployeesRead") }

        /// Clover's `permissionEmployeesWrite`.
        public var permissionEmployeesWrite: Field<Bool> { Field(name: "permissionEmployeesWrite") }

        /// Clover's `permissionProcessCards`.
        public var permissionProcessCards: Field<Bool> { Field(name: "permissionProcessCards") }

        /// Clover's `permissionMidRead`.
        public var permissionMidRead: Field<Bool> { Field(name: "permissionMidRead") }

        /// Clover's `privacyPolicy`.
        public var privacyPolicy: Field<String> { Field(name: "privacyPolicy") }

        /// Clover's `eula`.
        public var eula: Field<String> { Field(name: "eula") }

        /// Clover's `supportPhone`.
        public var supportPhone: Field<String> { Field(name: "supportPhone") }

        /// Clover's `supportPhoneHours`.
        public var supportPhoneHours: Field<String> { Field(name: "supportPhoneHours") }

        /// Clover's `supportEmail`.
        public var supportEmail: Field<String> { Field(name: "supportEmail") }

        /// Clover's `supportUrl`.
        public var supportUrl: Field<String> { Field(name: "supportUrl") }

        /// Clover's `productType`. One of `ANDROID`, `WEB`, `BOTH`; others may come.
        public var productType: Field<String> { Field(name: "productType") }

        /// Clover's `approvalStatus`. One of `NEW`, `PENDING`, `APPROVED_PENDING_SIGNING`, `APPROVED`, `DENIED`, `PUBLISHED`; others may come.
        public var approvalStatus: Field<String> { Field(name: "approvalStatus") }

        /// Clover's `androidPermissions`.
        public var androidPermissions: Field<[AndroidPermission]> { Field(name: "androidPermissions") }

        /// Clover's `screenshots`.
        public var screenshots: Field<[Screenshot]> { Field(name: "screenshots") }

        /// Clover's `availableSubscriptions`.
        public var availableSubscriptions: Field<[AppSubscription]> { Field(name: "availableSubscriptions") }

        /// Clover's `subscriptions`.
        public var subscriptions: Field<[AppSubscription]> { Field(name: "subscriptions") }

        /// Clover's `availableMetereds`.
        public var availableMetereds: Field<[AppMetered]> { Field(name: "availableMetereds") }

        /// Clover's `metereds`.
        public var metereds: Field<[AppMetered]> { Field(name: "metereds") }

        /// Clover's `usbDevices`.
        public var usbDevices: Field<[AppUsbDevice]> { Field(name: "usbDevices") }

        /// Clover's `isMerchantInTrial`. Deprecated by Clover.
        public var isMerchantInTrial: Field<Bool> { Field(name: "isMerchantInTrial") }

        /// Clover's `currentSubscription`.
        public var currentSubscription: Field<AppSubscription> { Field(name: "currentSubscription") }

        /// Clover's `webhook`.
        public var webhook: Field<WebHook> { Field(name: "webhook") }

        /// Clover's `androidVersions`.
        public var androidVersions: Field<[AndroidVersion]> { Field(name: "androidVersions") }

        /// Clover's `installed`.
        public var installed: Field<Bool> { Field(name: "installed") }

        /// Clover's `installedTime`, in milliseconds since 1970.
        public var installedTime: Field<Timestamp> { Field(name: "installedTime") }

        /// Clover's `paidAppHasTrial`.
        public var paidAppHasTrial: Field<Bool> { Field(name: "paidAppHasTrial") }

        /// Clover's `approvalStatusModifiedTime`, in milliseconds since 1970.
        public var approvalStatusModifiedTime: Field<Timestamp> { Field(name: "approvalStatusModifiedTime") }

        /// Clover's `smartReceiptText`.
        public var smartReceiptText: Field<String> { Field(name: "smartReceiptText") }

        /// Clover's `smartReceiptUrl`.
        public var smartReceiptUrl: Field<String> { Field(name: "smartReceiptUrl") }

        /// Clover's `billingStartTime`, in milliseconds since 1970.
        public var billingStartTime: Field<Timestamp> { Field(name: "billingStartTime") }

        /// Clover's `appSecret`.
        public var appSecret: Field<String> { Field(name: "appSecret") }

        /// Clover's `businessTypes`.
        public var businessTypes: Field<[BusinessType]> { Field(name: "businessTypes") }

        /// Clover's `deviceTypes`.
        public var deviceTypes: Field<[DeviceType]> { Field(name: "deviceTypes") }

        /// Clover's `modules`.
        public var modules: Field<[Module]> { Field(name: "modules") }
    }
}

/// Clover's `apps.AppBillingInfo`.
///
/// ```swift
/// let appMerchantBillingInfo = try await shop.appMerchantBillingInfo("APP")
/// print(appMerchantBillingInfo.status ?? "", appMerchantBillingInfo.billingStartTime?.date ?? .distantPast)
/// ```
public struct AppBillingInfo: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `appSubscription`.
    public var appSubscription: AppSubscription? {
        get { self["appSubscription"] }
        set { self["appSubscription"] = newValue }
    }

    /// Clover's `isInTrial`.
    public var isInTrial: Bool? {
        get { self["isInTrial"] }
        set { self["isInTrial"] = newValue }
    }

    /// Clover's `billingStartTime`, in milliseconds since 1970.
    public var billingStartTime: Timestamp? {
        get { self["billingStartTime"] }
        set { self["billingStartTime"] = newValue }
    }

    /// Clover's `status`. One of `ACTIVE`, `LAPSED`; others may come.
    public var status: String? {
        get { self["status"] }
        set { self["status"] = newValue }
    }

    /// Clover's `daysLapsed`.
    public var daysLapsed: Int64? {
        get { self["daysLapsed"] }
        set { self["daysLapsed"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `appSubscription`.
        public var appSubscription: Field<AppSubscription> { Field(name: "appSubscription") }

        /// Clover's `isInTrial`.
        public var isInTrial: Field<Bool> { Field(name: "isInTrial") }

        /// Clover's `billingStartTime`, in milliseconds since 1970.
        public var billingStartTime: Field<Timestamp> { Field(name: "billingStartTime") }

        /// Clover's `status`. One of `ACTIVE`, `LAPSED`; others may come.
        public var status: Field<String> { Field(name: "status") }

        /// Clover's `daysLapsed`.
        public var daysLapsed: Field<Int64> { Field(name: "daysLapsed") }
    }
}

/// Clover's `apps.AppBundle`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan, let appBundle = merchantPlan.appBundle {
///     print(appBundle.name ?? "", appBundle.id?.text ?? "")
/// }
/// ```
public struct AppBundle: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AppBundle>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `price`, in minor units. Deprecated by Clover.
    public var price: Money? {
        get { self["price"] }
        set { self["price"] = newValue }
    }

    /// Clover's `pricePerDevice`, in minor units. Deprecated by Clover.
    public var pricePerDevice: Money? {
        get { self["pricePerDevice"] }
        set { self["pricePerDevice"] = newValue }
    }

    /// Clover's `includedApps`.
    public var includedApps: [App]? {
        get { self[elements: "includedApps"] }
        set { self[elements: "includedApps"] = newValue }
    }

    /// Clover's `bundleCountries`.
    public var bundleCountries: [AppBundleCountry]? {
        get { self[elements: "bundleCountries"] }
        set { self[elements: "bundleCountries"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AppBundle>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `price`, in minor units. Deprecated by Clover.
        public var price: Field<Money> { Field(name: "price") }

        /// Clover's `pricePerDevice`, in minor units. Deprecated by Clover.
        public var pricePerDevice: Field<Money> { Field(name: "pricePerDevice") }

        /// Clover's `includedApps`.
        public var includedApps: Field<[App]> { Field(name: "includedApps") }

        /// Clover's `bundleCountries`.
        public var bundleCountries: Field<[AppBundleCountry]> { Field(name: "bundleCountries") }
    }
}

/// Clover's `apps.AppBundleCountry`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan, let appBundle = merchantPlan.appBundle {
///     for appBundleCountry in appBundle.bundleCountries ?? [] {
///         print(appBundleCountry.price?.minorUnits ?? 0, appBundleCountry.pricePerDevice?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct AppBundleCountry: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AppBundleCountry>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `price`, in minor units.
    public var price: Money? {
        get { self["price"] }
        set { self["price"] = newValue }
    }

    /// Clover's `pricePerDevice`, in minor units.
    public var pricePerDevice: Money? {
        get { self["pricePerDevice"] }
        set { self["pricePerDevice"] = newValue }
    }

    /// Clover's `country`.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// Clover's `appBundle`.
    public var appBundle: Int64? {
        get { self["appBundle"] }
        set { self["appBundle"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AppBundleCountry>> { Field(name: "id") }

        /// Clover's `price`, in minor units.
        public var price: Field<Money> { Field(name: "price") }

        /// Clover's `pricePerDevice`, in minor units.
        public var pricePerDevice: Field<Money> { Field(name: "pricePerDevice") }

        /// Clover's `country`.
        public var country: Field<String> { Field(name: "country") }

        /// Clover's `appBundle`.
        public var appBundle: Field<Int64> { Field(name: "appBundle") }
    }
}

/// Clover's `apps.AppMetered`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered {
///         print(appMetered.label ?? "", appMetered.id?.text ?? "")
///     }
/// }
/// ```
public struct AppMetered: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AppMetered>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `amount`, in minor units. Deprecated by Clover.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `action`. Deprecated by Clover.
    public var action: String? {
        get { self["action"] }
        set { self["action"] = newValue }
    }

    /// Clover's `active`. Deprecated by Clover.
    public var active: Bool? {
        get { self["active"] }
        set { self["active"] = newValue }
    }

    /// Clover's `meteredCountries`.
    public var meteredCountries: [AppMeteredCountry]? {
        get { self[elements: "meteredCountries"] }
        set { self[elements: "meteredCountries"] = newValue }
    }

    /// Clover's `app`.
    public var app: App? {
        get { self["app"] }
        set { self["app"] = newValue }
    }

    /// Clover's `label`.
    public var label: String? {
        get { self["label"] }
        set { self["label"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AppMetered>> { Field(name: "id") }

        /// Clover's `amount`, in minor units. Deprecated by Clover.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `action`. Deprecated by Clover.
        public var action: Field<String> { Field(name: "action") }

        /// Clover's `active`. Deprecated by Clover.
        public var active: Field<Bool> { Field(name: "active") }

        /// Clover's `meteredCountries`.
        public var meteredCountries: Field<[AppMeteredCountry]> { Field(name: "meteredCountries") }

        /// Clover's `app`.
        public var app: Field<App> { Field(name: "app") }

        /// Clover's `label`.
        public var label: Field<String> { Field(name: "label") }
    }
}

/// Clover's `apps.AppMeteredCountry`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered {
///         for appMeteredCountry in appMetered.meteredCountries ?? [] {
///             print(appMeteredCountry.amount?.minorUnits ?? 0, appMeteredCountry.action ?? "")
///         }
///     }
/// }
/// ```
public struct AppMeteredCountry: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AppMeteredCountry>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `action`.
    public var action: String? {
        get { self["action"] }
        set { self["action"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `country`.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// Clover's `active`.
    public var active: Bool? {
        get { self["active"] }
        set { self["active"] = newValue }
    }

    /// Clover's `appMetered`.
    public var appMetered: AppMetered? {
        get { self["appMetered"] }
        set { self["appMetered"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AppMeteredCountry>> { Field(name: "id") }

        /// Clover's `action`.
        public var action: Field<String> { Field(name: "action") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `country`.
        public var country: Field<String> { Field(name: "country") }

        /// Clover's `active`.
        public var active: Field<Bool> { Field(name: "active") }

        /// Clover's `appMetered`.
        public var appMetered: Field<AppMetered> { Field(name: "appMetered") }
    }
}

/// Clover's `apps.AppMeteredEvent`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED").sort(\.modifiedTime, .descending).limit(10) {
///     print(appMeteredEvent.createdTime?.date ?? .distantPast, appMeteredEvent.modifiedTime?.date ?? .distantPast)
/// }
/// ```
public struct AppMeteredEvent: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AppMeteredEvent>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `appMetered`.
    public var appMetered: AppMetered? {
        get { self["appMetered"] }
        set { self["appMetered"] = newValue }
    }

    /// Clover's `count`.
    public var count: Int64? {
        get { self["count"] }
        set { self["count"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `charge`.
    public var charge: BaseReference? {
        get { self["charge"] }
        set { self["charge"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AppMeteredEvent>> { Field(name: "id") }

        /// Clover's `appMetered`.
        public var appMetered: Field<AppMetered> { Field(name: "appMetered") }

        /// Clover's `count`.
        public var count: Field<Int64> { Field(name: "count") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `charge`.
        public var charge: Field<BaseReference> { Field(name: "charge") }
    }
}

/// Clover's `apps.AppSubscription`.
///
/// ```swift
/// let appBillingInfo = try await shop.appMerchantBillingInfo("APP")
/// if let appSubscription = appBillingInfo.appSubscription {
///     print(appSubscription.label ?? "", appSubscription.id?.text ?? "")
/// }
/// ```
public struct AppSubscription: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AppSubscription>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`. Deprecated by Clover.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `amount`, in minor units. Deprecated by Clover.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `description`. Deprecated by Clover.
    public var description: String? {
        get { self["description"] }
        set { self["description"] = newValue }
    }

    /// Clover's `active`. Deprecated by Clover.
    public var active: Bool? {
        get { self["active"] }
        set { self["active"] = newValue }
    }

    /// Clover's `subscriptionCountries`.
    public var subscriptionCountries: [AppSubscriptionCountry]? {
        get { self[elements: "subscriptionCountries"] }
        set { self[elements: "subscriptionCountries"] = newValue }
    }

    /// Clover's `app`.
    public var app: App? {
        get { self["app"] }
        set { self["app"] = newValue }
    }

    /// Clover's `label`.
    public var label: String? {
        get { self["label"] }
        set { self["label"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AppSubscription>> { Field(name: "id") }

        /// Clover's `name`. Deprecated by Clover.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `amount`, in minor units. Deprecated by Clover.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `description`. Deprecated by Clover.
        public var description: Field<String> { Field(name: "description") }

        /// Clover's `active`. Deprecated by Clover.
        public var active: Field<Bool> { Field(name: "active") }

        /// Clover's `subscriptionCountries`.
        public var subscriptionCountries: Field<[AppSubscriptionCountry]> { Field(name: "subscriptionCountries") }

        /// Clover's `app`.
        public var app: Field<App> { Field(name: "app") }

        /// Clover's `label`.
        public var label: Field<String> { Field(name: "label") }
    }
}

/// Clover's `apps.AppSubscriptionCountry`.
///
/// ```swift
/// let appBillingInfo = try await shop.appMerchantBillingInfo("APP")
/// if let appSubscription = appBillingInfo.appSubscription {
///     for appSubscriptionCountry in appSubscription.subscriptionCountries ?? [] {
///         print(appSubscriptionCountry.name ?? "", appSubscriptionCountry.amount?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct AppSubscriptionCountry: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AppSubscriptionCountry>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `country`.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// Clover's `description`.
    public var description: String? {
        get { self["description"] }
        set { self["description"] = newValue }
    }

    /// Clover's `active`.
    public var active: Bool? {
        get { self["active"] }
        set { self["active"] = newValue }
    }

    /// Clover's `appSubscription`.
    public var appSubscription: AppSubscription? {
        get { self["appSubscription"] }
        set { self["appSubscription"] = newValue }
    }

    /// Clover's `installCount`.
    public var installCount: Int64? {
        get { self["installCount"] }
        set { self["installCount"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AppSubscriptionCountry>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `country`.
        public var country: Field<String> { Field(name: "country") }

        /// Clover's `description`.
        public var description: Field<String> { Field(name: "description") }

        /// Clover's `active`.
        public var active: Field<Bool> { Field(name: "active") }

        /// Clover's `appSubscription`.
        public var appSubscription: Field<AppSubscription> { Field(name: "appSubscription") }

        /// Clover's `installCount`.
        public var installCount: Field<Int64> { Field(name: "installCount") }
    }
}

/// Clover's `apps.AppUsbDevice`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered, let app = appMetered.app {
///         for appUsbDevice in app.usbDevices ?? [] {
///             print(appUsbDevice.packageName ?? "", appUsbDevice.vendorId ?? 0)
///         }
///     }
/// }
/// ```
public struct AppUsbDevice: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `packageName`.
    public var packageName: String? {
        get { self["packageName"] }
        set { self["packageName"] = newValue }
    }

    /// Clover's `vendorId`.
    public var vendorId: Int64? {
        get { self["vendorId"] }
        set { self["vendorId"] = newValue }
    }

    /// Clover's `productId`.
    public var productId: Int64? {
        get { self["productId"] }
        set { self["productId"] = newValue }
    }

    /// Clover's `app`.
    public var app: App? {
        get { self["app"] }
        set { self["app"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `packageName`.
        public var packageName: Field<String> { Field(name: "packageName") }

        /// Clover's `vendorId`.
        public var vendorId: Field<Int64> { Field(name: "vendorId") }

        /// Clover's `productId`.
        public var productId: Field<Int64> { Field(name: "productId") }

        /// Clover's `app`.
        public var app: Field<App> { Field(name: "app") }
    }
}

/// Clover's `apps.BusinessType`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered, let app = appMetered.app {
///         for businessType in app.businessTypes ?? [] {
///             print(businessType.name ?? "", businessType.businessTypeGroupCode ?? "")
///         }
///     }
/// }
/// ```
public struct BusinessType: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `businessTypeGroupCode`. One of `FOOD`, `RETAIL`, `SERVICES`; others may come.
    public var businessTypeGroupCode: String? {
        get { self["businessTypeGroupCode"] }
        set { self["businessTypeGroupCode"] = newValue }
    }

    /// Clover's `businessTypeGroupName`.
    public var businessTypeGroupName: String? {
        get { self["businessTypeGroupName"] }
        set { self["businessTypeGroupName"] = newValue }
    }

    /// Clover's `code`. One of `FULL_SERVICE_RESTAURANT`, `QUICK_SERVICE_RESTAURANT`, `COFFEE_SHOP`, `BAKERY`, `BAR`, `FOOD_TRUCK`, `FROZEN_YOGURT`, `PIZZA`, `DELI`, `OTHER_RESTAURANT`, `BOUTIQUE`, `CONVENIENCE_STORE`, `GROCERY`, `LIQUOR_STORE`, `VAPE_SHOP`, `JEWELRY`, `FLORIST`, `OTHER_RETAIL`, `FITNESS`, `SPA`, `HAIR_SALON`, `HOME_AND_REPAIR`, `PROFESSIONAL_SERVICES`, `CATERING`, `OTHER_SERVICE`; others may come.
    public var code: String? {
        get { self["code"] }
        set { self["code"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `businessTypeGroupCode`. One of `FOOD`, `RETAIL`, `SERVICES`; others may come.
        public var businessTypeGroupCode: Field<String> { Field(name: "businessTypeGroupCode") }

        /// Clover's `businessTypeGroupName`.
        public var businessTypeGroupName: Field<String> { Field(name: "businessTypeGroupName") }

        /// Clover's `code`. One of `FULL_SERVICE_RESTAURANT`, `QUICK_SERVICE_RESTAURANT`, `COFFEE_SHOP`, `BAKERY`, `BAR`, `FOOD_TRUCK`, `FROZEN_YOGURT`, `PIZZA`, `DELI`, `OTHER_RESTAURANT`, `BOUTIQUE`, `CONVENIENCE_STORE`, `GROCERY`, `LIQUOR_STORE`, `VAPE_SHOP`, `JEWELRY`, `FLORIST`, `OTHER_RETAIL`, `FITNESS`, `SPA`, `HAIR_SALON`, `HOME_AND_REPAIR`, `PROFESSIONAL_SERVICES`, `CATERING`, `OTHER_SERVICE`; others may come.
        public var code: Field<String> { Field(name: "code") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }
    }
}

/// Clover's `apps.DeviceType`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered, let app = appMetered.app {
///         for deviceType in app.deviceTypes ?? [] {
///             print(deviceType.name ?? "", deviceType.displayName ?? "")
///         }
///     }
/// }
/// ```
public struct DeviceType: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `displayName`.
    public var displayName: String? {
        get { self["displayName"] }
        set { self["displayName"] = newValue }
    }

    /// Clover's `models`.
    public var models: String? {
        get { self["models"] }
        set { self["models"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `displayName`.
        public var displayName: Field<String> { Field(name: "displayName") }

        /// Clover's `models`.
        public var models: Field<String> { Field(name: "models") }
    }
}

/// Clover's `apps.Screenshot`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered, let app = appMetered.app {
///         for screenshot in app.screenshots ?? [] {
///             print(screenshot.name ?? "", screenshot.small ?? "")
///         }
///     }
/// }
/// ```
public struct Screenshot: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `small`.
    public var small: String? {
        get { self["small"] }
        set { self["small"] = newValue }
    }

    /// Clover's `medium`.
    public var medium: String? {
        get { self["medium"] }
        set { self["medium"] = newValue }
    }

    /// Clover's `large`.
    public var large: String? {
        get { self["large"] }
        set { self["large"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `small`.
        public var small: Field<String> { Field(name: "small") }

        /// Clover's `medium`.
        public var medium: Field<String> { Field(name: "medium") }

        /// Clover's `large`.
        public var large: Field<String> { Field(name: "large") }
    }
}

/// Clover's `apps.WebHook`.
///
/// ```swift
/// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED") {
///     if let appMetered = appMeteredEvent.appMetered,
///         let app = appMetered.app,
///         let webhook = app.webhook {
///         print(webhook.url ?? "", webhook.valid ?? false)
///     }
/// }
/// ```
public struct WebHook: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `url`.
    public var url: String? {
        get { self["url"] }
        set { self["url"] = newValue }
    }

    /// Clover's `secret`.
    public var secret: String? {
        get { self["secret"] }
        set { self["secret"] = newValue }
    }

    /// Clover's `valid`.
    public var valid: Bool? {
        get { self["valid"] }
        set { self["valid"] = newValue }
    }

    /// Clover's `verification`.
    public var verification: String? {
        get { self["verification"] }
        set { self["verification"] = newValue }
    }

    /// Clover's `orders`.
    public var orders: Bool? {
        get { self["orders"] }
        set { self["orders"] = newValue }
    }

    /// Clover's `app`.
    public var app: Bool? {
        get { self["app"] }
        set { self["app"] = newValue }
    }

    /// Clover's `payments`.
    public var payments: Bool? {
        get { self["payments"] }
        set { self["payments"] = newValue }
    }

    /// Clover's `inventory`.
    public var inventory: Bool? {
        get { self["inventory"] }
        set { self["inventory"] = newValue }
    }

    /// Clover's `customers`.
    public var customers: Bool? {
        get { self["customers"] }
        set { self["customers"] = newValue }
    }

    /// Clover's `merchants`.
    public var merchants: Bool? {
        get { self["merchants"] }
        set { self["merchants"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `url`.
        public var url: Field<String> { Field(name: "url") }

        /// Clover's `secret`.
        public var secret: Field<String> { Field(name: "secret") }

        /// Clover's `valid`.
        public var valid: Field<Bool> { Field(name: "valid") }

        /// Clover's `verification`.
        public var verification: Field<String> { Field(name: "verification") }

        /// Clover's `orders`.
        public var orders: Field<Bool> { Field(name: "orders") }

        /// Clover's `app`.
        public var app: Field<Bool> { Field(name: "app") }

        /// Clover's `payments`.
        public var payments: Field<Bool> { Field(name: "payments") }

        /// Clover's `inventory`.
        public var inventory: Field<Bool> { Field(name: "inventory") }

        /// Clover's `customers`.
        public var customers: Field<Bool> { Field(name: "customers") }

        /// Clover's `merchants`.
        public var merchants: Field<Bool> { Field(name: "merchants") }
    }
}

/// Clover's `base.Address`.
///
/// ```swift
/// let address = try await shop.address()
/// print(address.address1 ?? "", address.phoneNumber ?? "")
/// ```
public struct BaseAddress: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `address1`.
    public var address1: String? {
        get { self["address1"] }
        set { self["address1"] = newValue }
    }

    /// Clover's `address2`.
    public var address2: String? {
        get { self["address2"] }
        set { self["address2"] = newValue }
    }

    /// Clover's `address3`.
    public var address3: String? {
        get { self["address3"] }
        set { self["address3"] = newValue }
    }

    /// Clover's `city`.
    public var city: String? {
        get { self["city"] }
        set { self["city"] = newValue }
    }

    /// Clover's `country`.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// Clover's `phoneNumber`.
    public var phoneNumber: String? {
        get { self["phoneNumber"] }
        set { self["phoneNumber"] = newValue }
    }

    /// Clover's `state`.
    public var state: String? {
        get { self["state"] }
        set { self["state"] = newValue }
    }

    /// Clover's `zip`.
    public var zip: String? {
        get { self["zip"] }
        set { self["zip"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `address1`.
        public var address1: Field<String> { Field(name: "address1") }

        /// Clover's `address2`.
        public var address2: Field<String> { Field(name: "address2") }

        /// Clover's `address3`.
        public var address3: Field<String> { Field(name: "address3") }

        /// Clover's `city`.
        public var city: Field<String> { Field(name: "city") }

        /// Clover's `country`.
        public var country: Field<String> { Field(name: "country") }

        /// Clover's `phoneNumber`.
        public var phoneNumber: Field<String> { Field(name: "phoneNumber") }

        /// Clover's `state`.
        public var state: Field<String> { Field(name: "state") }

        /// Clover's `zip`.
        public var zip: Field<String> { Field(name: "zip") }
    }
}

/// Clover's `base.Reference`.
///
/// ```swift
/// let merchant = try await shop.merchant(expand: [\.partnerApp])
/// if let partnerApp = merchant.partnerApp {
///     print(partnerApp.id?.text ?? "")
/// }
/// ```
public struct BaseReference: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<BaseReference>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<BaseReference>> { Field(name: "id") }
    }
}

/// Clover's `base.ServiceCharge`.
///
/// ```swift
/// let defaultServiceCharge = try await shop.defaultServiceCharge()
/// print(defaultServiceCharge.name ?? "", defaultServiceCharge.enabled ?? false)
/// ```
public struct ServiceCharge: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<ServiceCharge>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: Order? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `enabled`.
    public var enabled: Bool? {
        get { self["enabled"] }
        set { self["enabled"] = newValue }
    }

    /// Clover's `percentage`, in percent. Deprecated by Clover.
    public var percentage: Int64? {
        get { self["percentage"] }
        set { self["percentage"] = newValue }
    }

    /// Clover's `percentageDecimal`, in ten-thousandths of a percent: 125,000 is 12.5 %.
    public var percentageDecimal: Int64? {
        get { self["percentageDecimal"] }
        set { self["percentageDecimal"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<ServiceCharge>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<Order> { Field(name: "orderRef") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `enabled`.
        public var enabled: Field<Bool> { Field(name: "enabled") }

        /// Clover's `percentage`, in percent. Deprecated by Clover.
        public var percentage: Field<Int64> { Field(name: "percentage") }

        /// Clover's `percentageDecimal`, in ten-thousandths of a percent: 125,000 is 12.5 %.
        public var percentageDecimal: Field<Int64> { Field(name: "percentageDecimal") }
    }
}

/// Clover's `base.Tender`.
///
/// ```swift
/// for try await tender in shop.tenders.sort(\.label).limit(10) {
///     print(tender.label ?? "", tender.labelKey ?? "")
/// }
/// ```
public struct Tender: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Tender>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `editable`.
    public var editable: Bool? {
        get { self["editable"] }
        set { self["editable"] = newValue }
    }

    /// Clover's `labelKey`.
    public var labelKey: String? {
        get { self["labelKey"] }
        set { self["labelKey"] = newValue }
    }

    /// Clover's `label`.
    public var label: String? {
        get { self["label"] }
        set { self["label"] = newValue }
    }

    /// Clover's `opensCashDrawer`.
    public var opensCashDrawer: Bool? {
        get { self["opensCashDrawer"] }
        set { self["opensCashDrawer"] = newValue }
    }

    /// Clover's `supportsTipping`.
    public var supportsTipping: Bool? {
        get { self["supportsTipping"] }
        set { self["supportsTipping"] = newValue }
    }

    /// Clover's `enabled`.
    public var enabled: Bool? {
        get { self["enabled"] }
        set { self["enabled"] = newValue }
    }

    /// Clover's `visible`.
    public var visible: Bool? {
        get { self["visible"] }
        set { self["visible"] = newValue }
    }

    /// Clover's `instructions`.
    public var instructions: String? {
        get { self["instructions"] }
        set { self["instructions"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Tender>> { Field(name: "id") }

        /// Clover's `editable`.
        public var editable: Field<Bool> { Field(name: "editable") }

        /// Clover's `labelKey`.
        public var labelKey: Field<String> { Field(name: "labelKey") }

        /// Clover's `label`.
        public var label: Field<String> { Field(name: "label") }

        /// Clover's `opensCashDrawer`.
        public var opensCashDrawer: Field<Bool> { Field(name: "opensCashDrawer") }

        /// Clover's `supportsTipping`.
        public var supportsTipping: Field<Bool> { Field(name: "supportsTipping") }

        /// Clover's `enabled`.
        public var enabled: Field<Bool> { Field(name: "enabled") }

        /// Clover's `visible`.
        public var visible: Field<Bool> { Field(name: "visible") }

        /// Clover's `instructions`.
        public var instructions: Field<String> { Field(name: "instructions") }
    }
}

/// Clover's `boarding.Equipment`.
///
/// ```swift
/// let merchant = try await shop.merchant(expand: [\.equipment])
/// for equipment in merchant.equipment ?? [] {
///     print(equipment.merchantId ?? "", equipment.boarded ?? false)
/// }
/// ```
public struct Equipment: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `merchantId`.
    public var merchantId: String? {
        get { self["merchantId"] }
        set { self["merchantId"] = newValue }
    }

    /// Clover's `boarded`.
    public var boarded: Bool? {
        get { self["boarded"] }
        set { self["boarded"] = newValue }
    }

    /// Clover's `provisioned`.
    public var provisioned: Bool? {
        get { self["provisioned"] }
        set { self["provisioned"] = newValue }
    }

    /// Clover's `equipmentNumber`.
    public var equipmentNumber: String? {
        get { self["equipmentNumber"] }
        set { self["equipmentNumber"] = newValue }
    }

    /// Clover's `serialNumber`.
    public var serialNumber: String? {
        get { self["serialNumber"] }
        set { self["serialNumber"] = newValue }
    }

    /// Clover's `equipmentCode`.
    public var equipmentCode: String? {
        get { self["equipmentCode"] }
        set { self["equipmentCode"] = newValue }
    }

    /// Clover's `equipmentCodeDesc`.
    public var equipmentCodeDesc: String? {
        get { self["equipmentCodeDesc"] }
        set { self["equipmentCodeDesc"] = newValue }
    }

    /// Clover's `provisionedDeviceType`.
    public var provisionedDeviceType: String? {
        get { self["provisionedDeviceType"] }
        set { self["provisionedDeviceType"] = newValue }
    }

    /// Clover's `boardedBundleIndicator`.
    public var boardedBundleIndicator: String? {
        get { self["boardedBundleIndicator"] }
        set { self["boardedBundleIndicator"] = newValue }
    }

    /// Clover's `boardedBundleId`.
    public var boardedBundleId: String? {
        get { self["boardedBundleId"] }
        set { self["boardedBundleId"] = newValue }
    }

    /// Clover's `provisionedBundleIndicator`.
    public var provisionedBundleIndicator: String? {
        get { self["provisionedBundleIndicator"] }
        set { self["provisionedBundleIndicator"] = newValue }
    }

    /// Clover's `provisionedBundleId`.
    public var provisionedBundleId: String? {
        get { self["provisionedBundleId"] }
        set { self["provisionedBundleId"] = newValue }
    }

    /// Clover's `provisionBundleEffectiveTime`, in milliseconds since 1970.
    public var provisionBundleEffectiveTime: Timestamp? {
        get { self["provisionBundleEffectiveTime"] }
        set { self["provisionBundleEffectiveTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `merchantId`.
        public var merchantId: Field<String> { Field(name: "merchantId") }

        /// Clover's `boarded`.
        public var boarded: Field<Bool> { Field(name: "boarded") }

        /// Clover's `provisioned`.
        public var provisioned: Field<Bool> { Field(name: "provisioned") }

        /// Clover's `equipmentNumber`.
        public var equipmentNumber: Field<String> { Field(name: "equipmentNumber") }

        /// Clover's `serialNumber`.
        public var serialNumber: Field<String> { Field(name: "serialNumber") }

        /// Clover's `equipmentCode`.
        public var equipmentCode: Field<String> { Field(name: "equipmentCode") }

        /// Clover's `equipmentCodeDesc`.
        public var equipmentCodeDesc: Field<String> { Field(name: "equipmentCodeDesc") }

        /// Clover's `provisionedDeviceType`.
        public var provisionedDeviceType: Field<String> { Field(name: "provisionedDeviceType") }

        /// Clover's `boardedBundleIndicator`.
        public var boardedBundleIndicator: Field<String> { Field(name: "boardedBundleIndicator") }

        /// Clover's `boardedBundleId`.
        public var boardedBundleId: Field<String> { Field(name: "boardedBundleId") }

        /// Clover's `provisionedBundleIndicator`.
        public var provisionedBundleIndicator: Field<String> { Field(name: "provisionedBundleIndicator") }

        /// Clover's `provisionedBundleId`.
        public var provisionedBundleId: Field<String> { Field(name: "provisionedBundleId") }

        /// Clover's `provisionBundleEffectiveTime`, in milliseconds since 1970.
        public var provisionBundleEffectiveTime: Field<Timestamp> { Field(name: "provisionBundleEffectiveTime") }
    }
}

/// Clover's `cash.CashEvent`.
///
/// ```swift
/// for try await cashEvent in shop.cashEvents.expand(\.device) {
///     print(cashEvent.amountChange?.minorUnits ?? 0, cashEvent.device?.name ?? "")
/// }
/// ```
public struct CashEvent: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `type`. One of `LOAD`, `TRANSACTION`, `OPEN`, `ADJUSTMENT`, `COUNT`, `UNLOAD`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// Clover's `amountChange`, in minor units.
    public var amountChange: Money? {
        get { self["amountChange"] }
        set { self["amountChange"] = newValue }
    }

    /// Clover's `timestamp`, in milliseconds since 1970.
    public var timestamp: Timestamp? {
        get { self["timestamp"] }
        set { self["timestamp"] = newValue }
    }

    /// Clover's `note`.
    public var note: String? {
        get { self["note"] }
        set { self["note"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: Employee? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `device`.
    public var device: Device? {
        get { self["device"] }
        set { self["device"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `type`. One of `LOAD`, `TRANSACTION`, `OPEN`, `ADJUSTMENT`, `COUNT`, `UNLOAD`; others may come.
        public var type: Field<String> { Field(name: "type") }

        /// Clover's `amountChange`, in minor units.
        public var amountChange: Field<Money> { Field(name: "amountChange") }

        /// Clover's `timestamp`, in milliseconds since 1970.
        public var timestamp: Field<Timestamp> { Field(name: "timestamp") }

        /// Clover's `note`.
        public var note: Field<String> { Field(name: "note") }

        /// Clover's `employee`.
        public var employee: Field<Employee> { Field(name: "employee") }

        /// Clover's `device`.
        public var device: Field<Device> { Field(name: "device") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }
    }
}

/// Clover's `customers.Address`.
///
/// ```swift
/// for try await customer in shop.customers.expand(\.addresses) {
///     for customersAddress in customer.addresses ?? [] {
///         print(customersAddress.address1 ?? "", customersAddress.state ?? "")
///     }
/// }
/// ```
public struct CustomersAddress: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<CustomersAddress>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `address1`.
    public var address1: String? {
        get { self["address1"] }
        set { self["address1"] = newValue }
    }

    /// Clover's `address2`.
    public var address2: String? {
        get { self["address2"] }
        set { self["address2"] = newValue }
    }

    /// Clover's `address3`.
    public var address3: String? {
        get { self["address3"] }
        set { self["address3"] = newValue }
    }

    /// Clover's `city`.
    public var city: String? {
        get { self["city"] }
        set { self["city"] = newValue }
    }

    /// Clover's `country`.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// Clover's `state`.
    public var state: String? {
        get { self["state"] }
        set { self["state"] = newValue }
    }

    /// Clover's `zip`.
    public var zip: String? {
        get { self["zip"] }
        set { self["zip"] = newValue }
    }

    /// Clover's `customer`.
    public var customer: BaseReference? {
        get { self["customer"] }
        set { self["customer"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<CustomersAddress>> { Field(name: "id") }

        /// Clover's `address1`.
        public var address1: Field<String> { Field(name: "address1") }

        /// Clover's `address2`.
        public var address2: Field<String> { Field(name: "address2") }

        /// Clover's `address3`.
        public var address3: Field<String> { Field(name: "address3") }

        /// Clover's `city`.
        public var city: Field<String> { Field(name: "city") }

        /// Clover's `country`.
        public var country: Field<String> { Field(name: "country") }

        /// Clover's `state`.
        public var state: Field<String> { Field(name: "state") }

        /// Clover's `zip`.
        public var zip: Field<String> { Field(name: "zip") }

        /// Clover's `customer`.
        public var customer: Field<BaseReference> { Field(name: "customer") }
    }
}

/// Clover's `customers.Card`.
///
/// ```swift
/// for try await customer in shop.customers.expand(\.cards) {
///     for card in customer.cards ?? [] {
///         print(card.firstName ?? "", card.last4 ?? "")
///     }
/// }
/// ```
public struct Card: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Card>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `first6`.
    public var first6: String? {
        get { self["first6"] }
        set { self["first6"] = newValue }
    }

    /// Clover's `last4`.
    public var last4: String? {
        get { self["last4"] }
        set { self["last4"] = newValue }
    }

    /// Clover's `firstName`.
    public var firstName: String? {
        get { self["firstName"] }
        set { self["firstName"] = newValue }
    }

    /// Clover's `lastName`.
    public var lastName: String? {
        get { self["lastName"] }
        set { self["lastName"] = newValue }
    }

    /// Clover's `expirationDate`.
    public var expirationDate: String? {
        get { self["expirationDate"] }
        set { self["expirationDate"] = newValue }
    }

    /// Clover's `cardType`.
    public var cardType: String? {
        get { self["cardType"] }
        set { self["cardType"] = newValue }
    }

    /// Clover's `token`.
    public var token: String? {
        get { self["token"] }
        set { self["token"] = newValue }
    }

    /// Clover's `tokenType`. One of `MULTIPAY`, `FINANCIAL`, `CTOKEN`; others may come.
    public var tokenType: String? {
        get { self["tokenType"] }
        set { self["tokenType"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `customer`.
    public var customer: BaseReference? {
        get { self["customer"] }
        set { self["customer"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Card>> { Field(name: "id") }

        /// Clover's `first6`.
        public var first6: Field<String> { Field(name: "first6") }

        /// Clover's `last4`.
        public var last4: Field<String> { Field(name: "last4") }

        /// Clover's `firstName`.
        public var firstName: Field<String> { Field(name: "firstName") }

        /// Clover's `lastName`.
        public var lastName: Field<String> { Field(name: "lastName") }

        /// Clover's `expirationDate`.
        public var expirationDate: Field<String> { Field(name: "expirationDate") }

        /// Clover's `cardType`.
        public var cardType: Field<String> { Field(name: "cardType") }

        /// Clover's `token`.
        public var token: Field<String> { Field(name: "token") }

        /// Clover's `tokenType`. One of `MULTIPAY`, `FINANCIAL`, `CTOKEN`; others may come.
        public var tokenType: Field<String> { Field(name: "tokenType") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `customer`.
        public var customer: Field<BaseReference> { Field(name: "customer") }
    }
}

/// Clover's `customers.Customer`.
///
/// ```swift
/// for try await customer in shop.customers.expand(\.emailAddresses) {
///     print(customer.firstName ?? "", customer.emailAddresses?.count ?? 0)
/// }
/// ```
public struct Customer: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Customer>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: Order? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `firstName`.
    public var firstName: String? {
        get { self["firstName"] }
        set { self["firstName"] = newValue }
    }

    /// Clover's `lastName`.
    public var lastName: String? {
        get { self["lastName"] }
        set { self["lastName"] = newValue }
    }

    /// Clover's `marketingAllowed`.
    public var marketingAllowed: Bool? {
        get { self["marketingAllowed"] }
        set { self["marketingAllowed"] = newValue }
    }

    /// Clover's `customerSince`, in milliseconds since 1970.
    public var customerSince: Timestamp? {
        get { self["customerSince"] }
        set { self["customerSince"] = newValue }
    }

    /// Clover's `orders`.
    public var orders: [Order]? {
        get { self[elements: "orders"] }
        set { self[elements: "orders"] = newValue }
    }

    /// Clover's `addresses`.
    public var addresses: [CustomersAddress]? {
        get { self[elements: "addresses"] }
        set { self[elements: "addresses"] = newValue }
    }

    /// Clover's `emailAddresses`.
    public var emailAddresses: [EmailAddress]? {
        get { self[elements: "emailAddresses"] }
        set { self[elements: "emailAddresses"] = newValue }
    }

    /// Clover's `phoneNumbers`.
    public var phoneNumbers: [PhoneNumber]? {
        get { self[elements: "phoneNumbers"] }
        set { self[elements: "phoneNumbers"] = newValue }
    }

    /// Clover's `cards`.
    public var cards: [Card]? {
        get { self[elements: "cards"] }
        set { self[elements: "cards"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// Clover's `metadata`.
    public var metadata: CustomerMetadata? {
        get { self["metadata"] }
        set { self["metadata"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Customer>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<Order> { Field(name: "orderRef") }

        /// Clover's `firstName`.
        public var firstName: Field<String> { Field(name: "firstName") }

        /// Clover's `lastName`.
        public var lastName: Field<String> { Field(name: "lastName") }

        /// Clover's `marketingAllowed`.
        public var marketingAllowed: Field<Bool> { Field(name: "marketingAllowed") }

        /// Clover's `customerSince`, in milliseconds since 1970.
        public var customerSince: Field<Timestamp> { Field(name: "customerSince") }

        /// Clover's `orders`.
        public var orders: Field<[Order]> { Field(name: "orders") }

        /// Clover's `addresses`.
        public var addresses: Field<[CustomersAddress]> { Field(name: "addresses") }

        /// Clover's `emailAddresses`.
        public var emailAddresses: Field<[EmailAddress]> { Field(name: "emailAddresses") }

        /// Clover's `phoneNumbers`.
        public var phoneNumbers: Field<[PhoneNumber]> { Field(name: "phoneNumbers") }

        /// Clover's `cards`.
        public var cards: Field<[Card]> { Field(name: "cards") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }

        /// Clover's `metadata`.
        public var metadata: Field<CustomerMetadata> { Field(name: "metadata") }
    }
}

/// Clover's `customers.CustomerMetadata`.
///
/// ```swift
/// for try await customer in shop.customers.expand(\.metadata) {
///     if let metadata = customer.metadata {
///         print(metadata.businessName ?? "", metadata.modifiedTime?.date ?? .distantPast)
///     }
/// }
/// ```
public struct CustomerMetadata: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `businessName`.
    public var businessName: String? {
        get { self["businessName"] }
        set { self["businessName"] = newValue }
    }

    /// Clover's `note`.
    public var note: String? {
        get { self["note"] }
        set { self["note"] = newValue }
    }

    /// Clover's `dobYear`.
    public var dobYear: Int64? {
        get { self["dobYear"] }
        set { self["dobYear"] = newValue }
    }

    /// Clover's `dobMonth`.
    public var dobMonth: Int64? {
        get { self["dobMonth"] }
        set { self["dobMonth"] = newValue }
    }

    /// Clover's `dobDay`.
    public var dobDay: Int64? {
        get { self["dobDay"] }
        set { self["dobDay"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `customer`.
    public var customer: BaseReference? {
        get { self["customer"] }
        set { self["customer"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `businessName`.
        public var businessName: Field<String> { Field(name: "businessName") }

        /// Clover's `note`.
        public var note: Field<String> { Field(name: "note") }

        /// Clover's `dobYear`.
        public var dobYear: Field<Int64> { Field(name: "dobYear") }

        /// Clover's `dobMonth`.
        public var dobMonth: Field<Int64> { Field(name: "dobMonth") }

        /// Clover's `dobDay`.
        public var dobDay: Field<Int64> { Field(name: "dobDay") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `customer`.
        public var customer: Field<BaseReference> { Field(name: "customer") }
    }
}

/// Clover's `customers.EmailAddress`.
///
/// ```swift
/// for try await customer in shop.customers.expand(\.emailAddresses) {
///     for emailAddress in customer.emailAddresses ?? [] {
///         print(emailAddress.emailAddress ?? "", emailAddress.verifiedTime?.date ?? .distantPast)
///     }
/// }
/// ```
public struct EmailAddress: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<EmailAddress>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `emailAddress`.
    public var emailAddress: String? {
        get { self["emailAddress"] }
        set { self["emailAddress"] = newValue }
    }

    /// Clover's `verifiedTime`, in milliseconds since 1970.
    public var verifiedTime: Timestamp? {
        get { self["verifiedTime"] }
        set { self["verifiedTime"] = newValue }
    }

    /// Clover's `primaryEmail`.
    public var primaryEmail: Bool? {
        get { self["primaryEmail"] }
        set { self["primaryEmail"] = newValue }
    }

    /// Clover's `customer`.
    public var customer: BaseReference? {
        get { self["customer"] }
        set { self["customer"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<EmailAddress>> { Field(name: "id") }

        /// Clover's `emailAddress`.
        public var emailAddress: Field<String> { Field(name: "emailAddress") }

        /// Clover's `verifiedTime`, in milliseconds since 1970.
        public var verifiedTime: Field<Timestamp> { Field(name: "verifiedTime") }

        /// Clover's `primaryEmail`.
        public var primaryEmail: Field<Bool> { Field(name: "primaryEmail") }

        /// Clover's `customer`.
        public var customer: Field<BaseReference> { Field(name: "customer") }
    }
}

/// Clover's `customers.PhoneNumber`.
///
/// ```swift
/// for try await customer in shop.customers.expand(\.phoneNumbers) {
///     for phoneNumber in customer.phoneNumbers ?? [] {
///         print(phoneNumber.phoneNumber ?? "", phoneNumber.id?.text ?? "")
///     }
/// }
/// ```
public struct PhoneNumber: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<PhoneNumber>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `phoneNumber`.
    public var phoneNumber: String? {
        get { self["phoneNumber"] }
        set { self["phoneNumber"] = newValue }
    }

    /// Clover's `customer`.
    public var customer: BaseReference? {
        get { self["customer"] }
        set { self["customer"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<PhoneNumber>> { Field(name: "id") }

        /// Clover's `phoneNumber`.
        public var phoneNumber: Field<String> { Field(name: "phoneNumber") }

        /// Clover's `customer`.
        public var customer: Field<BaseReference> { Field(name: "customer") }
    }
}

/// Clover's `developer.Developer`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// for merchantGroup in merchant.merchantGroups ?? [] {
///     if let developer = merchantGroup.developer {
///         print(developer.name ?? "", developer.firstName ?? "")
///     }
/// }
/// ```
public struct Developer: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Developer>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `firstName`.
    public var firstName: String? {
        get { self["firstName"] }
        set { self["firstName"] = newValue }
    }

    /// Clover's `lastName`.
    public var lastName: String? {
        get { self["lastName"] }
        set { self["lastName"] = newValue }
    }

    /// Clover's `email`.
    public var email: String? {
        get { self["email"] }
        set { self["email"] = newValue }
    }

    /// Clover's `phone`.
    public var phone: String? {
        get { self["phone"] }
        set { self["phone"] = newValue }
    }

    /// Clover's `dob`.
    public var dob: String? {
        get { self["dob"] }
        set { self["dob"] = newValue }
    }

    /// Clover's `ssn`.
    public var ssn: String? {
        get { self["ssn"] }
        set { self["ssn"] = newValue }
    }

    /// Clover's `address`.
    public var address: String? {
        get { self["address"] }
        set { self["address"] = newValue }
    }

    /// Clover's `city`.
    public var city: String? {
        get { self["city"] }
        set { self["city"] = newValue }
    }

    /// Clover's `county`.
    public var county: String? {
        get { self["county"] }
        set { self["county"] = newValue }
    }

    /// Clover's `state`.
    public var state: String? {
        get { self["state"] }
        set { self["state"] = newValue }
    }

    /// Clover's `country`.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// Clover's `postalCode`.
    public var postalCode: String? {
        get { self["postalCode"] }
        set { self["postalCode"] = newValue }
    }

    /// Clover's `bankAccountNumber`.
    public var bankAccountNumber: String? {
        get { self["bankAccountNumber"] }
        set { self["bankAccountNumber"] = newValue }
    }

    /// Clover's `bankRoutingNumber`.
    public var bankRoutingNumber: String? {
        get { self["bankRoutingNumber"] }
        set { self["bankRoutingNumber"] = newValue }
    }

    /// Clover's `businessLegalName`.
    public var businessLegalName: String? {
        get { self["businessLegalName"] }
        set { self["businessLegalName"] = newValue }
    }

    /// Clover's `tin`.
    public var tin: String? {
        get { self["tin"] }
        set { self["tin"] = newValue }
    }

    /// Clover's `vatRegisterNumber`.
    public var vatRegisterNumber: String? {
        get { self["vatRegisterNumber"] }
        set { self["vatRegisterNumber"] = newValue }
    }

    /// Clover's `sensitiveData`.
    public var sensitiveData: String? {
        get { self["sensitiveData"] }
        set { self["sensitiveData"] = newValue }
    }

    /// Clover's `businessAddress`.
    public var businessAddress: String? {
        get { self["businessAddress"] }
        set { self["businessAddress"] = newValue }
    }

    /// Clover's `businessCity`.
    public var businessCity: String? {
        get { self["businessCity"] }
        set { self["businessCity"] = newValue }
    }

    /// Clover's `businessState`.
    public var businessState: String? {
        get { self["businessState"] }
        set { self["businessState"] = newValue }
    }

    /// Clover's `businessCountry`.
    public var businessCountry: String? {
        get { self["businessCountry"] }
        set { self["businessCountry"] = newValue }
    }

    /// Clover's `businessPostalCode`.
    public var businessPostalCode: String? {
        get { self["businessPostalCode"] }
        set { self["businessPostalCode"] = newValue }
    }

    /// Clover's `billingStatus`. One of `PENDING`, `APPROVED`, `DECLINED`, `ERROR`; others may come.
    public var billingStatus: String? {
        get { self["billingStatus"] }
        set { self["billingStatus"] = newValue }
    }

    /// Clover's `billingStatusMessage`.
    public var billingStatusMessage: String? {
        get { self["billingStatusMessage"] }
        set { self["billingStatusMessage"] = newValue }
    }

    /// Clover's `approvalStatus`. One of `NEW`, `PENDING`, `APPROVED_PENDING_SIGNING`, `APPROVED`, `DENIED`, `PUBLISHED`; others may come.
    public var approvalStatus: String? {
        get { self["approvalStatus"] }
        set { self["approvalStatus"] = newValue }
    }

    /// Clover's `acceptedAgreement`.
    public var acceptedAgreement: Bool? {
        get { self["acceptedAgreement"] }
        set { self["acceptedAgreement"] = newValue }
    }

    /// Clover's `prName`.
    public var prName: String? {
        get { self["prName"] }
        set { self["prName"] = newValue }
    }

    /// Clover's `prEmail`.
    public var prEmail: String? {
        get { self["prEmail"] }
        set { self["prEmail"] = newValue }
    }

    /// Clover's `prPhone`.
    public var prPhone: String? {
        get { self["prPhone"] }
        set { self["prPhone"] = newValue }
    }

    /// Clover's `website`.
    public var website: String? {
        get { self["website"] }
        set { self["website"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `owner`.
    public var owner: Account? {
        get { self["owner"] }
        set { self["owner"] = newValue }
    }

    /// Clover's `appBillingSystem`.
    public var appBillingSystem: String? {
        get { self["appBillingSystem"] }
        set { self["appBillingSystem"] = newValue }
    }

    /// Clover's `infoleaseVendorCode`.
    public var infoleaseVendorCode: String? {
        get { self["infoleaseVendorCode"] }
        set { self["infoleaseVendorCode"] = newValue }
    }

    /// Clover's `infoleaseGlCode`.
    public var infoleaseGlCode: String? {
        get { self["infoleaseGlCode"] }
        set { self["infoleaseGlCode"] = newValue }
    }

    /// Clover's `bankInfo`.
    public var bankInfo: BaseReference? {
        get { self["bankInfo"] }
        set { self["bankInfo"] = newValue }
    }

    /// Clover's `hasTin`.
    public var hasTin: Bool? {
        get { self["hasTin"] }
        set { self["hasTin"] = newValue }
    }

    /// Clover's `approvalStatusModifiedTime`, in milliseconds since 1970.
    public var approvalStatusModifiedTime: Timestamp? {
        get { self["approvalStatusModifiedTime"] }
        set { self["approvalStatusModifiedTime"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `firstSubmittedTime`, in milliseconds since 1970.
    public var firstSubmittedTime: Timestamp? {
        get { self["firstSubmittedTime"] }
        set { self["firstSubmittedTime"] = newValue }
    }

    /// Clover's `firstApprovalTime`, in milliseconds since 1970.
    public var firstApprovalTime: Timestamp? {
        get { self["firstApprovalTime"] }
        set { self["firstApprovalTime"] = newValue }
    }

    /// Clover's `revShare`.
    public var revShare: Int64? {
        get { self["revShare"] }
        set { self["revShare"] = newValue }
    }

    /// Clover's `isRevShareFlatRate`.
    public var isRevShareFlatRate: Bool? {
        get { self["isRevShareFlatRate"] }
        set { self["isRevShareFlatRate"] = newValue }
    }

    /// Clover's `revShareEffectiveTime`, in milliseconds since 1970.
    public var revShareEffectiveTime: Timestamp? {
        get { self["revShareEffectiveTime"] }
        set { self["revShareEffectiveTime"] = newValue }
    }

    /// Clover's `signorName`.
    public var signorName: String? {
        get { self["signorName"] }
        set { self["signorName"] = newValue }
    }

    /// Clover's `signorTitle`.
    public var signorTitle: String? {
        get { self["signorTitle"] }
        set { self["signorTitle"] = newValue }
    }

    /// Clover's `referralSubmissionTime`, in milliseconds since 1970.
    public var referralSubmissionTime: Timestamp? {
        get { self["referralSubmissionTime"] }
        set { self["referralSubmissionTime"] = newValue }
    }

    /// Clover's `emergencyEmail`.
    public var emergencyEmail: String? {
        get { self["emergencyEmail"] }
        set { self["emergencyEmail"] = newValue }
    }

    /// Clover's `collectionApprovalStatus`. One of `NEW`, `PENDING`, `APPROVED`, `DENIED`; others may come.
    public var collectionApprovalStatus: String? {
        get { self["collectionApprovalStatus"] }
        set { self["collectionApprovalStatus"] = newValue }
    }

    /// Clover's `isIsv`.
    public var isIsv: Bool? {
        get { self["isIsv"] }
        set { self["isIsv"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Developer>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `firstName`.
        public var firstName: Field<String> { Field(name: "firstName") }

        /// Clover's `lastName`.
        public var lastName: Field<String> { Field(name: "lastName") }

        /// Clover's `email`.
        public var email: Field<String> { Field(name: "email") }

        /// Clover's `phone`.
        public var phone: Field<String> { Field(name: "phone") }

        /// Clover's `dob`.
        public var dob: Field<String> { Field(name: "dob") }

        /// Clover's `ssn`.
        public var ssn: Field<String> { Field(name: "ssn") }

        /// Clover's `address`.
        public var address: Field<String> { Field(name: "address") }

        /// Clover's `city`.
        public var city: Field<String> { Field(name: "city") }

        /// Clover's `county`.
        public var county: Field<String> { Field(name: "county") }

        /// Clover's `state`.
        public var state: Field<String> { Field(name: "state") }

        /// Clover's `country`.
        public var country: Field<String> { Field(name: "country") }

        /// Clover's `postalCode`.
        public var postalCode: Field<String> { Field(name: "postalCode") }

        /// Clover's `bankAccountNumber`.
        public var bankAccountNumber: Field<String> { Field(name: "bankAccountNumber") }

        /// Clover's `bankRoutingNumber`.
        public var bankRoutingNumber: Field<String> { Field(name: "bankRoutingNumber") }

        /// Clover's `businessLegalName`.
        public var businessLegalName: Field<String> { Field(name: "businessLegalName") }

        /// Clover's `tin`.
        public var tin: Field<String> { Field(name: "tin") }

        /// Clover's `vatRegisterNumber`.
        public var vatRegisterNumber: Field<String> { Field(name: "vatRegisterNumber") }

        /// Clover's `sensitiveData`.
        public var sensitiveData: Field<String> { Field(name: "sensitiveData") }

        /// Clover's `businessAddress`.
        public var businessAddress: Field<String> { Field(name: "businessAddress") }

        /// Clover's `businessCity`.
        public var businessCity: Field<String> { Field(name: "businessCity") }

        /// Clover's `businessState`.
        public var businessState: Field<String> { Field(name: "businessState") }

        /// Clover's `businessCountry`.
        public var businessCountry: Field<String> { Field(name: "businessCountry") }

        /// Clover's `businessPostalCode`.
        public var businessPostalCode: Field<String> { Field(name: "businessPostalCode") }

        /// Clover's `billingStatus`. One of `PENDING`, `APPROVED`, `DECLINED`, `ERROR`; others may come.
        public var billingStatus: Field<String> { Field(name: "billingStatus") }

        /// Clover's `billingStatusMessage`.
        public var billingStatusMessage: Field<String> { Field(name: "billingStatusMessage") }

        /// Clover's `approvalStatus`. One of `NEW`, `PENDING`, `APPROVED_PENDING_SIGNING`, `APPROVED`, `DENIED`, `PUBLISHED`; others may come.
        public var approvalStatus: Field<String> { Field(name: "approvalStatus") }

        /// Clover's `acceptedAgreement`.
        public var acceptedAgreement: Field<Bool> { Field(name: "acceptedAgreement") }

        /// Clover's `prName`.
        public var prName: Field<String> { Field(name: "prName") }

        /// Clover's `prEmail`.
        public var prEmail: Field<String> { Field(name: "prEmail") }

        /// Clover's `prPhone`.
        public var prPhone: Field<String> { Field(name: "prPhone") }

        /// Clover's `website`.
        public var website: Field<String> { Field(name: "website") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `owner`.
        public var owner: Field<Account> { Field(name: "owner") }

        /// Clover's `appBillingSystem`.
        public var appBillingSystem: Field<String> { Field(name: "appBillingSystem") }

        /// Clover's `infoleaseVendorCode`.
        public var infoleaseVendorCode: Field<String> { Field(name: "infoleaseVendorCode") }

        /// Clover's `infoleaseGlCode`.
        public var infoleaseGlCode: Field<String> { Field(name: "infoleaseGlCode") }

        /// Clover's `bankInfo`.
        public var bankInfo: Field<BaseReference> { Field(name: "bankInfo") }

        /// Clover's `hasTin`.
        public var hasTin: Field<Bool> { Field(name: "hasTin") }

        /// Clover's `approvalStatusModifiedTime`, in milliseconds since 1970.
        public var approvalStatusModifiedTime: Field<Timestamp> { Field(name: "approvalStatusModifiedTime") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `firstSubmittedTime`, in milliseconds since 1970.
        public var firstSubmittedTime: Field<Timestamp> { Field(name: "firstSubmittedTime") }

        /// Clover's `firstApprovalTime`, in milliseconds since 1970.
        public var firstApprovalTime: Field<Timestamp> { Field(name: "firstApprovalTime") }

        /// Clover's `revShare`.
        public var revShare: Field<Int64> { Field(name: "revShare") }

        /// Clover's `isRevShareFlatRate`.
        public var isRevShareFlatRate: Field<Bool> { Field(name: "isRevShareFlatRate") }

        /// Clover's `revShareEffectiveTime`, in milliseconds since 1970.
        public var revShareEffectiveTime: Field<Timestamp> { Field(name: "revShareEffectiveTime") }

        /// Clover's `signorName`.
        public var signorName: Field<String> { Field(name: "signorName") }

        /// Clover's `signorTitle`.
        public var signorTitle: Field<String> { Field(name: "signorTitle") }

        /// Clover's `referralSubmissionTime`, in milliseconds since 1970.
        public var referralSubmissionTime: Field<Timestamp> { Field(name: "referralSubmissionTime") }

        /// Clover's `emergencyEmail`.
        public var emergencyEmail: Field<String> { Field(name: "emergencyEmail") }

        /// Clover's `collectionApprovalStatus`. One of `NEW`, `PENDING`, `APPROVED`, `DENIED`; others may come.
        public var collectionApprovalStatus: Field<String> { Field(name: "collectionApprovalStatus") }

        /// Clover's `isIsv`.
        public var isIsv: Field<Bool> { Field(name: "isIsv") }
    }
}

/// Clover's `developer.MerchantGroup`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// for merchantGroup in merchant.merchantGroups ?? [] {
///     print(merchantGroup.name ?? "", merchantGroup.createdTime?.date ?? .distantPast)
/// }
/// ```
public struct MerchantGroup: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<MerchantGroup>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `developer`.
    public var developer: Developer? {
        get { self["developer"] }
        set { self["developer"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `merchants`.
    public var merchants: [Merchant]? {
        get { self[elements: "merchants"] }
        set { self[elements: "merchants"] = newValue }
    }

    /// Clover's `merchantCount`.
    public var merchantCount: Int64? {
        get { self["merchantCount"] }
        set { self["merchantCount"] = newValue }
    }

    /// Clover's `androidVersions`.
    public var androidVersions: [AndroidVersion]? {
        get { self[elements: "androidVersions"] }
        set { self[elements: "androidVersions"] = newValue }
    }

    /// Clover's `merchantFilter`.
    public var merchantFilter: String? {
        get { self["merchantFilter"] }
        set { self["merchantFilter"] = newValue }
    }

    /// Clover's `filterMerchants`.
    public var filterMerchants: [Merchant]? {
        get { self[elements: "filterMerchants"] }
        set { self[elements: "filterMerchants"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<MerchantGroup>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `developer`.
        public var developer: Field<Developer> { Field(name: "developer") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `merchants`.
        public var merchants: Field<[Merchant]> { Field(name: "merchants") }

        /// Clover's `merchantCount`.
        public var merchantCount: Field<Int64> { Field(name: "merchantCount") }

        /// Clover's `androidVersions`.
        public var androidVersions: Field<[AndroidVersion]> { Field(name: "androidVersions") }

        /// Clover's `merchantFilter`.
        public var merchantFilter: Field<String> { Field(name: "merchantFilter") }

        /// Clover's `filterMerchants`.
        public var filterMerchants: Field<[Merchant]> { Field(name: "filterMerchants") }
    }
}

/// Clover's `device.Device`.
///
/// ```swift
/// for try await cashEvent in shop.cashEvents.expand(\.device) {
///     if let device = cashEvent.device {
///         print(device.name ?? "", device.model ?? "")
///     }
/// }
/// ```
public struct Device: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Device>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `model`.
    public var model: String? {
        get { self["model"] }
        set { self["model"] = newValue }
    }

    /// Clover's `orderPrefix`.
    public var orderPrefix: String? {
        get { self["orderPrefix"] }
        set { self["orderPrefix"] = newValue }
    }

    /// Clover's `terminalPrefix`.
    public var terminalPrefix: Int64? {
        get { self["terminalPrefix"] }
        set { self["terminalPrefix"] = newValue }
    }

    /// Clover's `serial`.
    public var serial: String? {
        get { self["serial"] }
        set { self["serial"] = newValue }
    }

    /// Clover's `buildNumber`.
    public var buildNumber: Int64? {
        get { self["buildNumber"] }
        set { self["buildNumber"] = newValue }
    }

    /// Clover's `secureId`.
    public var secureId: String? {
        get { self["secureId"] }
        set { self["secureId"] = newValue }
    }

    /// Clover's `buildType`. One of `ENG`, `USER`, `USERDEBUG`; others may come.
    public var buildType: String? {
        get { self["buildType"] }
        set { self["buildType"] = newValue }
    }

    /// Clover's `cpuId`.
    public var cpuId: String? {
        get { self["cpuId"] }
        set { self["cpuId"] = newValue }
    }

    /// Clover's `imei`.
    public var imei: String? {
        get { self["imei"] }
        set { self["imei"] = newValue }
    }

    /// Clover's `imsi`.
    public var imsi: String? {
        get { self["imsi"] }
        set { self["imsi"] = newValue }
    }

    /// Clover's `simIccid`.
    public var simIccid: String? {
        get { self["simIccid"] }
        set { self["simIccid"] = newValue }
    }

    /// Clover's `deviceCertificate`.
    public var deviceCertificate: String? {
        get { self["deviceCertificate"] }
        set { self["deviceCertificate"] = newValue }
    }

    /// Clover's `pedCertificate`.
    public var pedCertificate: String? {
        get { self["pedCertificate"] }
        set { self["pedCertificate"] = newValue }
    }

    /// Clover's `deviceTypeName`.
    public var deviceTypeName: String? {
        get { self["deviceTypeName"] }
        set { self["deviceTypeName"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// Clover's `terminalId`.
    public var terminalId: String? {
        get { self["terminalId"] }
        set { self["terminalId"] = newValue }
    }

    /// Clover's `productName`.
    public var productName: String? {
        get { self["productName"] }
        set { self["productName"] = newValue }
    }

    /// Clover's `pinDisabled`.
    public var pinDisabled: Bool? {
        get { self["pinDisabled"] }
        set { self["pinDisabled"] = newValue }
    }

    /// Clover's `offlinePayments`.
    public var offlinePayments: Bool? {
        get { self["offlinePayments"] }
        set { self["offlinePayments"] = newValue }
    }

    /// Clover's `offlinePaymentsAll`.
    public var offlinePaymentsAll: Bool? {
        get { self["offlinePaymentsAll"] }
        set { self["offlinePaymentsAll"] = newValue }
    }

    /// Clover's `offlinePaymentsLimit`, in minor units.
    public var offlinePaymentsLimit: Money? {
        get { self["offlinePaymentsLimit"] }
        set { self["offlinePaymentsLimit"] = newValue }
    }

    /// Clover's `offlinePaymentsPromptThreshold`, in minor units.
    public var offlinePaymentsPromptThreshold: Money? {
        get { self["offlinePaymentsPromptThreshold"] }
        set { self["offlinePaymentsPromptThreshold"] = newValue }
    }

    /// Clover's `offlinePaymentsTotalPaymentsLimit`, in minor units.
    public var offlinePaymentsTotalPaymentsLimit: Money? {
        get { self["offlinePaymentsTotalPaymentsLimit"] }
        set { self["offlinePaymentsTotalPaymentsLimit"] = newValue }
    }

    /// Clover's `offlinePaymentsLimitDefault`, in minor units.
    public var offlinePaymentsLimitDefault: Money? {
        get { self["offlinePaymentsLimitDefault"] }
        set { self["offlinePaymentsLimitDefault"] = newValue }
    }

    /// Clover's `offlinePaymentsPromptThresholdDefault`, in minor units.
    public var offlinePaymentsPromptThresholdDefault: Money? {
        get { self["offlinePaymentsPromptThresholdDefault"] }
        set { self["offlinePaymentsPromptThresholdDefault"] = newValue }
    }

    /// Clover's `offlinePaymentsTotalPaymentsLimitDefault`, in minor units.
    public var offlinePaymentsTotalPaymentsLimitDefault: Money? {
        get { self["offlinePaymentsTotalPaymentsLimitDefault"] }
        set { self["offlinePaymentsTotalPaymentsLimitDefault"] = newValue }
    }

    /// Clover's `offlinePaymentsMaxLimit`, in minor units.
    public var offlinePaymentsMaxLimit: Money? {
        get { self["offlinePaymentsMaxLimit"] }
        set { self["offlinePaymentsMaxLimit"] = newValue }
    }

    /// Clover's `offlinePaymentsMaxTotalPaymentsLimit`, in minor units.
    public var offlinePaymentsMaxTotalPaymentsLimit: Money? {
        get { self["offlinePaymentsMaxTotalPaymentsLimit"] }
        set { self["offlinePaymentsMaxTotalPaymentsLimit"] = newValue }
    }

    /// Clover's `showOfflinePayments`.
    public var showOfflinePayments: Bool? {
        get { self["showOfflinePayments"] }
        set { self["showOfflinePayments"] = newValue }
    }

    /// Clover's `maxOfflineDays`.
    public var maxOfflineDays: Int64? {
        get { self["maxOfflineDays"] }
        set { self["maxOfflineDays"] = newValue }
    }

    /// Clover's `allowStoreAndForward`.
    public var allowStoreAndForward: Bool? {
        get { self["allowStoreAndForward"] }
        set { self["allowStoreAndForward"] = newValue }
    }

    /// Clover's `secureReports`.
    public var secureReports: [BaseReference]? {
        get { self[elements: "secureReports"] }
        set { self[elements: "secureReports"] = newValue }
    }

    /// Clover's `bundleIndicator`.
    public var bundleIndicator: String? {
        get { self["bundleIndicator"] }
        set { self["bundleIndicator"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Device>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `model`.
        public var model: Field<String> { Field(name: "model") }

        /// Clover's `orderPrefix`.
        public var orderPrefix: Field<String> { Field(name: "orderPrefix") }

        /// Clover's `terminalPrefix`.
        public var terminalPrefix: Field<Int64> { Field(name: "terminalPrefix") }

        /// Clover's `serial`.
        public var serial: Field<String> { Field(name: "serial") }

        /// Clover's `buildNumber`.
        public var buildNumber: Field<Int64> { Field(name: "buildNumber") }

        /// Clover's `secureId`.
        public var secureId: Field<String> { Field(name: "secureId") }

        /// Clover's `buildType`. One of `ENG`, `USER`, `USERDEBUG`; others may come.
        public var buildType: Field<String> { Field(name: "buildType") }

        /// Clover's `cpuId`.
        public var cpuId: Field<String> { Field(name: "cpuId") }

        /// Clover's `imei`.
        public var imei: Field<String> { Field(name: "imei") }

        /// Clover's `imsi`.
        public var imsi: Field<String> { Field(name: "imsi") }

        /// Clover's `simIccid`.
        public var simIccid: Field<String> { Field(name: "simIccid") }

        /// Clover's `deviceCertificate`.
        public var deviceCertificate: Field<String> { Field(name: "deviceCertificate") }

        /// Clover's `pedCertificate`.
        public var pedCertificate: Field<String> { Field(name: "pedCertificate") }

        /// Clover's `deviceTypeName`.
        public var deviceTypeName: Field<String> { Field(name: "deviceTypeName") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }

        /// Clover's `terminalId`.
        public var terminalId: Field<String> { Field(name: "terminalId") }

        /// Clover's `productName`.
        public var productName: Field<String> { Field(name: "productName") }

        /// Clover's `pinDisabled`.
        public var pinDisabled: Field<Bool> { Field(name: "pinDisabled") }

        /// Clover's `offlinePayments`.
        public var offlinePayments: Field<Bool> { Field(name: "offlinePayments") }

        /// Clover's `offlinePaymentsAll`.
        public var offlinePaymentsAll: Field<Bool> { Field(name: "offlinePaymentsAll") }

        /// Clover's `offlinePaymentsLimit`, in minor units.
        public var offlinePaymentsLimit: Field<Money> { Field(name: "offlinePaymentsLimit") }

        /// Clover's `offlinePaymentsPromptThreshold`, in minor units.
        public var offlinePaymentsPromptThreshold: Field<Money> { Field(name: "offlinePaymentsPromptThreshold") }

        /// Clover's `offlinePaymentsTotalPaymentsLimit`, in minor units.
        public var offlinePaymentsTotalPaymentsLimit: Field<Money> { Field(name: "offlinePaymentsTotalPaymentsLimit") }

        /// Clover's `offlinePaymentsLimitDefault`, in minor units.
        public var offlinePaymentsLimitDefault: Field<Money> { Field(name: "offlinePaymentsLimitDefault") }

        /// Clover's `offlinePaymentsPromptThresholdDefault`, in minor units.
        public var offlinePaymentsPromptThresholdDefault: Field<Money> { Field(name: "offlinePaymentsPromptThresholdDefault") }

        /// Clover's `offlinePaymentsTotalPaymentsLimitDefault`, in minor units.
        public var offlinePaymentsTotalPaymentsLimitDefault: Field<Money> { Field(name: "offlinePaymentsTotalPaymentsLimitDefault") }

        /// Clover's `offlinePaymentsMaxLimit`, in minor units.
        public var offlinePaymentsMaxLimit: Field<Money> { Field(name: "offlinePaymentsMaxLimit") }

        /// Clover's `offlinePaymentsMaxTotalPaymentsLimit`, in minor units.
        public var offlinePaymentsMaxTotalPaymentsLimit: Field<Money> { Field(name: "offlinePaymentsMaxTotalPaymentsLimit") }

        /// Clover's `showOfflinePayments`.
        public var showOfflinePayments: Field<Bool> { Field(name: "showOfflinePayments") }

        /// Clover's `maxOfflineDays`.
        public var maxOfflineDays: Field<Int64> { Field(name: "maxOfflineDays") }

        /// Clover's `allowStoreAndForward`.
        public var allowStoreAndForward: Field<Bool> { Field(name: "allowStoreAndForward") }

        /// Clover's `secureReports`.
        public var secureReports: Field<[BaseReference]> { Field(name: "secureReports") }

        /// Clover's `bundleIndicator`.
        public var bundleIndicator: Field<String> { Field(name: "bundleIndicator") }
    }
}

/// Clover's `employees.Employee`.
///
/// ```swift
/// for try await employee in shop.employees.expand(\.shifts) {
///     print(employee.name ?? "", employee.shifts?.count ?? 0)
/// }
/// ```
public struct Employee: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Employee>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `nickname`.
    public var nickname: String? {
        get { self["nickname"] }
        set { self["nickname"] = newValue }
    }

    /// Clover's `customId`.
    public var customId: String? {
        get { self["customId"] }
        set { self["customId"] = newValue }
    }

    /// Clover's `email`.
    public var email: String? {
        get { self["email"] }
        set { self["email"] = newValue }
    }

    /// Clover's `inviteSent`.
    public var inviteSent: Bool? {
        get { self["inviteSent"] }
        set { self["inviteSent"] = newValue }
    }

    /// Clover's `claimedTime`, in milliseconds since 1970.
    public var claimedTime: Timestamp? {
        get { self["claimedTime"] }
        set { self["claimedTime"] = newValue }
    }

    /// Clover's `deletedTime`, in milliseconds since 1970.
    public var deletedTime: Timestamp? {
        get { self["deletedTime"] }
        set { self["deletedTime"] = newValue }
    }

    /// Clover's `pin`.
    public var pin: String? {
        get { self["pin"] }
        set { self["pin"] = newValue }
    }

    /// Clover's `unhashedPin`.
    public var unhashedPin: String? {
        get { self["unhashedPin"] }
        set { self["unhashedPin"] = newValue }
    }

    /// Clover's `role`. One of `OWNER`, `ADMIN`, `MANAGER`, `EMPLOYEE`; others may come.
    public var role: String? {
        get { self["role"] }
        set { self["role"] = newValue }
    }

    /// Clover's `roles`.
    public var roles: [Role]? {
        get { self[elements: "roles"] }
        set { self[elements: "roles"] = newValue }
    }

    /// Clover's `isOwner`.
    public var isOwner: Bool? {
        get { self["isOwner"] }
        set { self["isOwner"] = newValue }
    }

    /// Clover's `shifts`.
    public var shifts: [Shift]? {
        get { self[elements: "shifts"] }
        set { self[elements: "shifts"] = newValue }
    }

    /// Clover's `payments`.
    public var payments: [Payment]? {
        get { self[elements: "payments"] }
        set { self[elements: "payments"] = newValue }
    }

    /// Clover's `orders`.
    public var orders: [Order]? {
        get { self[elements: "orders"] }
        set { self[elements: "orders"] = newValue }
    }

    /// Clover's `employeeCards`.
    public var employeeCards: JSONValue? {
        get { self["employeeCards"] }
        set { self["employeeCards"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: JSONValue? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Employee>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `nickname`.
        public var nickname: Field<String> { Field(name: "nickname") }

        /// Clover's `customId`.
        public var customId: Field<String> { Field(name: "customId") }

        /// Clover's `email`.
        public var email: Field<String> { Field(name: "email") }

        /// Clover's `inviteSent`.
        public var inviteSent: Field<Bool> { Field(name: "inviteSent") }

        /// Clover's `claimedTime`, in milliseconds since 1970.
        public var claimedTime: Field<Timestamp> { Field(name: "claimedTime") }

        /// Clover's `deletedTime`, in milliseconds since 1970.
        public var deletedTime: Field<Timestamp> { Field(name: "deletedTime") }

        /// Clover's `pin`.
        public var pin: Field<String> { Field(name: "pin") }

        /// Clover's `unhashedPin`.
        public var unhashedPin: Field<String> { Field(name: "unhashedPin") }

        /// Clover's `role`. One of `OWNER`, `ADMIN`, `MANAGER`, `EMPLOYEE`; others may come.
        public var role: Field<String> { Field(name: "role") }

        /// Clover's `roles`.
        public var roles: Field<[Role]> { Field(name: "roles") }

        /// Clover's `isOwner`.
        public var isOwner: Field<Bool> { Field(name: "isOwner") }

        /// Clover's `shifts`.
        public var shifts: Field<[Shift]> { Field(name: "shifts") }

        /// Clover's `payments`.
        public var payments: Field<[Payment]> { Field(name: "payments") }

        /// Clover's `orders`.
        public var orders: Field<[Order]> { Field(name: "orders") }

        /// Clover's `employeeCards`.
        public var employeeCards: Field<JSONValue> { Field(name: "employeeCards") }

        /// Clover's `merchant`.
        public var merchant: Field<JSONValue> { Field(name: "merchant") }
    }
}

/// Clover's `employees.Role`.
///
/// ```swift
/// for try await role in shop.roles.sort(\.name).limit(10) {
///     print(role.name ?? "", role.id?.text ?? "")
/// }
/// ```
public struct Role: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Role>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `systemRole`. One of `OWNER`, `ADMIN`, `MANAGER`, `EMPLOYEE`; others may come.
    public var systemRole: String? {
        get { self["systemRole"] }
        set { self["systemRole"] = newValue }
    }

    /// Clover's `employeesRef`.
    public var employeesRef: [Employee]? {
        get { self[elements: "employeesRef"] }
        set { self[elements: "employeesRef"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Role>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `systemRole`. One of `OWNER`, `ADMIN`, `MANAGER`, `EMPLOYEE`; others may come.
        public var systemRole: Field<String> { Field(name: "systemRole") }

        /// Clover's `employeesRef`.
        public var employeesRef: Field<[Employee]> { Field(name: "employeesRef") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }
    }
}

/// Clover's `employees.Shift`.
///
/// ```swift
/// for try await shift in shop.shifts.filter(\.employee.id == "EMPLOYEE") {
///     print(shift.inTime?.date ?? .distantPast, shift.employee?.name ?? "")
/// }
/// ```
public struct Shift: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Shift>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: Employee? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `cashTipsCollected`, in minor units.
    public var cashTipsCollected: Money? {
        get { self["cashTipsCollected"] }
        set { self["cashTipsCollected"] = newValue }
    }

    /// Clover's `serverBanking`.
    public var serverBanking: Bool? {
        get { self["serverBanking"] }
        set { self["serverBanking"] = newValue }
    }

    /// Clover's `inTime`, in milliseconds since 1970.
    public var inTime: Timestamp? {
        get { self["inTime"] }
        set { self["inTime"] = newValue }
    }

    /// Clover's `overrideInTime`, in milliseconds since 1970.
    public var overrideInTime: Timestamp? {
        get { self["overrideInTime"] }
        set { self["overrideInTime"] = newValue }
    }

    /// Clover's `overrideInEmployee`.
    public var overrideInEmployee: Employee? {
        get { self["overrideInEmployee"] }
        set { self["overrideInEmployee"] = newValue }
    }

    /// Clover's `outTime`, in milliseconds since 1970.
    public var outTime: Timestamp? {
        get { self["outTime"] }
        set { self["outTime"] = newValue }
    }

    /// Clover's `overrideOutTime`, in milliseconds since 1970.
    public var overrideOutTime: Timestamp? {
        get { self["overrideOutTime"] }
        set { self["overrideOutTime"] = newValue }
    }

    /// Clover's `overrideOutEmployee`.
    public var overrideOutEmployee: Employee? {
        get { self["overrideOutEmployee"] }
        set { self["overrideOutEmployee"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Shift>> { Field(name: "id") }

        /// Clover's `employee`.
        public var employee: Field<Employee> { Field(name: "employee") }

        /// Clover's `cashTipsCollected`, in minor units.
        public var cashTipsCollected: Field<Money> { Field(name: "cashTipsCollected") }

        /// Clover's `serverBanking`.
        public var serverBanking: Field<Bool> { Field(name: "serverBanking") }

        /// Clover's `inTime`, in milliseconds since 1970.
        public var inTime: Field<Timestamp> { Field(name: "inTime") }

        /// Clover's `overrideInTime`, in milliseconds since 1970.
        public var overrideInTime: Field<Timestamp> { Field(name: "overrideInTime") }

        /// Clover's `overrideInEmployee`.
        public var overrideInEmployee: Field<Employee> { Field(name: "overrideInEmployee") }

        /// Clover's `outTime`, in milliseconds since 1970.
        public var outTime: Field<Timestamp> { Field(name: "outTime") }

        /// Clover's `overrideOutTime`, in milliseconds since 1970.
        public var overrideOutTime: Field<Timestamp> { Field(name: "overrideOutTime") }

        /// Clover's `overrideOutEmployee`.
        public var overrideOutEmployee: Field<Employee> { Field(name: "overrideOutEmployee") }
    }
}

/// Clover's `hours.HourRange`.
///
/// ```swift
/// for try await hoursSet in shop.openingHours {
///     for hourRange in hoursSet.sunday ?? [] {
///         print(hourRange.start ?? 0, hourRange.end ?? 0)
///     }
/// }
/// ```
public struct HourRange: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `start`, the time of the day in hours and minutes: 930 is 9:30.
    public var start: Int64? {
        get { self["start"] }
        set { self["start"] = newValue }
    }

    /// Clover's `end`, the time of the day in hours and minutes: 1730 is 17:30, and 2400 the end of the day.
    public var end: Int64? {
        get { self["end"] }
        set { self["end"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `start`, the time of the day in hours and minutes: 930 is 9:30.
        public var start: Field<Int64> { Field(name: "start") }

        /// Clover's `end`, the time of the day in hours and minutes: 1730 is 17:30, and 2400 the end of the day.
        public var end: Field<Int64> { Field(name: "end") }
    }
}

/// Clover's `hours.HoursSet`.
///
/// ```swift
/// for try await hoursSet in shop.openingHours.sort(\.name).limit(10) {
///     print(hoursSet.name ?? "", hoursSet.id?.text ?? "")
/// }
/// ```
public struct HoursSet: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<HoursSet>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `reference`.
    public var reference: HoursReference? {
        get { self["reference"] }
        set { self["reference"] = newValue }
    }

    /// Clover's `sunday`.
    public var sunday: [HourRange]? {
        get { self[elements: "sunday"] }
        set { self[elements: "sunday"] = newValue }
    }

    /// Clover's `monday`.
    public var monday: [HourRange]? {
        get { self[elements: "monday"] }
        set { self[elements: "monday"] = newValue }
    }

    /// Clover's `tuesday`.
    public var tuesday: [HourRange]? {
        get { self[elements: "tuesday"] }
        set { self[elements: "tuesday"] = newValue }
    }

    /// Clover's `wednesday`.
    public var wednesday: [HourRange]? {
        get { self[elements: "wednesday"] }
        set { self[elements: "wednesday"] = newValue }
    }

    /// Clover's `thursday`.
    public var thursday: [HourRange]? {
        get { self[elements: "thursday"] }
        set { self[elements: "thursday"] = newValue }
    }

    /// Clover's `friday`.
    public var friday: [HourRange]? {
        get { self[elements: "friday"] }
        set { self[elements: "friday"] = newValue }
    }

    /// Clover's `saturday`.
    public var saturday: [HourRange]? {
        get { self[elements: "saturday"] }
        set { self[elements: "saturday"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<HoursSet>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `reference`.
        public var reference: Field<HoursReference> { Field(name: "reference") }

        /// Clover's `sunday`.
        public var sunday: Field<[HourRange]> { Field(name: "sunday") }

        /// Clover's `monday`.
        public var monday: Field<[HourRange]> { Field(name: "monday") }

        /// Clover's `tuesday`.
        public var tuesday: Field<[HourRange]> { Field(name: "tuesday") }

        /// Clover's `wednesday`.
        public var wednesday: Field<[HourRange]> { Field(name: "wednesday") }

        /// Clover's `thursday`.
        public var thursday: Field<[HourRange]> { Field(name: "thursday") }

        /// Clover's `friday`.
        public var friday: Field<[HourRange]> { Field(name: "friday") }

        /// Clover's `saturday`.
        public var saturday: Field<[HourRange]> { Field(name: "saturday") }
    }
}

/// Clover's `hours.Reference`.
///
/// ```swift
/// for try await hoursSet in shop.openingHours {
///     if let reference = hoursSet.reference {
///         print(reference.type ?? "", reference.id?.text ?? "")
///     }
/// }
/// ```
public struct HoursReference: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<HoursReference>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `type`. One of `ORDER_TYPE`, `ITEM_GROUP`, `SOFTWARE_UPDATE_EXCLUSION`, `ONLINE_ORDER_SERVICE`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<HoursReference>> { Field(name: "id") }

        /// Clover's `type`. One of `ORDER_TYPE`, `ITEM_GROUP`, `SOFTWARE_UPDATE_EXCLUSION`, `ONLINE_ORDER_SERVICE`; others may come.
        public var type: Field<String> { Field(name: "type") }
    }
}

/// Clover's `inventory.Attribute`.
///
/// ```swift
/// for try await attribute in shop.attributes.sort(\.name).limit(10) {
///     print(attribute.name ?? "", attribute.id?.text ?? "")
/// }
/// ```
public struct Attribute: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Attribute>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `itemGroup`.
    public var itemGroup: ItemGroup? {
        get { self["itemGroup"] }
        set { self["itemGroup"] = newValue }
    }

    /// Clover's `options`.
    public var options: [Option]? {
        get { self[elements: "options"] }
        set { self[elements: "options"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Attribute>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `itemGroup`.
        public var itemGroup: Field<ItemGroup> { Field(name: "itemGroup") }

        /// Clover's `options`.
        public var options: Field<[Option]> { Field(name: "options") }
    }
}

/// Clover's `inventory.Category`.
///
/// ```swift
/// for try await category in shop.categories.expand(\.items) {
///     print(category.name ?? "", category.items?.count ?? 0)
/// }
/// ```
public struct Category: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Category>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `sortOrder`.
    public var sortOrder: Int64? {
        get { self["sortOrder"] }
        set { self["sortOrder"] = newValue }
    }

    /// Clover's `items`.
    public var items: [Item]? {
        get { self[elements: "items"] }
        set { self[elements: "items"] = newValue }
    }

    /// Clover's `deleted`.
    public var deleted: Bool? {
        get { self["deleted"] }
        set { self["deleted"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `canonical`.
    public var canonical: JSONValue? {
        get { self["canonical"] }
        set { self["canonical"] = newValue }
    }

    /// Clover's `menuSection`.
    public var menuSection: JSONValue? {
        get { self["menuSection"] }
        set { self["menuSection"] = newValue }
    }

    /// Clover's `colorCode`.
    public var colorCode: String? {
        get { self["colorCode"] }
        set { self["colorCode"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Category>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `sortOrder`.
        public var sortOrder: Field<Int64> { Field(name: "sortOrder") }

        /// Clover's `items`.
        public var items: Field<[Item]> { Field(name: "items") }

        /// Clover's `deleted`.
        public var deleted: Field<Bool> { Field(name: "deleted") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `canonical`.
        public var canonical: Field<JSONValue> { Field(name: "canonical") }

        /// Clover's `menuSection`.
        public var menuSection: Field<JSONValue> { Field(name: "menuSection") }

        /// Clover's `colorCode`.
        public var colorCode: Field<String> { Field(name: "colorCode") }
    }
}

/// Clover's `inventory.Discount`.
///
/// ```swift
/// for try await order in shop.orders.expand(\.discounts) {
///     for orderDiscount in order.discounts ?? [] {
///         if let discount = orderDiscount.discount {
///             print(discount.name ?? "", discount.amount?.minorUnits ?? 0)
///         }
///     }
/// }
/// ```
public struct InventoryDiscount: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<InventoryDiscount>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `percentage`, in percent.
    public var percentage: Int64? {
        get { self["percentage"] }
        set { self["percentage"] = newValue }
    }

    /// Clover's `merchantRef`.
    public var merchantRef: BaseReference? {
        get { self["merchantRef"] }
        set { self["merchantRef"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<InventoryDiscount>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `percentage`, in percent.
        public var percentage: Field<Int64> { Field(name: "percentage") }

        /// Clover's `merchantRef`.
        public var merchantRef: Field<BaseReference> { Field(name: "merchantRef") }
    }
}

/// Clover's `inventory.Item`.
///
/// ```swift
/// for try await item in shop.items.sort(\.modifiedTime, .descending).limit(10) {
///     print(item.name ?? "", item.modifiedTime?.date ?? .distantPast)
/// }
/// ```
public struct Item: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Item>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `hidden`.
    public var hidden: Bool? {
        get { self["hidden"] }
        set { self["hidden"] = newValue }
    }

    /// Clover's `itemGroup`.
    public var itemGroup: ItemGroup? {
        get { self["itemGroup"] }
        set { self["itemGroup"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `alternateName`.
    public var alternateName: String? {
        get { self["alternateName"] }
        set { self["alternateName"] = newValue }
    }

    /// Clover's `code`.
    public var code: String? {
        get { self["code"] }
        set { self["code"] = newValue }
    }

    /// Clover's `sku`.
    public var sku: String? {
        get { self["sku"] }
        set { self["sku"] = newValue }
    }

    /// Clover's `price`, in minor units.
    public var price: Money? {
        get { self["price"] }
        set { self["price"] = newValue }
    }

    /// Clover's `priceType`. One of `FIXED`, `VARIABLE`, `PER_UNIT`; others may come.
    public var priceType: String? {
        get { self["priceType"] }
        set { self["priceType"] = newValue }
    }

    /// Clover's `defaultTaxRates`.
    public var defaultTaxRates: Bool? {
        get { self["defaultTaxRates"] }
        set { self["defaultTaxRates"] = newValue }
    }

    /// Clover's `unitName`.
    public var unitName: String? {
        get { self["unitName"] }
        set { self["unitName"] = newValue }
    }

    /// Clover's `cost`, in minor units.
    public var cost: Money? {
        get { self["cost"] }
        set { self["cost"] = newValue }
    }

    /// Clover's `isRevenue`.
    public var isRevenue: Bool? {
        get { self["isRevenue"] }
        set { self["isRevenue"] = newValue }
    }

    /// Clover's `stockCount`. Deprecated by Clover.
    public var stockCount: Int64? {
        get { self["stockCount"] }
        set { self["stockCount"] = newValue }
    }

    /// Clover's `taxRates`.
    public var taxRates: [TaxRate]? {
        get { self[elements: "taxRates"] }
        set { self[elements: "taxRates"] = newValue }
    }

    /// Clover's `modifierGroups`.
    public var modifierGroups: [ModifierGroup]? {
        get { self[elements: "modifierGroups"] }
        set { self[elements: "modifierGroups"] = newValue }
    }

    /// Clover's `categories`.
    public var categories: [Category]? {
        get { self[elements: "categories"] }
        set { self[elements: "categories"] = newValue }
    }

    /// Clover's `tags`.
    public var tags: [Tag]? {
        get { self[elements: "tags"] }
        set { self[elements: "tags"] = newValue }
    }

    /// Clover's `itemStock`.
    public var itemStock: ItemStock? {
        get { self["itemStock"] }
        set { self["itemStock"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `options`.
    public var options: JSONValue? {
        get { self["options"] }
        set { self["options"] = newValue }
    }

    /// Clover's `canonical`.
    public var canonical: JSONValue? {
        get { self["canonical"] }
        set { self["canonical"] = newValue }
    }

    /// Clover's `menuItem`.
    public var menuItem: JSONValue? {
        get { self["menuItem"] }
        set { self["menuItem"] = newValue }
    }

    /// Clover's `deletedTime`, in milliseconds since 1970.
    public var deletedTime: Timestamp? {
        get { self["deletedTime"] }
        set { self["deletedTime"] = newValue }
    }

    /// Clover's `priceWithoutVat`, in minor units.
    public var priceWithoutVat: Money? {
        get { self["priceWithoutVat"] }
        set { self["priceWithoutVat"] = newValue }
    }

    /// Clover's `available`.
    public var available: Bool? {
        get { self["available"] }
        set { self["available"] = newValue }
    }

    /// Clover's `autoManage`.
    public var autoManage: Bool? {
        get { self["autoManage"] }
        set { self["autoManage"] = newValue }
    }

    /// Clover's `MenuItem`.
    public var MenuItem: JSONValue? {
        get { self["MenuItem"] }
        set { self["MenuItem"] = newValue }
    }

    /// Clover's `colorCode`.
    public var colorCode: String? {
        get { self["colorCode"] }
        set { self["colorCode"] = newValue }
    }

    /// Clover's `isAgeRestricted`.
    public var isAgeRestricted: Bool? {
        get { self["isAgeRestricted"] }
        set { self["isAgeRestricted"] = newValue }
    }

    /// Clover's `deleted`.
    public var deleted: Bool? {
        get { self["deleted"] }
        set { self["deleted"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Item>> { Field(name: "id") }

        /// Clover's `hidden`.
        public var hidden: Field<Bool> { Field(name: "hidden") }

        /// Clover's `itemGroup`.
        public var itemGroup: Field<ItemGroup> { Field(name: "itemGroup") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `alternateName`.
        public var alternateName: Field<String> { Field(name: "alternateName") }

        /// Clover's `code`.
        public var code: Field<String> { Field(name: "code") }

        /// Clover's `sku`.
        public var sku: Field<String> { Field(name: "sku") }

        /// Clover's `price`, in minor units.
        public var price: Field<Money> { Field(name: "price") }

        /// Clover's `priceType`. One of `FIXED`, `VARIABLE`, `PER_UNIT`; others may come.
        public var priceType: Field<String> { Field(name: "priceType") }

        /// Clover's `defaultTaxRates`.
        public var defaultTaxRates: Field<Bool> { Field(name: "defaultTaxRates") }

        /// Clover's `unitName`.
        public var unitName: Field<String> { Field(name: "unitName") }

        /// Clover's `cost`, in minor units.
        public var cost: Field<Money> { Field(name: "cost") }

        /// Clover's `isRevenue`.
        public var isRevenue: Field<Bool> { Field(name: "isRevenue") }

        /// Clover's `stockCount`. Deprecated by Clover.
        public var stockCount: Field<Int64> { Field(name: "stockCount") }

        /// Clover's `taxRates`.
        public var taxRates: Field<[TaxRate]> { Field(name: "taxRates") }

        /// Clover's `modifierGroups`.
        public var modifierGroups: Field<[ModifierGroup]> { Field(name: "modifierGroups") }

        /// Clover's `categories`.
        public var categories: Field<[Category]> { Field(name: "categories") }

        /// Clover's `tags`.
        public var tags: Field<[Tag]> { Field(name: "tags") }

        /// Clover's `itemStock`.
        public var itemStock: Field<ItemStock> { Field(name: "itemStock") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `options`.
        public var options: Field<JSONValue> { Field(name: "options") }

        /// Clover's `canonical`.
        public var canonical: Field<JSONValue> { Field(name: "canonical") }

        /// Clover's `menuItem`.
        public var menuItem: Field<JSONValue> { Field(name: "menuItem") }

        /// Clover's `deletedTime`, in milliseconds since 1970.
        public var deletedTime: Field<Timestamp> { Field(name: "deletedTime") }

        /// Clover's `priceWithoutVat`, in minor units.
        public var priceWithoutVat: Field<Money> { Field(name: "priceWithoutVat") }

        /// Clover's `available`.
        public var available: Field<Bool> { Field(name: "available") }

        /// Clover's `autoManage`.
        public var autoManage: Field<Bool> { Field(name: "autoManage") }

        /// Clover's `MenuItem`.
        public var MenuItem: Field<JSONValue> { Field(name: "MenuItem") }

        /// Clover's `colorCode`.
        public var colorCode: Field<String> { Field(name: "colorCode") }

        /// Clover's `isAgeRestricted`.
        public var isAgeRestricted: Field<Bool> { Field(name: "isAgeRestricted") }

        /// Clover's `deleted`.
        public var deleted: Field<Bool> { Field(name: "deleted") }
    }
}

/// Clover's `inventory.ItemGroup`.
///
/// ```swift
/// for try await itemGroup in shop.itemGroups.expand(\.attributes) {
///     print(itemGroup.name ?? "", itemGroup.attributes?.count ?? 0)
/// }
/// ```
public struct ItemGroup: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<ItemGroup>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `items`.
    public var items: [Item]? {
        get { self[elements: "items"] }
        set { self[elements: "items"] = newValue }
    }

    /// Clover's `attributes`.
    public var attributes: [Attribute]? {
        get { self[elements: "attributes"] }
        set { self[elements: "attributes"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<ItemGroup>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `items`.
        public var items: Field<[Item]> { Field(name: "items") }

        /// Clover's `attributes`.
        public var attributes: Field<[Attribute]> { Field(name: "attributes") }
    }
}

/// Clover's `inventory.ItemStock`.
///
/// ```swift
/// for try await itemStock in shop.itemStocks.sort(\.modifiedTime, .descending).limit(10) {
///     print(itemStock.quantity ?? 0, itemStock.modifiedTime?.date ?? .distantPast)
/// }
/// ```
public struct ItemStock: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `item`.
    public var item: Item? {
        get { self["item"] }
        set { self["item"] = newValue }
    }

    /// Clover's `stockCount`. Deprecated by Clover.
    public var stockCount: Int64? {
        get { self["stockCount"] }
        set { self["stockCount"] = newValue }
    }

    /// Clover's `quantity`.
    public var quantity: Double? {
        get { self["quantity"] }
        set { self["quantity"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `item`.
        public var item: Field<Item> { Field(name: "item") }

        /// Clover's `stockCount`. Deprecated by Clover.
        public var stockCount: Field<Int64> { Field(name: "stockCount") }

        /// Clover's `quantity`.
        public var quantity: Field<Double> { Field(name: "quantity") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }
    }
}

/// Clover's `inventory.Modifier`.
///
/// ```swift
/// for try await modifier in shop.modifiers.filter(\.modifierGroup.id == "MODIFIERGROUP") {
///     print(modifier.name ?? "", modifier.modifierGroup?.name ?? "")
/// }
/// ```
public struct Modifier: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Modifier>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `alternateName`.
    public var alternateName: String? {
        get { self["alternateName"] }
        set { self["alternateName"] = newValue }
    }

    /// Clover's `price`, in minor units.
    public var price: Money? {
        get { self["price"] }
        set { self["price"] = newValue }
    }

    /// Clover's `modifierGroup`.
    public var modifierGroup: ModifierGroup? {
        get { self["modifierGroup"] }
        set { self["modifierGroup"] = newValue }
    }

    /// Clover's `menuModifier`.
    public var menuModifier: JSONValue? {
        get { self["menuModifier"] }
        set { self["menuModifier"] = newValue }
    }

    /// Clover's `available`.
    public var available: Bool? {
        get { self["available"] }
        set { self["available"] = newValue }
    }

    /// Clover's `deleted`.
    public var deleted: Bool? {
        get { self["deleted"] }
        set { self["deleted"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Modifier>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `alternateName`.
        public var alternateName: Field<String> { Field(name: "alternateName") }

        /// Clover's `price`, in minor units.
        public var price: Field<Money> { Field(name: "price") }

        /// Clover's `modifierGroup`.
        public var modifierGroup: Field<ModifierGroup> { Field(name: "modifierGroup") }

        /// Clover's `menuModifier`.
        public var menuModifier: Field<JSONValue> { Field(name: "menuModifier") }

        /// Clover's `available`.
        public var available: Field<Bool> { Field(name: "available") }

        /// Clover's `deleted`.
        public var deleted: Field<Bool> { Field(name: "deleted") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }
    }
}

/// Clover's `inventory.ModifierGroup`.
///
/// ```swift
/// for try await modifierGroup in shop.modifierGroups.expand(\.items) {
///     print(modifierGroup.name ?? "", modifierGroup.items?.count ?? 0)
/// }
/// ```
public struct ModifierGroup: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<ModifierGroup>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `alternateName`.
    public var alternateName: String? {
        get { self["alternateName"] }
        set { self["alternateName"] = newValue }
    }

    /// Clover's `minRequired`.
    public var minRequired: Int64? {
        get { self["minRequired"] }
        set { self["minRequired"] = newValue }
    }

    /// Clover's `maxAllowed`.
    public var maxAllowed: Int64? {
        get { self["maxAllowed"] }
        set { self["maxAllowed"] = newValue }
    }

    /// Clover's `showByDefault`.
    public var showByDefault: Bool? {
        get { self["showByDefault"] }
        set { self["showByDefault"] = newValue }
    }

    /// Clover's `modifiers`.
    public var modifiers: [Modifier]? {
        get { self[elements: "modifiers"] }
        set { self[elements: "modifiers"] = newValue }
    }

    /// Clover's `modifierIds`.
    public var modifierIds: String? {
        get { self["modifierIds"] }
        set { self["modifierIds"] = newValue }
    }

    /// Clover's `items`.
    public var items: [Item]? {
        get { self[elements: "items"] }
        set { self[elements: "items"] = newValue }
    }

    /// Clover's `menuModifierGroup`.
    public var menuModifierGroup: JSONValue? {
        get { self["menuModifierGroup"] }
        set { self["menuModifierGroup"] = newValue }
    }

    /// Clover's `sortOrder`.
    public var sortOrder: JSONValue? {
        get { self["sortOrder"] }
        set { self["sortOrder"] = newValue }
    }

    /// Clover's `deleted`.
    public var deleted: Bool? {
        get { self["deleted"] }
        set { self["deleted"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<ModifierGroup>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `alternateName`.
        public var alternateName: Field<String> { Field(name: "alternateName") }

        /// Clover's `minRequired`.
        public var minRequired: Field<Int64> { Field(name: "minRequired") }

        /// Clover's `maxAllowed`.
        public var maxAllowed: Field<Int64> { Field(name: "maxAllowed") }

        /// Clover's `showByDefault`.
        public var showByDefault: Field<Bool> { Field(name: "showByDefault") }

        /// Clover's `modifiers`.
        public var modifiers: Field<[Modifier]> { Field(name: "modifiers") }

        /// Clover's `modifierIds`.
        public var modifierIds: Field<String> { Field(name: "modifierIds") }

        /// Clover's `items`.
        public var items: Field<[Item]> { Field(name: "items") }

        /// Clover's `menuModifierGroup`.
        public var menuModifierGroup: Field<JSONValue> { Field(name: "menuModifierGroup") }

        /// Clover's `sortOrder`.
        public var sortOrder: Field<JSONValue> { Field(name: "sortOrder") }

        /// Clover's `deleted`.
        public var deleted: Field<Bool> { Field(name: "deleted") }
    }
}

/// Clover's `inventory.Option`.
///
/// ```swift
/// for try await option in shop.options.filter(\.attribute.id == "ATTRIBUTE") {
///     print(option.name ?? "", option.attribute?.name ?? "")
/// }
/// ```
public struct Option: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Option>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `attribute`.
    public var attribute: Attribute? {
        get { self["attribute"] }
        set { self["attribute"] = newValue }
    }

    /// Clover's `items`.
    public var items: [BaseReference]? {
        get { self[elements: "items"] }
        set { self[elements: "items"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Option>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `attribute`.
        public var attribute: Field<Attribute> { Field(name: "attribute") }

        /// Clover's `items`.
        public var items: Field<[BaseReference]> { Field(name: "items") }
    }
}

/// Clover's `inventory.Tag`.
///
/// ```swift
/// for try await tag in shop.tags.sort(\.name).limit(10) {
///     print(tag.name ?? "", tag.id?.text ?? "")
/// }
/// ```
public struct Tag: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Tag>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `items`.
    public var items: [Item]? {
        get { self[elements: "items"] }
        set { self[elements: "items"] = newValue }
    }

    /// Clover's `printers`.
    public var printers: [Printer]? {
        get { self[elements: "printers"] }
        set { self[elements: "printers"] = newValue }
    }

    /// Clover's `showInReporting`.
    public var showInReporting: JSONValue? {
        get { self["showInReporting"] }
        set { self["showInReporting"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Tag>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `items`.
        public var items: Field<[Item]> { Field(name: "items") }

        /// Clover's `printers`.
        public var printers: Field<[Printer]> { Field(name: "printers") }

        /// Clover's `showInReporting`.
        public var showInReporting: Field<JSONValue> { Field(name: "showInReporting") }
    }
}

/// Clover's `inventory.TaxRate`.
///
/// ```swift
/// for try await taxRate in shop.taxRates.expand(\.items) {
///     print(taxRate.name ?? "", taxRate.items?.count ?? 0)
/// }
/// ```
public struct TaxRate: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<TaxRate>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `lineItemRef`.
    public var lineItemRef: LineItem? {
        get { self["lineItemRef"] }
        set { self["lineItemRef"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `rate`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
    public var rate: Int64? {
        get { self["rate"] }
        set { self["rate"] = newValue }
    }

    /// Clover's `isDefault`.
    public var isDefault: Bool? {
        get { self["isDefault"] }
        set { self["isDefault"] = newValue }
    }

    /// Clover's `items`.
    public var items: [Item]? {
        get { self[elements: "items"] }
        set { self[elements: "items"] = newValue }
    }

    /// Clover's `taxType`.
    public var taxType: JSONValue? {
        get { self["taxType"] }
        set { self["taxType"] = newValue }
    }

    /// Clover's `taxAmount`, in minor units.
    public var taxAmount: JSONValue? {
        get { self["taxAmount"] }
        set { self["taxAmount"] = newValue }
    }

    /// Clover's `deletedTime`, in milliseconds since 1970.
    public var deletedTime: Timestamp? {
        get { self["deletedTime"] }
        set { self["deletedTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<TaxRate>> { Field(name: "id") }

        /// Clover's `lineItemRef`.
        public var lineItemRef: Field<LineItem> { Field(name: "lineItemRef") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `rate`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
        public var rate: Field<Int64> { Field(name: "rate") }

        /// Clover's `isDefault`.
        public var isDefault: Field<Bool> { Field(name: "isDefault") }

        /// Clover's `items`.
        public var items: Field<[Item]> { Field(name: "items") }

        /// Clover's `taxType`.
        public var taxType: Field<JSONValue> { Field(name: "taxType") }

        /// Clover's `taxAmount`, in minor units.
        public var taxAmount: Field<JSONValue> { Field(name: "taxAmount") }

        /// Clover's `deletedTime`, in milliseconds since 1970.
        public var deletedTime: Field<Timestamp> { Field(name: "deletedTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }
    }
}

/// Clover's `merchant.DeviceBundleState`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// for deviceBundleState in merchant.deviceBundleStates ?? [] {
///     print(deviceBundleState.bundleState ?? "")
/// }
/// ```
public struct DeviceBundleState: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `deviceBundle`.
    public var deviceBundle: BaseReference? {
        get { self["deviceBundle"] }
        set { self["deviceBundle"] = newValue }
    }

    /// Clover's `bundleState`. One of `COMPLETE`, `BROKEN`, `UNBUNDLED`, `BOARDING_PROVISION_DISCONNECT`, `BOARDING_PROVISION_BUNDLE_CONFLICT`, `BROKEN_PROVISION`, `BROKEN_BOARDING`; others may come.
    public var bundleState: String? {
        get { self["bundleState"] }
        set { self["bundleState"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `deviceBundle`.
        public var deviceBundle: Field<BaseReference> { Field(name: "deviceBundle") }

        /// Clover's `bundleState`. One of `COMPLETE`, `BROKEN`, `UNBUNDLED`, `BOARDING_PROVISION_DISCONNECT`, `BOARDING_PROVISION_BUNDLE_CONFLICT`, `BROKEN_PROVISION`, `BROKEN_BOARDING`; others may come.
        public var bundleState: Field<String> { Field(name: "bundleState") }
    }
}

/// Clover's `merchant.ExternalMerchant`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// for externalMerchant in merchant.externalMerchants ?? [] {
///     print(externalMerchant.createdTime?.date ?? .distantPast, externalMerchant.modifiedTime?.date ?? .distantPast)
/// }
/// ```
public struct ExternalMerchant: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `merchantRef`.
    public var merchantRef: BaseReference? {
        get { self["merchantRef"] }
        set { self["merchantRef"] = newValue }
    }

    /// Clover's `externalMerchantNumber`.
    public var externalMerchantNumber: String? {
        get { self["externalMerchantNumber"] }
        set { self["externalMerchantNumber"] = newValue }
    }

    /// Clover's `clientFlag`.
    public var clientFlag: String? {
        get { self["clientFlag"] }
        set { self["clientFlag"] = newValue }
    }

    /// Clover's `usageFlag`.
    public var usageFlag: String? {
        get { self["usageFlag"] }
        set { self["usageFlag"] = newValue }
    }

    /// Clover's `xrefType`.
    public var xrefType: String? {
        get { self["xrefType"] }
        set { self["xrefType"] = newValue }
    }

    /// Clover's `auditUserId`.
    public var auditUserId: String? {
        get { self["auditUserId"] }
        set { self["auditUserId"] = newValue }
    }

    /// Clover's `auditDate`, in milliseconds since 1970.
    public var auditDate: Timestamp? {
        get { self["auditDate"] }
        set { self["auditDate"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `merchantRef`.
        public var merchantRef: Field<BaseReference> { Field(name: "merchantRef") }

        /// Clover's `externalMerchantNumber`.
        public var externalMerchantNumber: Field<String> { Field(name: "externalMerchantNumber") }

        /// Clover's `clientFlag`.
        public var clientFlag: Field<String> { Field(name: "clientFlag") }

        /// Clover's `usageFlag`.
        public var usageFlag: Field<String> { Field(name: "usageFlag") }

        /// Clover's `xrefType`.
        public var xrefType: Field<String> { Field(name: "xrefType") }

        /// Clover's `auditUserId`.
        public var auditUserId: Field<String> { Field(name: "auditUserId") }

        /// Clover's `auditDate`, in milliseconds since 1970.
        public var auditDate: Field<Timestamp> { Field(name: "auditDate") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }
    }
}

/// Clover's `merchant.Gateway`.
///
/// ```swift
/// let gateway = try await shop.gateway()
/// print(gateway.paymentProcessorName ?? "", gateway.acquiringBackEnd ?? "")
/// ```
public struct Gateway: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `paymentProcessorName`.
    public var paymentProcessorName: String? {
        get { self["paymentProcessorName"] }
        set { self["paymentProcessorName"] = newValue }
    }

    /// Clover's `authorizationFrontEnd`.
    public var authorizationFrontEnd: String? {
        get { self["authorizationFrontEnd"] }
        set { self["authorizationFrontEnd"] = newValue }
    }

    /// Clover's `acquiringBackEnd`.
    public var acquiringBackEnd: String? {
        get { self["acquiringBackEnd"] }
        set { self["acquiringBackEnd"] = newValue }
    }

    /// Clover's `paymentGatewayApi`.
    public var paymentGatewayApi: String? {
        get { self["paymentGatewayApi"] }
        set { self["paymentGatewayApi"] = newValue }
    }

    /// Clover's `accountName`.
    public var accountName: String? {
        get { self["accountName"] }
        set { self["accountName"] = newValue }
    }

    /// Clover's `mid`.
    public var mid: String? {
        get { self["mid"] }
        set { self["mid"] = newValue }
    }

    /// Clover's `tid`.
    public var tid: String? {
        get { self["tid"] }
        set { self["tid"] = newValue }
    }

    /// Clover's `storeId`.
    public var storeId: String? {
        get { self["storeId"] }
        set { self["storeId"] = newValue }
    }

    /// Clover's `supportsTipping`.
    public var supportsTipping: Bool? {
        get { self["supportsTipping"] }
        set { self["supportsTipping"] = newValue }
    }

    /// Clover's `frontendMid`.
    public var frontendMid: String? {
        get { self["frontendMid"] }
        set { self["frontendMid"] = newValue }
    }

    /// Clover's `backendMid`.
    public var backendMid: String? {
        get { self["backendMid"] }
        set { self["backendMid"] = newValue }
    }

    /// Clover's `supportsTipAdjust`.
    public var supportsTipAdjust: Bool? {
        get { self["supportsTipAdjust"] }
        set { self["supportsTipAdjust"] = newValue }
    }

    /// Clover's `supportsNakedCredit`.
    public var supportsNakedCredit: Bool? {
        get { self["supportsNakedCredit"] }
        set { self["supportsNakedCredit"] = newValue }
    }

    /// Clover's `supportsMultiPayToken`.
    public var supportsMultiPayToken: Bool? {
        get { self["supportsMultiPayToken"] }
        set { self["supportsMultiPayToken"] = newValue }
    }

    /// Clover's `keyPrefix`.
    public var keyPrefix: String? {
        get { self["keyPrefix"] }
        set { self["keyPrefix"] = newValue }
    }

    /// Clover's `keyInfo`.
    public var keyInfo: JSONValue? {
        get { self["keyInfo"] }
        set { self["keyInfo"] = newValue }
    }

    /// Clover's `closingTime`.
    public var closingTime: String? {
        get { self["closingTime"] }
        set { self["closingTime"] = newValue }
    }

    /// Clover's `newBatchCloseEnabled`.
    public var newBatchCloseEnabled: Bool? {
        get { self["newBatchCloseEnabled"] }
        set { self["newBatchCloseEnabled"] = newValue }
    }

    /// Clover's `altMid`.
    public var altMid: String? {
        get { self["altMid"] }
        set { self["altMid"] = newValue }
    }

    /// Clover's `fns`.
    public var fns: String? {
        get { self["fns"] }
        set { self["fns"] = newValue }
    }

    /// Clover's `mcc`.
    public var mcc: String? {
        get { self["mcc"] }
        set { self["mcc"] = newValue }
    }

    /// Clover's `tokenType`.
    public var tokenType: String? {
        get { self["tokenType"] }
        set { self["tokenType"] = newValue }
    }

    /// Clover's `groupId`.
    public var groupId: String? {
        get { self["groupId"] }
        set { self["groupId"] = newValue }
    }

    /// Clover's `debitKeyCode`.
    public var debitKeyCode: String? {
        get { self["debitKeyCode"] }
        set { self["debitKeyCode"] = newValue }
    }

    /// Clover's `sredCode`.
    public var sredCode: String? {
        get { self["sredCode"] }
        set { self["sredCode"] = newValue }
    }

    /// Clover's `supportsPreauthOverage`.
    public var supportsPreauthOverage: Bool? {
        get { self["supportsPreauthOverage"] }
        set { self["supportsPreauthOverage"] = newValue }
    }

    /// Clover's `production`.
    public var production: Bool? {
        get { self["production"] }
        set { self["production"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `paymentProcessorName`.
        public var paymentProcessorName: Field<String> { Field(name: "paymentProcessorName") }

        /// Clover's `authorizationFrontEnd`.
        public var authorizationFrontEnd: Field<String> { Field(name: "authorizationFrontEnd") }

        /// Clover's `acquiringBackEnd`.
        public var acquiringBackEnd: Field<String> { Field(name: "acquiringBackEnd") }

        /// Clover's `paymentGatewayApi`.
        public var paymentGatewayApi: Field<String> { Field(name: "paymentGatewayApi") }

        /// Clover's `accountName`.
        public var accountName: Field<String> { Field(name: "accountName") }

        /// Clover's `mid`.
        public var mid: Field<String> { Field(name: "mid") }

        /// Clover's `tid`.
        public var tid: Field<String> { Field(name: "tid") }

        /// Clover's `storeId`.
        public var storeId: Field<String> { Field(name: "storeId") }

        /// Clover's `supportsTipping`.
        public var supportsTipping: Field<Bool> { Field(name: "supportsTipping") }

        /// Clover's `frontendMid`.
        public var frontendMid: Field<String> { Field(name: "frontendMid") }

        /// Clover's `backendMid`.
        public var backendMid: Field<String> { Field(name: "backendMid") }

        /// Clover's `supportsTipAdjust`.
        public var supportsTipAdjust: Field<Bool> { Field(name: "supportsTipAdjust") }

        /// Clover's `supportsNakedCredit`.
        public var supportsNakedCredit: Field<Bool> { Field(name: "supportsNakedCredit") }

        /// Clover's `supportsMultiPayToken`.
        public var supportsMultiPayToken: Field<Bool> { Field(name: "supportsMultiPayToken") }

        /// Clover's `keyPrefix`.
        public var keyPrefix: Field<String> { Field(name: "keyPrefix") }

        /// Clover's `keyInfo`.
        public var keyInfo: Field<JSONValue> { Field(name: "keyInfo") }

        /// Clover's `closingTime`.
        public var closingTime: Field<String> { Field(name: "closingTime") }

        /// Clover's `newBatchCloseEnabled`.
        public var newBatchCloseEnabled: Field<Bool> { Field(name: "newBatchCloseEnabled") }

        /// Clover's `altMid`.
        public var altMid: Field<String> { Field(name: "altMid") }

        /// Clover's `fns`.
        public var fns: Field<String> { Field(name: "fns") }

        /// Clover's `mcc`.
        public var mcc: Field<String> { Field(name: "mcc") }

        /// Clover's `tokenType`.
        public var tokenType: Field<String> { Field(name: "tokenType") }

        /// Clover's `groupId`.
        public var groupId: Field<String> { Field(name: "groupId") }

        /// Clover's `debitKeyCode`.
        public var debitKeyCode: Field<String> { Field(name: "debitKeyCode") }

        /// Clover's `sredCode`.
        public var sredCode: Field<String> { Field(name: "sredCode") }

        /// Clover's `supportsPreauthOverage`.
        public var supportsPreauthOverage: Field<Bool> { Field(name: "supportsPreauthOverage") }

        /// Clover's `production`.
        public var production: Field<Bool> { Field(name: "production") }
    }
}

/// Clover's `merchant.Logo`.
///
/// ```swift
/// let merchant = try await shop.merchant(expand: [\.logos])
/// for logo in merchant.logos ?? [] {
///     print(logo.logoType ?? "", logo.logoFilename ?? "")
/// }
/// ```
public struct Logo: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `logoType`. One of `BUSINESS`, `RECEIPT`; others may come.
    public var logoType: String? {
        get { self["logoType"] }
        set { self["logoType"] = newValue }
    }

    /// Clover's `logoFilename`.
    public var logoFilename: String? {
        get { self["logoFilename"] }
        set { self["logoFilename"] = newValue }
    }

    /// Clover's `url`.
    public var url: String? {
        get { self["url"] }
        set { self["url"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `logoType`. One of `BUSINESS`, `RECEIPT`; others may come.
        public var logoType: Field<String> { Field(name: "logoType") }

        /// Clover's `logoFilename`.
        public var logoFilename: Field<String> { Field(name: "logoFilename") }

        /// Clover's `url`.
        public var url: Field<String> { Field(name: "url") }
    }
}

/// Clover's `merchant.Merchant`.
///
/// ```swift
/// let merchant = try await shop.merchant(expand: [\.bankProcessing])
/// print(merchant.name ?? "", merchant.bankProcessing?.createdTime?.date ?? .distantPast)
/// ```
public struct Merchant: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Merchant>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `owner`.
    public var owner: Employee? {
        get { self["owner"] }
        set { self["owner"] = newValue }
    }

    /// Clover's `address`.
    public var address: BaseAddress? {
        get { self["address"] }
        set { self["address"] = newValue }
    }

    /// Clover's `merchantPlan`.
    public var merchantPlan: MerchantPlan? {
        get { self["merchantPlan"] }
        set { self["merchantPlan"] = newValue }
    }

    /// Clover's `defaultCurrency`.
    public var defaultCurrency: String? {
        get { self["defaultCurrency"] }
        set { self["defaultCurrency"] = newValue }
    }

    /// Clover's `phoneNumber`. Deprecated by Clover.
    public var phoneNumber: String? {
        get { self["phoneNumber"] }
        set { self["phoneNumber"] = newValue }
    }

    /// Clover's `website`.
    public var website: String? {
        get { self["website"] }
        set { self["website"] = newValue }
    }

    /// Clover's `logos`.
    public var logos: [Logo]? {
        get { self[elements: "logos"] }
        set { self[elements: "logos"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `properties`.
    public var properties: MerchantProperties? {
        get { self["properties"] }
        set { self["properties"] = newValue }
    }

    /// Clover's `gateway`.
    public var gateway: Gateway? {
        get { self["gateway"] }
        set { self["gateway"] = newValue }
    }

    /// Clover's `tipSuggestions`.
    public var tipSuggestions: [TipSuggestion]? {
        get { self[elements: "tipSuggestions"] }
        set { self[elements: "tipSuggestions"] = newValue }
    }

    /// Clover's `employees`.
    public var employees: [Employee]? {
        get { self[elements: "employees"] }
        set { self[elements: "employees"] = newValue }
    }

    /// Clover's `items`.
    public var items: [Item]? {
        get { self[elements: "items"] }
        set { self[elements: "items"] = newValue }
    }

    /// Clover's `tags`.
    public var tags: [Tag]? {
        get { self[elements: "tags"] }
        set { self[elements: "tags"] = newValue }
    }

    /// Clover's `tenders`.
    public var tenders: [Tender]? {
        get { self[elements: "tenders"] }
        set { self[elements: "tenders"] = newValue }
    }

    /// Clover's `shifts`.
    public var shifts: [Shift]? {
        get { self[elements: "shifts"] }
        set { self[elements: "shifts"] = newValue }
    }

    /// Clover's `orders`.
    public var orders: [Order]? {
        get { self[elements: "orders"] }
        set { self[elements: "orders"] = newValue }
    }

    /// Clover's `payments`.
    public var payments: [Payment]? {
        get { self[elements: "payments"] }
        set { self[elements: "payments"] = newValue }
    }

    /// Clover's `taxRates`.
    public var taxRates: [TaxRate]? {
        get { self[elements: "taxRates"] }
        set { self[elements: "taxRates"] = newValue }
    }

    /// Clover's `printers`.
    public var printers: [Printer]? {
        get { self[elements: "printers"] }
        set { self[elements: "printers"] = newValue }
    }

    /// Clover's `modifierGroups`.
    public var modifierGroups: [ModifierGroup]? {
        get { self[elements: "modifierGroups"] }
        set { self[elements: "modifierGroups"] = newValue }
    }

    /// Clover's `orderTypes`.
    public var orderTypes: [OrderType]? {
        get { self[elements: "orderTypes"] }
        set { self[elements: "orderTypes"] = newValue }
    }

    /// Clover's `reseller`.
    public var reseller: BaseReference? {
        get { self["reseller"] }
        set { self["reseller"] = newValue }
    }

    /// Clover's `opening_hours`.
    public var openingHours: [HoursSet]? {
        get { self[elements: "opening_hours"] }
        set { self[elements: "opening_hours"] = newValue }
    }

    /// Clover's `businessTypeCode`. One of `FULL_SERVICE_RESTAURANT`, `QUICK_SERVICE_RESTAURANT`, `COFFEE_SHOP`, `BAKERY`, `BAR`, `FOOD_TRUCK`, `FROZEN_YOGURT`, `PIZZA`, `DELI`, `OTHER_RESTAURANT`, `BOUTIQUE`, `CONVENIENCE_STORE`, `GROCERY`, `LIQUOR_STORE`, `VAPE_SHOP`, `JEWELRY`, `FLORIST`, `OTHER_RETAIL`, `FITNESS`, `SPA`, `HAIR_SALON`, `HOME_AND_REPAIR`, `PROFESSIONAL_SERVICES`, `CATERING`, `OTHER_SERVICE`; others may come.
    public var businessTypeCode: String? {
        get { self["businessTypeCode"] }
        set { self["businessTypeCode"] = newValue }
    }

    /// Clover's `isBillable`. Deprecated by Clover.
    public var isBillable: Bool? {
        get { self["isBillable"] }
        set { self["isBillable"] = newValue }
    }

    /// Clover's `devices`.
    public var devices: [Device]? {
        get { self[elements: "devices"] }
        set { self[elements: "devices"] = newValue }
    }

    /// Clover's `merchantGroups`.
    public var merchantGroups: [MerchantGroup]? {
        get { self[elements: "merchantGroups"] }
        set { self[elements: "merchantGroups"] = newValue }
    }

    /// Clover's `customerContactEmail`.
    public var customerContactEmail: String? {
        get { self["customerContactEmail"] }
        set { self["customerContactEmail"] = newValue }
    }

    /// Clover's `billingInfo`.
    public var billingInfo: MerchantBillingInfo? {
        get { self["billingInfo"] }
        set { self["billingInfo"] = newValue }
    }

    /// Clover's `partnerApp`.
    public var partnerApp: BaseReference? {
        get { self["partnerApp"] }
        set { self["partnerApp"] = newValue }
    }

    /// Clover's `accountType`.
    public var accountType: String? {
        get { self["accountType"] }
        set { self["accountType"] = newValue }
    }

    /// Clover's `bankProcessing`.
    public var bankProcessing: MerchantBankProcessing? {
        get { self["bankProcessing"] }
        set { self["bankProcessing"] = newValue }
    }

    /// Clover's `merchantBoarding`.
    public var merchantBoarding: MerchantBoarding? {
        get { self["merchantBoarding"] }
        set { self["merchantBoarding"] = newValue }
    }

    /// Clover's `hierarchy`.
    public var hierarchy: MerchantHierarchy? {
        get { self["hierarchy"] }
        set { self["hierarchy"] = newValue }
    }

    /// Clover's `externalMerchants`.
    public var externalMerchants: [ExternalMerchant]? {
        get { self[elements: "externalMerchants"] }
        set { self[elements: "externalMerchants"] = newValue }
    }

    /// Clover's `programExpresses`.
    public var programExpresses: [MerchantProgramExpress]? {
        get { self[elements: "programExpresses"] }
        set { self[elements: "programExpresses"] = newValue }
    }

    /// Clover's `deviceBoardings`.
    public var deviceBoardings: [MerchantDeviceBoarding]? {
        get { self[elements: "deviceBoardings"] }
        set { self[elements: "deviceBoardings"] = newValue }
    }

    /// Clover's `selfBoardingApplication`.
    public var selfBoardingApplication: BaseReference? {
        get { self["selfBoardingApplication"] }
        set { self["selfBoardingApplication"] = newValue }
    }

    /// Clover's `deviceBundleStates`.
    public var deviceBundleStates: [DeviceBundleState]? {
        get { self[elements: "deviceBundleStates"] }
        set { self[elements: "deviceBundleStates"] = newValue }
    }

    /// Clover's `equipment`.
    public var equipment: [Equipment]? {
        get { self[elements: "equipment"] }
        set { self[elements: "equipment"] = newValue }
    }

    /// Clover's `enterprises`.
    public var enterprises: JSONValue? {
        get { self["enterprises"] }
        set { self["enterprises"] = newValue }
    }

    /// Clover's `compliances`.
    public var compliances: JSONValue? {
        get { self["compliances"] }
        set { self["compliances"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Merchant>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `owner`.
        public var owner: Field<Employee> { Field(name: "owner") }

        /// Clover's `address`.
        public var address: Field<BaseAddress> { Field(name: "address") }

        /// Clover's `merchantPlan`.
        public var merchantPlan: Field<MerchantPlan> { Field(name: "merchantPlan") }

        /// Clover's `defaultCurrency`.
        public var defaultCurrency: Field<String> { Field(name: "defaultCurrency") }

        /// Clover's `phoneNumber`. Deprecated by Clover.
        public var phoneNumber: Field<String> { Field(name: "phoneNumber") }

        /// Clover's `website`.
        public var website: Field<String> { Field(name: "website") }

        /// Clover's `logos`.
        public var logos: Field<[Logo]> { Field(name: "logos") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `properties`.
        public var properties: Field<MerchantProperties> { Field(name: "properties") }

        /// Clover's `gateway`.
        public var gateway: Field<Gateway> { Field(name: "gateway") }

        /// Clover's `tipSuggestions`.
        public var tipSuggestions: Field<[TipSuggestion]> { Field(name: "tipSuggestions") }

        /// Clover's `employees`.
        public var employees: Field<[Employee]> { Field(name: "employees") }

        /// Clover's `items`.
        public var items: Field<[Item]> { Field(name: "items") }

        /// Clover's `tags`.
        public var tags: Field<[Tag]> { Field(name: "tags") }

        /// Clover's `tenders`.
        public var tenders: Field<[Tender]> { Field(name: "tenders") }

        /// Clover's `shifts`.
        public var shifts: Field<[Shift]> { Field(name: "shifts") }

        /// Clover's `orders`.
        public var orders: Field<[Order]> { Field(name: "orders") }

        /// Clover's `payments`.
        public var payments: Field<[Payment]> { Field(name: "payments") }

        /// Clover's `taxRates`.
        public var taxRates: Field<[TaxRate]> { Field(name: "taxRates") }

        /// Clover's `printers`.
        public var printers: Field<[Printer]> { Field(name: "printers") }

        /// Clover's `modifierGroups`.
        public var modifierGroups: Field<[ModifierGroup]> { Field(name: "modifierGroups") }

        /// Clover's `orderTypes`.
        public var orderTypes: Field<[OrderType]> { Field(name: "orderTypes") }

        /// Clover's `reseller`.
        public var reseller: Field<BaseReference> { Field(name: "reseller") }

        /// Clover's `opening_hours`.
        public var openingHours: Field<[HoursSet]> { Field(name: "opening_hours") }

        /// Clover's `businessTypeCode`. One of `FULL_SERVICE_RESTAURANT`, `QUICK_SERVICE_RESTAURANT`, `COFFEE_SHOP`, `BAKERY`, `BAR`, `FOOD_TRUCK`, `FROZEN_YOGURT`, `PIZZA`, `DELI`, `OTHER_RESTAURANT`, `BOUTIQUE`, `CONVENIENCE_STORE`, `GROCERY`, `LIQUOR_STORE`, `VAPE_SHOP`, `JEWELRY`, `FLORIST`, `OTHER_RETAIL`, `FITNESS`, `SPA`, `HAIR_SALON`, `HOME_AND_REPAIR`, `PROFESSIONAL_SERVICES`, `CATERING`, `OTHER_SERVICE`; others may come.
        public var businessTypeCode: Field<String> { Field(name: "businessTypeCode") }

        /// Clover's `isBillable`. Deprecated by Clover.
        public var isBillable: Field<Bool> { Field(name: "isBillable") }

        /// Clover's `devices`.
        public var devices: Field<[Device]> { Field(name: "devices") }

        /// Clover's `merchantGroups`.
        public var merchantGroups: Field<[MerchantGroup]> { Field(name: "merchantGroups") }

        /// Clover's `customerContactEmail`.
        public var customerContactEmail: Field<String> { Field(name: "customerContactEmail") }

        /// Clover's `billingInfo`.
        public var billingInfo: Field<MerchantBillingInfo> { Field(name: "billingInfo") }

        /// Clover's `partnerApp`.
        public var partnerApp: Field<BaseReference> { Field(name: "partnerApp") }

        /// Clover's `accountType`.
        public var accountType: Field<String> { Field(name: "accountType") }

        /// Clover's `bankProcessing`.
        public var bankProcessing: Field<MerchantBankProcessing> { Field(name: "bankProcessing") }

        /// Clover's `merchantBoarding`.
        public var merchantBoarding: Field<MerchantBoarding> { Field(name: "merchantBoarding") }

        /// Clover's `hierarchy`.
        public var hierarchy: Field<MerchantHierarchy> { Field(name: "hierarchy") }

        /// Clover's `externalMerchants`.
        public var externalMerchants: Field<[ExternalMerchant]> { Field(name: "externalMerchants") }

        /// Clover's `programExpresses`.
        public var programExpresses: Field<[MerchantProgramExpress]> { Field(name: "programExpresses") }

        /// Clover's `deviceBoardings`.
        public var deviceBoardings: Field<[MerchantDeviceBoarding]> { Field(name: "deviceBoardings") }

        /// Clover's `selfBoardingApplication`.
        public var selfBoardingApplication: Field<BaseReference> { Field(name: "selfBoardingApplication") }

        /// Clover's `deviceBundleStates`.
        public var deviceBundleStates: Field<[DeviceBundleState]> { Field(name: "deviceBundleStates") }

        /// Clover's `equipment`.
        public var equipment: Field<[Equipment]> { Field(name: "equipment") }

        /// Clover's `enterprises`.
        public var enterprises: Field<JSONValue> { Field(name: "enterprises") }

        /// Clover's `compliances`.
        public var compliances: Field<JSONValue> { Field(name: "compliances") }
    }
}

/// Clover's `merchant.MerchantBankProcessing`.
///
/// ```swift
/// let merchant = try await shop.merchant(expand: [\.bankProcessing])
/// if let bankProcessing = merchant.bankProcessing {
///     print(bankProcessing.createdTime?.date ?? .distantPast, bankProcessing.modifiedTime?.date ?? .distantPast)
/// }
/// ```
public struct MerchantBankProcessing: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `merchantRef`.
    public var merchantRef: BaseReference? {
        get { self["merchantRef"] }
        set { self["merchantRef"] = newValue }
    }

    /// Clover's `bin`.
    public var bin: String? {
        get { self["bin"] }
        set { self["bin"] = newValue }
    }

    /// Clover's `payCode`.
    public var payCode: String? {
        get { self["payCode"] }
        set { self["payCode"] = newValue }
    }

    /// Clover's `clearingCode`.
    public var clearingCode: String? {
        get { self["clearingCode"] }
        set { self["clearingCode"] = newValue }
    }

    /// Clover's `ica`.
    public var ica: String? {
        get { self["ica"] }
        set { self["ica"] = newValue }
    }

    /// Clover's `payCycle`.
    public var payCycle: String? {
        get { self["payCycle"] }
        set { self["payCycle"] = newValue }
    }

    /// Clover's `achRollup`.
    public var achRollup: String? {
        get { self["achRollup"] }
        set { self["achRollup"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `merchantRef`.
        public var merchantRef: Field<BaseReference> { Field(name: "merchantRef") }

        /// Clover's `bin`.
        public var bin: Field<String> { Field(name: "bin") }

        /// Clover's `payCode`.
        public var payCode: Field<String> { Field(name: "payCode") }

        /// Clover's `clearingCode`.
        public var clearingCode: Field<String> { Field(name: "clearingCode") }

        /// Clover's `ica`.
        public var ica: Field<String> { Field(name: "ica") }

        /// Clover's `payCycle`.
        public var payCycle: Field<String> { Field(name: "payCycle") }

        /// Clover's `achRollup`.
        public var achRollup: Field<String> { Field(name: "achRollup") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }
    }
}

/// Clover's `merchant.MerchantBillingInfo`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let billingInfo = merchant.billingInfo {
///     print(billingInfo.planBillable ?? false, billingInfo.appBillable ?? false)
/// }
/// ```
public struct MerchantBillingInfo: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `planBillable`.
    public var planBillable: Bool? {
        get { self["planBillable"] }
        set { self["planBillable"] = newValue }
    }

    /// Clover's `appBillable`.
    public var appBillable: Bool? {
        get { self["appBillable"] }
        set { self["appBillable"] = newValue }
    }

    /// Clover's `wmBillable`.
    public var wmBillable: Bool? {
        get { self["wmBillable"] }
        set { self["wmBillable"] = newValue }
    }

    /// Clover's `planExportable`.
    public var planExportable: Bool? {
        get { self["planExportable"] }
        set { self["planExportable"] = newValue }
    }

    /// Clover's `appExportable`.
    public var appExportable: Bool? {
        get { self["appExportable"] }
        set { self["appExportable"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `planBillable`.
        public var planBillable: Field<Bool> { Field(name: "planBillable") }

        /// Clover's `appBillable`.
        public var appBillable: Field<Bool> { Field(name: "appBillable") }

        /// Clover's `wmBillable`.
        public var wmBillable: Field<Bool> { Field(name: "wmBillable") }

        /// Clover's `planExportable`.
        public var planExportable: Field<Bool> { Field(name: "planExportable") }

        /// Clover's `appExportable`.
        public var appExportable: Field<Bool> { Field(name: "appExportable") }
    }
}

/// Clover's `merchant.MerchantBoarding`.
///
/// ```swift
/// let merchant = try await shop.merchant(expand: [\.merchantBoarding])
/// if let merchantBoarding = merchant.merchantBoarding {
///     print(merchantBoarding.createdTime?.date ?? .distantPast, merchantBoarding.modifiedTime?.date ?? .distantPast)
/// }
/// ```
public struct MerchantBoarding: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `merchantRef`.
    public var merchantRef: BaseReference? {
        get { self["merchantRef"] }
        set { self["merchantRef"] = newValue }
    }

    /// Clover's `billToName`.
    public var billToName: String? {
        get { self["billToName"] }
        set { self["billToName"] = newValue }
    }

    /// Clover's `achBankId`.
    public var achBankId: String? {
        get { self["achBankId"] }
        set { self["achBankId"] = newValue }
    }

    /// Clover's `accountStatus`.
    public var accountStatus: String? {
        get { self["accountStatus"] }
        set { self["accountStatus"] = newValue }
    }

    /// Clover's `translatedAccountStatus`. One of `CLOSED`, `FRAUD`, `CREDIT_DECLINED`, `OPEN`, `UNKNOWN`, `PENDING_CREDIT_APPROVAL`; others may come.
    public var translatedAccountStatus: String? {
        get { self["translatedAccountStatus"] }
        set { self["translatedAccountStatus"] = newValue }
    }

    /// Clover's `store`.
    public var store: String? {
        get { self["store"] }
        set { self["store"] = newValue }
    }

    /// Clover's `daylightSavings`.
    public var daylightSavings: Bool? {
        get { self["daylightSavings"] }
        set { self["daylightSavings"] = newValue }
    }

    /// Clover's `seasonal`.
    public var seasonal: Bool? {
        get { self["seasonal"] }
        set { self["seasonal"] = newValue }
    }

    /// Clover's `transArmorKey`.
    public var transArmorKey: String? {
        get { self["transArmorKey"] }
        set { self["transArmorKey"] = newValue }
    }

    /// Clover's `creditLimit`.
    public var creditLimit: Double? {
        get { self["creditLimit"] }
        set { self["creditLimit"] = newValue }
    }

    /// Clover's `authLimit`.
    public var authLimit: Double? {
        get { self["authLimit"] }
        set { self["authLimit"] = newValue }
    }

    /// Clover's `saleLimit`.
    public var saleLimit: Double? {
        get { self["saleLimit"] }
        set { self["saleLimit"] = newValue }
    }

    /// Clover's `externalMerchant`.
    public var externalMerchant: Bool? {
        get { self["externalMerchant"] }
        set { self["externalMerchant"] = newValue }
    }

    /// Clover's `dynamicDba`.
    public var dynamicDba: Bool? {
        get { self["dynamicDba"] }
        set { self["dynamicDba"] = newValue }
    }

    /// Clover's `relationshipManager`.
    public var relationshipManager: String? {
        get { self["relationshipManager"] }
        set { self["relationshipManager"] = newValue }
    }

    /// Clover's `taxExempt`.
    public var taxExempt: Bool? {
        get { self["taxExempt"] }
        set { self["taxExempt"] = newValue }
    }

    /// Clover's `salesman`.
    public var salesman: String? {
        get { self["salesman"] }
        set { self["salesman"] = newValue }
    }

    /// Clover's `valueLink`.
    public var valueLink: Bool? {
        get { self["valueLink"] }
        set { self["valueLink"] = newValue }
    }

    /// Clover's `valueLinkMid`.
    public var valueLinkMid: String? {
        get { self["valueLinkMid"] }
        set { self["valueLinkMid"] = newValue }
    }

    /// Clover's `altValueLinkMid`.
    public var altValueLinkMid: String? {
        get { self["altValueLinkMid"] }
        set { self["altValueLinkMid"] = newValue }
    }

    /// Clover's `receiptDba`.
    public var receiptDba: String? {
        get { self["receiptDba"] }
        set { self["receiptDba"] = newValue }
    }

    /// Clover's `bankNumber`.
    public var bankNumber: String? {
        get { self["bankNumber"] }
        set { self["bankNumber"] = newValue }
    }

    /// Clover's `parentMerchantId`.
    public var parentMerchantId: String? {
        get { self["parentMerchantId"] }
        set { self["parentMerchantId"] = newValue }
    }

    /// Clover's `multiMerchantType`.
    public var multiMerchantType: String? {
        get { self["multiMerchantType"] }
        set { self["multiMerchantType"] = newValue }
    }

    /// Clover's `merchantData`.
    public var merchantData: String? {
        get { self["merchantData"] }
        set { self["merchantData"] = newValue }
    }

    /// Clover's `faxPhone`.
    public var faxPhone: String? {
        get { self["faxPhone"] }
        set { self["faxPhone"] = newValue }
    }

    /// Clover's `merchantType`.
    public var merchantType: String? {
        get { self["merchantType"] }
        set { self["merchantType"] = newValue }
    }

    /// Clover's `multiCurrencyIndicator`.
    public var multiCurrencyIndicator: String? {
        get { self["multiCurrencyIndicator"] }
        set { self["multiCurrencyIndicator"] = newValue }
    }

    /// Clover's `preferredMerchant`.
    public var preferredMerchant: String? {
        get { self["preferredMerchant"] }
        set { self["preferredMerchant"] = newValue }
    }

    /// Clover's `visaIram`.
    public var visaIram: String? {
        get { self["visaIram"] }
        set { self["visaIram"] = newValue }
    }

    /// Clover's `transArmorIndicator`.
    public var transArmorIndicator: String? {
        get { self["transArmorIndicator"] }
        set { self["transArmorIndicator"] = newValue }
    }

    /// Clover's `signingKey`.
    public var signingKey: String? {
        get { self["signingKey"] }
        set { self["signingKey"] = newValue }
    }

    /// Clover's `visaDebitAccept`.
    public var visaDebitAccept: String? {
        get { self["visaDebitAccept"] }
        set { self["visaDebitAccept"] = newValue }
    }

    /// Clover's `mastercardDebitAccept`.
    public var mastercardDebitAccept: String? {
        get { self["mastercardDebitAccept"] }
        set { self["mastercardDebitAccept"] = newValue }
    }

    /// Clover's `sourceIndicator`.
    public var sourceIndicator: String? {
        get { self["sourceIndicator"] }
        set { self["sourceIndicator"] = newValue }
    }

    /// Clover's `foreignDomesticIndicator`.
    public var foreignDomesticIndicator: String? {
        get { self["foreignDomesticIndicator"] }
        set { self["foreignDomesticIndicator"] = newValue }
    }

    /// Clover's `accountFunding`.
    public var accountFunding: String? {
        get { self["accountFunding"] }
        set { self["accountFunding"] = newValue }
    }

    /// Clover's `directMarketing`.
    public var directMarketing: String? {
        get { self["directMarketing"] }
        set { self["directMarketing"] = newValue }
    }

    /// Clover's `participantRelationship`.
    public var participantRelationship: String? {
        get { self["participantRelationship"] }
        set { self["participantRelationship"] = newValue }
    }

    /// Clover's `processSettlement`.
    public var processSettlement: String? {
        get { self["processSettlement"] }
        set { self["processSettlement"] = newValue }
    }

    /// Clover's `recurringFlag`.
    public var recurringFlag: String? {
        get { self["recurringFlag"] }
        set { self["recurringFlag"] = newValue }
    }

    /// Clover's `linkFrom`.
    public var linkFrom: String? {
        get { self["linkFrom"] }
        set { self["linkFrom"] = newValue }
    }

    /// Clover's `linkTo`.
    public var linkTo: String? {
        get { self["linkTo"] }
        set { self["linkTo"] = newValue }
    }

    /// Clover's `emvAllowed`.
    public var emvAllowed: String? {
        get { self["emvAllowed"] }
        set { self["emvAllowed"] = newValue }
    }

    /// Clover's `previousAccountStatus`.
    public var previousAccountStatus: String? {
        get { self["previousAccountStatus"] }
        set { self["previousAccountStatus"] = newValue }
    }

    /// Clover's `leaseCompanyCode`.
    public var leaseCompanyCode: String? {
        get { self["leaseCompanyCode"] }
        set { self["leaseCompanyCode"] = newValue }
    }

    /// Clover's `processMode`.
    public var processMode: String? {
        get { self["processMode"] }
        set { self["processMode"] = newValue }
    }

    /// Clover's `agentBankIndicator`.
    public var agentBankIndicator: String? {
        get { self["agentBankIndicator"] }
        set { self["agentBankIndicator"] = newValue }
    }

    /// Clover's `nonMpaIndicator`.
    public var nonMpaIndicator: String? {
        get { self["nonMpaIndicator"] }
        set { self["nonMpaIndicator"] = newValue }
    }

    /// Clover's `internetIndicator`.
    public var internetIndicator: String? {
        get { self["internetIndicator"] }
        set { self["internetIndicator"] = newValue }
    }

    /// Clover's `chargeBackRetrievalAddressFlag`.
    public var chargeBackRetrievalAddressFlag: String? {
        get { self["chargeBackRetrievalAddressFlag"] }
        set { self["chargeBackRetrievalAddressFlag"] = newValue }
    }

    /// Clover's `viRelationshipParticipant`.
    public var viRelationshipParticipant: String? {
        get { self["viRelationshipParticipant"] }
        set { self["viRelationshipParticipant"] = newValue }
    }

    /// Clover's `retailDescription`.
    public var retailDescription: String? {
        get { self["retailDescription"] }
        set { self["retailDescription"] = newValue }
    }

    /// Clover's `clientRepresentative`.
    public var clientRepresentative: String? {
        get { self["clientRepresentative"] }
        set { self["clientRepresentative"] = newValue }
    }

    /// Clover's `merchantAuthType`.
    public var merchantAuthType: String? {
        get { self["merchantAuthType"] }
        set { self["merchantAuthType"] = newValue }
    }

    /// Clover's `sysPrin`.
    public var sysPrin: String? {
        get { self["sysPrin"] }
        set { self["sysPrin"] = newValue }
    }

    /// Clover's `taxId`.
    public var taxId: String? {
        get { self["taxId"] }
        set { self["taxId"] = newValue }
    }

    /// Clover's `businessType`.
    public var businessType: String? {
        get { self["businessType"] }
        set { self["businessType"] = newValue }
    }

    /// Clover's `partnerId`.
    public var partnerId: String? {
        get { self["partnerId"] }
        set { self["partnerId"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `creationSource`. One of `FDPOS`, `IPG`, `CC`, `GOR_INTERNAL`, `FDPOS_INTERNAL`, `IPG_INTERNAL`, `SELF_BOARDING`, `DASHBOARD`, `MERCHANT_CLAIM`, `DEVELOPER_CLAIM`, `FISERV_SBA`, `PARTNER_SBA`, `SBA_HIPAA_EXEMPT`; others may come.
    public var creationSource: String? {
        get { self["creationSource"] }
        set { self["creationSource"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `merchantRef`.
        public var merchantRef: Field<BaseReference> { Field(name: "merchantRef") }

        /// Clover's `billToName`.
        public var billToName: Field<String> { Field(name: "billToName") }

        /// Clover's `achBankId`.
        public var achBankId: Field<String> { Field(name: "achBankId") }

        /// Clover's `accountStatus`.
        public var accountStatus: Field<String> { Field(name: "accountStatus") }

        /// Clover's `translatedAccountStatus`. One of `CLOSED`, `FRAUD`, `CREDIT_DECLINED`, `OPEN`, `UNKNOWN`, `PENDING_CREDIT_APPROVAL`; others may come.
        public var translatedAccountStatus: Field<String> { Field(name: "translatedAccountStatus") }

        /// Clover's `store`.
        public var store: Field<String> { Field(name: "store") }

        /// Clover's `daylightSavings`.
        public var daylightSavings: Field<Bool> { Field(name: "daylightSavings") }

        /// Clover's `seasonal`.
        public var seasonal: Field<Bool> { Field(name: "seasonal") }

        /// Clover's `transArmorKey`.
        public var transArmorKey: Field<String> { Field(name: "transArmorKey") }

        /// Clover's `creditLimit`.
        public var creditLimit: Field<Double> { Field(name: "creditLimit") }

        /// Clover's `authLimit`.
        public var authLimit: Field<Double> { Field(name: "authLimit") }

        /// Clover's `saleLimit`.
        public var saleLimit: Field<Double> { Field(name: "saleLimit") }

        /// Clover's `externalMerchant`.
        public var externalMerchant: Field<Bool> { Field(name: "externalMerchant") }

        /// Clover's `dynamicDba`.
        public var dynamicDba: Field<Bool> { Field(name: "dynamicDba") }

        /// Clover's `relationshipManager`.
        public var relationshipManager: Field<String> { Field(name: "relationshipManager") }

        /// Clover's `taxExempt`.
        public var taxExempt: Field<Bool> { Field(name: "taxExempt") }

        /// Clover's `salesman`.
        public var salesman: Field<String> { Field(name: "salesman") }

        /// Clover's `valueLink`.
        public var valueLink: Field<Bool> { Field(name: "valueLink") }

        /// Clover's `valueLinkMid`.
        public var valueLinkMid: Field<String> { Field(name: "valueLinkMid") }

        /// Clover's `altValueLinkMid`.
        public var altValueLinkMid: Field<String> { Field(name: "altValueLinkMid") }

        /// Clover's `receiptDba`.
        public var receiptDba: Field<String> { Field(name: "receiptDba") }

        /// Clover's `bankNumber`.
        public var bankNumber: Field<String> { Field(name: "bankNumber") }

        /// Clover's `parentMerchantId`.
        public var parentMerchantId: Field<String> { Field(name: "parentMerchantId") }

        /// Clover's `multiMerchantType`.
        public var multiMerchantType: Field<String> { Field(name: "multiMerchantType") }

        /// Clover's `merchantData`.
        public var merchantData: Field<String> { Field(name: "merchantData") }

        /// Clover's `faxPhone`.
        public var faxPhone: Field<String> { Field(name: "faxPhone") }

        /// Clover's `merchantType`.
        public var merchantType: Field<String> { Field(name: "merchantType") }

        /// Clover's `multiCurrencyIndicator`.
        public var multiCurrencyIndicator: Field<String> { Field(name: "multiCurrencyIndicator") }

        /// Clover's `preferredMerchant`.
        public var preferredMerchant: Field<String> { Field(name: "preferredMerchant") }

        /// Clover's `visaIram`.
        public var visaIram: Field<String> { Field(name: "visaIram") }

        /// Clover's `transArmorIndicator`.
        public var transArmorIndicator: Field<String> { Field(name: "transArmorIndicator") }

        /// Clover's `signingKey`.
        public var signingKey: Field<String> { Field(name: "signingKey") }

        /// Clover's `visaDebitAccept`.
        public var visaDebitAccept: Field<String> { Field(name: "visaDebitAccept") }

        /// Clover's `mastercardDebitAccept`.
        public var mastercardDebitAccept: Field<String> { Field(name: "mastercardDebitAccept") }

        /// Clover's `sourceIndicator`.
        public var sourceIndicator: Field<String> { Field(name: "sourceIndicator") }

        /// Clover's `foreignDomesticIndicator`.
        public var foreignDomesticIndicator: Field<String> { Field(name: "foreignDomesticIndicator") }

        /// Clover's `accountFunding`.
        public var accountFunding: Field<String> { Field(name: "accountFunding") }

        /// Clover's `directMarketing`.
        public var directMarketing: Field<String> { Field(name: "directMarketing") }

        /// Clover's `participantRelationship`.
        public var participantRelationship: Field<String> { Field(name: "participantRelationship") }

        /// Clover's `processSettlement`.
        public var processSettlement: Field<String> { Field(name: "processSettlement") }

        /// Clover's `recurringFlag`.
        public var recurringFlag: Field<String> { Field(name: "recurringFlag") }

        /// Clover's `linkFrom`.
        public var linkFrom: Field<String> { Field(name: "linkFrom") }

        /// Clover's `linkTo`.
        public var linkTo: Field<String> { Field(name: "linkTo") }

        /// Clover's `emvAllowed`.
        public var emvAllowed: Field<String> { Field(name: "emvAllowed") }

        /// Clover's `previousAccountStatus`.
        public var previousAccountStatus: Field<String> { Field(name: "previousAccountStatus") }

        /// Clover's `leaseCompanyCode`.
        public var leaseCompanyCode: Field<String> { Field(name: "leaseCompanyCode") }

        /// Clover's `processMode`.
        public var processMode: Field<String> { Field(name: "processMode") }

        /// Clover's `agentBankIndicator`.
        public var agentBankIndicator: Field<String> { Field(name: "agentBankIndicator") }

        /// Clover's `nonMpaIndicator`.
        public var nonMpaIndicator: Field<String> { Field(name: "nonMpaIndicator") }

        /// Clover's `internetIndicator`.
        public var internetIndicator: Field<String> { Field(name: "internetIndicator") }

        /// Clover's `chargeBackRetrievalAddressFlag`.
        public var chargeBackRetrievalAddressFlag: Field<String> { Field(name: "chargeBackRetrievalAddressFlag") }

        /// Clover's `viRelationshipParticipant`.
        public var viRelationshipParticipant: Field<String> { Field(name: "viRelationshipParticipant") }

        /// Clover's `retailDescription`.
        public var retailDescription: Field<String> { Field(name: "retailDescription") }

        /// Clover's `clientRepresentative`.
        public var clientRepresentative: Field<String> { Field(name: "clientRepresentative") }

        /// Clover's `merchantAuthType`.
        public var merchantAuthType: Field<String> { Field(name: "merchantAuthType") }

        /// Clover's `sysPrin`.
        public var sysPrin: Field<String> { Field(name: "sysPrin") }

        /// Clover's `taxId`.
        public var taxId: Field<String> { Field(name: "taxId") }

        /// Clover's `businessType`.
        public var businessType: Field<String> { Field(name: "businessType") }

        /// Clover's `partnerId`.
        public var partnerId: Field<String> { Field(name: "partnerId") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `creationSource`. One of `FDPOS`, `IPG`, `CC`, `GOR_INTERNAL`, `FDPOS_INTERNAL`, `IPG_INTERNAL`, `SELF_BOARDING`, `DASHBOARD`, `MERCHANT_CLAIM`, `DEVELOPER_CLAIM`, `FISERV_SBA`, `PARTNER_SBA`, `SBA_HIPAA_EXEMPT`; others may come.
        public var creationSource: Field<String> { Field(name: "creationSource") }
    }
}

/// Clover's `merchant.MerchantDeviceBoarding`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// for merchantDeviceBoarding in merchant.deviceBoardings ?? [] {
///     print(merchantDeviceBoarding.status ?? "", merchantDeviceBoarding.createdTime?.date ?? .distantPast)
/// }
/// ```
public struct MerchantDeviceBoarding: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `merchantRef`.
    public var merchantRef: BaseReference? {
        get { self["merchantRef"] }
        set { self["merchantRef"] = newValue }
    }

    /// Clover's `productType`.
    public var productType: String? {
        get { self["productType"] }
        set { self["productType"] = newValue }
    }

    /// Clover's `equipmentNumber`.
    public var equipmentNumber: String? {
        get { self["equipmentNumber"] }
        set { self["equipmentNumber"] = newValue }
    }

    /// Clover's `businessType`.
    public var businessType: String? {
        get { self["businessType"] }
        set { self["businessType"] = newValue }
    }

    /// Clover's `status`.
    public var status: String? {
        get { self["status"] }
        set { self["status"] = newValue }
    }

    /// Clover's `transArmorIndicator`.
    public var transArmorIndicator: String? {
        get { self["transArmorIndicator"] }
        set { self["transArmorIndicator"] = newValue }
    }

    /// Clover's `forceCloseTime`.
    public var forceCloseTime: String? {
        get { self["forceCloseTime"] }
        set { self["forceCloseTime"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `serialNumber`.
    public var serialNumber: String? {
        get { self["serialNumber"] }
        set { self["serialNumber"] = newValue }
    }

    /// Clover's `bundleIndicator`.
    public var bundleIndicator: String? {
        get { self["bundleIndicator"] }
        set { self["bundleIndicator"] = newValue }
    }

    /// Clover's `removalTime`, in milliseconds since 1970.
    public var removalTime: Timestamp? {
        get { self["removalTime"] }
        set { self["removalTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `merchantRef`.
        public var merchantRef: Field<BaseReference> { Field(name: "merchantRef") }

        /// Clover's `productType`.
        public var productType: Field<String> { Field(name: "productType") }

        /// Clover's `equipmentNumber`.
        public var equipmentNumber: Field<String> { Field(name: "equipmentNumber") }

        /// Clover's `businessType`.
        public var businessType: Field<String> { Field(name: "businessType") }

        /// Clover's `status`.
        public var status: Field<String> { Field(name: "status") }

        /// Clover's `transArmorIndicator`.
        public var transArmorIndicator: Field<String> { Field(name: "transArmorIndicator") }

        /// Clover's `forceCloseTime`.
        public var forceCloseTime: Field<String> { Field(name: "forceCloseTime") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `serialNumber`.
        public var serialNumber: Field<String> { Field(name: "serialNumber") }

        /// Clover's `bundleIndicator`.
        public var bundleIndicator: Field<String> { Field(name: "bundleIndicator") }

        /// Clover's `removalTime`, in milliseconds since 1970.
        public var removalTime: Field<Timestamp> { Field(name: "removalTime") }
    }
}

/// Clover's `merchant.MerchantHierarchy`.
///
/// ```swift
/// let merchant = try await shop.merchant(expand: [\.hierarchy])
/// if let hierarchy = merchant.hierarchy {
///     print(hierarchy.mid ?? "", hierarchy.chain ?? "")
/// }
/// ```
public struct MerchantHierarchy: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `mid`.
    public var mid: String? {
        get { self["mid"] }
        set { self["mid"] = newValue }
    }

    /// Clover's `chain`.
    public var chain: String? {
        get { self["chain"] }
        set { self["chain"] = newValue }
    }

    /// Clover's `corporate`.
    public var corporate: String? {
        get { self["corporate"] }
        set { self["corporate"] = newValue }
    }

    /// Clover's `agent`.
    public var agent: String? {
        get { self["agent"] }
        set { self["agent"] = newValue }
    }

    /// Clover's `bank`.
    public var bank: String? {
        get { self["bank"] }
        set { self["bank"] = newValue }
    }

    /// Clover's `business`.
    public var business: String? {
        get { self["business"] }
        set { self["business"] = newValue }
    }

    /// Clover's `maps`.
    public var maps: String? {
        get { self["maps"] }
        set { self["maps"] = newValue }
    }

    /// Clover's `association`.
    public var association: String? {
        get { self["association"] }
        set { self["association"] = newValue }
    }

    /// Clover's `customer`.
    public var customer: String? {
        get { self["customer"] }
        set { self["customer"] = newValue }
    }

    /// Clover's `billName`.
    public var billName: String? {
        get { self["billName"] }
        set { self["billName"] = newValue }
    }

    /// Clover's `dbaName`.
    public var dbaName: String? {
        get { self["dbaName"] }
        set { self["dbaName"] = newValue }
    }

    /// Clover's `dbaAttention`.
    public var dbaAttention: String? {
        get { self["dbaAttention"] }
        set { self["dbaAttention"] = newValue }
    }

    /// Clover's `legalName`.
    public var legalName: String? {
        get { self["legalName"] }
        set { self["legalName"] = newValue }
    }

    /// Clover's `billToAttention`.
    public var billToAttention: String? {
        get { self["billToAttention"] }
        set { self["billToAttention"] = newValue }
    }

    /// Clover's `email`.
    public var email: String? {
        get { self["email"] }
        set { self["email"] = newValue }
    }

    /// Clover's `abaAccountNumber`.
    public var abaAccountNumber: String? {
        get { self["abaAccountNumber"] }
        set { self["abaAccountNumber"] = newValue }
    }

    /// Clover's `ddaAccountNumber`.
    public var ddaAccountNumber: String? {
        get { self["ddaAccountNumber"] }
        set { self["ddaAccountNumber"] = newValue }
    }

    /// Clover's `dbaAddress`.
    public var dbaAddress: String? {
        get { self["dbaAddress"] }
        set { self["dbaAddress"] = newValue }
    }

    /// Clover's `dbaCity`.
    public var dbaCity: String? {
        get { self["dbaCity"] }
        set { self["dbaCity"] = newValue }
    }

    /// Clover's `dbaState`.
    public var dbaState: String? {
        get { self["dbaState"] }
        set { self["dbaState"] = newValue }
    }

    /// Clover's `dbaZip`.
    public var dbaZip: String? {
        get { self["dbaZip"] }
        set { self["dbaZip"] = newValue }
    }

    /// Clover's `dbaPhoneNumber`.
    public var dbaPhoneNumber: String? {
        get { self["dbaPhoneNumber"] }
        set { self["dbaPhoneNumber"] = newValue }
    }

    /// Clover's `billCity`.
    public var billCity: String? {
        get { self["billCity"] }
        set { self["billCity"] = newValue }
    }

    /// Clover's `billState`.
    public var billState: String? {
        get { self["billState"] }
        set { self["billState"] = newValue }
    }

    /// Clover's `billZip`.
    public var billZip: String? {
        get { self["billZip"] }
        set { self["billZip"] = newValue }
    }

    /// Clover's `billPhoneNumber`.
    public var billPhoneNumber: String? {
        get { self["billPhoneNumber"] }
        set { self["billPhoneNumber"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `mid`.
        public var mid: Field<String> { Field(name: "mid") }

        /// Clover's `chain`.
        public var chain: Field<String> { Field(name: "chain") }

        /// Clover's `corporate`.
        public var corporate: Field<String> { Field(name: "corporate") }

        /// Clover's `agent`.
        public var agent: Field<String> { Field(name: "agent") }

        /// Clover's `bank`.
        public var bank: Field<String> { Field(name: "bank") }

        /// Clover's `business`.
        public var business: Field<String> { Field(name: "business") }

        /// Clover's `maps`.
        public var maps: Field<String> { Field(name: "maps") }

        /// Clover's `association`.
        public var association: Field<String> { Field(name: "association") }

        /// Clover's `customer`.
        public var customer: Field<String> { Field(name: "customer") }

        /// Clover's `billName`.
        public var billName: Field<String> { Field(name: "billName") }

        /// Clover's `dbaName`.
        public var dbaName: Field<String> { Field(name: "dbaName") }

        /// Clover's `dbaAttention`.
        public var dbaAttention: Field<String> { Field(name: "dbaAttention") }

        /// Clover's `legalName`.
        public var legalName: Field<String> { Field(name: "legalName") }

        /// Clover's `billToAttention`.
        public var billToAttention: Field<String> { Field(name: "billToAttention") }

        /// Clover's `email`.
        public var email: Field<String> { Field(name: "email") }

        /// Clover's `abaAccountNumber`.
        public var abaAccountNumber: Field<String> { Field(name: "abaAccountNumber") }

        /// Clover's `ddaAccountNumber`.
        public var ddaAccountNumber: Field<String> { Field(name: "ddaAccountNumber") }

        /// Clover's `dbaAddress`.
        public var dbaAddress: Field<String> { Field(name: "dbaAddress") }

        /// Clover's `dbaCity`.
        public var dbaCity: Field<String> { Field(name: "dbaCity") }

        /// Clover's `dbaState`.
        public var dbaState: Field<String> { Field(name: "dbaState") }

        /// Clover's `dbaZip`.
        public var dbaZip: Field<String> { Field(name: "dbaZip") }

        /// Clover's `dbaPhoneNumber`.
        public var dbaPhoneNumber: Field<String> { Field(name: "dbaPhoneNumber") }

        /// Clover's `billCity`.
        public var billCity: Field<String> { Field(name: "billCity") }

        /// Clover's `billState`.
        public var billState: Field<String> { Field(name: "billState") }

        /// Clover's `billZip`.
        public var billZip: Field<String> { Field(name: "billZip") }

        /// Clover's `billPhoneNumber`.
        public var billPhoneNumber: Field<String> { Field(name: "billPhoneNumber") }
    }
}

/// Clover's `merchant.MerchantPlan`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan {
///     print(merchantPlan.name ?? "", merchantPlan.price?.minorUnits ?? 0)
/// }
/// ```
public struct MerchantPlan: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<MerchantPlan>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `description`.
    public var description: String? {
        get { self["description"] }
        set { self["description"] = newValue }
    }

    /// Clover's `price`, in minor units.
    public var price: Money? {
        get { self["price"] }
        set { self["price"] = newValue }
    }

    /// Clover's `modules`.
    public var modules: [Module]? {
        get { self[elements: "modules"] }
        set { self[elements: "modules"] = newValue }
    }

    /// Clover's `appBundle`.
    public var appBundle: AppBundle? {
        get { self["appBundle"] }
        set { self["appBundle"] = newValue }
    }

    /// Clover's `trialDays`.
    public var trialDays: Int64? {
        get { self["trialDays"] }
        set { self["trialDays"] = newValue }
    }

    /// Clover's `trialExpirationTime`, in milliseconds since 1970.
    public var trialExpirationTime: Timestamp? {
        get { self["trialExpirationTime"] }
        set { self["trialExpirationTime"] = newValue }
    }

    /// Clover's `defaultPlan`.
    public var defaultPlan: Bool? {
        get { self["defaultPlan"] }
        set { self["defaultPlan"] = newValue }
    }

    /// Clover's `recommended`.
    public var recommended: Bool? {
        get { self["recommended"] }
        set { self["recommended"] = newValue }
    }

    /// Clover's `pricingModel`. One of `PER_MONTH`, `PER_DEVICE`, `TIERED`, `FREE`, `SUPPRESSED`; others may come.
    public var pricingModel: String? {
        get { self["pricingModel"] }
        set { self["pricingModel"] = newValue }
    }

    /// Clover's `bogo`.
    public var bogo: Bool? {
        get { self["bogo"] }
        set { self["bogo"] = newValue }
    }

    /// Clover's `weight`.
    public var weight: Int64? {
        get { self["weight"] }
        set { self["weight"] = newValue }
    }

    /// Clover's `features`.
    public var features: [String]? {
        get { self[elements: "features"] }
        set { self[elements: "features"] = newValue }
    }

    /// Clover's `billToMid`.
    public var billToMid: Bool? {
        get { self["billToMid"] }
        set { self["billToMid"] = newValue }
    }

    /// Clover's `type`. One of `PAYMENTS_PLUS`, `REGISTER_LITE`, `CLASSIC`, `REGISTER`, `DINING`, `QSR`, `NO_HARDWARE`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// Clover's `planCode`.
    public var planCode: String? {
        get { self["planCode"] }
        set { self["planCode"] = newValue }
    }

    /// Clover's `activationTime`, in milliseconds since 1970.
    public var activationTime: Timestamp? {
        get { self["activationTime"] }
        set { self["activationTime"] = newValue }
    }

    /// Clover's `deactivationTime`, in milliseconds since 1970.
    public var deactivationTime: Timestamp? {
        get { self["deactivationTime"] }
        set { self["deactivationTime"] = newValue }
    }

    /// Clover's `reseller`.
    public var reseller: Reseller? {
        get { self["reseller"] }
        set { self["reseller"] = newValue }
    }

    /// Clover's `merchantPlanGroup`.
    public var merchantPlanGroup: BaseReference? {
        get { self["merchantPlanGroup"] }
        set { self["merchantPlanGroup"] = newValue }
    }

    /// Clover's `merchantPlanGroups`.
    public var merchantPlanGroups: [MerchantPlanGroup]? {
        get { self[elements: "merchantPlanGroups"] }
        set { self[elements: "merchantPlanGroups"] = newValue }
    }

    /// Clover's `enforced`.
    public var enforced: Bool? {
        get { self["enforced"] }
        set { self["enforced"] = newValue }
    }

    /// Clover's `hidden`.
    public var hidden: Bool? {
        get { self["hidden"] }
        set { self["hidden"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<MerchantPlan>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `description`.
        public var description: Field<String> { Field(name: "description") }

        /// Clover's `price`, in minor units.
        public var price: Field<Money> { Field(name: "price") }

        /// Clover's `modules`.
        public var modules: Field<[Module]> { Field(name: "modules") }

        /// Clover's `appBundle`.
        public var appBundle: Field<AppBundle> { Field(name: "appBundle") }

        /// Clover's `trialDays`.
        public var trialDays: Field<Int64> { Field(name: "trialDays") }

        /// Clover's `trialExpirationTime`, in milliseconds since 1970.
        public var trialExpirationTime: Field<Timestamp> { Field(name: "trialExpirationTime") }

        /// Clover's `defaultPlan`.
        public var defaultPlan: Field<Bool> { Field(name: "defaultPlan") }

        /// Clover's `recommended`.
        public var recommended: Field<Bool> { Field(name: "recommended") }

        /// Clover's `pricingModel`. One of `PER_MONTH`, `PER_DEVICE`, `TIERED`, `FREE`, `SUPPRESSED`; others may come.
        public var pricingModel: Field<String> { Field(name: "pricingModel") }

        /// Clover's `bogo`.
        public var bogo: Field<Bool> { Field(name: "bogo") }

        /// Clover's `weight`.
        public var weight: Field<Int64> { Field(name: "weight") }

        /// Clover's `features`.
        public var features: Field<[String]> { Field(name: "features") }

        /// Clover's `billToMid`.
        public var billToMid: Field<Bool> { Field(name: "billToMid") }

        /// Clover's `type`. One of `PAYMENTS_PLUS`, `REGISTER_LITE`, `CLASSIC`, `REGISTER`, `DINING`, `QSR`, `NO_HARDWARE`; others may come.
        public var type: Field<String> { Field(name: "type") }

        /// Clover's `planCode`.
        public var planCode: Field<String> { Field(name: "planCode") }

        /// Clover's `activationTime`, in milliseconds since 1970.
        public var activationTime: Field<Timestamp> { Field(name: "activationTime") }

        /// Clover's `deactivationTime`, in milliseconds since 1970.
        public var deactivationTime: Field<Timestamp> { Field(name: "deactivationTime") }

        /// Clover's `reseller`.
        public var reseller: Field<Reseller> { Field(name: "reseller") }

        /// Clover's `merchantPlanGroup`.
        public var merchantPlanGroup: Field<BaseReference> { Field(name: "merchantPlanGroup") }

        /// Clover's `merchantPlanGroups`.
        public var merchantPlanGroups: Field<[MerchantPlanGroup]> { Field(name: "merchantPlanGroups") }

        /// Clover's `enforced`.
        public var enforced: Field<Bool> { Field(name: "enforced") }

        /// Clover's `hidden`.
        public var hidden: Field<Bool> { Field(name: "hidden") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }
    }
}

/// Clover's `merchant.MerchantPlanGroup`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan {
///     for merchantPlanGroup in merchantPlan.merchantPlanGroups ?? [] {
///         print(merchantPlanGroup.name ?? "", merchantPlanGroup.createdTime?.date ?? .distantPast)
///     }
/// }
/// ```
public struct MerchantPlanGroup: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<MerchantPlanGroup>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `enforceAssignment`.
    public var enforceAssignment: Bool? {
        get { self["enforceAssignment"] }
        set { self["enforceAssignment"] = newValue }
    }

    /// Clover's `linkable`.
    public var linkable: Bool? {
        get { self["linkable"] }
        set { self["linkable"] = newValue }
    }

    /// Clover's `trialDays`.
    public var trialDays: Int64? {
        get { self["trialDays"] }
        set { self["trialDays"] = newValue }
    }

    /// Clover's `reseller`.
    public var reseller: BaseReference? {
        get { self["reseller"] }
        set { self["reseller"] = newValue }
    }

    /// Clover's `deletedTime`, in milliseconds since 1970.
    public var deletedTime: Timestamp? {
        get { self["deletedTime"] }
        set { self["deletedTime"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<MerchantPlanGroup>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `enforceAssignment`.
        public var enforceAssignment: Field<Bool> { Field(name: "enforceAssignment") }

        /// Clover's `linkable`.
        public var linkable: Field<Bool> { Field(name: "linkable") }

        /// Clover's `trialDays`.
        public var trialDays: Field<Int64> { Field(name: "trialDays") }

        /// Clover's `reseller`.
        public var reseller: Field<BaseReference> { Field(name: "reseller") }

        /// Clover's `deletedTime`, in milliseconds since 1970.
        public var deletedTime: Field<Timestamp> { Field(name: "deletedTime") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }
    }
}

/// Clover's `merchant.MerchantProgramExpress`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// for merchantProgramExpress in merchant.programExpresses ?? [] {
///     print(merchantProgramExpress.programCode ?? "", merchantProgramExpress.programCodeDescription ?? "")
/// }
/// ```
public struct MerchantProgramExpress: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `merchantRef`.
    public var merchantRef: BaseReference? {
        get { self["merchantRef"] }
        set { self["merchantRef"] = newValue }
    }

    /// Clover's `programCode`.
    public var programCode: String? {
        get { self["programCode"] }
        set { self["programCode"] = newValue }
    }

    /// Clover's `programCodeDescription`.
    public var programCodeDescription: String? {
        get { self["programCodeDescription"] }
        set { self["programCodeDescription"] = newValue }
    }

    /// Clover's `key`.
    public var key: String? {
        get { self["key"] }
        set { self["key"] = newValue }
    }

    /// Clover's `keyDescription`.
    public var keyDescription: String? {
        get { self["keyDescription"] }
        set { self["keyDescription"] = newValue }
    }

    /// Clover's `value`.
    public var value: String? {
        get { self["value"] }
        set { self["value"] = newValue }
    }

    /// Clover's `valueDescription`.
    public var valueDescription: String? {
        get { self["valueDescription"] }
        set { self["valueDescription"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `merchantRef`.
        public var merchantRef: Field<BaseReference> { Field(name: "merchantRef") }

        /// Clover's `programCode`.
        public var programCode: Field<String> { Field(name: "programCode") }

        /// Clover's `programCodeDescription`.
        public var programCodeDescription: Field<String> { Field(name: "programCodeDescription") }

        /// Clover's `key`.
        public var key: Field<String> { Field(name: "key") }

        /// Clover's `keyDescription`.
        public var keyDescription: Field<String> { Field(name: "keyDescription") }

        /// Clover's `value`.
        public var value: Field<String> { Field(name: "value") }

        /// Clover's `valueDescription`.
        public var valueDescription: Field<String> { Field(name: "valueDescription") }
    }
}

/// Clover's `merchant.MerchantProperties`.
///
/// ```swift
/// let properties = try await shop.properties()
/// print(properties.defaultCurrency ?? "", properties.receiptProperties ?? "")
/// ```
public struct MerchantProperties: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `defaultCurrency`.
    public var defaultCurrency: String? {
        get { self["defaultCurrency"] }
        set { self["defaultCurrency"] = newValue }
    }

    /// Clover's `tipsEnabled`.
    public var tipsEnabled: Bool? {
        get { self["tipsEnabled"] }
        set { self["tipsEnabled"] = newValue }
    }

    /// Clover's `receiptProperties`.
    public var receiptProperties: String? {
        get { self["receiptProperties"] }
        set { self["receiptProperties"] = newValue }
    }

    /// Clover's `summaryHour`.
    public var summaryHour: Int64? {
        get { self["summaryHour"] }
        set { self["summaryHour"] = newValue }
    }

    /// Clover's `signatureThreshold`, in minor units.
    public var signatureThreshold: Money? {
        get { self["signatureThreshold"] }
        set { self["signatureThreshold"] = newValue }
    }

    /// Clover's `hasDefaultEmployee`.
    public var hasDefaultEmployee: Bool? {
        get { self["hasDefaultEmployee"] }
        set { self["hasDefaultEmployee"] = newValue }
    }

    /// Clover's `tipRateDefault`.
    public var tipRateDefault: Int64? {
        get { self["tipRateDefault"] }
        set { self["tipRateDefault"] = newValue }
    }

    /// Clover's `onPaperTipSignatures`.
    public var onPaperTipSignatures: Bool? {
        get { self["onPaperTipSignatures"] }
        set { self["onPaperTipSignatures"] = newValue }
    }

    /// Clover's `autoLogout`.
    public var autoLogout: Bool? {
        get { self["autoLogout"] }
        set { self["autoLogout"] = newValue }
    }

    /// Clover's `orderTitle`. One of `NONE`, `MANUAL`, `AUTOMATIC`; others may come.
    public var orderTitle: String? {
        get { self["orderTitle"] }
        set { self["orderTitle"] = newValue }
    }

    /// Clover's `orderTitleMax`.
    public var orderTitleMax: Int64? {
        get { self["orderTitleMax"] }
        set { self["orderTitleMax"] = newValue }
    }

    /// Clover's `resetOnReportingTime`.
    public var resetOnReportingTime: Bool? {
        get { self["resetOnReportingTime"] }
        set { self["resetOnReportingTime"] = newValue }
    }

    /// Clover's `notesOnOrders`.
    public var notesOnOrders: Bool? {
        get { self["notesOnOrders"] }
        set { self["notesOnOrders"] = newValue }
    }

    /// Clover's `deleteOrders`.
    public var deleteOrders: Bool? {
        get { self["deleteOrders"] }
        set { self["deleteOrders"] = newValue }
    }

    /// Clover's `removeTaxEnabled`.
    public var removeTaxEnabled: Bool? {
        get { self["removeTaxEnabled"] }
        set { self["removeTaxEnabled"] = newValue }
    }

    /// Clover's `groupLineItems`.
    public var groupLineItems: Bool? {
        get { self["groupLineItems"] }
        set { self["groupLineItems"] = newValue }
    }

    /// Clover's `alternateInventoryNames`.
    public var alternateInventoryNames: Bool? {
        get { self["alternateInventoryNames"] }
        set { self["alternateInventoryNames"] = newValue }
    }

    /// Clover's `autoPrint`.
    public var autoPrint: Bool? {
        get { self["autoPrint"] }
        set { self["autoPrint"] = newValue }
    }

    /// Clover's `hardwareProfile`.
    public var hardwareProfile: String? {
        get { self["hardwareProfile"] }
        set { self["hardwareProfile"] = newValue }
    }

    /// Clover's `infoleaseSuppressBilling`.
    public var infoleaseSuppressBilling: Bool? {
        get { self["infoleaseSuppressBilling"] }
        set { self["infoleaseSuppressBilling"] = newValue }
    }

    /// Clover's `infoleaseSuppressPlanBilling`.
    public var infoleaseSuppressPlanBilling: Bool? {
        get { self["infoleaseSuppressPlanBilling"] }
        set { self["infoleaseSuppressPlanBilling"] = newValue }
    }

    /// Clover's `shippingAddress`.
    public var shippingAddress: String? {
        get { self["shippingAddress"] }
        set { self["shippingAddress"] = newValue }
    }

    /// Clover's `marketingEnabled`.
    public var marketingEnabled: Bool? {
        get { self["marketingEnabled"] }
        set { self["marketingEnabled"] = newValue }
    }

    /// Clover's `marketingPreferenceText`.
    public var marketingPreferenceText: String? {
        get { self["marketingPreferenceText"] }
        set { self["marketingPreferenceText"] = newValue }
    }

    /// Clover's `bankMarker`.
    public var bankMarker: Int64? {
        get { self["bankMarker"] }
        set { self["bankMarker"] = newValue }
    }

    /// Clover's `supportPhone`.
    public var supportPhone: String? {
        get { self["supportPhone"] }
        set { self["supportPhone"] = newValue }
    }

    /// Clover's `supportEmail`.
    public var supportEmail: String? {
        get { self["supportEmail"] }
        set { self["supportEmail"] = newValue }
    }

    /// Clover's `manualCloseout`.
    public var manualCloseout: Bool? {
        get { self["manualCloseout"] }
        set { self["manualCloseout"] = newValue }
    }

    /// Clover's `showCloseoutOrders`.
    public var showCloseoutOrders: Bool? {
        get { self["showCloseoutOrders"] }
        set { self["showCloseoutOrders"] = newValue }
    }

    /// Clover's `sendCloseoutEmail`.
    public var sendCloseoutEmail: Bool? {
        get { self["sendCloseoutEmail"] }
        set { self["sendCloseoutEmail"] = newValue }
    }

    /// Clover's `stayInCategory`.
    public var stayInCategory: Bool? {
        get { self["stayInCategory"] }
        set { self["stayInCategory"] = newValue }
    }

    /// Clover's `locale`.
    public var locale: String? {
        get { self["locale"] }
        set { self["locale"] = newValue }
    }

    /// Clover's `timezone`.
    public var timezone: String? {
        get { self["timezone"] }
        set { self["timezone"] = newValue }
    }

    /// Clover's `vat`.
    public var vat: Bool? {
        get { self["vat"] }
        set { self["vat"] = newValue }
    }

    /// Clover's `vatTaxName`.
    public var vatTaxName: String? {
        get { self["vatTaxName"] }
        set { self["vatTaxName"] = newValue }
    }

    /// Clover's `appBillingSystem`.
    public var appBillingSystem: String? {
        get { self["appBillingSystem"] }
        set { self["appBillingSystem"] = newValue }
    }

    /// Clover's `abaAccountNumber`.
    public var abaAccountNumber: String? {
        get { self["abaAccountNumber"] }
        set { self["abaAccountNumber"] = newValue }
    }

    /// Clover's `ddaAccountNumber`.
    public var ddaAccountNumber: String? {
        get { self["ddaAccountNumber"] }
        set { self["ddaAccountNumber"] = newValue }
    }

    /// Clover's `trackStock`.
    public var trackStock: Bool? {
        get { self["trackStock"] }
        set { self["trackStock"] = newValue }
    }

    /// Clover's `updateStock`.
    public var updateStock: Bool? {
        get { self["updateStock"] }
        set { self["updateStock"] = newValue }
    }

    /// Clover's `allowClockOutWithOpenOrders`.
    public var allowClockOutWithOpenOrders: Bool? {
        get { self["allowClockOutWithOpenOrders"] }
        set { self["allowClockOutWithOpenOrders"] = newValue }
    }

    /// Clover's `logInClockInPrompt`.
    public var logInClockInPrompt: Bool? {
        get { self["logInClockInPrompt"] }
        set { self["logInClockInPrompt"] = newValue }
    }

    /// Clover's `accountType`.
    public var accountType: String? {
        get { self["accountType"] }
        set { self["accountType"] = newValue }
    }

    /// Clover's `businessTypeCode`. One of `FULL_SERVICE_RESTAURANT`, `QUICK_SERVICE_RESTAURANT`, `COFFEE_SHOP`, `BAKERY`, `BAR`, `FOOD_TRUCK`, `FROZEN_YOGURT`, `PIZZA`, `DELI`, `OTHER_RESTAURANT`, `BOUTIQUE`, `CONVENIENCE_STORE`, `GROCERY`, `LIQUOR_STORE`, `VAPE_SHOP`, `JEWELRY`, `FLORIST`, `OTHER_RETAIL`, `FITNESS`, `SPA`, `HAIR_SALON`, `HOME_AND_REPAIR`, `PROFESSIONAL_SERVICES`, `CATERING`, `OTHER_SERVICE`; others may come.
    public var businessTypeCode: String? {
        get { self["businessTypeCode"] }
        set { self["businessTypeCode"] = newValue }
    }

    /// Clover's `pinLength`.
    public var pinLength: Int64? {
        get { self["pinLength"] }
        set { self["pinLength"] = newValue }
    }

    /// Clover's `cashBackEnabled`.
    public var cashBackEnabled: Bool? {
        get { self["cashBackEnabled"] }
        set { self["cashBackEnabled"] = newValue }
    }

    /// Clover's `cashBackOptions`.
    public var cashBackOptions: String? {
        get { self["cashBackOptions"] }
        set { self["cashBackOptions"] = newValue }
    }

    /// Clover's `maxCashBack`, in minor units.
    public var maxCashBack: Money? {
        get { self["maxCashBack"] }
        set { self["maxCashBack"] = newValue }
    }

    /// Clover's `hierarchy`.
    public var hierarchy: String? {
        get { self["hierarchy"] }
        set { self["hierarchy"] = newValue }
    }

    /// Clover's `hasConsented`.
    public var hasConsented: Bool? {
        get { self["hasConsented"] }
        set { self["hasConsented"] = newValue }
    }

    /// Clover's `merchantRef`.
    public var merchantRef: BaseReference? {
        get { self["merchantRef"] }
        set { self["merchantRef"] = newValue }
    }

    /// Clover's `maxTipPercentage`, in percent.
    public var maxTipPercentage: Int64? {
        get { self["maxTipPercentage"] }
        set { self["maxTipPercentage"] = newValue }
    }

    /// Clover's `noSignatureProgramEligible`.
    public var noSignatureProgramEligible: Bool? {
        get { self["noSignatureProgramEligible"] }
        set { self["noSignatureProgramEligible"] = newValue }
    }

    /// Clover's `manualCloseoutPerDevice`.
    public var manualCloseoutPerDevice: Bool? {
        get { self["manualCloseoutPerDevice"] }
        set { self["manualCloseoutPerDevice"] = newValue }
    }

    /// Clover's `autoCloseoutTimezone`.
    public var autoCloseoutTimezone: String? {
        get { self["autoCloseoutTimezone"] }
        set { self["autoCloseoutTimezone"] = newValue }
    }

    /// Clover's `merchantBoardingStatus`.
    public var merchantBoardingStatus: String? {
        get { self["merchantBoardingStatus"] }
        set { self["merchantBoardingStatus"] = newValue }
    }

    /// Clover's `alwaysRequireSignature`.
    public var alwaysRequireSignature: Bool? {
        get { self["alwaysRequireSignature"] }
        set { self["alwaysRequireSignature"] = newValue }
    }

    /// Clover's `printedFirstDataReceiptLogoEnabled`.
    public var printedFirstDataReceiptLogoEnabled: Bool? {
        get { self["printedFirstDataReceiptLogoEnabled"] }
        set { self["printedFirstDataReceiptLogoEnabled"] = newValue }
    }

    /// Clover's `privacyPolicyMode`.
    public var privacyPolicyMode: String? {
        get { self["privacyPolicyMode"] }
        set { self["privacyPolicyMode"] = newValue }
    }

    /// Clover's `merchantPrivacyPolicyUrl`.
    public var merchantPrivacyPolicyUrl: String? {
        get { self["merchantPrivacyPolicyUrl"] }
        set { self["merchantPrivacyPolicyUrl"] = newValue }
    }

    /// Clover's `disablePrintTaxesPaymentOnReceipts`.
    public var disablePrintTaxesPaymentOnReceipts: Bool? {
        get { self["disablePrintTaxesPaymentOnReceipts"] }
        set { self["disablePrintTaxesPaymentOnReceipts"] = newValue }
    }

    /// Clover's `processingRestrictions`. One of `RESTRICTED`, `PENDING`, `FAILED`, `NONE`; others may come.
    public var processingRestrictions: String? {
        get { self["processingRestrictions"] }
        set { self["processingRestrictions"] = newValue }
    }

    /// Clover's `limpModeAllowed2`.
    public var limpModeAllowed2: Bool? {
        get { self["limpModeAllowed2"] }
        set { self["limpModeAllowed2"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `defaultCurrency`.
        public var defaultCurrency: Field<String> { Field(name: "defaultCurrency") }

        /// Clover's `tipsEnabled`.
        public var tipsEnabled: Field<Bool> { Field(name: "tipsEnabled") }

        /// Clover's `receiptProperties`.
        public var receiptProperties: Field<String> { Field(name: "receiptProperties") }

        /// Clover's `summaryHour`.
        public var summaryHour: Field<Int64> { Field(name: "summaryHour") }

        /// Clover's `signatureThreshold`, in minor units.
        public var signatureThreshold: Field<Money> { Field(name: "signatureThreshold") }

        /// Clover's `hasDefaultEmployee`.
        public var hasDefaultEmployee: Field<Bool> { Field(name: "hasDefaultEmployee") }

        /// Clover's `tipRateDefault`.
        public var tipRateDefault: Field<Int64> { Field(name: "tipRateDefault") }

        /// Clover's `onPaperTipSignatures`.
        public var onPaperTipSignatures: Field<Bool> { Field(name: "onPaperTipSignatures") }

        /// Clover's `autoLogout`.
        public var autoLogout: Field<Bool> { Field(name: "autoLogout") }

        /// Clover's `orderTitle`. One of `NONE`, `MANUAL`, `AUTOMATIC`; others may come.
        public var orderTitle: Field<String> { Field(name: "orderTitle") }

        /// Clover's `orderTitleMax`.
        public var orderTitleMax: Field<Int64> { Field(name: "orderTitleMax") }

        /// Clover's `resetOnReportingTime`.
        public var resetOnReportingTime: Field<Bool> { Field(name: "resetOnReportingTime") }

        /// Clover's `notesOnOrders`.
        public var notesOnOrders: Field<Bool> { Field(name: "notesOnOrders") }

        /// Clover's `deleteOrders`.
        public var deleteOrders: Field<Bool> { Field(name: "deleteOrders") }

        /// Clover's `removeTaxEnabled`.
        public var removeTaxEnabled: Field<Bool> { Field(name: "removeTaxEnabled") }

        /// Clover's `groupLineItems`.
        public var groupLineItems: Field<Bool> { Field(name: "groupLineItems") }

        /// Clover's `alternateInventoryNames`.
        public var alternateInventoryNames: Field<Bool> { Field(name: "alternateInventoryNames") }

        /// Clover's `autoPrint`.
        public var autoPrint: Field<Bool> { Field(name: "autoPrint") }

        /// Clover's `hardwareProfile`.
        public var hardwareProfile: Field<String> { Field(name: "hardwareProfile") }

        /// Clover's `infoleaseSuppressBilling`.
        public var infoleaseSuppressBilling: Field<Bool> { Field(name: "infoleaseSuppressBilling") }

        /// Clover's `infoleaseSuppressPlanBilling`.
        public var infoleaseSuppressPlanBilling: Field<Bool> { Field(name: "infoleaseSuppressPlanBilling") }

        /// Clover's `shippingAddress`.
        public var shippingAddress: Field<String> { Field(name: "shippingAddress") }

        /// Clover's `marketingEnabled`.
        public var marketingEnabled: Field<Bool> { Field(name: "marketingEnabled") }

        /// Clover's `marketingPreferenceText`.
        public var marketingPreferenceText: Field<String> { Field(name: "marketingPreferenceText") }

        /// Clover's `bankMarker`.
        public var bankMarker: Field<Int64> { Field(name: "bankMarker") }

        /// Clover's `supportPhone`.
        public var supportPhone: Field<String> { Field(name: "supportPhone") }

        /// Clover's `supportEmail`.
        public var supportEmail: Field<String> { Field(name: "supportEmail") }

        /// Clover's `manualCloseout`.
        public var manualCloseout: Field<Bool> { Field(name: "manualCloseout") }

        /// Clover's `showCloseoutOrders`.
        public var showCloseoutOrders: Field<Bool> { Field(name: "showCloseoutOrders") }

        /// Clover's `sendCloseoutEmail`.
        public var sendCloseoutEmail: Field<Bool> { Field(name: "sendCloseoutEmail") }

        /// Clover's `stayInCategory`.
        public var stayInCategory: Field<Bool> { Field(name: "stayInCategory") }

        /// Clover's `locale`.
        public var locale: Field<String> { Field(name: "locale") }

        /// Clover's `timezone`.
        public var timezone: Field<String> { Field(name: "timezone") }

        /// Clover's `vat`.
        public var vat: Field<Bool> { Field(name: "vat") }

        /// Clover's `vatTaxName`.
        public var vatTaxName: Field<String> { Field(name: "vatTaxName") }

        /// Clover's `appBillingSystem`.
        public var appBillingSystem: Field<String> { Field(name: "appBillingSystem") }

        /// Clover's `abaAccountNumber`.
        public var abaAccountNumber: Field<String> { Field(name: "abaAccountNumber") }

        /// Clover's `ddaAccountNumber`.
        public var ddaAccountNumber: Field<String> { Field(name: "ddaAccountNumber") }

        /// Clover's `trackStock`.
        public var trackStock: Field<Bool> { Field(name: "trackStock") }

        /// Clover's `updateStock`.
        public var updateStock: Field<Bool> { Field(name: "updateStock") }

        /// Clover's `allowClockOutWithOpenOrders`.
        public var allowClockOutWithOpenOrders: Field<Bool> { Field(name: "allowClockOutWithOpenOrders") }

        /// Clover's `logInClockInPrompt`.
        public var logInClockInPrompt: Field<Bool> { Field(name: "logInClockInPrompt") }

        /// Clover's `accountType`.
        public var accountType: Field<String> { Field(name: "accountType") }

        /// Clover's `businessTypeCode`. One of `FULL_SERVICE_RESTAURANT`, `QUICK_SERVICE_RESTAURANT`, `COFFEE_SHOP`, `BAKERY`, `BAR`, `FOOD_TRUCK`, `FROZEN_YOGURT`, `PIZZA`, `DELI`, `OTHER_RESTAURANT`, `BOUTIQUE`, `CONVENIENCE_STORE`, `GROCERY`, `LIQUOR_STORE`, `VAPE_SHOP`, `JEWELRY`, `FLORIST`, `OTHER_RETAIL`, `FITNESS`, `SPA`, `HAIR_SALON`, `HOME_AND_REPAIR`, `PROFESSIONAL_SERVICES`, `CATERING`, `OTHER_SERVICE`; others may come.
        public var businessTypeCode: Field<String> { Field(name: "businessTypeCode") }

        /// Clover's `pinLength`.
        public var pinLength: Field<Int64> { Field(name: "pinLength") }

        /// Clover's `cashBackEnabled`.
        public var cashBackEnabled: Field<Bool> { Field(name: "cashBackEnabled") }

        /// Clover's `cashBackOptions`.
        public var cashBackOptions: Field<String> { Field(name: "cashBackOptions") }

        /// Clover's `maxCashBack`, in minor units.
        public var maxCashBack: Field<Money> { Field(name: "maxCashBack") }

        /// Clover's `hierarchy`.
        public var hierarchy: Field<String> { Field(name: "hierarchy") }

        /// Clover's `hasConsented`.
        public var hasConsented: Field<Bool> { Field(name: "hasConsented") }

        /// Clover's `merchantRef`.
        public var merchantRef: Field<BaseReference> { Field(name: "merchantRef") }

        /// Clover's `maxTipPercentage`, in percent.
        public var maxTipPercentage: Field<Int64> { Field(name: "maxTipPercentage") }

        /// Clover's `noSignatureProgramEligible`.
        public var noSignatureProgramEligible: Field<Bool> { Field(name: "noSignatureProgramEligible") }

        /// Clover's `manualCloseoutPerDevice`.
        public var manualCloseoutPerDevice: Field<Bool> { Field(name: "manualCloseoutPerDevice") }

        /// Clover's `autoCloseoutTimezone`.
        public var autoCloseoutTimezone: Field<String> { Field(name: "autoCloseoutTimezone") }

        /// Clover's `merchantBoardingStatus`.
        public var merchantBoardingStatus: Field<String> { Field(name: "merchantBoardingStatus") }

        /// Clover's `alwaysRequireSignature`.
        public var alwaysRequireSignature: Field<Bool> { Field(name: "alwaysRequireSignature") }

        /// Clover's `printedFirstDataReceiptLogoEnabled`.
        public var printedFirstDataReceiptLogoEnabled: Field<Bool> { Field(name: "printedFirstDataReceiptLogoEnabled") }

        /// Clover's `privacyPolicyMode`.
        public var privacyPolicyMode: Field<String> { Field(name: "privacyPolicyMode") }

        /// Clover's `merchantPrivacyPolicyUrl`.
        public var merchantPrivacyPolicyUrl: Field<String> { Field(name: "merchantPrivacyPolicyUrl") }

        /// Clover's `disablePrintTaxesPaymentOnReceipts`.
        public var disablePrintTaxesPaymentOnReceipts: Field<Bool> { Field(name: "disablePrintTaxesPaymentOnReceipts") }

        /// Clover's `processingRestrictions`. One of `RESTRICTED`, `PENDING`, `FAILED`, `NONE`; others may come.
        public var processingRestrictions: Field<String> { Field(name: "processingRestrictions") }

        /// Clover's `limpModeAllowed2`.
        public var limpModeAllowed2: Field<Bool> { Field(name: "limpModeAllowed2") }
    }
}

/// Clover's `merchant.Module`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan {
///     for module in merchantPlan.modules ?? [] {
///         print(module.name ?? "", module.id?.text ?? "")
///     }
/// }
/// ```
public struct Module: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Module>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Module>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }
    }
}

/// Clover's `merchant.TipSuggestion`.
///
/// ```swift
/// for try await tipSuggestion in shop.tipSuggestions.sort(\.amount, .descending).limit(10) {
///     print(tipSuggestion.name ?? "", tipSuggestion.amount?.minorUnits ?? 0)
/// }
/// ```
public struct TipSuggestion: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<TipSuggestion>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `percentage`, in percent.
    public var percentage: Int64? {
        get { self["percentage"] }
        set { self["percentage"] = newValue }
    }

    /// Clover's `isEnabled`.
    public var isEnabled: Bool? {
        get { self["isEnabled"] }
        set { self["isEnabled"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<TipSuggestion>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `percentage`, in percent.
        public var percentage: Field<Int64> { Field(name: "percentage") }

        /// Clover's `isEnabled`.
        public var isEnabled: Field<Bool> { Field(name: "isEnabled") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }
    }
}

/// Clover's `order.Discount`.
///
/// ```swift
/// for try await order in shop.orders.expand(\.discounts) {
///     for orderDiscount in order.discounts ?? [] {
///         print(orderDiscount.name ?? "", orderDiscount.amount?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct OrderDiscount: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<OrderDiscount>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: Order? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `lineItemRef`.
    public var lineItemRef: LineItem? {
        get { self["lineItemRef"] }
        set { self["lineItemRef"] = newValue }
    }

    /// Clover's `discount`.
    public var discount: InventoryDiscount? {
        get { self["discount"] }
        set { self["discount"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `percentage`, in percent.
    public var percentage: Int64? {
        get { self["percentage"] }
        set { self["percentage"] = newValue }
    }

    /// Clover's `approver`.
    public var approver: JSONValue? {
        get { self["approver"] }
        set { self["approver"] = newValue }
    }

    /// Clover's `percentageDecimal`, in ten-thousandths of a percent: 125,000 is 12.5 %.
    public var percentageDecimal: Int64? {
        get { self["percentageDecimal"] }
        set { self["percentageDecimal"] = newValue }
    }

    /// Clover's `discType`.
    public var discType: String? {
        get { self["discType"] }
        set { self["discType"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<OrderDiscount>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<Order> { Field(name: "orderRef") }

        /// Clover's `lineItemRef`.
        public var lineItemRef: Field<LineItem> { Field(name: "lineItemRef") }

        /// Clover's `discount`.
        public var discount: Field<InventoryDiscount> { Field(name: "discount") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `percentage`, in percent.
        public var percentage: Field<Int64> { Field(name: "percentage") }

        /// Clover's `approver`.
        public var approver: Field<JSONValue> { Field(name: "approver") }

        /// Clover's `percentageDecimal`, in ten-thousandths of a percent: 125,000 is 12.5 %.
        public var percentageDecimal: Field<Int64> { Field(name: "percentageDecimal") }

        /// Clover's `discType`.
        public var discType: Field<String> { Field(name: "discType") }
    }
}

/// Clover's `order.LineItem`.
///
/// ```swift
/// for try await order in shop.orders.expand(\.lineItems) {
///     for lineItem in order.lineItems ?? [] {
///         print(lineItem.name ?? "", lineItem.price?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct LineItem: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<LineItem>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: Order? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `item`.
    public var item: Item? {
        get { self["item"] }
        set { self["item"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `alternateName`.
    public var alternateName: String? {
        get { self["alternateName"] }
        set { self["alternateName"] = newValue }
    }

    /// Clover's `price`, in minor units.
    public var price: Money? {
        get { self["price"] }
        set { self["price"] = newValue }
    }

    /// Clover's `unitQty`, in thousandths: 1,500 is 1.5.
    public var unitQty: Int64? {
        get { self["unitQty"] }
        set { self["unitQty"] = newValue }
    }

    /// Clover's `unitName`.
    public var unitName: String? {
        get { self["unitName"] }
        set { self["unitName"] = newValue }
    }

    /// Clover's `itemCode`.
    public var itemCode: String? {
        get { self["itemCode"] }
        set { self["itemCode"] = newValue }
    }

    /// Clover's `note`.
    public var note: String? {
        get { self["note"] }
        set { self["note"] = newValue }
    }

    /// Clover's `printed`.
    public var printed: Bool? {
        get { self["printed"] }
        set { self["printed"] = newValue }
    }

    /// Clover's `exchangedLineItem`.
    public var exchangedLineItem: LineItem? {
        get { self["exchangedLineItem"] }
        set { self["exchangedLineItem"] = newValue }
    }

    /// Clover's `binName`.
    public var binName: String? {
        get { self["binName"] }
        set { self["binName"] = newValue }
    }

    /// Clover's `userData`.
    public var userData: String? {
        get { self["userData"] }
        set { self["userData"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `orderClientCreatedTime`, in milliseconds since 1970.
    public var orderClientCreatedTime: Timestamp? {
        get { self["orderClientCreatedTime"] }
        set { self["orderClientCreatedTime"] = newValue }
    }

    /// Clover's `discounts`.
    public var discounts: [OrderDiscount]? {
        get { self[elements: "discounts"] }
        set { self[elements: "discounts"] = newValue }
    }

    /// Clover's `discountAmount`, in minor units.
    public var discountAmount: Money? {
        get { self["discountAmount"] }
        set { self["discountAmount"] = newValue }
    }

    /// Clover's `exchanged`.
    public var exchanged: Bool? {
        get { self["exchanged"] }
        set { self["exchanged"] = newValue }
    }

    /// Clover's `modifications`.
    public var modifications: [Modification]? {
        get { self[elements: "modifications"] }
        set { self[elements: "modifications"] = newValue }
    }

    /// Clover's `refunded`.
    public var refunded: Bool? {
        get { self["refunded"] }
        set { self["refunded"] = newValue }
    }

    /// Clover's `isRevenue`.
    public var isRevenue: Bool? {
        get { self["isRevenue"] }
        set { self["isRevenue"] = newValue }
    }

    /// Clover's `taxRates`.
    public var taxRates: [TaxRate]? {
        get { self[elements: "taxRates"] }
        set { self[elements: "taxRates"] = newValue }
    }

    /// Clover's `payments`.
    public var payments: [LineItemPayment]? {
        get { self[elements: "payments"] }
        set { self[elements: "payments"] = newValue }
    }

    /// Clover's `priceWithModifiers`, in minor units.
    public var priceWithModifiers: Money? {
        get { self["priceWithModifiers"] }
        set { self["priceWithModifiers"] = newValue }
    }

    /// Clover's `priceWithModifiersAndItemAndOrderDiscounts`, in minor units.
    public var priceWithModifiersAndItemAndOrderDiscounts: Money? {
        get { self["priceWithModifiersAndItemAndOrderDiscounts"] }
        set { self["priceWithModifiersAndItemAndOrderDiscounts"] = newValue }
    }

    /// Clover's `orderLevelDiscounts`.
    public var orderLevelDiscounts: [OrderDiscount]? {
        get { self[elements: "orderLevelDiscounts"] }
        set { self[elements: "orderLevelDiscounts"] = newValue }
    }

    /// Clover's `orderLevelDiscountAmount`, in minor units.
    public var orderLevelDiscountAmount: Money? {
        get { self["orderLevelDiscountAmount"] }
        set { self["orderLevelDiscountAmount"] = newValue }
    }

    /// Clover's `tags`.
    public var tags: [Tag]? {
        get { self[elements: "tags"] }
        set { self[elements: "tags"] = newValue }
    }

    /// Clover's `refund`.
    public var refund: Refund? {
        get { self["refund"] }
        set { self["refund"] = newValue }
    }

    /// Clover's `revenueAmount`, in minor units.
    public var revenueAmount: Money? {
        get { self["revenueAmount"] }
        set { self["revenueAmount"] = newValue }
    }

    /// Clover's `quantitySold`.
    public var quantitySold: Double? {
        get { self["quantitySold"] }
        set { self["quantitySold"] = newValue }
    }

    /// Clover's `printGroup`.
    public var printGroup: JSONValue? {
        get { self["printGroup"] }
        set { self["printGroup"] = newValue }
    }

    /// Clover's `isOrderFee`.
    public var isOrderFee: Bool? {
        get { self["isOrderFee"] }
        set { self["isOrderFee"] = newValue }
    }

    /// Clover's `orderFee`.
    public var orderFee: BaseReference? {
        get { self["orderFee"] }
        set { self["orderFee"] = newValue }
    }

    /// Clover's `percentage`.
    public var percentage: Int64? {
        get { self["percentage"] }
        set { self["percentage"] = newValue }
    }

    /// Clover's `isAgeRestricted`.
    public var isAgeRestricted: Bool? {
        get { self["isAgeRestricted"] }
        set { self["isAgeRestricted"] = newValue }
    }

    /// Clover's `ageRestrictedType`.
    public var ageRestrictedType: String? {
        get { self["ageRestrictedType"] }
        set { self["ageRestrictedType"] = newValue }
    }

    /// Clover's `minimumAge`.
    public var minimumAge: Int64? {
        get { self["minimumAge"] }
        set { self["minimumAge"] = newValue }
    }

    /// Clover's `colorCode`.
    public var colorCode: String? {
        get { self["colorCode"] }
        set { self["colorCode"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<LineItem>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<Order> { Field(name: "orderRef") }

        /// Clover's `item`.
        public var item: Field<Item> { Field(name: "item") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `alternateName`.
        public var alternateName: Field<String> { Field(name: "alternateName") }

        /// Clover's `price`, in minor units.
        public var price: Field<Money> { Field(name: "price") }

        /// Clover's `unitQty`, in thousandths: 1,500 is 1.5.
        public var unitQty: Field<Int64> { Field(name: "unitQty") }

        /// Clover's `unitName`.
        public var unitName: Field<String> { Field(name: "unitName") }

        /// Clover's `itemCode`.
        public var itemCode: Field<String> { Field(name: "itemCode") }

        /// Clover's `note`.
        public var note: Field<String> { Field(name: "note") }

        /// Clover's `printed`.
        public var printed: Field<Bool> { Field(name: "printed") }

        /// Clover's `exchangedLineItem`.
        public var exchangedLineItem: Field<LineItem> { Field(name: "exchangedLineItem") }

        /// Clover's `binName`.
        public var binName: Field<String> { Field(name: "binName") }

        /// Clover's `userData`.
        public var userData: Field<String> { Field(name: "userData") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `orderClientCreatedTime`, in milliseconds since 1970.
        public var orderClientCreatedTime: Field<Timestamp> { Field(name: "orderClientCreatedTime") }

        /// Clover's `discounts`.
        public var discounts: Field<[OrderDiscount]> { Field(name: "discounts") }

        /// Clover's `discountAmount`, in minor units.
        public var discountAmount: Field<Money> { Field(name: "discountAmount") }

        /// Clover's `exchanged`.
        public var exchanged: Field<Bool> { Field(name: "exchanged") }

        /// Clover's `modifications`.
        public var modifications: Field<[Modification]> { Field(name: "modifications") }

        /// Clover's `refunded`.
        public var refunded: Field<Bool> { Field(name: "refunded") }

        /// Clover's `isRevenue`.
        public var isRevenue: Field<Bool> { Field(name: "isRevenue") }

        /// Clover's `taxRates`.
        public var taxRates: Field<[TaxRate]> { Field(name: "taxRates") }

        /// Clover's `payments`.
        public var payments: Field<[LineItemPayment]> { Field(name: "payments") }

        /// Clover's `priceWithModifiers`, in minor units.
        public var priceWithModifiers: Field<Money> { Field(name: "priceWithModifiers") }

        /// Clover's `priceWithModifiersAndItemAndOrderDiscounts`, in minor units.
        public var priceWithModifiersAndItemAndOrderDiscounts: Field<Money> { Field(name: "priceWithModifiersAndItemAndOrderDiscounts") }

        /// Clover's `orderLevelDiscounts`.
        public var orderLevelDiscounts: Field<[OrderDiscount]> { Field(name: "orderLevelDiscounts") }

        /// Clover's `orderLevelDiscountAmount`, in minor units.
        public var orderLevelDiscountAmount: Field<Money> { Field(name: "orderLevelDiscountAmount") }

        /// Clover's `tags`.
        public var tags: Field<[Tag]> { Field(name: "tags") }

        /// Clover's `refund`.
        public var refund: Field<Refund> { Field(name: "refund") }

        /// Clover's `revenueAmount`, in minor units.
        public var revenueAmount: Field<Money> { Field(name: "revenueAmount") }

        /// Clover's `quantitySold`.
        public var quantitySold: Field<Double> { Field(name: "quantitySold") }

        /// Clover's `printGroup`.
        public var printGroup: Field<JSONValue> { Field(name: "printGroup") }

        /// Clover's `isOrderFee`.
        public var isOrderFee: Field<Bool> { Field(name: "isOrderFee") }

        /// Clover's `orderFee`.
        public var orderFee: Field<BaseReference> { Field(name: "orderFee") }

        /// Clover's `percentage`.
        public var percentage: Field<Int64> { Field(name: "percentage") }

        /// Clover's `isAgeRestricted`.
        public var isAgeRestricted: Field<Bool> { Field(name: "isAgeRestricted") }

        /// Clover's `ageRestrictedType`.
        public var ageRestrictedType: Field<String> { Field(name: "ageRestrictedType") }

        /// Clover's `minimumAge`.
        public var minimumAge: Field<Int64> { Field(name: "minimumAge") }

        /// Clover's `colorCode`.
        public var colorCode: Field<String> { Field(name: "colorCode") }
    }
}

/// Clover's `order.Modification`.
///
/// ```swift
/// for try await order in shop.orders.expand(\.lineItems.modifications) {
///     for lineItem in order.lineItems ?? [] {
///         for modification in lineItem.modifications ?? [] {
///             print(modification.name ?? "", modification.amount?.minorUnits ?? 0)
///         }
///     }
/// }
/// ```
public struct Modification: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Modification>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `lineItemRef`.
    public var lineItemRef: LineItem? {
        get { self["lineItemRef"] }
        set { self["lineItemRef"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `alternateName`.
    public var alternateName: String? {
        get { self["alternateName"] }
        set { self["alternateName"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `modifier`.
    public var modifier: Modifier? {
        get { self["modifier"] }
        set { self["modifier"] = newValue }
    }

    /// Clover's `quantitySold`.
    public var quantitySold: Int64? {
        get { self["quantitySold"] }
        set { self["quantitySold"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Modification>> { Field(name: "id") }

        /// Clover's `lineItemRef`.
        public var lineItemRef: Field<LineItem> { Field(name: "lineItemRef") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `alternateName`.
        public var alternateName: Field<String> { Field(name: "alternateName") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `modifier`.
        public var modifier: Field<Modifier> { Field(name: "modifier") }

        /// Clover's `quantitySold`.
        public var quantitySold: Field<Int64> { Field(name: "quantitySold") }
    }
}

/// Clover's `order.Order`.
///
/// ```swift
/// for try await order in shop.orders.sort(\.createdTime, .descending).limit(10) {
///     print(order.total?.minorUnits ?? 0, order.createdTime?.date ?? .distantPast)
/// }
/// ```
public struct Order: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Order>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `currency`.
    public var currency: String? {
        get { self["currency"] }
        set { self["currency"] = newValue }
    }

    /// Clover's `customers`.
    public var customers: [Customer]? {
        get { self[elements: "customers"] }
        set { self[elements: "customers"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: Employee? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `total`, in minor units.
    public var total: Money? {
        get { self["total"] }
        set { self["total"] = newValue }
    }

    /// Clover's `title`.
    public var title: String? {
        get { self["title"] }
        set { self["title"] = newValue }
    }

    /// Clover's `note`.
    public var note: String? {
        get { self["note"] }
        set { self["note"] = newValue }
    }

    /// Clover's `orderType`.
    public var orderType: OrderType? {
        get { self["orderType"] }
        set { self["orderType"] = newValue }
    }

    /// Clover's `taxRemoved`.
    public var taxRemoved: Bool? {
        get { self["taxRemoved"] }
        set { self["taxRemoved"] = newValue }
    }

    /// Clover's `isVat`.
    public var isVat: Bool? {
        get { self["isVat"] }
        set { self["isVat"] = newValue }
    }

    /// Clover's `state`.
    public var state: String? {
        get { self["state"] }
        set { self["state"] = newValue }
    }

    /// Clover's `manualTransaction`.
    public var manualTransaction: Bool? {
        get { self["manualTransaction"] }
        set { self["manualTransaction"] = newValue }
    }

    /// Clover's `groupLineItems`.
    public var groupLineItems: Bool? {
        get { self["groupLineItems"] }
        set { self["groupLineItems"] = newValue }
    }

    /// Clover's `testMode`.
    public var testMode: Bool? {
        get { self["testMode"] }
        set { self["testMode"] = newValue }
    }

    /// Clover's `payType`. One of `SPLIT_GUEST`, `SPLIT_ITEM`, `SPLIT_CUSTOM`, `FULL`; others may come.
    public var payType: String? {
        get { self["payType"] }
        set { self["payType"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `clientCreatedTime`, in milliseconds since 1970.
    public var clientCreatedTime: Timestamp? {
        get { self["clientCreatedTime"] }
        set { self["clientCreatedTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `deletedTimestamp`, in milliseconds since 1970.
    public var deletedTimestamp: Timestamp? {
        get { self["deletedTimestamp"] }
        set { self["deletedTimestamp"] = newValue }
    }

    /// Clover's `serviceCharge`.
    public var serviceCharge: ServiceCharge? {
        get { self["serviceCharge"] }
        set { self["serviceCharge"] = newValue }
    }

    /// Clover's `discounts`.
    public var discounts: [OrderDiscount]? {
        get { self[elements: "discounts"] }
        set { self[elements: "discounts"] = newValue }
    }

    /// Clover's `lineItems`.
    public var lineItems: [LineItem]? {
        get { self[elements: "lineItems"] }
        set { self[elements: "lineItems"] = newValue }
    }

    /// Clover's `taxRates`.
    public var taxRates: [OrderTaxRate]? {
        get { self[elements: "taxRates"] }
        set { self[elements: "taxRates"] = newValue }
    }

    /// Clover's `payments`.
    public var payments: [Payment]? {
        get { self[elements: "payments"] }
        set { self[elements: "payments"] = newValue }
    }

    /// Clover's `refunds`.
    public var refunds: [Refund]? {
        get { self[elements: "refunds"] }
        set { self[elements: "refunds"] = newValue }
    }

    /// Clover's `credits`.
    public var credits: [Credit]? {
        get { self[elements: "credits"] }
        set { self[elements: "credits"] = newValue }
    }

    /// Clover's `voids`.
    public var voids: [Payment]? {
        get { self[elements: "voids"] }
        set { self[elements: "voids"] = newValue }
    }

    /// Clover's `device`.
    public var device: Device? {
        get { self["device"] }
        set { self["device"] = newValue }
    }

    /// Clover's `customerId`.
    public var customerId: Int64? {
        get { self["customerId"] }
        set { self["customerId"] = newValue }
    }

    /// Clover's `customerUuid`.
    public var customerUuid: String? {
        get { self["customerUuid"] }
        set { self["customerUuid"] = newValue }
    }

    /// Clover's `orderTypeId`.
    public var orderTypeId: Int64? {
        get { self["orderTypeId"] }
        set { self["orderTypeId"] = newValue }
    }

    /// Clover's `externalReferenceId`.
    public var externalReferenceId: String? {
        get { self["externalReferenceId"] }
        set { self["externalReferenceId"] = newValue }
    }

    /// Clover's `unpaidBalance`, in minor units.
    public var unpaidBalance: Money? {
        get { self["unpaidBalance"] }
        set { self["unpaidBalance"] = newValue }
    }

    /// Clover's `paymentState`.
    public var paymentState: String? {
        get { self["paymentState"] }
        set { self["paymentState"] = newValue }
    }

    /// Clover's `preAuths`.
    public var preAuths: [Payment]? {
        get { self[elements: "preAuths"] }
        set { self[elements: "preAuths"] = newValue }
    }

    /// Clover's `authorizations`.
    public var authorizations: [Authorization]? {
        get { self[elements: "authorizations"] }
        set { self[elements: "authorizations"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// Clover's `onlineOrder`.
    public var onlineOrder: JSONValue? {
        get { self["onlineOrder"] }
        set { self["onlineOrder"] = newValue }
    }

    /// Clover's `printGroups`.
    public var printGroups: [PrintGroup]? {
        get { self[elements: "printGroups"] }
        set { self[elements: "printGroups"] = newValue }
    }

    /// Clover's `additionalCharges`.
    public var additionalCharges: JSONValue? {
        get { self["additionalCharges"] }
        set { self["additionalCharges"] = newValue }
    }

    /// Clover's `orderFulfillmentEvent`.
    public var orderFulfillmentEvent: JSONValue? {
        get { self["orderFulfillmentEvent"] }
        set { self["orderFulfillmentEvent"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Order>> { Field(name: "id") }

        /// Clover's `currency`.
        public var currency: Field<String> { Field(name: "currency") }

        /// Clover's `customers`.
        public var customers: Field<[Customer]> { Field(name: "customers") }

        /// Clover's `employee`.
        public var employee: Field<Employee> { Field(name: "employee") }

        /// Clover's `total`, in minor units.
        public var total: Field<Money> { Field(name: "total") }

        /// Clover's `title`.
        public var title: Field<String> { Field(name: "title") }

        /// Clover's `note`.
        public var note: Field<String> { Field(name: "note") }

        /// Clover's `orderType`.
        public var orderType: Field<OrderType> { Field(name: "orderType") }

        /// Clover's `taxRemoved`.
        public var taxRemoved: Field<Bool> { Field(name: "taxRemoved") }

        /// Clover's `isVat`.
        public var isVat: Field<Bool> { Field(name: "isVat") }

        /// Clover's `state`.
        public var state: Field<String> { Field(name: "state") }

        /// Clover's `manualTransaction`.
        public var manualTransaction: Field<Bool> { Field(name: "manualTransaction") }

        /// Clover's `groupLineItems`.
        public var groupLineItems: Field<Bool> { Field(name: "groupLineItems") }

        /// Clover's `testMode`.
        public var testMode: Field<Bool> { Field(name: "testMode") }

        /// Clover's `payType`. One of `SPLIT_GUEST`, `SPLIT_ITEM`, `SPLIT_CUSTOM`, `FULL`; others may come.
        public var payType: Field<String> { Field(name: "payType") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `clientCreatedTime`, in milliseconds since 1970.
        public var clientCreatedTime: Field<Timestamp> { Field(name: "clientCreatedTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `deletedTimestamp`, in milliseconds since 1970.
        public var deletedTimestamp: Field<Timestamp> { Field(name: "deletedTimestamp") }

        /// Clover's `serviceCharge`.
        public var serviceCharge: Field<ServiceCharge> { Field(name: "serviceCharge") }

        /// Clover's `discounts`.
        public var discounts: Field<[OrderDiscount]> { Field(name: "discounts") }

        /// Clover's `lineItems`.
        public var lineItems: Field<[LineItem]> { Field(name: "lineItems") }

        /// Clover's `taxRates`.
        public var taxRates: Field<[OrderTaxRate]> { Field(name: "taxRates") }

        /// Clover's `payments`.
        public var payments: Field<[Payment]> { Field(name: "payments") }

        /// Clover's `refunds`.
        public var refunds: Field<[Refund]> { Field(name: "refunds") }

        /// Clover's `credits`.
        public var credits: Field<[Credit]> { Field(name: "credits") }

        /// Clover's `voids`.
        public var voids: Field<[Payment]> { Field(name: "voids") }

        /// Clover's `device`.
        public var device: Field<Device> { Field(name: "device") }

        /// Clover's `customerId`.
        public var customerId: Field<Int64> { Field(name: "customerId") }

        /// Clover's `customerUuid`.
        public var customerUuid: Field<String> { Field(name: "customerUuid") }

        /// Clover's `orderTypeId`.
        public var orderTypeId: Field<Int64> { Field(name: "orderTypeId") }

        /// Clover's `externalReferenceId`.
        public var externalReferenceId: Field<String> { Field(name: "externalReferenceId") }

        /// Clover's `unpaidBalance`, in minor units.
        public var unpaidBalance: Field<Money> { Field(name: "unpaidBalance") }

        /// Clover's `paymentState`.
        public var paymentState: Field<String> { Field(name: "paymentState") }

        /// Clover's `preAuths`.
        public var preAuths: Field<[Payment]> { Field(name: "preAuths") }

        /// Clover's `authorizations`.
        public var authorizations: Field<[Authorization]> { Field(name: "authorizations") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }

        /// Clover's `onlineOrder`.
        public var onlineOrder: Field<JSONValue> { Field(name: "onlineOrder") }

        /// Clover's `printGroups`.
        public var printGroups: Field<[PrintGroup]> { Field(name: "printGroups") }

        /// Clover's `additionalCharges`.
        public var additionalCharges: Field<JSONValue> { Field(name: "additionalCharges") }

        /// Clover's `orderFulfillmentEvent`.
        public var orderFulfillmentEvent: Field<JSONValue> { Field(name: "orderFulfillmentEvent") }
    }
}

/// Clover's `order.OrderTaxRate`.
///
/// ```swift
/// for try await order in shop.orders {
///     for orderTaxRate in order.taxRates ?? [] {
///         print(orderTaxRate.name ?? "", orderTaxRate.amount?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct OrderTaxRate: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<OrderTaxRate>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `rate`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
    public var rate: Int64? {
        get { self["rate"] }
        set { self["rate"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<OrderTaxRate>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `rate`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
        public var rate: Field<Int64> { Field(name: "rate") }
    }
}

/// Clover's `order.OrderType`.
///
/// ```swift
/// for try await orderType in shop.orderTypes.expand(\.categories) {
///     print(orderType.label ?? "", orderType.categories?.count ?? 0)
/// }
/// ```
public struct OrderType: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<OrderType>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `labelKey`.
    public var labelKey: String? {
        get { self["labelKey"] }
        set { self["labelKey"] = newValue }
    }

    /// Clover's `label`.
    public var label: String? {
        get { self["label"] }
        set { self["label"] = newValue }
    }

    /// Clover's `taxable`.
    public var taxable: Bool? {
        get { self["taxable"] }
        set { self["taxable"] = newValue }
    }

    /// Clover's `isDefault`.
    public var isDefault: Bool? {
        get { self["isDefault"] }
        set { self["isDefault"] = newValue }
    }

    /// Clover's `filterCategories`.
    public var filterCategories: Bool? {
        get { self["filterCategories"] }
        set { self["filterCategories"] = newValue }
    }

    /// Clover's `isHidden`.
    public var isHidden: Bool? {
        get { self["isHidden"] }
        set { self["isHidden"] = newValue }
    }

    /// Clover's `fee`, in minor units.
    public var fee: Money? {
        get { self["fee"] }
        set { self["fee"] = newValue }
    }

    /// Clover's `minOrderAmount`, in minor units.
    public var minOrderAmount: Money? {
        get { self["minOrderAmount"] }
        set { self["minOrderAmount"] = newValue }
    }

    /// Clover's `maxOrderAmount`, in minor units.
    public var maxOrderAmount: Money? {
        get { self["maxOrderAmount"] }
        set { self["maxOrderAmount"] = newValue }
    }

    /// Clover's `maxRadius`.
    public var maxRadius: Int64? {
        get { self["maxRadius"] }
        set { self["maxRadius"] = newValue }
    }

    /// Clover's `avgOrderTime`, in milliseconds since 1970.
    public var avgOrderTime: Timestamp? {
        get { self["avgOrderTime"] }
        set { self["avgOrderTime"] = newValue }
    }

    /// Clover's `hoursAvailable`. One of `ALL`, `BUSINESS`, `CUSTOM`; others may come.
    public var hoursAvailable: String? {
        get { self["hoursAvailable"] }
        set { self["hoursAvailable"] = newValue }
    }

    /// Clover's `customerIdMethod`. One of `NAME`, `TABLE`, `NAME_TABLE`; others may come.
    public var customerIdMethod: String? {
        get { self["customerIdMethod"] }
        set { self["customerIdMethod"] = newValue }
    }

    /// Clover's `isDeleted`.
    public var isDeleted: Bool? {
        get { self["isDeleted"] }
        set { self["isDeleted"] = newValue }
    }

    /// Clover's `systemOrderTypeId`.
    public var systemOrderTypeId: String? {
        get { self["systemOrderTypeId"] }
        set { self["systemOrderTypeId"] = newValue }
    }

    /// Clover's `hours`.
    public var hours: HoursSet? {
        get { self["hours"] }
        set { self["hours"] = newValue }
    }

    /// Clover's `categories`.
    public var categories: [Category]? {
        get { self[elements: "categories"] }
        set { self[elements: "categories"] = newValue }
    }

    /// Clover's `systemOrderTypeDatabaseId`.
    public var systemOrderTypeDatabaseId: Int64? {
        get { self["systemOrderTypeDatabaseId"] }
        set { self["systemOrderTypeDatabaseId"] = newValue }
    }

    /// Clover's `onlineOrderServices`.
    public var onlineOrderServices: [BaseReference]? {
        get { self[elements: "onlineOrderServices"] }
        set { self[elements: "onlineOrderServices"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<OrderType>> { Field(name: "id") }

        /// Clover's `labelKey`.
        public var labelKey: Field<String> { Field(name: "labelKey") }

        /// Clover's `label`.
        public var label: Field<String> { Field(name: "label") }

        /// Clover's `taxable`.
        public var taxable: Field<Bool> { Field(name: "taxable") }

        /// Clover's `isDefault`.
        public var isDefault: Field<Bool> { Field(name: "isDefault") }

        /// Clover's `filterCategories`.
        public var filterCategories: Field<Bool> { Field(name: "filterCategories") }

        /// Clover's `isHidden`.
        public var isHidden: Field<Bool> { Field(name: "isHidden") }

        /// Clover's `fee`, in minor units.
        public var fee: Field<Money> { Field(name: "fee") }

        /// Clover's `minOrderAmount`, in minor units.
        public var minOrderAmount: Field<Money> { Field(name: "minOrderAmount") }

        /// Clover's `maxOrderAmount`, in minor units.
        public var maxOrderAmount: Field<Money> { Field(name: "maxOrderAmount") }

        /// Clover's `maxRadius`.
        public var maxRadius: Field<Int64> { Field(name: "maxRadius") }

        /// Clover's `avgOrderTime`, in milliseconds since 1970.
        public var avgOrderTime: Field<Timestamp> { Field(name: "avgOrderTime") }

        /// Clover's `hoursAvailable`. One of `ALL`, `BUSINESS`, `CUSTOM`; others may come.
        public var hoursAvailable: Field<String> { Field(name: "hoursAvailable") }

        /// Clover's `customerIdMethod`. One of `NAME`, `TABLE`, `NAME_TABLE`; others may come.
        public var customerIdMethod: Field<String> { Field(name: "customerIdMethod") }

        /// Clover's `isDeleted`.
        public var isDeleted: Field<Bool> { Field(name: "isDeleted") }

        /// Clover's `systemOrderTypeId`.
        public var systemOrderTypeId: Field<String> { Field(name: "systemOrderTypeId") }

        /// Clover's `hours`.
        public var hours: Field<HoursSet> { Field(name: "hours") }

        /// Clover's `categories`.
        public var categories: Field<[Category]> { Field(name: "categories") }

        /// Clover's `systemOrderTypeDatabaseId`.
        public var systemOrderTypeDatabaseId: Field<Int64> { Field(name: "systemOrderTypeDatabaseId") }

        /// Clover's `onlineOrderServices`.
        public var onlineOrderServices: Field<[BaseReference]> { Field(name: "onlineOrderServices") }
    }
}

/// Clover's `order.PrintGroup`.
///
/// ```swift
/// for try await order in shop.orders {
///     for printGroup in order.printGroups ?? [] {
///         print(printGroup.name ?? "", printGroup.fired ?? false)
///     }
/// }
/// ```
public struct PrintGroup: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<PrintGroup>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: BaseReference? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `sortOrder`.
    public var sortOrder: JSONValue? {
        get { self["sortOrder"] }
        set { self["sortOrder"] = newValue }
    }

    /// Clover's `fired`.
    public var fired: Bool? {
        get { self["fired"] }
        set { self["fired"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<PrintGroup>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<BaseReference> { Field(name: "orderRef") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `sortOrder`.
        public var sortOrder: Field<JSONValue> { Field(name: "sortOrder") }

        /// Clover's `fired`.
        public var fired: Field<Bool> { Field(name: "fired") }
    }
}

/// Clover's `order.SystemOrderType`.
///
/// ```swift
/// for try await systemOrderType in shop.systemOrderTypes {
///     print(systemOrderType.labelKey ?? "", systemOrderType.isFsr ?? false)
/// }
/// ```
public struct SystemOrderType: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<SystemOrderType>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `labelKey`.
    public var labelKey: String? {
        get { self["labelKey"] }
        set { self["labelKey"] = newValue }
    }

    /// Clover's `isQsr`.
    public var isQsr: Bool? {
        get { self["isQsr"] }
        set { self["isQsr"] = newValue }
    }

    /// Clover's `isFsr`.
    public var isFsr: Bool? {
        get { self["isFsr"] }
        set { self["isFsr"] = newValue }
    }

    /// Clover's `isRetail`.
    public var isRetail: Bool? {
        get { self["isRetail"] }
        set { self["isRetail"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<SystemOrderType>> { Field(name: "id") }

        /// Clover's `labelKey`.
        public var labelKey: Field<String> { Field(name: "labelKey") }

        /// Clover's `isQsr`.
        public var isQsr: Field<Bool> { Field(name: "isQsr") }

        /// Clover's `isFsr`.
        public var isFsr: Field<Bool> { Field(name: "isFsr") }

        /// Clover's `isRetail`.
        public var isRetail: Field<Bool> { Field(name: "isRetail") }
    }
}

/// Clover's `pay.PaymentProcessor`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan,
///     let reseller = merchantPlan.reseller,
///     let defaultPaymentProcessor = reseller.defaultPaymentProcessor {
///     print(defaultPaymentProcessor.name ?? "", defaultPaymentProcessor.paymentGatewayApi ?? "")
/// }
/// ```
public struct PaymentProcessor: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<PaymentProcessor>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `paymentGatewayApi`.
    public var paymentGatewayApi: String? {
        get { self["paymentGatewayApi"] }
        set { self["paymentGatewayApi"] = newValue }
    }

    /// Clover's `production`.
    public var production: Bool? {
        get { self["production"] }
        set { self["production"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<PaymentProcessor>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `paymentGatewayApi`.
        public var paymentGatewayApi: Field<String> { Field(name: "paymentGatewayApi") }

        /// Clover's `production`.
        public var production: Field<Bool> { Field(name: "production") }
    }
}

/// Clover's `pay.ProcessorKey`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan,
///     let reseller = merchantPlan.reseller,
///     let defaultProcessorKey = reseller.defaultProcessorKey {
///     print(defaultProcessorKey.id?.text ?? "")
/// }
/// ```
public struct ProcessorKey: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<ProcessorKey>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<ProcessorKey>> { Field(name: "id") }
    }
}

/// Clover's `payments.AdditionalChargeAmount`.
///
/// ```swift
/// for try await payment in shop.payments.expand(\.additionalCharges) {
///     for additionalChargeAmount in payment.additionalCharges ?? [] {
///         print(additionalChargeAmount.amount?.minorUnits ?? 0, additionalChargeAmount.rate ?? 0)
///     }
/// }
/// ```
public struct AdditionalChargeAmount: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<AdditionalChargeAmount>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `rate`, in ten-thousandths of a percent: 125,000 is 12.5 %.
    public var rate: Int64? {
        get { self["rate"] }
        set { self["rate"] = newValue }
    }

    /// Clover's `type`. One of `INTERAC`, `CREDIT_SURCHARGE`, `CONVENIENCE_FEE`, `INTERAC_V2`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// Clover's `payment`.
    public var payment: BaseReference? {
        get { self["payment"] }
        set { self["payment"] = newValue }
    }

    /// Clover's `refund`.
    public var refund: BaseReference? {
        get { self["refund"] }
        set { self["refund"] = newValue }
    }

    /// Clover's `incrementalAuth`.
    public var incrementalAuth: BaseReference? {
        get { self["incrementalAuth"] }
        set { self["incrementalAuth"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<AdditionalChargeAmount>> { Field(name: "id") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `rate`, in ten-thousandths of a percent: 125,000 is 12.5 %.
        public var rate: Field<Int64> { Field(name: "rate") }

        /// Clover's `type`. One of `INTERAC`, `CREDIT_SURCHARGE`, `CONVENIENCE_FEE`, `INTERAC_V2`; others may come.
        public var type: Field<String> { Field(name: "type") }

        /// Clover's `payment`.
        public var payment: Field<BaseReference> { Field(name: "payment") }

        /// Clover's `refund`.
        public var refund: Field<BaseReference> { Field(name: "refund") }

        /// Clover's `incrementalAuth`.
        public var incrementalAuth: Field<BaseReference> { Field(name: "incrementalAuth") }
    }
}

/// Clover's `payments.Authorization`.
///
/// ```swift
/// for try await authorization in shop.authorizations.expand(\.payment) {
///     print(authorization.last4 ?? "", authorization.payment?.amount?.minorUnits ?? 0)
/// }
/// ```
public struct Authorization: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Authorization>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `payment`.
    public var payment: Payment? {
        get { self["payment"] }
        set { self["payment"] = newValue }
    }

    /// Clover's `tabName`.
    public var tabName: String? {
        get { self["tabName"] }
        set { self["tabName"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `cardType`. One of `VISA`, `MC`, `AMEX`, `DISCOVER`, `DINERS_CLUB`, `JCB`, `MAESTRO`, `SOLO`, `LASER`, `CHINA_UNION_PAY`, `CARTE_BLANCHE`, `UNKNOWN`, `GIFT_CARD`, `EBT`, `GIROCARD`, `INTERAC`, `OTHER`; others may come.
    public var cardType: String? {
        get { self["cardType"] }
        set { self["cardType"] = newValue }
    }

    /// Clover's `last4`.
    public var last4: String? {
        get { self["last4"] }
        set { self["last4"] = newValue }
    }

    /// Clover's `authcode`.
    public var authcode: String? {
        get { self["authcode"] }
        set { self["authcode"] = newValue }
    }

    /// Clover's `type`. One of `TAB`, `AUTH`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// Clover's `note`.
    public var note: String? {
        get { self["note"] }
        set { self["note"] = newValue }
    }

    /// Clover's `closingPayment`.
    public var closingPayment: Payment? {
        get { self["closingPayment"] }
        set { self["closingPayment"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `token`.
    public var token: String? {
        get { self["token"] }
        set { self["token"] = newValue }
    }

    /// Clover's `externalReferenceId`.
    public var externalReferenceId: JSONValue? {
        get { self["externalReferenceId"] }
        set { self["externalReferenceId"] = newValue }
    }

    /// Clover's `additionalCharges`.
    public var additionalCharges: [AdditionalChargeAmount]? {
        get { self[elements: "additionalCharges"] }
        set { self[elements: "additionalCharges"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Authorization>> { Field(name: "id") }

        /// Clover's `payment`.
        public var payment: Field<Payment> { Field(name: "payment") }

        /// Clover's `tabName`.
        public var tabName: Field<String> { Field(name: "tabName") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `cardType`. One of `VISA`, `MC`, `AMEX`, `DISCOVER`, `DINERS_CLUB`, `JCB`, `MAESTRO`, `SOLO`, `LASER`, `CHINA_UNION_PAY`, `CARTE_BLANCHE`, `UNKNOWN`, `GIFT_CARD`, `EBT`, `GIROCARD`, `INTERAC`, `OTHER`; others may come.
        public var cardType: Field<String> { Field(name: "cardType") }

        /// Clover's `last4`.
        public var last4: Field<String> { Field(name: "last4") }

        /// Clover's `authcode`.
        public var authcode: Field<String> { Field(name: "authcode") }

        /// Clover's `type`. One of `TAB`, `AUTH`; others may come.
        public var type: Field<String> { Field(name: "type") }

        /// Clover's `note`.
        public var note: Field<String> { Field(name: "note") }

        /// Clover's `closingPayment`.
        public var closingPayment: Field<Payment> { Field(name: "closingPayment") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `token`.
        public var token: Field<String> { Field(name: "token") }

        /// Clover's `externalReferenceId`.
        public var externalReferenceId: Field<JSONValue> { Field(name: "externalReferenceId") }

        /// Clover's `additionalCharges`.
        public var additionalCharges: Field<[AdditionalChargeAmount]> { Field(name: "additionalCharges") }
    }
}

/// Clover's `payments.CardTransaction`.
///
/// ```swift
/// for try await credit in shop.credits.expand(\.cardTransaction) {
///     if let cardTransaction = credit.cardTransaction {
///         print(cardTransaction.last4 ?? "", cardTransaction.state ?? "")
///     }
/// }
/// ```
public struct CardTransaction: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `paymentRef`.
    public var paymentRef: Payment? {
        get { self["paymentRef"] }
        set { self["paymentRef"] = newValue }
    }

    /// Clover's `creditRef`.
    public var creditRef: Credit? {
        get { self["creditRef"] }
        set { self["creditRef"] = newValue }
    }

    /// Clover's `cardType`. One of `VISA`, `MC`, `AMEX`, `DISCOVER`, `DINERS_CLUB`, `JCB`, `MAESTRO`, `SOLO`, `LASER`, `CHINA_UNION_PAY`, `CARTE_BLANCHE`, `UNKNOWN`, `GIFT_CARD`, `EBT`, `GIROCARD`, `INTERAC`, `OTHER`; others may come.
    public var cardType: String? {
        get { self["cardType"] }
        set { self["cardType"] = newValue }
    }

    /// Clover's `entryType`. One of `SWIPED`, `KEYED`, `VOICE`, `VAULTED`, `OFFLINE_SWIPED`, `OFFLINE_KEYED`, `EMV_CONTACT`, `EMV_CONTACTLESS`, `MSD_CONTACTLESS`, `PINPAD_MANUAL_ENTRY`, `QR_CODE`, `SCANNED`; others may come.
    public var entryType: String? {
        get { self["entryType"] }
        set { self["entryType"] = newValue }
    }

    /// Clover's `first6`.
    public var first6: String? {
        get { self["first6"] }
        set { self["first6"] = newValue }
    }

    /// Clover's `last4`.
    public var last4: String? {
        get { self["last4"] }
        set { self["last4"] = newValue }
    }

    /// Clover's `type`. One of `AUTH`, `PREAUTH`, `PREAUTHCAPTURE`, `ADJUST`, `VOID`, `VOIDRETURN`, `RETURN`, `REFUND`, `NAKEDREFUND`, `GETBALANCE`, `BATCHCLOSE`, `ACTIVATE`, `BALANCE_LOCK`, `LOAD`, `CASHOUT`, `CASHOUT_ACTIVE_STATUS`, `REDEMPTION`, `REDEMPTION_UNLOCK`, `RELOAD`, `CASH_ADVANCE`, `VOID_CREDIT`, `REFUND_CREDIT`, `INTERNET_ACTIVATE`, `TOKEN_REQUEST`, `VERIFICATION`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// Clover's `authCode`.
    public var authCode: String? {
        get { self["authCode"] }
        set { self["authCode"] = newValue }
    }

    /// Clover's `referenceId`.
    public var referenceId: String? {
        get { self["referenceId"] }
        set { self["referenceId"] = newValue }
    }

    /// Clover's `transactionNo`.
    public var transactionNo: String? {
        get { self["transactionNo"] }
        set { self["transactionNo"] = newValue }
    }

    /// Clover's `state`. One of `PENDING`, `CLOSED`; others may come.
    public var state: String? {
        get { self["state"] }
        set { self["state"] = newValue }
    }

    /// Clover's `extra`.
    public var extra: JSONValue? {
        get { self["extra"] }
        set { self["extra"] = newValue }
    }

    /// Clover's `begBalance`, in minor units.
    public var begBalance: Money? {
        get { self["begBalance"] }
        set { self["begBalance"] = newValue }
    }

    /// Clover's `endBalance`, in minor units.
    public var endBalance: Money? {
        get { self["endBalance"] }
        set { self["endBalance"] = newValue }
    }

    /// Clover's `avsResult`. One of `SUCCESS`, `ZIP_CODE_MATCH`, `ZIP_CODE_MATCH_ADDRESS_NOT_CHECKED`, `ADDRESS_MATCH`, `ADDRESS_MATCH_ZIP_NOT_CHECKED`, `NEITHER_MATCH`, `SERVICE_FAILURE`, `SERVICE_UNAVAILABLE`, `NOT_CHECKED`, `ZIP_CODE_NOT_MATCHED_ADDRESS_NOT_CHECKED`, `ADDRESS_NOT_MATCHED_ZIP_CODE_NOT_CHECKED`; others may come.
    public var avsResult: String? {
        get { self["avsResult"] }
        set { self["avsResult"] = newValue }
    }

    /// Clover's `cardholderName`.
    public var cardholderName: String? {
        get { self["cardholderName"] }
        set { self["cardholderName"] = newValue }
    }

    /// Clover's `token`.
    public var token: String? {
        get { self["token"] }
        set { self["token"] = newValue }
    }

    /// Clover's `vaultedCard`.
    public var vaultedCard: JSONValue? {
        get { self["vaultedCard"] }
        set { self["vaultedCard"] = newValue }
    }

    /// Clover's `gatewayTxState`. One of `INITIATED`, `INITIATED_ON_AUTH`, `ACKNOWLEDGED`, `CONNECT_FAILED`, `TIMEOUT`, `FAILED`, `REVERSE_INITIATED`, `REVERSE_INITIATED_ON_AUTH`, `REVERSED`, `REVERSAL_FAILED`, `EXTERNAL`; others may come.
    public var gatewayTxState: String? {
        get { self["gatewayTxState"] }
        set { self["gatewayTxState"] = newValue }
    }

    /// Clover's `currency`.
    public var currency: String? {
        get { self["currency"] }
        set { self["currency"] = newValue }
    }

    /// Clover's `captured`.
    public var captured: Bool? {
        get { self["captured"] }
        set { self["captured"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `paymentRef`.
        public var paymentRef: Field<Payment> { Field(name: "paymentRef") }

        /// Clover's `creditRef`.
        public var creditRef: Field<Credit> { Field(name: "creditRef") }

        /// Clover's `cardType`. One of `VISA`, `MC`, `AMEX`, `DISCOVER`, `DINERS_CLUB`, `JCB`, `MAESTRO`, `SOLO`, `LASER`, `CHINA_UNION_PAY`, `CARTE_BLANCHE`, `UNKNOWN`, `GIFT_CARD`, `EBT`, `GIROCARD`, `INTERAC`, `OTHER`; others may come.
        public var cardType: Field<String> { Field(name: "cardType") }

        /// Clover's `entryType`. One of `SWIPED`, `KEYED`, `VOICE`, `VAULTED`, `OFFLINE_SWIPED`, `OFFLINE_KEYED`, `EMV_CONTACT`, `EMV_CONTACTLESS`, `MSD_CONTACTLESS`, `PINPAD_MANUAL_ENTRY`, `QR_CODE`, `SCANNED`; others may come.
        public var entryType: Field<String> { Field(name: "entryType") }

        /// Clover's `first6`.
        public var first6: Field<String> { Field(name: "first6") }

        /// Clover's `last4`.
        public var last4: Field<String> { Field(name: "last4") }

        /// Clover's `type`. One of `AUTH`, `PREAUTH`, `PREAUTHCAPTURE`, `ADJUST`, `VOID`, `VOIDRETURN`, `RETURN`, `REFUND`, `NAKEDREFUND`, `GETBALANCE`, `BATCHCLOSE`, `ACTIVATE`, `BALANCE_LOCK`, `LOAD`, `CASHOUT`, `CASHOUT_ACTIVE_STATUS`, `REDEMPTION`, `REDEMPTION_UNLOCK`, `RELOAD`, `CASH_ADVANCE`, `VOID_CREDIT`, `REFUND_CREDIT`, `INTERNET_ACTIVATE`, `TOKEN_REQUEST`, `VERIFICATION`; others may come.
        public var type: Field<String> { Field(name: "type") }

        /// Clover's `authCode`.
        public var authCode: Field<String> { Field(name: "authCode") }

        /// Clover's `referenceId`.
        public var referenceId: Field<String> { Field(name: "referenceId") }

        /// Clover's `transactionNo`.
        public var transactionNo: Field<String> { Field(name: "transactionNo") }

        /// Clover's `state`. One of `PENDING`, `CLOSED`; others may come.
        public var state: Field<String> { Field(name: "state") }

        /// Clover's `extra`.
        public var extra: Field<JSONValue> { Field(name: "extra") }

        /// Clover's `begBalance`, in minor units.
        public var begBalance: Field<Money> { Field(name: "begBalance") }

        /// Clover's `endBalance`, in minor units.
        public var endBalance: Field<Money> { Field(name: "endBalance") }

        /// Clover's `avsResult`. One of `SUCCESS`, `ZIP_CODE_MATCH`, `ZIP_CODE_MATCH_ADDRESS_NOT_CHECKED`, `ADDRESS_MATCH`, `ADDRESS_MATCH_ZIP_NOT_CHECKED`, `NEITHER_MATCH`, `SERVICE_FAILURE`, `SERVICE_UNAVAILABLE`, `NOT_CHECKED`, `ZIP_CODE_NOT_MATCHED_ADDRESS_NOT_CHECKED`, `ADDRESS_NOT_MATCHED_ZIP_CODE_NOT_CHECKED`; others may come.
        public var avsResult: Field<String> { Field(name: "avsResult") }

        /// Clover's `cardholderName`.
        public var cardholderName: Field<String> { Field(name: "cardholderName") }

        /// Clover's `token`.
        public var token: Field<String> { Field(name: "token") }

        /// Clover's `vaultedCard`.
        public var vaultedCard: Field<JSONValue> { Field(name: "vaultedCard") }

        /// Clover's `gatewayTxState`. One of `INITIATED`, `INITIATED_ON_AUTH`, `ACKNOWLEDGED`, `CONNECT_FAILED`, `TIMEOUT`, `FAILED`, `REVERSE_INITIATED`, `REVERSE_INITIATED_ON_AUTH`, `REVERSED`, `REVERSAL_FAILED`, `EXTERNAL`; others may come.
        public var gatewayTxState: Field<String> { Field(name: "gatewayTxState") }

        /// Clover's `currency`.
        public var currency: Field<String> { Field(name: "currency") }

        /// Clover's `captured`.
        public var captured: Field<Bool> { Field(name: "captured") }
    }
}

/// Clover's `payments.Credit`.
///
/// ```swift
/// for try await credit in shop.credits.expand(\.employee) {
///     print(credit.amount?.minorUnits ?? 0, credit.employee?.name ?? "")
/// }
/// ```
public struct Credit: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Credit>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: Order? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `device`.
    public var device: Device? {
        get { self["device"] }
        set { self["device"] = newValue }
    }

    /// Clover's `tender`.
    public var tender: Tender? {
        get { self["tender"] }
        set { self["tender"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: Employee? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `customers`.
    public var customers: Customer? {
        get { self["customers"] }
        set { self["customers"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `taxAmount`, in minor units.
    public var taxAmount: Money? {
        get { self["taxAmount"] }
        set { self["taxAmount"] = newValue }
    }

    /// Clover's `taxRates`.
    public var taxRates: [TaxableAmountRate]? {
        get { self[elements: "taxRates"] }
        set { self[elements: "taxRates"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `clientCreatedTime`, in milliseconds since 1970.
    public var clientCreatedTime: Timestamp? {
        get { self["clientCreatedTime"] }
        set { self["clientCreatedTime"] = newValue }
    }

    /// Clover's `cardTransaction`.
    public var cardTransaction: CardTransaction? {
        get { self["cardTransaction"] }
        set { self["cardTransaction"] = newValue }
    }

    /// Clover's `voided`.
    public var voided: Bool? {
        get { self["voided"] }
        set { self["voided"] = newValue }
    }

    /// Clover's `voidReason`.
    public var voidReason: String? {
        get { self["voidReason"] }
        set { self["voidReason"] = newValue }
    }

    /// Clover's `dccInfo`.
    public var dccInfo: JSONValue? {
        get { self["dccInfo"] }
        set { self["dccInfo"] = newValue }
    }

    /// Clover's `transactionSettings`.
    public var transactionSettings: TransactionSettings? {
        get { self["transactionSettings"] }
        set { self["transactionSettings"] = newValue }
    }

    /// Clover's `creditRefunds`.
    public var creditRefunds: [CreditRefund]? {
        get { self[elements: "creditRefunds"] }
        set { self[elements: "creditRefunds"] = newValue }
    }

    /// Clover's `germanInfo`.
    public var germanInfo: JSONValue? {
        get { self["germanInfo"] }
        set { self["germanInfo"] = newValue }
    }

    /// Clover's `appTracking`.
    public var appTracking: JSONValue? {
        get { self["appTracking"] }
        set { self["appTracking"] = newValue }
    }

    /// Clover's `result`. One of `SUCCESS`, `FAIL`, `INITIATED`, `VOIDED`, `VOIDING`, `VOID_FAILED`, `AUTH`, `AUTH_COMPLETED`, `DISCOUNT`, `OFFLINE_RETRYING`, `PENDING`; others may come.
    public var result: String? {
        get { self["result"] }
        set { self["result"] = newValue }
    }

    /// Clover's `transactionInfo`.
    public var transactionInfo: JSONValue? {
        get { self["transactionInfo"] }
        set { self["transactionInfo"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// Clover's `externalReferenceId`.
    public var externalReferenceId: JSONValue? {
        get { self["externalReferenceId"] }
        set { self["externalReferenceId"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Credit>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<Order> { Field(name: "orderRef") }

        /// Clover's `device`.
        public var device: Field<Device> { Field(name: "device") }

        /// Clover's `tender`.
        public var tender: Field<Tender> { Field(name: "tender") }

        /// Clover's `employee`.
        public var employee: Field<Employee> { Field(name: "employee") }

        /// Clover's `customers`.
        public var customers: Field<Customer> { Field(name: "customers") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `taxAmount`, in minor units.
        public var taxAmount: Field<Money> { Field(name: "taxAmount") }

        /// Clover's `taxRates`.
        public var taxRates: Field<[TaxableAmountRate]> { Field(name: "taxRates") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `clientCreatedTime`, in milliseconds since 1970.
        public var clientCreatedTime: Field<Timestamp> { Field(name: "clientCreatedTime") }

        /// Clover's `cardTransaction`.
        public var cardTransaction: Field<CardTransaction> { Field(name: "cardTransaction") }

        /// Clover's `voided`.
        public var voided: Field<Bool> { Field(name: "voided") }

        /// Clover's `voidReason`.
        public var voidReason: Field<String> { Field(name: "voidReason") }

        /// Clover's `dccInfo`.
        public var dccInfo: Field<JSONValue> { Field(name: "dccInfo") }

        /// Clover's `transactionSettings`.
        public var transactionSettings: Field<TransactionSettings> { Field(name: "transactionSettings") }

        /// Clover's `creditRefunds`.
        public var creditRefunds: Field<[CreditRefund]> { Field(name: "creditRefunds") }

        /// Clover's `germanInfo`.
        public var germanInfo: Field<JSONValue> { Field(name: "germanInfo") }

        /// Clover's `appTracking`.
        public var appTracking: Field<JSONValue> { Field(name: "appTracking") }

        /// Clover's `result`. One of `SUCCESS`, `FAIL`, `INITIATED`, `VOIDED`, `VOIDING`, `VOID_FAILED`, `AUTH`, `AUTH_COMPLETED`, `DISCOUNT`, `OFFLINE_RETRYING`, `PENDING`; others may come.
        public var result: Field<String> { Field(name: "result") }

        /// Clover's `transactionInfo`.
        public var transactionInfo: Field<JSONValue> { Field(name: "transactionInfo") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }

        /// Clover's `externalReferenceId`.
        public var externalReferenceId: Field<JSONValue> { Field(name: "externalReferenceId") }
    }
}

/// Clover's `payments.CreditRefund`.
///
/// ```swift
/// for try await credit in shop.credits {
///     for creditRefund in credit.creditRefunds ?? [] {
///         print(creditRefund.createdTime?.date ?? .distantPast, creditRefund.clientCreatedTime?.date ?? .distantPast)
///     }
/// }
/// ```
public struct CreditRefund: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<CreditRefund>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: BaseReference? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `device`.
    public var device: JSONValue? {
        get { self["device"] }
        set { self["device"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `clientCreatedTime`, in milliseconds since 1970.
    public var clientCreatedTime: Timestamp? {
        get { self["clientCreatedTime"] }
        set { self["clientCreatedTime"] = newValue }
    }

    /// Clover's `credit`.
    public var credit: BaseReference? {
        get { self["credit"] }
        set { self["credit"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: BaseReference? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `germanInfo`.
    public var germanInfo: JSONValue? {
        get { self["germanInfo"] }
        set { self["germanInfo"] = newValue }
    }

    /// Clover's `appTracking`.
    public var appTracking: JSONValue? {
        get { self["appTracking"] }
        set { self["appTracking"] = newValue }
    }

    /// Clover's `transactionInfo`.
    public var transactionInfo: JSONValue? {
        get { self["transactionInfo"] }
        set { self["transactionInfo"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<CreditRefund>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<BaseReference> { Field(name: "orderRef") }

        /// Clover's `device`.
        public var device: Field<JSONValue> { Field(name: "device") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `clientCreatedTime`, in milliseconds since 1970.
        public var clientCreatedTime: Field<Timestamp> { Field(name: "clientCreatedTime") }

        /// Clover's `credit`.
        public var credit: Field<BaseReference> { Field(name: "credit") }

        /// Clover's `employee`.
        public var employee: Field<BaseReference> { Field(name: "employee") }

        /// Clover's `germanInfo`.
        public var germanInfo: Field<JSONValue> { Field(name: "germanInfo") }

        /// Clover's `appTracking`.
        public var appTracking: Field<JSONValue> { Field(name: "appTracking") }

        /// Clover's `transactionInfo`.
        public var transactionInfo: Field<JSONValue> { Field(name: "transactionInfo") }
    }
}

/// Clover's `payments.IncrementalAuthorization`.
///
/// ```swift
/// for try await payment in shop.payments {
///     for incrementalAuthorization in payment.increments ?? [] {
///         print(incrementalAuthorization.amount?.minorUnits ?? 0, incrementalAuthorization.result ?? "")
///     }
/// }
/// ```
public struct IncrementalAuthorization: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<IncrementalAuthorization>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `merchantId`.
    public var merchantId: Int64? {
        get { self["merchantId"] }
        set { self["merchantId"] = newValue }
    }

    /// Clover's `paymentId`.
    public var paymentId: Int64? {
        get { self["paymentId"] }
        set { self["paymentId"] = newValue }
    }

    /// Clover's `gatewayTxId`.
    public var gatewayTxId: Int64? {
        get { self["gatewayTxId"] }
        set { self["gatewayTxId"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `cardTransaction`.
    public var cardTransaction: CardTransaction? {
        get { self["cardTransaction"] }
        set { self["cardTransaction"] = newValue }
    }

    /// Clover's `result`. One of `SUCCESS`, `FAIL`, `INITIATED`, `VOIDED`, `VOIDING`, `VOID_FAILED`, `AUTH`, `AUTH_COMPLETED`, `DISCOUNT`, `OFFLINE_RETRYING`, `PENDING`; others may come.
    public var result: String? {
        get { self["result"] }
        set { self["result"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: BaseReference? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `incrementAmount`, in minor units.
    public var incrementAmount: Money? {
        get { self["incrementAmount"] }
        set { self["incrementAmount"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<IncrementalAuthorization>> { Field(name: "id") }

        /// Clover's `merchantId`.
        public var merchantId: Field<Int64> { Field(name: "merchantId") }

        /// Clover's `paymentId`.
        public var paymentId: Field<Int64> { Field(name: "paymentId") }

        /// Clover's `gatewayTxId`.
        public var gatewayTxId: Field<Int64> { Field(name: "gatewayTxId") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `cardTransaction`.
        public var cardTransaction: Field<CardTransaction> { Field(name: "cardTransaction") }

        /// Clover's `result`. One of `SUCCESS`, `FAIL`, `INITIATED`, `VOIDED`, `VOIDING`, `VOID_FAILED`, `AUTH`, `AUTH_COMPLETED`, `DISCOUNT`, `OFFLINE_RETRYING`, `PENDING`; others may come.
        public var result: Field<String> { Field(name: "result") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `employee`.
        public var employee: Field<BaseReference> { Field(name: "employee") }

        /// Clover's `incrementAmount`, in minor units.
        public var incrementAmount: Field<Money> { Field(name: "incrementAmount") }
    }
}

/// Clover's `payments.LineItemPayment`.
///
/// ```swift
/// for try await payment in shop.payments.expand(\.lineItemPayments) {
///     for lineItemPayment in payment.lineItemPayments ?? [] {
///         print(lineItemPayment.percentage ?? 0, lineItemPayment.binName ?? "")
///     }
/// }
/// ```
public struct LineItemPayment: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<LineItemPayment>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `lineItemRef`.
    public var lineItemRef: LineItem? {
        get { self["lineItemRef"] }
        set { self["lineItemRef"] = newValue }
    }

    /// Clover's `paymentRef`.
    public var paymentRef: Payment? {
        get { self["paymentRef"] }
        set { self["paymentRef"] = newValue }
    }

    /// Clover's `percentage`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
    public var percentage: Int64? {
        get { self["percentage"] }
        set { self["percentage"] = newValue }
    }

    /// Clover's `binName`.
    public var binName: String? {
        get { self["binName"] }
        set { self["binName"] = newValue }
    }

    /// Clover's `refunded`.
    public var refunded: Bool? {
        get { self["refunded"] }
        set { self["refunded"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<LineItemPayment>> { Field(name: "id") }

        /// Clover's `lineItemRef`.
        public var lineItemRef: Field<LineItem> { Field(name: "lineItemRef") }

        /// Clover's `paymentRef`.
        public var paymentRef: Field<Payment> { Field(name: "paymentRef") }

        /// Clover's `percentage`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
        public var percentage: Field<Int64> { Field(name: "percentage") }

        /// Clover's `binName`.
        public var binName: Field<String> { Field(name: "binName") }

        /// Clover's `refunded`.
        public var refunded: Field<Bool> { Field(name: "refunded") }
    }
}

/// Clover's `payments.Payment`.
///
/// ```swift
/// for try await payment in shop.payments.sort(\.createdTime, .descending).limit(10) {
///     print(payment.amount?.minorUnits ?? 0, payment.createdTime?.date ?? .distantPast)
/// }
/// ```
public struct Payment: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Payment>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `order`.
    public var order: Order? {
        get { self["order"] }
        set { self["order"] = newValue }
    }

    /// Clover's `device`.
    public var device: Device? {
        get { self["device"] }
        set { self["device"] = newValue }
    }

    /// Clover's `tender`.
    public var tender: Tender? {
        get { self["tender"] }
        set { self["tender"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `tipAmount`, in minor units.
    public var tipAmount: Money? {
        get { self["tipAmount"] }
        set { self["tipAmount"] = newValue }
    }

    /// Clover's `taxAmount`, in minor units.
    public var taxAmount: Money? {
        get { self["taxAmount"] }
        set { self["taxAmount"] = newValue }
    }

    /// Clover's `cashbackAmount`, in minor units.
    public var cashbackAmount: Money? {
        get { self["cashbackAmount"] }
        set { self["cashbackAmount"] = newValue }
    }

    /// Clover's `cashTendered`, in minor units.
    public var cashTendered: Money? {
        get { self["cashTendered"] }
        set { self["cashTendered"] = newValue }
    }

    /// Clover's `externalPaymentId`.
    public var externalPaymentId: String? {
        get { self["externalPaymentId"] }
        set { self["externalPaymentId"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: Employee? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `clientCreatedTime`, in milliseconds since 1970.
    public var clientCreatedTime: Timestamp? {
        get { self["clientCreatedTime"] }
        set { self["clientCreatedTime"] = newValue }
    }

    /// Clover's `modifiedTime`, in milliseconds since 1970.
    public var modifiedTime: Timestamp? {
        get { self["modifiedTime"] }
        set { self["modifiedTime"] = newValue }
    }

    /// Clover's `offline`.
    public var offline: Bool? {
        get { self["offline"] }
        set { self["offline"] = newValue }
    }

    /// Clover's `result`. One of `SUCCESS`, `FAIL`, `INITIATED`, `VOIDED`, `VOIDING`, `VOID_FAILED`, `AUTH`, `AUTH_COMPLETED`, `DISCOUNT`, `OFFLINE_RETRYING`, `PENDING`; others may come.
    public var result: String? {
        get { self["result"] }
        set { self["result"] = newValue }
    }

    /// Clover's `cardTransaction`.
    public var cardTransaction: CardTransaction? {
        get { self["cardTransaction"] }
        set { self["cardTransaction"] = newValue }
    }

    /// Clover's `serviceCharge`.
    public var serviceCharge: ServiceChargeAmount? {
        get { self["serviceCharge"] }
        set { self["serviceCharge"] = newValue }
    }

    /// Clover's `taxRates`.
    public var taxRates: [PaymentTaxRate]? {
        get { self[elements: "taxRates"] }
        set { self[elements: "taxRates"] = newValue }
    }

    /// Clover's `refunds`.
    public var refunds: [Refund]? {
        get { self[elements: "refunds"] }
        set { self[elements: "refunds"] = newValue }
    }

    /// Clover's `note`.
    public var note: String? {
        get { self["note"] }
        set { self["note"] = newValue }
    }

    /// Clover's `lineItemPayments`.
    public var lineItemPayments: [LineItemPayment]? {
        get { self[elements: "lineItemPayments"] }
        set { self[elements: "lineItemPayments"] = newValue }
    }

    /// Clover's `voidReason`. One of `USER_CANCEL`, `TRANSPORT_ERROR`, `REJECT_SIGNATURE`, `REJECT_PARTIAL_AUTH`, `NOT_APPROVED`, `FAILED`, `AUTH_CLOSED_NEW_CARD`, `DEVELOPER_PAY_PARTIAL_AUTH`, `REJECT_DUPLICATE`, `REJECT_OFFLINE`, `GIFTCARD_LOAD_FAILED`, `USER_GIFTCARD_LOAD_CANCEL`, `DEVELOPER_PAY_TIP_ADJUST_FAILED`, `USER_CUSTOMER_CANCEL`, `FRAUD`, `REJECT_GREATER_APPROVED_AMOUNT`, `TIMEOUT`; others may come.
    public var voidReason: String? {
        get { self["voidReason"] }
        set { self["voidReason"] = newValue }
    }

    /// Clover's `attributes`.
    public var attributes: JSONValue? {
        get { self["attributes"] }
        set { self["attributes"] = newValue }
    }

    /// Clover's `additionalCharges`.
    public var additionalCharges: [AdditionalChargeAmount]? {
        get { self[elements: "additionalCharges"] }
        set { self[elements: "additionalCharges"] = newValue }
    }

    /// Clover's `authorization`.
    public var authorization: BaseReference? {
        get { self["authorization"] }
        set { self["authorization"] = newValue }
    }

    /// Clover's `voidPaymentRef`.
    public var voidPaymentRef: BaseReference? {
        get { self["voidPaymentRef"] }
        set { self["voidPaymentRef"] = newValue }
    }

    /// Clover's `dccInfo`.
    public var dccInfo: JSONValue? {
        get { self["dccInfo"] }
        set { self["dccInfo"] = newValue }
    }

    /// Clover's `transactionSettings`.
    public var transactionSettings: TransactionSettings? {
        get { self["transactionSettings"] }
        set { self["transactionSettings"] = newValue }
    }

    /// Clover's `germanInfo`.
    public var germanInfo: JSONValue? {
        get { self["germanInfo"] }
        set { self["germanInfo"] = newValue }
    }

    /// Clover's `appTracking`.
    public var appTracking: JSONValue? {
        get { self["appTracking"] }
        set { self["appTracking"] = newValue }
    }

    /// Clover's `cashAdvanceExtra`.
    public var cashAdvanceExtra: JSONValue? {
        get { self["cashAdvanceExtra"] }
        set { self["cashAdvanceExtra"] = newValue }
    }

    /// Clover's `transactionInfo`.
    public var transactionInfo: JSONValue? {
        get { self["transactionInfo"] }
        set { self["transactionInfo"] = newValue }
    }

    /// Clover's `signatureDisclaimer`.
    public var signatureDisclaimer: JSONValue? {
        get { self["signatureDisclaimer"] }
        set { self["signatureDisclaimer"] = newValue }
    }

    /// Clover's `externalReferenceId`.
    public var externalReferenceId: String? {
        get { self["externalReferenceId"] }
        set { self["externalReferenceId"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// Clover's `increments`.
    public var increments: [IncrementalAuthorization]? {
        get { self[elements: "increments"] }
        set { self[elements: "increments"] = newValue }
    }

    /// Clover's `purchaseCardL2`.
    public var purchaseCardL2: JSONValue? {
        get { self["purchaseCardL2"] }
        set { self["purchaseCardL2"] = newValue }
    }

    /// Clover's `gatewayProcessingTime`.
    public var gatewayProcessingTime: Int64? {
        get { self["gatewayProcessingTime"] }
        set { self["gatewayProcessingTime"] = newValue }
    }

    /// Clover's `voidReasonDetails`.
    public var voidReasonDetails: JSONValue? {
        get { self["voidReasonDetails"] }
        set { self["voidReasonDetails"] = newValue }
    }

    /// Clover's `purchaseCardL3`.
    public var purchaseCardL3: JSONValue? {
        get { self["purchaseCardL3"] }
        set { self["purchaseCardL3"] = newValue }
    }

    /// Clover's `oceanGatewayInfo`.
    public var oceanGatewayInfo: JSONValue? {
        get { self["oceanGatewayInfo"] }
        set { self["oceanGatewayInfo"] = newValue }
    }

    /// Clover's `terminalManagementComponents`.
    public var terminalManagementComponents: JSONValue? {
        get { self["terminalManagementComponents"] }
        set { self["terminalManagementComponents"] = newValue }
    }

    /// Clover's `emiInfo`.
    public var emiInfo: JSONValue? {
        get { self["emiInfo"] }
        set { self["emiInfo"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Payment>> { Field(name: "id") }

        /// Clover's `order`.
        public var order: Field<Order> { Field(name: "order") }

        /// Clover's `device`.
        public var device: Field<Device> { Field(name: "device") }

        /// Clover's `tender`.
        public var tender: Field<Tender> { Field(name: "tender") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `tipAmount`, in minor units.
        public var tipAmount: Field<Money> { Field(name: "tipAmount") }

        /// Clover's `taxAmount`, in minor units.
        public var taxAmount: Field<Money> { Field(name: "taxAmount") }

        /// Clover's `cashbackAmount`, in minor units.
        public var cashbackAmount: Field<Money> { Field(name: "cashbackAmount") }

        /// Clover's `cashTendered`, in minor units.
        public var cashTendered: Field<Money> { Field(name: "cashTendered") }

        /// Clover's `externalPaymentId`.
        public var externalPaymentId: Field<String> { Field(name: "externalPaymentId") }

        /// Clover's `employee`.
        public var employee: Field<Employee> { Field(name: "employee") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `clientCreatedTime`, in milliseconds since 1970.
        public var clientCreatedTime: Field<Timestamp> { Field(name: "clientCreatedTime") }

        /// Clover's `modifiedTime`, in milliseconds since 1970.
        public var modifiedTime: Field<Timestamp> { Field(name: "modifiedTime") }

        /// Clover's `offline`.
        public var offline: Field<Bool> { Field(name: "offline") }

        /// Clover's `result`. One of `SUCCESS`, `FAIL`, `INITIATED`, `VOIDED`, `VOIDING`, `VOID_FAILED`, `AUTH`, `AUTH_COMPLETED`, `DISCOUNT`, `OFFLINE_RETRYING`, `PENDING`; others may come.
        public var result: Field<String> { Field(name: "result") }

        /// Clover's `cardTransaction`.
        public var cardTransaction: Field<CardTransaction> { Field(name: "cardTransaction") }

        /// Clover's `serviceCharge`.
        public var serviceCharge: Field<ServiceChargeAmount> { Field(name: "serviceCharge") }

        /// Clover's `taxRates`.
        public var taxRates: Field<[PaymentTaxRate]> { Field(name: "taxRates") }

        /// Clover's `refunds`.
        public var refunds: Field<[Refund]> { Field(name: "refunds") }

        /// Clover's `note`.
        public var note: Field<String> { Field(name: "note") }

        /// Clover's `lineItemPayments`.
        public var lineItemPayments: Field<[LineItemPayment]> { Field(name: "lineItemPayments") }

        /// Clover's `voidReason`. One of `USER_CANCEL`, `TRANSPORT_ERROR`, `REJECT_SIGNATURE`, `REJECT_PARTIAL_AUTH`, `NOT_APPROVED`, `FAILED`, `AUTH_CLOSED_NEW_CARD`, `DEVELOPER_PAY_PARTIAL_AUTH`, `REJECT_DUPLICATE`, `REJECT_OFFLINE`, `GIFTCARD_LOAD_FAILED`, `USER_GIFTCARD_LOAD_CANCEL`, `DEVELOPER_PAY_TIP_ADJUST_FAILED`, `USER_CUSTOMER_CANCEL`, `FRAUD`, `REJECT_GREATER_APPROVED_AMOUNT`, `TIMEOUT`; others may come.
        public var voidReason: Field<String> { Field(name: "voidReason") }

        /// Clover's `attributes`.
        public var attributes: Field<JSONValue> { Field(name: "attributes") }

        /// Clover's `additionalCharges`.
        public var additionalCharges: Field<[AdditionalChargeAmount]> { Field(name: "additionalCharges") }

        /// Clover's `authorization`.
        public var authorization: Field<BaseReference> { Field(name: "authorization") }

        /// Clover's `voidPaymentRef`.
        public var voidPaymentRef: Field<BaseReference> { Field(name: "voidPaymentRef") }

        /// Clover's `dccInfo`.
        public var dccInfo: Field<JSONValue> { Field(name: "dccInfo") }

        /// Clover's `transactionSettings`.
        public var transactionSettings: Field<TransactionSettings> { Field(name: "transactionSettings") }

        /// Clover's `germanInfo`.
        public var germanInfo: Field<JSONValue> { Field(name: "germanInfo") }

        /// Clover's `appTracking`.
        public var appTracking: Field<JSONValue> { Field(name: "appTracking") }

        /// Clover's `cashAdvanceExtra`.
        public var cashAdvanceExtra: Field<JSONValue> { Field(name: "cashAdvanceExtra") }

        /// Clover's `transactionInfo`.
        public var transactionInfo: Field<JSONValue> { Field(name: "transactionInfo") }

        /// Clover's `signatureDisclaimer`.
        public var signatureDisclaimer: Field<JSONValue> { Field(name: "signatureDisclaimer") }

        /// Clover's `externalReferenceId`.
        public var externalReferenceId: Field<String> { Field(name: "externalReferenceId") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }

        /// Clover's `increments`.
        public var increments: Field<[IncrementalAuthorization]> { Field(name: "increments") }

        /// Clover's `purchaseCardL2`.
        public var purchaseCardL2: Field<JSONValue> { Field(name: "purchaseCardL2") }

        /// Clover's `gatewayProcessingTime`.
        public var gatewayProcessingTime: Field<Int64> { Field(name: "gatewayProcessingTime") }

        /// Clover's `voidReasonDetails`.
        public var voidReasonDetails: Field<JSONValue> { Field(name: "voidReasonDetails") }

        /// Clover's `purchaseCardL3`.
        public var purchaseCardL3: Field<JSONValue> { Field(name: "purchaseCardL3") }

        /// Clover's `oceanGatewayInfo`.
        public var oceanGatewayInfo: Field<JSONValue> { Field(name: "oceanGatewayInfo") }

        /// Clover's `terminalManagementComponents`.
        public var terminalManagementComponents: Field<JSONValue> { Field(name: "terminalManagementComponents") }

        /// Clover's `emiInfo`.
        public var emiInfo: Field<JSONValue> { Field(name: "emiInfo") }
    }
}

/// Clover's `payments.PaymentTaxRate`.
///
/// ```swift
/// for try await payment in shop.payments.expand(\.taxRates) {
///     for paymentTaxRate in payment.taxRates ?? [] {
///         print(paymentTaxRate.name ?? "", paymentTaxRate.taxAmount?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct PaymentTaxRate: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<PaymentTaxRate>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `paymentRef`.
    public var paymentRef: Payment? {
        get { self["paymentRef"] }
        set { self["paymentRef"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `rate`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
    public var rate: Int64? {
        get { self["rate"] }
        set { self["rate"] = newValue }
    }

    /// Clover's `isDefault`.
    public var isDefault: Bool? {
        get { self["isDefault"] }
        set { self["isDefault"] = newValue }
    }

    /// Clover's `taxableAmount`, in minor units.
    public var taxableAmount: Money? {
        get { self["taxableAmount"] }
        set { self["taxableAmount"] = newValue }
    }

    /// Clover's `isVat`.
    public var isVat: Bool? {
        get { self["isVat"] }
        set { self["isVat"] = newValue }
    }

    /// Clover's `taxAmount`, in minor units.
    public var taxAmount: Money? {
        get { self["taxAmount"] }
        set { self["taxAmount"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<PaymentTaxRate>> { Field(name: "id") }

        /// Clover's `paymentRef`.
        public var paymentRef: Field<Payment> { Field(name: "paymentRef") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `rate`, in hundred-thousandths of a percent: 825,000 is 8.25 %.
        public var rate: Field<Int64> { Field(name: "rate") }

        /// Clover's `isDefault`.
        public var isDefault: Field<Bool> { Field(name: "isDefault") }

        /// Clover's `taxableAmount`, in minor units.
        public var taxableAmount: Field<Money> { Field(name: "taxableAmount") }

        /// Clover's `isVat`.
        public var isVat: Field<Bool> { Field(name: "isVat") }

        /// Clover's `taxAmount`, in minor units.
        public var taxAmount: Field<Money> { Field(name: "taxAmount") }
    }
}

/// Clover's `payments.Refund`.
///
/// ```swift
/// for try await refund in shop.refunds.expand(\.employee) {
///     print(refund.amount?.minorUnits ?? 0, refund.employee?.name ?? "")
/// }
/// ```
public struct Refund: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Refund>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `orderRef`.
    public var orderRef: Order? {
        get { self["orderRef"] }
        set { self["orderRef"] = newValue }
    }

    /// Clover's `device`.
    public var device: Device? {
        get { self["device"] }
        set { self["device"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `taxAmount`, in minor units.
    public var taxAmount: Money? {
        get { self["taxAmount"] }
        set { self["taxAmount"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `clientCreatedTime`, in milliseconds since 1970.
    public var clientCreatedTime: Timestamp? {
        get { self["clientCreatedTime"] }
        set { self["clientCreatedTime"] = newValue }
    }

    /// Clover's `payment`.
    public var payment: Payment? {
        get { self["payment"] }
        set { self["payment"] = newValue }
    }

    /// Clover's `employee`.
    public var employee: Employee? {
        get { self["employee"] }
        set { self["employee"] = newValue }
    }

    /// Clover's `lineItems`.
    public var lineItems: [LineItem]? {
        get { self[elements: "lineItems"] }
        set { self[elements: "lineItems"] = newValue }
    }

    /// Clover's `overrideMerchantTender`.
    public var overrideMerchantTender: Tender? {
        get { self["overrideMerchantTender"] }
        set { self["overrideMerchantTender"] = newValue }
    }

    /// Clover's `taxableAmountRates`.
    public var taxableAmountRates: [TaxableAmountRate]? {
        get { self[elements: "taxableAmountRates"] }
        set { self[elements: "taxableAmountRates"] = newValue }
    }

    /// Clover's `serviceChargeAmount`.
    public var serviceChargeAmount: ServiceChargeAmount? {
        get { self["serviceChargeAmount"] }
        set { self["serviceChargeAmount"] = newValue }
    }

    /// Clover's `tipAmount`, in minor units.
    public var tipAmount: JSONValue? {
        get { self["tipAmount"] }
        set { self["tipAmount"] = newValue }
    }

    /// Clover's `additionalCharges`.
    public var additionalCharges: [AdditionalChargeAmount]? {
        get { self[elements: "additionalCharges"] }
        set { self[elements: "additionalCharges"] = newValue }
    }

    /// Clover's `germanInfo`.
    public var germanInfo: JSONValue? {
        get { self["germanInfo"] }
        set { self["germanInfo"] = newValue }
    }

    /// Clover's `appTracking`.
    public var appTracking: JSONValue? {
        get { self["appTracking"] }
        set { self["appTracking"] = newValue }
    }

    /// Clover's `voided`.
    public var voided: Bool? {
        get { self["voided"] }
        set { self["voided"] = newValue }
    }

    /// Clover's `voidReason`.
    public var voidReason: String? {
        get { self["voidReason"] }
        set { self["voidReason"] = newValue }
    }

    /// Clover's `cardTransaction`.
    public var cardTransaction: CardTransaction? {
        get { self["cardTransaction"] }
        set { self["cardTransaction"] = newValue }
    }

    /// Clover's `transactionInfo`.
    public var transactionInfo: JSONValue? {
        get { self["transactionInfo"] }
        set { self["transactionInfo"] = newValue }
    }

    /// Clover's `merchant`.
    public var merchant: BaseReference? {
        get { self["merchant"] }
        set { self["merchant"] = newValue }
    }

    /// Clover's `externalReferenceId`.
    public var externalReferenceId: JSONValue? {
        get { self["externalReferenceId"] }
        set { self["externalReferenceId"] = newValue }
    }

    /// Clover's `status`.
    public var status: String? {
        get { self["status"] }
        set { self["status"] = newValue }
    }

    /// Clover's `deletedTime`, in milliseconds since 1970.
    public var deletedTime: Timestamp? {
        get { self["deletedTime"] }
        set { self["deletedTime"] = newValue }
    }

    /// Clover's `gatewayProcessingTime`, in milliseconds since 1970.
    public var gatewayProcessingTime: Timestamp? {
        get { self["gatewayProcessingTime"] }
        set { self["gatewayProcessingTime"] = newValue }
    }

    /// Clover's `authCode`.
    public var authCode: String? {
        get { self["authCode"] }
        set { self["authCode"] = newValue }
    }

    /// Clover's `reason`.
    public var reason: String? {
        get { self["reason"] }
        set { self["reason"] = newValue }
    }

    /// Clover's `attributes`.
    public var attributes: JSONValue? {
        get { self["attributes"] }
        set { self["attributes"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Refund>> { Field(name: "id") }

        /// Clover's `orderRef`.
        public var orderRef: Field<Order> { Field(name: "orderRef") }

        /// Clover's `device`.
        public var device: Field<Device> { Field(name: "device") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `taxAmount`, in minor units.
        public var taxAmount: Field<Money> { Field(name: "taxAmount") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `clientCreatedTime`, in milliseconds since 1970.
        public var clientCreatedTime: Field<Timestamp> { Field(name: "clientCreatedTime") }

        /// Clover's `payment`.
        public var payment: Field<Payment> { Field(name: "payment") }

        /// Clover's `employee`.
        public var employee: Field<Employee> { Field(name: "employee") }

        /// Clover's `lineItems`.
        public var lineItems: Field<[LineItem]> { Field(name: "lineItems") }

        /// Clover's `overrideMerchantTender`.
        public var overrideMerchantTender: Field<Tender> { Field(name: "overrideMerchantTender") }

        /// Clover's `taxableAmountRates`.
        public var taxableAmountRates: Field<[TaxableAmountRate]> { Field(name: "taxableAmountRates") }

        /// Clover's `serviceChargeAmount`.
        public var serviceChargeAmount: Field<ServiceChargeAmount> { Field(name: "serviceChargeAmount") }

        /// Clover's `tipAmount`, in minor units.
        public var tipAmount: Field<JSONValue> { Field(name: "tipAmount") }

        /// Clover's `additionalCharges`.
        public var additionalCharges: Field<[AdditionalChargeAmount]> { Field(name: "additionalCharges") }

        /// Clover's `germanInfo`.
        public var germanInfo: Field<JSONValue> { Field(name: "germanInfo") }

        /// Clover's `appTracking`.
        public var appTracking: Field<JSONValue> { Field(name: "appTracking") }

        /// Clover's `voided`.
        public var voided: Field<Bool> { Field(name: "voided") }

        /// Clover's `voidReason`.
        public var voidReason: Field<String> { Field(name: "voidReason") }

        /// Clover's `cardTransaction`.
        public var cardTransaction: Field<CardTransaction> { Field(name: "cardTransaction") }

        /// Clover's `transactionInfo`.
        public var transactionInfo: Field<JSONValue> { Field(name: "transactionInfo") }

        /// Clover's `merchant`.
        public var merchant: Field<BaseReference> { Field(name: "merchant") }

        /// Clover's `externalReferenceId`.
        public var externalReferenceId: Field<JSONValue> { Field(name: "externalReferenceId") }

        /// Clover's `status`.
        public var status: Field<String> { Field(name: "status") }

        /// Clover's `deletedTime`, in milliseconds since 1970.
        public var deletedTime: Field<Timestamp> { Field(name: "deletedTime") }

        /// Clover's `gatewayProcessingTime`, in milliseconds since 1970.
        public var gatewayProcessingTime: Field<Timestamp> { Field(name: "gatewayProcessingTime") }

        /// Clover's `authCode`.
        public var authCode: Field<String> { Field(name: "authCode") }

        /// Clover's `reason`.
        public var reason: Field<String> { Field(name: "reason") }

        /// Clover's `attributes`.
        public var attributes: Field<JSONValue> { Field(name: "attributes") }
    }
}

/// Clover's `payments.ServiceChargeAmount`.
///
/// ```swift
/// for try await payment in shop.payments {
///     if let serviceCharge = payment.serviceCharge {
///         print(serviceCharge.name ?? "", serviceCharge.amount?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct ServiceChargeAmount: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<ServiceChargeAmount>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `amount`, in minor units.
    public var amount: Money? {
        get { self["amount"] }
        set { self["amount"] = newValue }
    }

    /// Clover's `paymentRef`.
    public var paymentRef: Payment? {
        get { self["paymentRef"] }
        set { self["paymentRef"] = newValue }
    }

    /// Clover's `refundRef`.
    public var refundRef: BaseReference? {
        get { self["refundRef"] }
        set { self["refundRef"] = newValue }
    }

    /// Clover's `percentage`, in ten-thousandths of a percent: 125,000 is 12.5 %.
    public var percentage: Int64? {
        get { self["percentage"] }
        set { self["percentage"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<ServiceChargeAmount>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `amount`, in minor units.
        public var amount: Field<Money> { Field(name: "amount") }

        /// Clover's `paymentRef`.
        public var paymentRef: Field<Payment> { Field(name: "paymentRef") }

        /// Clover's `refundRef`.
        public var refundRef: Field<BaseReference> { Field(name: "refundRef") }

        /// Clover's `percentage`, in ten-thousandths of a percent: 125,000 is 12.5 %.
        public var percentage: Field<Int64> { Field(name: "percentage") }
    }
}

/// Clover's `payments.TaxableAmountRate`.
///
/// ```swift
/// for try await credit in shop.credits.expand(\.taxRates) {
///     for taxableAmountRate in credit.taxRates ?? [] {
///         print(taxableAmountRate.name ?? "", taxableAmountRate.taxAmount?.minorUnits ?? 0)
///     }
/// }
/// ```
public struct TaxableAmountRate: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<TaxableAmountRate>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `taxableAmount`, in minor units.
    public var taxableAmount: Money? {
        get { self["taxableAmount"] }
        set { self["taxableAmount"] = newValue }
    }

    /// Clover's `rate`.
    public var rate: Int64? {
        get { self["rate"] }
        set { self["rate"] = newValue }
    }

    /// Clover's `isVat`.
    public var isVat: Bool? {
        get { self["isVat"] }
        set { self["isVat"] = newValue }
    }

    /// Clover's `taxAmount`, in minor units.
    public var taxAmount: Money? {
        get { self["taxAmount"] }
        set { self["taxAmount"] = newValue }
    }

    /// Clover's `transactionRef`.
    public var transactionRef: BaseReference? {
        get { self["transactionRef"] }
        set { self["transactionRef"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<TaxableAmountRate>> { Field(name: "id") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `taxableAmount`, in minor units.
        public var taxableAmount: Field<Money> { Field(name: "taxableAmount") }

        /// Clover's `rate`.
        public var rate: Field<Int64> { Field(name: "rate") }

        /// Clover's `isVat`.
        public var isVat: Field<Bool> { Field(name: "isVat") }

        /// Clover's `taxAmount`, in minor units.
        public var taxAmount: Field<Money> { Field(name: "taxAmount") }

        /// Clover's `transactionRef`.
        public var transactionRef: Field<BaseReference> { Field(name: "transactionRef") }
    }
}

/// Clover's `payments.TransactionSettings`.
///
/// ```swift
/// for try await credit in shop.credits {
///     if let transactionSettings = credit.transactionSettings {
///         print(transactionSettings.cardEntryMethods ?? 0, transactionSettings.disableCashBack ?? false)
///     }
/// }
/// ```
public struct TransactionSettings: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `cardEntryMethods`.
    public var cardEntryMethods: Int64? {
        get { self["cardEntryMethods"] }
        set { self["cardEntryMethods"] = newValue }
    }

    /// Clover's `disableCashBack`.
    public var disableCashBack: Bool? {
        get { self["disableCashBack"] }
        set { self["disableCashBack"] = newValue }
    }

    /// Clover's `cloverShouldHandleReceipts`.
    public var cloverShouldHandleReceipts: Bool? {
        get { self["cloverShouldHandleReceipts"] }
        set { self["cloverShouldHandleReceipts"] = newValue }
    }

    /// Clover's `forcePinEntryOnSwipe`.
    public var forcePinEntryOnSwipe: Bool? {
        get { self["forcePinEntryOnSwipe"] }
        set { self["forcePinEntryOnSwipe"] = newValue }
    }

    /// Clover's `disableRestartTransactionOnFailure`.
    public var disableRestartTransactionOnFailure: Bool? {
        get { self["disableRestartTransactionOnFailure"] }
        set { self["disableRestartTransactionOnFailure"] = newValue }
    }

    /// Clover's `allowOfflinePayment`.
    public var allowOfflinePayment: Bool? {
        get { self["allowOfflinePayment"] }
        set { self["allowOfflinePayment"] = newValue }
    }

    /// Clover's `approveOfflinePaymentWithoutPrompt`.
    public var approveOfflinePaymentWithoutPrompt: Bool? {
        get { self["approveOfflinePaymentWithoutPrompt"] }
        set { self["approveOfflinePaymentWithoutPrompt"] = newValue }
    }

    /// Clover's `forceOfflinePayment`.
    public var forceOfflinePayment: Bool? {
        get { self["forceOfflinePayment"] }
        set { self["forceOfflinePayment"] = newValue }
    }

    /// Clover's `signatureThreshold`, in minor units.
    public var signatureThreshold: Money? {
        get { self["signatureThreshold"] }
        set { self["signatureThreshold"] = newValue }
    }

    /// Clover's `signatureEntryLocation`. One of `ON_SCREEN`, `ON_PAPER`, `NONE`; others may come.
    public var signatureEntryLocation: String? {
        get { self["signatureEntryLocation"] }
        set { self["signatureEntryLocation"] = newValue }
    }

    /// Clover's `tipMode`. One of `TIP_PROVIDED`, `ON_SCREEN_BEFORE_PAYMENT`, `ON_SCREEN_AFTER_PAYMENT`, `ON_PAPER`, `NO_TIP`; others may come.
    public var tipMode: String? {
        get { self["tipMode"] }
        set { self["tipMode"] = newValue }
    }

    /// Clover's `tippableAmount`, in minor units.
    public var tippableAmount: Money? {
        get { self["tippableAmount"] }
        set { self["tippableAmount"] = newValue }
    }

    /// Clover's `disableReceiptSelection`.
    public var disableReceiptSelection: Bool? {
        get { self["disableReceiptSelection"] }
        set { self["disableReceiptSelection"] = newValue }
    }

    /// Clover's `disableDuplicateCheck`.
    public var disableDuplicateCheck: Bool? {
        get { self["disableDuplicateCheck"] }
        set { self["disableDuplicateCheck"] = newValue }
    }

    /// Clover's `autoAcceptPaymentConfirmations`.
    public var autoAcceptPaymentConfirmations: Bool? {
        get { self["autoAcceptPaymentConfirmations"] }
        set { self["autoAcceptPaymentConfirmations"] = newValue }
    }

    /// Clover's `autoAcceptSignature`.
    public var autoAcceptSignature: Bool? {
        get { self["autoAcceptSignature"] }
        set { self["autoAcceptSignature"] = newValue }
    }

    /// Clover's `returnResultOnTransactionComplete`.
    public var returnResultOnTransactionComplete: Bool? {
        get { self["returnResultOnTransactionComplete"] }
        set { self["returnResultOnTransactionComplete"] = newValue }
    }

    /// Clover's `tipSuggestions`.
    public var tipSuggestions: [TipSuggestion]? {
        get { self[elements: "tipSuggestions"] }
        set { self[elements: "tipSuggestions"] = newValue }
    }

    /// Clover's `regionalExtras`.
    public var regionalExtras: JSONValue? {
        get { self["regionalExtras"] }
        set { self["regionalExtras"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `cardEntryMethods`.
        public var cardEntryMethods: Field<Int64> { Field(name: "cardEntryMethods") }

        /// Clover's `disableCashBack`.
        public var disableCashBack: Field<Bool> { Field(name: "disableCashBack") }

        /// Clover's `cloverShouldHandleReceipts`.
        public var cloverShouldHandleReceipts: Field<Bool> { Field(name: "cloverShouldHandleReceipts") }

        /// Clover's `forcePinEntryOnSwipe`.
        public var forcePinEntryOnSwipe: Field<Bool> { Field(name: "forcePinEntryOnSwipe") }

        /// Clover's `disableRestartTransactionOnFailure`.
        public var disableRestartTransactionOnFailure: Field<Bool> { Field(name: "disableRestartTransactionOnFailure") }

        /// Clover's `allowOfflinePayment`.
        public var allowOfflinePayment: Field<Bool> { Field(name: "allowOfflinePayment") }

        /// Clover's `approveOfflinePaymentWithoutPrompt`.
        public var approveOfflinePaymentWithoutPrompt: Field<Bool> { Field(name: "approveOfflinePaymentWithoutPrompt") }

        /// Clover's `forceOfflinePayment`.
        public var forceOfflinePayment: Field<Bool> { Field(name: "forceOfflinePayment") }

        /// Clover's `signatureThreshold`, in minor units.
        public var signatureThreshold: Field<Money> { Field(name: "signatureThreshold") }

        /// Clover's `signatureEntryLocation`. One of `ON_SCREEN`, `ON_PAPER`, `NONE`; others may come.
        public var signatureEntryLocation: Field<String> { Field(name: "signatureEntryLocation") }

        /// Clover's `tipMode`. One of `TIP_PROVIDED`, `ON_SCREEN_BEFORE_PAYMENT`, `ON_SCREEN_AFTER_PAYMENT`, `ON_PAPER`, `NO_TIP`; others may come.
        public var tipMode: Field<String> { Field(name: "tipMode") }

        /// Clover's `tippableAmount`, in minor units.
        public var tippableAmount: Field<Money> { Field(name: "tippableAmount") }

        /// Clover's `disableReceiptSelection`.
        public var disableReceiptSelection: Field<Bool> { Field(name: "disableReceiptSelection") }

        /// Clover's `disableDuplicateCheck`.
        public var disableDuplicateCheck: Field<Bool> { Field(name: "disableDuplicateCheck") }

        /// Clover's `autoAcceptPaymentConfirmations`.
        public var autoAcceptPaymentConfirmations: Field<Bool> { Field(name: "autoAcceptPaymentConfirmations") }

        /// Clover's `autoAcceptSignature`.
        public var autoAcceptSignature: Field<Bool> { Field(name: "autoAcceptSignature") }

        /// Clover's `returnResultOnTransactionComplete`.
        public var returnResultOnTransactionComplete: Field<Bool> { Field(name: "returnResultOnTransactionComplete") }

        /// Clover's `tipSuggestions`.
        public var tipSuggestions: Field<[TipSuggestion]> { Field(name: "tipSuggestions") }

        /// Clover's `regionalExtras`.
        public var regionalExtras: Field<JSONValue> { Field(name: "regionalExtras") }
    }
}

/// Clover's `printer.Printer`.
///
/// ```swift
/// for try await tag in shop.tags.expand(\.printers) {
///     for printer in tag.printers ?? [] {
///         print(printer.name ?? "", printer.type ?? "")
///     }
/// }
/// ```
public struct Printer: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Printer>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `mac`.
    public var mac: String? {
        get { self["mac"] }
        set { self["mac"] = newValue }
    }

    /// Clover's `model`.
    public var model: String? {
        get { self["model"] }
        set { self["model"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `ipAddress`.
    public var ipAddress: String? {
        get { self["ipAddress"] }
        set { self["ipAddress"] = newValue }
    }

    /// Clover's `type`. One of `NETWORK`, `MY_LOCAL`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Printer>> { Field(name: "id") }

        /// Clover's `mac`.
        public var mac: Field<String> { Field(name: "mac") }

        /// Clover's `model`.
        public var model: Field<String> { Field(name: "model") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `ipAddress`.
        public var ipAddress: Field<String> { Field(name: "ipAddress") }

        /// Clover's `type`. One of `NETWORK`, `MY_LOCAL`; others may come.
        public var type: Field<String> { Field(name: "type") }
    }
}

/// Clover's `resellers.Reseller`.
///
/// ```swift
/// let merchant = try await shop.merchant()
/// if let merchantPlan = merchant.merchantPlan, let reseller = merchantPlan.reseller {
///     print(reseller.name ?? "", reseller.type ?? "")
/// }
/// ```
public struct Reseller: CloverRecord {
    public var members: [String: JSONValue]

    public init(members: [String: JSONValue] = [:]) { self.members = members }

    /// Clover's `id`.
    public var id: Identifier<Reseller>? {
        get { self["id"] }
        set { self["id"] = newValue }
    }

    /// Clover's `fdClientId`.
    public var fdClientId: String? {
        get { self["fdClientId"] }
        set { self["fdClientId"] = newValue }
    }

    /// Clover's `name`.
    public var name: String? {
        get { self["name"] }
        set { self["name"] = newValue }
    }

    /// Clover's `alternateName`.
    public var alternateName: String? {
        get { self["alternateName"] }
        set { self["alternateName"] = newValue }
    }

    /// Clover's `code`.
    public var code: String? {
        get { self["code"] }
        set { self["code"] = newValue }
    }

    /// Clover's `owner`.
    public var owner: Account? {
        get { self["owner"] }
        set { self["owner"] = newValue }
    }

    /// Clover's `defaultPaymentProcessor`.
    public var defaultPaymentProcessor: PaymentProcessor? {
        get { self["defaultPaymentProcessor"] }
        set { self["defaultPaymentProcessor"] = newValue }
    }

    /// Clover's `defaultProcessorKey`.
    public var defaultProcessorKey: ProcessorKey? {
        get { self["defaultProcessorKey"] }
        set { self["defaultProcessorKey"] = newValue }
    }

    /// Clover's `defaultCountryCode`.
    public var defaultCountryCode: String? {
        get { self["defaultCountryCode"] }
        set { self["defaultCountryCode"] = newValue }
    }

    /// Clover's `supportsNakedCredit`.
    public var supportsNakedCredit: Bool? {
        get { self["supportsNakedCredit"] }
        set { self["supportsNakedCredit"] = newValue }
    }

    /// Clover's `supportsOutboundBoarding`.
    public var supportsOutboundBoarding: Bool? {
        get { self["supportsOutboundBoarding"] }
        set { self["supportsOutboundBoarding"] = newValue }
    }

    /// Clover's `enforceMerchantPlan`.
    public var enforceMerchantPlan: Bool? {
        get { self["enforceMerchantPlan"] }
        set { self["enforceMerchantPlan"] = newValue }
    }

    /// Clover's `supportPhone`.
    public var supportPhone: String? {
        get { self["supportPhone"] }
        set { self["supportPhone"] = newValue }
    }

    /// Clover's `supportEmail`.
    public var supportEmail: String? {
        get { self["supportEmail"] }
        set { self["supportEmail"] = newValue }
    }

    /// Clover's `filterApps`.
    public var filterApps: Bool? {
        get { self["filterApps"] }
        set { self["filterApps"] = newValue }
    }

    /// Clover's `forcePhone`.
    public var forcePhone: Bool? {
        get { self["forcePhone"] }
        set { self["forcePhone"] = newValue }
    }

    /// Clover's `stationsOnClassic`.
    public var stationsOnClassic: Bool? {
        get { self["stationsOnClassic"] }
        set { self["stationsOnClassic"] = newValue }
    }

    /// Clover's `allowBlackhole`.
    public var allowBlackhole: Bool? {
        get { self["allowBlackhole"] }
        set { self["allowBlackhole"] = newValue }
    }

    /// Clover's `createdTime`, in milliseconds since 1970.
    public var createdTime: Timestamp? {
        get { self["createdTime"] }
        set { self["createdTime"] = newValue }
    }

    /// Clover's `parentReseller`.
    public var parentReseller: Reseller? {
        get { self["parentReseller"] }
        set { self["parentReseller"] = newValue }
    }

    /// Clover's `brandAssets`.
    public var brandAssets: [BaseReference]? {
        get { self[elements: "brandAssets"] }
        set { self[elements: "brandAssets"] = newValue }
    }

    /// Clover's `broadcastMessage`.
    public var broadcastMessage: BaseReference? {
        get { self["broadcastMessage"] }
        set { self["broadcastMessage"] = newValue }
    }

    /// Clover's `featuredApps`.
    public var featuredApps: [BaseReference]? {
        get { self[elements: "featuredApps"] }
        set { self[elements: "featuredApps"] = newValue }
    }

    /// Clover's `tasqCustomerNumber`.
    public var tasqCustomerNumber: String? {
        get { self["tasqCustomerNumber"] }
        set { self["tasqCustomerNumber"] = newValue }
    }

    /// Clover's `isBulkPurchaser`.
    public var isBulkPurchaser: Bool? {
        get { self["isBulkPurchaser"] }
        set { self["isBulkPurchaser"] = newValue }
    }

    /// Clover's `partnerSupportEmail`.
    public var partnerSupportEmail: String? {
        get { self["partnerSupportEmail"] }
        set { self["partnerSupportEmail"] = newValue }
    }

    /// Clover's `isRkiIdentifier`.
    public var isRkiIdentifier: Bool? {
        get { self["isRkiIdentifier"] }
        set { self["isRkiIdentifier"] = newValue }
    }

    /// Clover's `isNewBilling`.
    public var isNewBilling: Bool? {
        get { self["isNewBilling"] }
        set { self["isNewBilling"] = newValue }
    }

    /// Clover's `merchantPlanGroup`.
    public var merchantPlanGroup: BaseReference? {
        get { self["merchantPlanGroup"] }
        set { self["merchantPlanGroup"] = newValue }
    }

    /// Clover's `isSelfBoarding`.
    public var isSelfBoarding: Bool? {
        get { self["isSelfBoarding"] }
        set { self["isSelfBoarding"] = newValue }
    }

    /// Clover's `isIntercomEnabled`.
    public var isIntercomEnabled: Bool? {
        get { self["isIntercomEnabled"] }
        set { self["isIntercomEnabled"] = newValue }
    }

    /// Clover's `locale`.
    public var locale: String? {
        get { self["locale"] }
        set { self["locale"] = newValue }
    }

    /// Clover's `resellerPrivacyPolicyUrl`.
    public var resellerPrivacyPolicyUrl: String? {
        get { self["resellerPrivacyPolicyUrl"] }
        set { self["resellerPrivacyPolicyUrl"] = newValue }
    }

    /// Clover's `isRapidDepositEnabled`.
    public var isRapidDepositEnabled: Bool? {
        get { self["isRapidDepositEnabled"] }
        set { self["isRapidDepositEnabled"] = newValue }
    }

    /// Clover's `rapidDepositServiceEntitlementNumber`.
    public var rapidDepositServiceEntitlementNumber: String? {
        get { self["rapidDepositServiceEntitlementNumber"] }
        set { self["rapidDepositServiceEntitlementNumber"] = newValue }
    }

    /// Clover's `isCodelessActivation`.
    public var isCodelessActivation: Bool? {
        get { self["isCodelessActivation"] }
        set { self["isCodelessActivation"] = newValue }
    }

    /// Clover's `type`. One of `JV`, `SMS`, `PFAC`, `WHOLESALE_ISO`, `RETAIL_ISO`, `FSP`, `AGENT`, `STRATEGIC_FI`, `REGIONAL_FI`, `COMMUNITY_BANK`, `NON_FI`, `REFERRAL_PARTNER`, `DIRECT_SALES`, `UNKNOWN`, `DEMO`; others may come.
    public var type: String? {
        get { self["type"] }
        set { self["type"] = newValue }
    }

    /// Clover's `source`. One of `COPILOT`, `INTERNAL`; others may come.
    public var source: String? {
        get { self["source"] }
        set { self["source"] = newValue }
    }

    /// The fields of the model.
    public struct Fields: RecordFields {
        public init() {}

        /// Clover's `id`.
        public var id: Field<Identifier<Reseller>> { Field(name: "id") }

        /// Clover's `fdClientId`.
        public var fdClientId: Field<String> { Field(name: "fdClientId") }

        /// Clover's `name`.
        public var name: Field<String> { Field(name: "name") }

        /// Clover's `alternateName`.
        public var alternateName: Field<String> { Field(name: "alternateName") }

        /// Clover's `code`.
        public var code: Field<String> { Field(name: "code") }

        /// Clover's `owner`.
        public var owner: Field<Account> { Field(name: "owner") }

        /// Clover's `defaultPaymentProcessor`.
        public var defaultPaymentProcessor: Field<PaymentProcessor> { Field(name: "defaultPaymentProcessor") }

        /// Clover's `defaultProcessorKey`.
        public var defaultProcessorKey: Field<ProcessorKey> { Field(name: "defaultProcessorKey") }

        /// Clover's `defaultCountryCode`.
        public var defaultCountryCode: Field<String> { Field(name: "defaultCountryCode") }

        /// Clover's `supportsNakedCredit`.
        public var supportsNakedCredit: Field<Bool> { Field(name: "supportsNakedCredit") }

        /// Clover's `supportsOutboundBoarding`.
        public var supportsOutboundBoarding: Field<Bool> { Field(name: "supportsOutboundBoarding") }

        /// Clover's `enforceMerchantPlan`.
        public var enforceMerchantPlan: Field<Bool> { Field(name: "enforceMerchantPlan") }

        /// Clover's `supportPhone`.
        public var supportPhone: Field<String> { Field(name: "supportPhone") }

        /// Clover's `supportEmail`.
        public var supportEmail: Field<String> { Field(name: "supportEmail") }

        /// Clover's `filterApps`.
        public var filterApps: Field<Bool> { Field(name: "filterApps") }

        /// Clover's `forcePhone`.
        public var forcePhone: Field<Bool> { Field(name: "forcePhone") }

        /// Clover's `stationsOnClassic`.
        public var stationsOnClassic: Field<Bool> { Field(name: "stationsOnClassic") }

        /// Clover's `allowBlackhole`.
        public var allowBlackhole: Field<Bool> { Field(name: "allowBlackhole") }

        /// Clover's `createdTime`, in milliseconds since 1970.
        public var createdTime: Field<Timestamp> { Field(name: "createdTime") }

        /// Clover's `parentReseller`.
        public var parentReseller: Field<Reseller> { Field(name: "parentReseller") }

        /// Clover's `brandAssets`.
        public var brandAssets: Field<[BaseReference]> { Field(name: "brandAssets") }

        /// Clover's `broadcastMessage`.
        public var broadcastMessage: Field<BaseReference> { Field(name: "broadcastMessage") }

        /// Clover's `featuredApps`.
        public var featuredApps: Field<[BaseReference]> { Field(name: "featuredApps") }

        /// Clover's `tasqCustomerNumber`.
        public var tasqCustomerNumber: Field<String> { Field(name: "tasqCustomerNumber") }

        /// Clover's `isBulkPurchaser`.
        public var isBulkPurchaser: Field<Bool> { Field(name: "isBulkPurchaser") }

        /// Clover's `partnerSupportEmail`.
        public var partnerSupportEmail: Field<String> { Field(name: "partnerSupportEmail") }

        /// Clover's `isRkiIdentifier`.
        public var isRkiIdentifier: Field<Bool> { Field(name: "isRkiIdentifier") }

        /// Clover's `isNewBilling`.
        public var isNewBilling: Field<Bool> { Field(name: "isNewBilling") }

        /// Clover's `merchantPlanGroup`.
        public var merchantPlanGroup: Field<BaseReference> { Field(name: "merchantPlanGroup") }

        /// Clover's `isSelfBoarding`.
        public var isSelfBoarding: Field<Bool> { Field(name: "isSelfBoarding") }

        /// Clover's `isIntercomEnabled`.
        public var isIntercomEnabled: Field<Bool> { Field(name: "isIntercomEnabled") }

        /// Clover's `locale`.
        public var locale: Field<String> { Field(name: "locale") }

        /// Clover's `resellerPrivacyPolicyUrl`.
        public var resellerPrivacyPolicyUrl: Field<String> { Field(name: "resellerPrivacyPolicyUrl") }

        /// Clover's `isRapidDepositEnabled`.
        public var isRapidDepositEnabled: Field<Bool> { Field(name: "isRapidDepositEnabled") }

        /// Clover's `rapidDepositServiceEntitlementNumber`.
        public var rapidDepositServiceEntitlementNumber: Field<String> { Field(name: "rapidDepositServiceEntitlementNumber") }

        /// Clover's `isCodelessActivation`.
        public var isCodelessActivation: Field<Bool> { Field(name: "isCodelessActivation") }

        /// Clover's `type`. One of `JV`, `SMS`, `PFAC`, `WHOLESALE_ISO`, `RETAIL_ISO`, `FSP`, `AGENT`, `STRATEGIC_FI`, `REGIONAL_FI`, `COMMUNITY_BANK`, `NON_FI`, `REFERRAL_PARTNER`, `DIRECT_SALES`, `UNKNOWN`, `DEMO`; others may come.
        public var type: Field<String> { Field(name: "type") }

        /// Clover's `source`. One of `COPILOT`, `INTERNAL`; others may come.
        public var source: Field<String> { Field(name: "source") }
    }
}
