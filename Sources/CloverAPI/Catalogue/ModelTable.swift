// Made by Scripts/generate-catalogue from Catalogue/models.json. Change that file, then run `make docs`.

/// The models of Clover's API; `ModelCatalogue` reads it.
// swift-format-ignore
enum ModelTable {
    /// Name, API, sources, fields (`name type marks`, separated by bars).
    static let models: StaticString = #"""
account.Account	rest	01	id s|name s|email s|primaryMerchant merchant.Merchant r|primaryDeveloper developer.Developer r|primaryReseller base.Reference|isActive b|createdTime t t|claimedTime t t|lastLogin l t|inviteSent b|status s|role employees.Role r|merchants *merchant.Merchant r|developers *developer.Developer r|resellers *base.Reference|csrfToken s !|authFactors *account.AuthFactor r|primaryEnterprise base.Reference @1
account.AccountInvitation	rest	1	accountRef base.Reference|email s|isDeveloper b|isTestMerchant b|ignoreCompany b|claimCode s !
account.AccountRecord	rest	1	id s|email s|name s|claimCode s !|oauthProvider #account.OAuthProvider|passwordHash s !|lockedOut b|passwordUpdatedTime t t|isActive b|createdTime t t|claimedTime t t|lastLogin l t|inviteSent b
account.AccountSetting	rest	1	accountRef base.Reference|name #account.SettingName|value s|createdTime t t|modifiedTime t t|deletedTime t t
account.AuthFactor	rest	01	id s|type #account.AuthFactorType|phoneNumber s|backupCodes s !|totpKey s !|createdTime t t|countryCode s @1|deletedTime t t@1
account.EntityPhoneNumber	rest	1	entityUuid s|phoneNumberUuid s|deletedTime t t
account.PhoneNumberDescriptor	rest	1	id s|phoneNumberId l|descriptor s|permissions *#account.DescriptorPermission|createdTime t t|modifiedTime t t|deletedTime t t
account.SmsPromoRequest	rest	1	phoneNumberId s|phoneOS #account.PhoneOS
account.TermsCondition	rest	1	accountId l|merchantId l|types *#account.TermsType|source #account.Source|createdTime t t|deletedTime t t
apps.AndroidPermission	rest	0	id s|permission s
apps.AndroidVersion	rest	0	id s|createdAt i t|version i|versionName s|approved b|hash s|deviceInstallCount i|hashOriginal s|approvalStatus #base.ApprovalStatus|scanStatus #apps.ScanStatus|scanId s|minSdkVersion i|digestAlg s|apkUrl s|permissions [s|app apps.App|releaseNote base.Reference|merchantGroups *developer.MerchantGroup
apps.App	rest	0	id s|name s|published b|developer developer.Developer|merchant merchant.Merchant|description s|tagline s|videoUrl s|activationUrl s|siteUrl s|defaultResponseType #apps.OAuthResponseType|appDomain s|androidVersion apps.AndroidVersion|packageName s|approved b|systemApp b|hidden b|filenameIcon s|filenameIconSmall s|filenameIconLarge s|installCount i|sortOrder i|permissionMerchantRead b|permissionMerchantWrite b|permissionCustomersRead b|permissionCustomersWrite b|permissionInventoryRead b|permissionInventoryWrite b|permissionOrdersRead b|permissionOrdersWrite b|permissionPaymentsRead b|permissionPaymentsWrite b|permissionEmployeesRead b|permissionEmployeesWrite b|permissionProcessCards b|permissionMidRead b|privacyPolicy s|eula s|supportPhone s|supportPhoneHours s|supportEmail s|supportUrl s|productType #apps.ProductType|approvalStatus #base.ApprovalStatus|androidPermissions *apps.AndroidPermission|screenshots *apps.Screenshot|availableSubscriptions *apps.AppSubscription|subscriptions *apps.AppSubscription|availableMetereds *apps.AppMetered|metereds *apps.AppMetered|usbDevices *apps.AppUsbDevice|isMerchantInTrial b d|currentSubscription apps.AppSubscription|webhook apps.WebHook|androidVersions *apps.AndroidVersion|installed b|installedTime t t|paidAppHasTrial b|approvalStatusModifiedTime t t|smartReceiptText s|smartReceiptUrl s|billingStartTime t t|appSecret s !|businessTypes *apps.BusinessType|deviceTypes *apps.DeviceType|modules *merchant.Module
apps.AppBillingInfo	rest	0	appSubscription apps.AppSubscription|isInTrial b|billingStartTime t t|status #apps.MerchantBillingStatus|daysLapsed i
apps.AppBundle	rest	01	id s|name s|price l md|pricePerDevice l md|includedApps *apps.App r|bundleCountries *apps.AppBundleCountry
apps.AppBundleCountry	rest	01	id s|price l m|pricePerDevice l m|country s|appBundle l @1
apps.AppCarousel	rest	0	id s|name s|countryCode s|reseller base.Reference|maxSize i|carouselApps *apps.App
apps.AppMetered	rest	0	id s|amount i md|action s d|active b d|meteredCountries *apps.AppMeteredCountry|app apps.App|label s
apps.AppMeteredCountry	rest	0	id s|action s|amount i m|country s|active b|appMetered apps.AppMetered
apps.AppMeteredEvent	rest	d	id s|appMetered apps.AppMetered|count i|createdTime t t|modifiedTime t t|charge base.Reference
apps.AppNotification	rest	0	app apps.App|event s|timeToLive i s|data s
apps.AppSubscription	rest	0	id s|name s d|amount i md|description s d|active b d|subscriptionCountries *apps.AppSubscriptionCountry|app apps.App|label s
apps.AppSubscriptionCountry	rest	0	id s|name s|amount i m|country s|description s|active b|appSubscription apps.AppSubscription|installCount i
apps.AppTracking	rest	1	developerAppId s|applicationName s|applicationID s|applicationVersion s|sourceSDK s|sourceSDKVersion s|paymentRef base.Reference|creditRef base.Reference|refundRef base.Reference|creditRefundRef base.Reference
apps.AppUsbDevice	rest	0	packageName s|vendorId i|productId i|app apps.App
apps.BusinessType	rest	0	businessTypeGroupCode #apps.BusinessTypeGroupCode|businessTypeGroupName s|code #base.BusinessTypeCode|name s
apps.DeviceType	rest	0	name s|displayName s|models s
apps.ReleaseNote	rest	0	id s|note s|createdTime t t|modifiedTime t t
apps.Screenshot	rest	0	name s|small s|medium s|large s
apps.WebHook	rest	0	url s|secret s !|valid b|verification s|orders b|app b|payments b|inventory b|customers b|merchants b
base.Address	rest	01	address1 s n|address2 s n|address3 s n|city s n|country s n|phoneNumber s n|state s n|zip s n
base.CardData	rest	1	track1 s !|track2 s !|track3 s !|encrypted b|maskedTrack1 s|maskedTrack2 s|maskedTrack3 s|pan s !|cardholderName s|firstName s|lastName s|exp s|last4 s|first6 s
base.Challenge	rest	1	type #base.ChallengeType|reason #order.VoidReason|message s
base.ChallengeTypeEnum	rest	1	challengeType #base.ChallengeType
base.CountryInfo	rest	01	countryCode s|displayName s|localDisplayName s n|defaultCurrency s|defaultTimezone s|stateProvinceRequired b|zipPostalRequired b|countyRequired b|defaultLocale s|appMarketBillingEnabled b
base.IdArray	rest	1	ids *base.Reference
base.PendingPaymentEntry	rest	1	amount l m|paymentId s|externalPaymentId s|tipAmount v mn
base.Point	rest	1	x l|y l
base.Points	rest	1	points *base.Point
base.Reference	rest	01	id s
base.ServiceCharge	rest	01	id s|orderRef order.Order r|name s|enabled b|percentage l d|percentageDecimal l px10000;
base.Signature	rest	1	strokes *base.Points|width w|height w
base.SystemTender	rest	1	labelKey s|label s|opensCashDrawer b|enabled b|visible b|instruction s
base.Tender	rest	01	id s|editable b|labelKey s|label s|opensCashDrawer b|supportsTipping b|enabled b|visible b|instructions s
boarding.Equipment	rest	1	merchantId s|boarded b|provisioned b|equipmentNumber s|serialNumber s|equipmentCode s|equipmentCodeDesc s|provisionedDeviceType s|boardedBundleIndicator s|boardedBundleId s|provisionedBundleIndicator s|provisionedBundleId s|provisionBundleEffectiveTime t t
boarding.EventInsightsReportRequest	rest	1	eventCode s
cash.CashEvent	rest	01	type #cash.Type|amountChange l m|timestamp t t|note s|employee employees.Employee|device device.Device|merchant base.Reference @1
custom.CustomActivity	rest	1	action s|categories *s
customers.Address	rest	01	id s|address1 s|address2 s|address3 s|city s|country s|state s|zip s|customer base.Reference @1
customers.Card	rest	01	id s|first6 s|last4 s|firstName s|lastName s|expirationDate s|cardType s|token s !|tokenType #customers.TokenType @1|modifiedTime t t@1|customer base.Reference @1
customers.Confirmation	rest	1	order v n|customer v n|card v n|emailAddress v n
customers.Customer	rest	01	id s @01o|orderRef order.Order r|firstName s n@01o|lastName s n@01o|marketingAllowed b @01o|customerSince l t@01o|orders *order.Order r@01o|addresses *customers.Address @01o|emailAddresses *customers.EmailAddress @01o|phoneNumbers *customers.PhoneNumber @01o|cards *customers.Card @01o|merchant base.Reference @1o|metadata customers.CustomerMetadata @1o
customers.CustomerAssociationRequest	rest	1	paymentRef base.Reference|tokenRequestRef base.Reference|customer customers.Customer
customers.CustomerInfo	rest	1	customer customers.Customer|displayString s|externalId s|externalSystemName s|extras {s
customers.CustomerMetadata	rest	1	businessName s|note s|dobYear w|dobMonth w|dobDay w|modifiedTime t t|customer base.Reference
customers.EmailAddress	rest	01	id s|emailAddress s|verifiedTime t t|primaryEmail b @1|customer base.Reference @1
customers.IdentityDocument	rest	1	id s|type s|number s !|createdTime t t|modifiedTime t t|deletedTime t t|payment base.Reference
customers.PhoneNumber	rest	01	id s|phoneNumber s|customer base.Reference @1
customers.RemoteCustomer	rest	1	customer customers.Customer|displayString s|externalId s|externalSystemName s|extras {s
developer.Developer	rest	01	id s|name s|firstName s|lastName s|email s|phone s|dob s !|ssn s !|address s|city s|county s|state s|country s|postalCode s|bankAccountNumber s !|bankRoutingNumber s !|businessLegalName s|tin s !|vatRegisterNumber s|sensitiveData s !|businessAddress s|businessCity s|businessState s|businessCountry s|businessPostalCode s|billingStatus #developer.DeveloperBillingStatus|billingStatusMessage s|approvalStatus #base.ApprovalStatus|acceptedAgreement b|prName s|prEmail s|prPhone s|website s|modifiedTime t t|owner account.Account r|appBillingSystem s|infoleaseVendorCode s|infoleaseGlCode s|bankInfo base.Reference @1|hasTin b @1|approvalStatusModifiedTime t t@1|createdTime t t@1|firstSubmittedTime t t@1|firstApprovalTime t t@1|revShare w @1|isRevShareFlatRate b @1|revShareEffectiveTime t t@1|signorName s @1|signorTitle s @1|referralSubmissionTime t t@1|emergencyEmail s @1|collectionApprovalStatus #developer.CollectionApprovalStatus @1|isIsv b @1
developer.DeveloperPermission	rest	0	id s|name s|label s
developer.DeveloperRole	rest	0	id s|name s|label s|system b|templateRole developer.DeveloperRole|accounts *account.Account|permissions *employees.Permissions|developerRef developer.Developer
developer.MerchantGroup	rest	0	id s|name s|developer developer.Developer|createdTime t t|merchants *merchant.Merchant|merchantCount i|androidVersions *apps.AndroidVersion|merchantFilter s|filterMerchants *merchant.Merchant
device.AccessoryRomMetadataUpdateRequest	rest	1	cpuId s|version w|buildType s
device.AssociatedDeviceBundle	rest	1	id s|bundleIndicator s|createdTime t t|deletedTime t t|associatedTime t t|disassociatedTime t t
device.BundleItem	rest	1	equipmentCode s|equipmentCodeDesc s|quantity w|version w
device.Device	rest	01	id s|name s|model s|orderPrefix s|terminalPrefix i n|serial s|buildNumber l|secureId s|buildType #device.BuildType|cpuId s|imei s|imsi s|simIccid s|deviceCertificate s|pedCertificate s|deviceTypeName s|merchant base.Reference @1|terminalId s @1|productName s @1|pinDisabled b @1|offlinePayments b @1|offlinePaymentsAll b @1|offlinePaymentsLimit l m@1|offlinePaymentsPromptThreshold l m@1|offlinePaymentsTotalPaymentsLimit l m@1|offlinePaymentsLimitDefault l m@1|offlinePaymentsPromptThresholdDefault l m@1|offlinePaymentsTotalPaymentsLimitDefault l m@1|offlinePaymentsMaxLimit l m@1|offlinePaymentsMaxTotalPaymentsLimit l m@1|showOfflinePayments b @1|maxOfflineDays l @1|allowStoreAndForward b @1|secureReports *base.Reference @1|bundleIndicator s @1
device.DeviceAccessory	rest	1	id s|model s|serial s|associatedDevice base.Reference|cpuId s|pedCertificate s|buildType #device.DeviceAccessoryBuildType|deviceType base.Reference|versionCode l|currentRom base.Reference|secureReports *base.Reference|createdTime t t|modifiedTime t t
device.DeviceBundle	rest	1	id s|bundleIndicator s|description s|bundleItems *device.BundleItem|createdTime t t|modifiedTime t t|deletedTime t t
device.DevicePackageCategory	rest	1	id s|categoryCode s|name s|createdTime t t|modifiedTime t t
device.DeviceProvision	rest	01	id s|deviceRef device.Device r|state #device.DeviceProvisionState|lastActivationCode s !|activationCode s !|emailSent b|hasShipment b|serialNumber s|merchant merchant.Merchant r|deviceType s|provisionedTime t t|activatedTime t t|reseller base.Reference|currentRom device.Rom r|shipment base.Reference @1|chip_uid s @1|imei s @1|activationCodeCreatedTime t t@1|terminalId s @1|currentSecureBoardRom base.Reference @1|bundleIndicator s @1|modifiedTime t t@1|deletedTime t t@1|deviceWarrantyRef base.Reference @1
device.DeviceProvisionAssoc	rest	1	serialNumber s|associatedId s
device.DeviceProvisionStatus	rest	1	id s|chipUid s|imei s|provisionInfo s|lastActivationCode s !|activationCode s !|emailSent b|serialNumber s|merchantId l|provisionedTime t t|activatedTime t t|resellerId l|deletedTime t t|modifiedTime t t
device.DeviceRequests	rest	1	requestUuids *s
device.DeviceWarranty	rest	1	id s|serialNumber s|standardWarrantyStartDay s|standardWarrantyEndDay s|standardWarrantyStartDate t t|standardWarrantyEndDate t t|extendedWarrantyStatus s|extendedWarrantyStartDay s|extendedWarrantyEndDay s|extendedWarrantyStartDate t t|extendedWarrantyEndDate t t
device.LimitedDevice	rest	1	id s|name s|serial s
device.Rom	rest	01	id s|createdAt l t|version l|versionName s|description s|buildType #device.RomBuildType|isCritical b|published b|enabled b|associationTime t t@1
device.UpdatedDeviceBundle	rest	1	merchantId s|provisionedSerialNumber s|equipmentNumber s|equipmentCode s|bundleId s|effectiveTime t t
ecomm.Address	ecommerce	1	line1 v n|line2 v n|city v n|state v n|postal_code v n|country v n
ecomm.BillingDetails	ecommerce	1	name v n|email v n|phone v n|address ecomm.Address
ecomm.CaptureCharge	ecommerce	1	chargeId s|amount v mn|receipt_email v n|level2 ecomm.PurchaseCardLevel2
ecomm.Charge	ecommerce	1	id s|amount l m|tip_amount v mn|tax_amount v mn|convenience_fee v mn|amount_refunded l m|billing_details ecomm.BillingDetails|currency v n|created l t|description v n|captured b|customer v n|ref_num v n|auth_code v n|failure_code tokens.Error|failure_message v n|warning_message v n|livemode b|on_behalf_of v n|order v n|outcome ecomm.ChargeOutcome|paid b|refunded b|receipt_email v n|status #ecomm.status|source ecomm.Source|metadata {s|stored_credentials ecomm.StoredCredentials|external_reference_id s|ecomind #ecomm.EcommerceIndicator|amount_captured l m@r|threeds o @d
ecomm.ChargeOutcome	ecommerce	1	network_status #ecomm.network_status|reason v n|risk_level #ecomm.risk_level|risk_score v n|rule v n|seller_message v n|type #ecomm.type
ecomm.CreateChargeRequest	ecommerce	1	amount l m|currency v n|tip_amount v mn|tax_amount v mn|tax_rate_uuid v n|convenience_fee v mn|capture b|description v n|receipt_email v n|source s|external_reference_id s|soft_descriptor ecomm.SoftDescriptor|ecomind #ecomm.EcommerceIndicator|level2 ecomm.PurchaseCardLevel2|stored_credentials ecomm.StoredCredentials|metadata {s|customer ecomm.CustomerRequest
ecomm.CreateCustomerRequest	ecommerce	1	firstName v n|lastName v n|name v n|email s|phone v n|shipping ecomm.Shipping|source s|businessName v n|ecomind #ecomm.EcommerceIndicator
ecomm.CreateOrderRequest	ecommerce	1	currency s|email v n|customer v n|coupon v n|items *ecomm.OrderItem|shipping ecomm.Shipping
ecomm.CreateRefundRequest	ecommerce	1	charge s|amount v mn|reason #ecomm.RefundReason|external_reference_id s|tip_amount v mn|tax_amount v mn|convenience_fee v mn
ecomm.Customer	ecommerce	1	id s|object s|created l t|currency v n|default_source v n|email v n|phone v n|name v n|firstName v n|lastName v n|sources ecomm.SourceList|shipping ecomm.Shipping|businessName v n
ecomm.CustomerRequest	ecommerce	1	first_name v n|last_name v n|email v n|phone v n|address ecomm.Address
ecomm.InstallmentInfo	ecommerce	1	bill_pay_indicator #ecomm.BillPayIndicator|invoice_number v n|description v n
ecomm.Order	ecommerce	1	id s|object s|amount l m|tip_amount v mn|tax_amount v mn|convenience_fee v mn|amount_returned l m|currency v n|charge v n|warning_message v n|first6 s|created l t|updated v sn|customer v n|email v n|ref_num v n|auth_code v n|external_coupon_code v n|livemode b|items *ecomm.OrderItem|returns ecomm.OrderReturn|selected_shipping_method v n|shipping ecomm.Shipping|shipping_methods *ecomm.ShippingMethod|source ecomm.Source|status #ecomm.OrderStatus|status_transitions ecomm.OrderStatusTransition|upstream_id v n|external_reference_id s|ecomind #ecomm.EcommerceIndicator|amount_paid l m@r|past_charges [ecomm.Charge @r
ecomm.OrderItem	ecommerce	1	type #ecomm.item_type|object s|parent v n|quantity v n|amount v mn|currency v n|description v n|tax_rates *ecomm.TaxRate
ecomm.OrderReturn	ecommerce	1	has_more v n|url v n|data ecomm.OrderReturnData
ecomm.OrderReturnData	ecommerce	1	amount l m|currency v n|created l t|order v n|refund v n|data *ecomm.OrderItem
ecomm.OrderStatusTransition	ecommerce	1	cancelled v n|fulfilled v n|paid v n|returned v n
ecomm.PayForOrderRequest	ecommerce	1	customer v n|source s|tip_amount v mn|convenience_fee v mn|email v n|external_reference_id s|stored_credentials ecomm.StoredCredentials|ecomind #ecomm.EcommerceIndicator|level2 ecomm.PurchaseCardLevel2
ecomm.PurchaseCardLevel2	ecommerce	1	tax_amount l m|tax_indicator #ecomm.PcTaxIndicator|purchase_identifier s|pc_order_number s|discount_amount l m|freight_amount l m|duty_amount l m|destination_postal_code s|ship_from_postal_code s|destination_country_code s|merchant_tax_id s|product_description s
ecomm.Refund	ecommerce	1	id s|object s|amount l m|charge s|created l t|currency v n|description v n|failure_reason #ecomm.failure_reason|reason #ecomm.RefundReason|receipt_number s|status #ecomm.RefundStatus|metadata {s
ecomm.RefundList	ecommerce	1	data *ecomm.Refund|object s|url s|has_more b
ecomm.ReturnOrderRequest	ecommerce	1	items *ecomm.OrderItem|external_reference_id s|tip_amount v mn
ecomm.Shipping	ecommerce	1	name v n|carrier v n|phone v n|tracking_number v n|address ecomm.Address
ecomm.ShippingMethod	ecommerce	1	id v n|amount l m|currency v n|description v n|delivery_estimate v n
ecomm.SoftDescriptor	ecommerce	1	dba_name v n|street v n|city v n|region v n|postal_code v n|country_code v n|merchant_contact_info v n
ecomm.Source	ecommerce	1	id s|object s|address_city v n|address_country v n|address_line1 v n|address_line1_check v n|address_line2 v n|address_state v n|address_zip v n|address_zip_check v n|brand v n|country v n|cvc_check v n|dynamic_last4 v n|exp_month s|exp_year s|fingerprint s|funding s|first6 s|last4 s|name s|tokenization_method s
ecomm.SourceList	ecommerce	1	object v n|data *s|has_more b|total_count l|url s
ecomm.StoredCredentials	ecommerce	1	cardbrand_original_transaction_id s|sequence #ecomm.Sequence|is_scheduled b|initiator #ecomm.Initiator|installment_info ecomm.InstallmentInfo
ecomm.TaxRate	ecommerce	1	name s|rate l|tax_amount v mn
employees.Employee	rest	01	id s @01o|name s n@01o|nickname s n@01o|customId s n@01o|email s n@01o|inviteSent b n@01o|claimedTime t t@01o|deletedTime t t@01o|pin s n!@01o|unhashedPin s n!@01o|role #employees.AccountRole n@01o|roles *employees.Role n@01o|isOwner b n@01o|shifts *employees.Shift n@01o|payments *payments.Payment n@01o|orders *order.Order n@01o|employeeCards r n@1o|merchant o n@1o
employees.EmployeeCard	rest	1	id s|merchant base.Reference|employee base.Reference|updater base.Reference|number s !|status #employees.EmployeeCardStatus|createdTime t t|modifiedTime t t
employees.PermissionSet	rest	01	id s|name s|label s|app apps.App r|employeeDefault b|managerDefault b|permissions employees.Permissions|roles *employees.Role r|employeePermissions *#employees.EmployeePermission @1|module base.Reference @1
employees.PermissionSetRole	rest	01	id s|role employees.Role r|permissionSet employees.PermissionSet r|modified_time l t|deleted_time i tn
employees.Permissions	rest	01	id s|bits l|readablePermissions *#employees.Permission @1
employees.Role	rest	01	id s|name s|systemRole #employees.AccountRole|employeesRef *employees.Employee r|merchant base.Reference @1
employees.Shift	rest	01	id s|employee employees.Employee|cashTipsCollected l m|serverBanking b|inTime t t|overrideInTime t t|overrideInEmployee employees.Employee|outTime t t|overrideOutTime t t|overrideOutEmployee employees.Employee
hours.HourRange	rest	01	start w|end w
hours.HoursSet	rest	01	id s|name s|reference hours.Reference n|sunday *hours.HourRange|monday *hours.HourRange|tuesday *hours.HourRange|wednesday *hours.HourRange|thursday *hours.HourRange|friday *hours.HourRange|saturday *hours.HourRange
hours.Reference	rest	01	id s|type #hours.ReferenceType
inventory.Attribute	rest	01	id s|name s|itemGroup inventory.ItemGroup r|options *inventory.Option
inventory.Category	rest	01	id s @01o|name s @01o|sortOrder i n@01o|items *inventory.Item n@01o|deleted b n@1o|modifiedTime t t@1o|canonical o n@1o|menuSection v n@1|colorCode s @o
inventory.CategoryItem	rest	01	item inventory.Item|category inventory.Category
inventory.DataAssociation	rest	1	primary base.Reference|secondary base.Reference|payload s
inventory.Discount	rest	01	id s|name s|amount i mn|percentage i n|merchantRef base.Reference @1
inventory.InventoryItems	rest	1	items *inventory.Item
inventory.Item	rest	01	id s @01o|hidden b n@01o|itemGroup inventory.ItemGroup n@01o|name s @01o|alternateName s n@01o|code s n@01o|sku s n@01o|price l m@01o|priceType #inventory.PriceType @01o|defaultTaxRates b n@01o|unitName s n@01o|cost i mn@01o|isRevenue b n@01o|stockCount i nd@01o|taxRates *inventory.TaxRate n@01o|modifierGroups *inventory.ModifierGroup n@01o|categories *inventory.Category n@01o|tags *inventory.Tag n@01o|itemStock inventory.ItemStock n@01o|modifiedTime t t@01o|options r n@1o|canonical o n@1o|menuItem v n@1|deletedTime t t@1o|priceWithoutVat i mn@1o|available b @o|autoManage b @o|MenuItem o @o|colorCode s @o|isAgeRestricted b @d|deleted b @r
inventory.ItemGroup	rest	01	id s|name s|items *inventory.Item r|attributes *inventory.Attribute r
inventory.ItemModifierGroup	rest	01	item inventory.Item|modifierGroup inventory.ModifierGroup
inventory.ItemStock	rest	01	item inventory.Item r|stockCount i nd|quantity f|modifiedTime t t@1
inventory.MenuBulkUpdate	rest	1	enabled b|enableFilteredOutElements b|uuids *s
inventory.MenuGroupStats	rest	1	reference base.Reference|merchantRef base.Reference|numElementsTotal l|numElementsEnabled l|numFilteredOut l
inventory.MenuItem	rest	1	id s|item base.Reference|merchantRef base.Reference|price l m|name s|description s|imageFilename s|enabled b|reasonCode s|filtered b|createdTime t t|modifiedTime t t|deletedTime t t
inventory.MenuModifier	rest	1	id s|modifier base.Reference|merchantRef base.Reference|price l m|name s|description s|imageFilename s|enabled b|reasonCode s|filtered b|createdTime t t|modifiedTime t t|deletedTime t t
inventory.MenuModifierGroup	rest	1	id s|modifierGroup base.Reference|merchantRef base.Reference|name s|description s|minRequired v n|maxAllowed v n|reasonCode s|filtered b|imageFilename s|enabled b|createdTime t t|modifiedTime t t|deletedTime t t
inventory.MenuSection	rest	1	id s|category base.Reference|merchantRef base.Reference|items s|itemList *inventory.MenuItem|name s|description s|imageFilename s|enabled b|reasonCode s|filtered b|createdTime t t|modifiedTime t t|deletedTime t t
inventory.MenuStats	rest	1	merchantRef base.Reference|numMenuItemsTotal l|numMenuModifiersTotal l|numMenuItemsFilteredOut l|numMenuModifiersFilteredOut l
inventory.Modifier	rest	01	id s|name s|alternateName s n|price i mn|modifierGroup inventory.ModifierGroup n|menuModifier v n@1|available b @r|deleted b @r|modifiedTime t t@r
inventory.ModifierGroup	rest	01	id s|name s|alternateName s n|minRequired i n|maxAllowed i n|showByDefault b n|modifiers *inventory.Modifier n|modifierIds s n|items *inventory.Item n|menuModifierGroup v n@1|sortOrder v n@1|deleted b @r
inventory.ModifierGroupArray	rest	1	modifierGroups *inventory.ModifierGroup
inventory.Option	rest	01	id s|name s|attribute inventory.Attribute r|items *base.Reference @1
inventory.OptionItem	rest	01	option inventory.Option n|item inventory.Item n
inventory.SortOrder	rest	1	ids *s
inventory.Tag	rest	01	id s|name s n|items *inventory.Item n|printers *printer.Printer n|showInReporting v n@1
inventory.TagItem	rest	01	tag inventory.Tag|item inventory.Item
inventory.TagPrinter	rest	01	tag inventory.Tag|printer printer.Printer
inventory.TaxRate	rest	01	id s|lineItemRef order.LineItem n|name s|rate l px100000;|isDefault b n|items *inventory.Item n|taxType v n@1|taxAmount v mn@1|deletedTime t t@1|modifiedTime t t@1
inventory.TaxRateItem	rest	01	taxRate inventory.TaxRate|item inventory.Item
loyalty.CustomerProvidedDataResponse	rest	1	responseType #loyalty.CustomerProvidedDataResponseType
loyalty.LoyaltyDataConfig	rest	1	type s|configuration {s
merchant.Compliance	rest	1	id s|merchantUuid s|type #merchant.MerchantComplianceType|enabled b|source #merchant.MerchantComplianceSource|payloadInt1 v n|payloadInt1Description v n|payloadStr1 v n|payloadStr1Description v n|createdTime t t|deletedTime t t
merchant.DeviceBundleState	rest	1	deviceBundle base.Reference|bundleState #merchant.DeviceBundleStateEnum
merchant.Enterprise	rest	1	id s|name s|depth w
merchant.ExternalMerchant	rest	1	merchantRef base.Reference|externalMerchantNumber s|clientFlag s|usageFlag s|xrefType s|auditUserId s|auditDate t t|createdTime t t|modifiedTime t t
merchant.Gateway	rest	01	paymentProcessorName s|authorizationFrontEnd s|acquiringBackEnd s|paymentGatewayApi s|accountName s|mid s|tid s|storeId s|supportsTipping b|frontendMid s|backendMid s|supportsTipAdjust b|supportsNakedCredit b|supportsMultiPayToken b|keyPrefix s !|keyInfo {s !|closingTime s|newBatchCloseEnabled b|altMid s @1|fns s @1|mcc s @1|tokenType s @1|groupId s @1|debitKeyCode s @1|sredCode s @1|supportsPreauthOverage b @1|production b @1
merchant.Logo	rest	01	logoType #merchant.LogoType|logoFilename s|url s
merchant.Merchant	rest	01	id s|name s|owner employees.Employee|address base.Address|merchantPlan merchant.MerchantPlan n|defaultCurrency s|phoneNumber s d|website s|logos *merchant.Logo|createdTime t t|properties merchant.MerchantProperties|gateway merchant.Gateway|tipSuggestions *merchant.TipSuggestion|employees *employees.Employee|items *inventory.Item|tags *inventory.Tag|tenders *base.Tender|shifts *employees.Shift|orders *order.Order|payments *payments.Payment|taxRates *inventory.TaxRate|printers *printer.Printer|modifierGroups *inventory.ModifierGroup|orderTypes *order.OrderType|reseller base.Reference|opening_hours *hours.HoursSet|businessTypeCode #base.BusinessTypeCode|isBillable b d|devices *device.Device r|merchantGroups *developer.MerchantGroup r|customerContactEmail s @1|billingInfo merchant.MerchantBillingInfo @1|partnerApp base.Reference @1|accountType s @1|bankProcessing merchant.MerchantBankProcessing @1|merchantBoarding merchant.MerchantBoarding @1|hierarchy merchant.MerchantHierarchy @1|externalMerchants *merchant.ExternalMerchant @1|programExpresses *merchant.MerchantProgramExpress @1|deviceBoardings *merchant.MerchantDeviceBoarding @1|selfBoardingApplication base.Reference @1|deviceBundleStates *merchant.DeviceBundleState @1|equipment *boarding.Equipment @1|enterprises v n@1|compliances v n@1
merchant.MerchantBankProcessing	rest	1	merchantRef base.Reference|bin s|payCode s|clearingCode s|ica s|payCycle s|achRollup s|createdTime t t|modifiedTime t t
merchant.MerchantBillingInfo	rest	1	planBillable b|appBillable b|wmBillable b|planExportable b|appExportable b
merchant.MerchantBoarding	rest	1	merchantRef base.Reference|billToName s|achBankId s|accountStatus s|translatedAccountStatus #merchant.MerchantAccountStatus|store s|daylightSavings b|seasonal b|transArmorKey s !|creditLimit f|authLimit f|saleLimit f|externalMerchant b|dynamicDba b|relationshipManager s|taxExempt b|salesman s|valueLink b|valueLinkMid s|altValueLinkMid s|receiptDba s|bankNumber s|parentMerchantId s|multiMerchantType s|merchantData s|faxPhone s|merchantType s|multiCurrencyIndicator s|preferredMerchant s|visaIram s|transArmorIndicator s|signingKey s !|visaDebitAccept s|mastercardDebitAccept s|sourceIndicator s|foreignDomesticIndicator s|accountFunding s|directMarketing s|participantRelationship s|processSettlement s|recurringFlag s|linkFrom s|linkTo s|emvAllowed s|previousAccountStatus s|leaseCompanyCode s|processMode s|agentBankIndicator s|nonMpaIndicator s|internetIndicator s|chargeBackRetrievalAddressFlag s|viRelationshipParticipant s|retailDescription s|clientRepresentative s|merchantAuthType s|sysPrin s|taxId s !|businessType s|partnerId s|createdTime t t|modifiedTime t t|creationSource #merchant.MerchantCreationSource
merchant.MerchantDeviceBoarding	rest	1	merchantRef base.Reference|productType s|equipmentNumber s|businessType s|status s|transArmorIndicator s|forceCloseTime s|createdTime t t|modifiedTime t t|serialNumber s|bundleIndicator s|removalTime t t
merchant.MerchantHierarchy	rest	1	mid s|chain s|corporate s|agent s|bank s|business s|maps s|association s|customer s|billName s|dbaName s|dbaAttention s|legalName s|billToAttention s|email s|abaAccountNumber s !|ddaAccountNumber s !|dbaAddress s|dbaCity s|dbaState s|dbaZip s|dbaPhoneNumber s|billCity s|billState s|billZip s|billPhoneNumber s
merchant.MerchantPlan	rest	01	id s|name s|description s|price l m|modules *merchant.Module|appBundle apps.AppBundle|trialDays l @1|trialExpirationTime t t@1|defaultPlan b @1|recommended b @1|pricingModel #merchant.MerchantPlanPricingModel @1|bogo b @1|weight l @1|features *s @1|billToMid b @1|type #merchant.MerchantPlanType @1|planCode s @1|activationTime t t@1|deactivationTime t t@1|reseller resellers.Reseller @1|merchantPlanGroup base.Reference @1|merchantPlanGroups *merchant.MerchantPlanGroup @1|enforced b @1|hidden b @1|createdTime t t@1|modifiedTime t t@1
merchant.MerchantPlanGroup	rest	1	id s|name s|enforceAssignment b|linkable b|trialDays l|reseller base.Reference|deletedTime t t|createdTime t t|modifiedTime t t
merchant.MerchantProgramExpress	rest	1	merchantRef base.Reference|programCode s|programCodeDescription s|key s|keyDescription s|value s|valueDescription s
merchant.MerchantProperties	rest	01	defaultCurrency s|tipsEnabled b|receiptProperties s|summaryHour w|signatureThreshold l m|hasDefaultEmployee b|tipRateDefault w|onPaperTipSignatures b|autoLogout b|orderTitle #merchant.OrderTitle|orderTitleMax w|resetOnReportingTime b|notesOnOrders b|deleteOrders b|removeTaxEnabled b|groupLineItems b|alternateInventoryNames b|autoPrint b|hardwareProfile s|infoleaseSuppressBilling b|infoleaseSuppressPlanBilling b|shippingAddress s|marketingEnabled b|marketingPreferenceText s|bankMarker w|supportPhone s|supportEmail s|manualCloseout b|showCloseoutOrders b|sendCloseoutEmail b|stayInCategory b|locale s|timezone s|vat b|vatTaxName s|appBillingSystem s|abaAccountNumber s !|ddaAccountNumber s !|trackStock b|updateStock b|allowClockOutWithOpenOrders b|logInClockInPrompt b|accountType s|businessTypeCode #base.BusinessTypeCode|pinLength w|cashBackEnabled b|cashBackOptions s|maxCashBack l m|hierarchy s|hasConsented b|merchantRef base.Reference @1|maxTipPercentage l @1|noSignatureProgramEligible b @1|manualCloseoutPerDevice b @1|autoCloseoutTimezone s @1|merchantBoardingStatus s @1|alwaysRequireSignature b @1|printedFirstDataReceiptLogoEnabled b @1|privacyPolicyMode s @1|merchantPrivacyPolicyUrl s @1|disablePrintTaxesPaymentOnReceipts b @1|processingRestrictions #merchant.ProcessingRestrictionState @1|limpModeAllowed2 b @1
merchant.Module	rest	01	id s|name s
merchant.SyncSettings	rest	0	authority s|level #merchant.SyncLevel
merchant.TipSuggestion	rest	01	id s|name s|percentage l|isEnabled b|amount l m@1
order.CreateLineItemsRequest	rest	1	items *order.LineItem
order.Discount	rest	01	id s|orderRef order.Order n|lineItemRef order.LineItem n|discount inventory.Discount n|name s|amount i mn|percentage i n|approver v n@1|percentageDecimal l px10000;n@d|discType s @r
order.DisplayDiscount	rest	1	id s|lineItemId s|name s|amount s|percentage s
order.DisplayLineItem	rest	1	id s|orderId s|name v n|alternateName v n|price s|unitPrice s|quantity v n|unitQuantity v n|note v n|printed b|binName v n|userData v n|discounts *order.DisplayDiscount|discountAmount v n|exchanged b|exchangedAmount v n|modifications *order.DisplayModification|refunded b|refundedAmount v n|percent v n
order.DisplayModification	rest	1	id s|name s|amount s
order.DisplayOrder	rest	1	id s|currency s|employee s|subtotal s|tax s|total s|title v n|note v n|isVat b|serviceChargeName v n|serviceChargeAmount v n|discounts *order.DisplayDiscount|lineItems *order.DisplayLineItem|amountRemaining s|payments *order.DisplayPayment
order.DisplayPayment	rest	1	id s|label s|amount s|tipAmount v n|taxAmount v n
order.FireOrder	rest	01	id s|orderId s|delay l s
order.LineItem	rest	01	id s|orderRef order.Order r|item inventory.Item n|name s n|alternateName s n|price l m|unitQty i x1000;n|unitName s n|itemCode s n|note s n|printed b|exchangedLineItem order.LineItem n|binName s n|userData s n|createdTime t t|orderClientCreatedTime t t|discounts *order.Discount n|discountAmount i mn|exchanged b|modifications *order.Modification|refunded b|isRevenue b|taxRates *inventory.TaxRate|payments *payments.LineItemPayment n|priceWithModifiers l m@1|priceWithModifiersAndItemAndOrderDiscounts l m@1|orderLevelDiscounts *order.Discount @1|orderLevelDiscountAmount l m@1|tags *inventory.Tag @1|refund payments.Refund @1|revenueAmount l m@1|quantitySold f @1|printGroup v n@1|isOrderFee b @d|orderFee base.Reference @d|percentage i @d|isAgeRestricted b @d|ageRestrictedType s @d|minimumAge i @d|colorCode s n@r
order.LineItemTaxRates	rest	1	rates {[inventory.TaxRate
order.Modification	rest	01	id s|lineItemRef order.LineItem r|name s|alternateName s n|amount l m|modifier inventory.Modifier|quantitySold l @1
order.Order	rest	01	id s @01o|currency s @01o|customers *customers.Customer @01o|employee employees.Employee n@01o|total i mn@01o|title s n@01o|note s n@01o|orderType order.OrderType n@01o|taxRemoved b @01o|isVat b @01o|state s n@01o|manualTransaction b @01o|groupLineItems b @01o|testMode b @01o|payType #order.PayType n@01o|createdTime t t@01o|clientCreatedTime t t@01o|modifiedTime t t@01o|deletedTimestamp t t@01o|serviceCharge base.ServiceCharge n@01o|discounts *order.Discount @01o|lineItems *order.LineItem n@01o|taxRates *order.OrderTaxRate|payments *payments.Payment @01o|refunds *payments.Refund @01o|credits *payments.Credit @01o|voids *payments.Payment @01o|device device.Device n@01o|customerId l @1|customerUuid s @1|orderTypeId l @1|externalReferenceId s n@1o|unpaidBalance i mn@1o|paymentState s n=OPEN,PAID,REFUNDED,CREDITED,PARTIALLY_PAID,PARTIALLY_REFUNDED;@1o|preAuths *payments.Payment @1o|authorizations *payments.Authorization @1o|merchant base.Reference @1o|onlineOrder v n@1|printGroups *order.PrintGroup @1o|additionalCharges r @o|orderFulfillmentEvent o @o
order.OrderCart	rest	d	id s|currency s|title s|note s|clientCreatedTime t t|serviceCharge base.ServiceCharge|discounts [order.Discount|lineItems [order.LineItem|orderType order.OrderType|merchant base.Reference|groupLineItems b
order.OrderCheckoutResponse	rest	d	orderCart order.OrderCart|total i m|subtotal i m|totalTaxAmount i m|taxSummaries [order.OrderTaxRate|isVat b
order.OrderExpansion	rest	1	id s|hasCredit b|hasCreditCardTransaction b|hasCustomer b|hasCustomerEmailAddress b|hasCustomerAddress b|hasCustomerPhone b|hasDiscount b|hasLineItemDiscount b|hasServiceCharge b|hasRefund b|hasVoid b
order.OrderFee	rest	d	id s|name s|percentage i|type s|createdTime t t|modifiedTime t t
order.OrderSubmitRequest	rest	d	orderCart order.OrderCart
order.OrderTaxRate	rest	01	id s|name s|amount l m|rate l px100000;@r
order.OrderType	rest	01	id s|labelKey s n|label s n|taxable b n|isDefault b n|filterCategories b|isHidden b|fee i mn|minOrderAmount i mn|maxOrderAmount i mn|maxRadius i n|avgOrderTime t t|hoursAvailable #order.HoursAvailable|customerIdMethod #order.CustomerIdMethod|isDeleted b n|systemOrderTypeId s|hours hours.HoursSet|categories *inventory.Category r|systemOrderTypeDatabaseId l @1|onlineOrderServices *base.Reference @1
order.OrderTypeCategory	rest	01	orderType order.OrderType|category inventory.Category
order.OverrideInfo	rest	1	disableCustomerUpdate b
order.PrintGroup	rest	1	id s|orderRef base.Reference|name s|sortOrder v n|fired b
order.PrintOrder	rest	1	id s|merchantRef base.Reference|orderRef base.Reference|deviceRef base.Reference|category #printer.PrintCategory|state v n|createdTime t t|modifiedTime t t|deletedTime t t|printTime t t
order.SendReceiptRequest	rest	1	orderRef base.Reference|payment v n|refund v n|credit v n|emailAddresses *s|phoneNumbers *s
order.SystemOrderType	rest	01	id s|labelKey s|isQsr b|isFsr b|isRetail b
order.VoidReasonDetails	rest	1	txError s|voidReasonCode #order.VoidReasonCode|description s|payFailureMessage s
order.VoidedDashboardSummarySection	rest	1	rows *order.VoidedItemsDashboardSummary|total order.VoidedItemsDashboardSummary
order.VoidedItemsChartData	rest	1	revenueClassName s|priceWithQuantity l m|priceWithQuantityAndModifiers l m|count l
order.VoidedItemsChartSummary	rest	1	hasModifiers b|chartData *order.VoidedItemsChartData|chartTotals order.VoidedItemsChartData
order.VoidedItemsDashboardSummary	rest	1	priceWithQuantity l m|priceWithQuantityAndModifiers l m|startTimestamp t t|endTimestamp t t
order.VoidedItemsSummary	rest	1	printed l|unprinted l|price l m|priceWithQuantity l m|priceWithQuantityAndModifiers l m|deletedOrders l|deletedItems l|chartSummary order.VoidedItemsChartSummary
order.VoidedLineItem	rest	1	lineItem order.LineItem|merchant base.Reference|reason v n|removedBy base.Reference|approvedBy base.Reference|deleteType v n|device base.Reference|createdBy base.Reference|deletedTime t t|environment v n|clientEventType #order.ClientEventType
order.VoidedLineItemEmployeeData	rest	1	employee employees.Employee|priceWithQuantityAndModifiersOfRemovedItems l m|grossSaleOfEmployee l|itemsRemovalRate f|period s
order.VoidedLineItemEmployeeSummary	rest	1	current *order.VoidedLineItemEmployeeData|previous *order.VoidedLineItemEmployeeData
order.operation.DiscountsAddedOperation	rest	1	ids *s|orderId s
order.operation.DiscountsDeletedOperation	rest	1	ids *s|orderId s
order.operation.LineItemsAddedOperation	rest	1	ids *s|orderId s
order.operation.LineItemsDeletedOperation	rest	1	ids *s|orderId s
order.operation.OrderDeletedOperation	rest	1	id s
pay.PaymentProcessor	rest	1	id s|name s|paymentGatewayApi s|production b
pay.PaymentRequest	rest	1	id s|orderId s|timestamp t t|tender base.Tender|amount l m|tipAmount v mn|taxAmount v mn|cashBackAmount v mn|cashTendered v mn|employeeId s|employeeName s|authorizationCode s|externalPaymentId s|serviceChargeAmount payments.ServiceChargeAmount|taxableAmountRates *payments.TaxableAmountRate|lineItems *payments.LineItemPayment|card pay.PaymentRequestCardDetails
pay.PaymentRequestCardDetails	rest	1	track1 s !|track2 s !|track3 s !|encrypted b|maskedTrack1 s|maskedTrack2 s|maskedTrack3 s|uniqueToken s !|pan s !|firstName s|lastName s|countryCode s|exp s|streetAddress s|zip s|cvv s !|last4 s|first4 s|dukptSerial s|swipeStatus s|fingerprint s|deviceSerial s|manualEntered b|async b|isFallback b|isAuth b|isPrepaid b|cardFunction #pay.CardFunction|qrCode b|cardType #payments.CardType|entryType #payments.CardEntryType|transactionNo s|cardholderName s|plainCardData s !|transactionData pay.TransactionData
pay.ProcessorKey	rest	1	id s
pay.TransactionData	rest	1	txResult #pay.TxResult|txError #pay.ErrorCode|amount f|tipAmount f|cashBackAmount f|errorCode s|errorText s|transactionDate s|transactionTime s|msrContainer s|msrMaskedTrack1 s|msrMaskedTrack2 s|maskedManualPan s|sredContainer s|sred s|ksn s|transArmorContainer s|transArmorKey s !|transArmorKeyId s|transArmorEncryptedTrack1 s|transArmorEncryptedTrack2 s|transArmorEncryptedEmvTag57 s|transArmorEncryptedEmvTag5A s|transArmorEncryptedManualKeyedData s|iccContainer s|iccApplicationInterchangeProfile s|iccMaskedEmv57 s|iccMaskedEmv5A s|iccApplicationPanSequenceNumber s|iccApplicationExpirationDate s|iccApplicationEffectiveDate s|iccAmountAuthorized s|iccAmountOther s|iccTransactionCurrencyCode s|iccTransactionCurrencyExponent s|iccApplicationUsageControl s|iccIssuerActionCodeDefault s|iccIssuerActionCodeDenial s|iccIssuerActionCodeOnline s|iccApplicationLabel s|iccApplicationCryptogram s|iccApplicationIdentifierCard s|iccApplicationIdentifierTerminal s|iccApplicationTransactionCounter s|iccApplicationVersionNumber s|iccCryptogramInformationData s|iccCvmResults s|iccInterfaceDeviceSerialNumber s|iccIssuerApplicationData s|iccPosEntryModeCode s|iccTerminalCapabilities s|iccTerminalCountryCode s|iccTerminalType s|iccTvr s|iccTransactionDate s|iccTsi s|iccTransactionType s|iccUnpredictableNumber s|iccTransactionTime s|iccAdditionalTerminalCapabilities s|iccTransactionCategoryCode s|iccIssuerApplicationPreferredName s|iccCardholderName s|iccIssuerCodeTableIndex s|iccIssuerScripts s|iccIssuerScriptResults s|debugTrack2EquivalentData s !|debugApplicationPan s !|debugAmountAuthorizedBinary s|debugAmountOtherBinary s|debugTransactionStatusInformation s|debugPlainTrack1 s !|debugPlainTrack2 s !|schemePunATC s|schemeThirdPartyData s|schemeMerchantCustomData s|schemeTerminalEntryCapability s|pinBlockContainer s !|pinBlock s !|pinBlockKsn s|mac s|macKsn s|gwContainer s|gwIssuerAuthenticationData s|gwIssuerScriptTemplate1 s|gwIssuerScriptTemplate2 s|gwIssuerAuthorizationResponseCode s|gwMessageControlField s|gwTxResult #pay.GwTxResult|cvmResult #payments.CvmResult|serviceCode1 #pay.ServiceCode1|serviceCode2 #pay.ServiceCode2|serviceCode3 #pay.ServiceCode3|offlineApprovalAuthCode s|availableOfflineSpendingAmount f
payments.AdditionalChargeAmount	rest	1	id s|amount l m|rate l px10000;|type #payments.AdditionalChargeType|payment base.Reference|refund base.Reference|incrementalAuth base.Reference
payments.Authorization	rest	01	id s|payment payments.Payment|tabName s n|amount l m|cardType #payments.CardType|last4 s|authcode s|type #payments.Type|note s n|closingPayment payments.Payment|createdTime t t|token s !@1|externalReferenceId v n@1|additionalCharges *payments.AdditionalChargeAmount @1
payments.Batch	rest	01	id s|merchantId i @0|firstGatewayTxId l|lastGatewayTxId l|accountId l|txCount l|totalBatchAmount l m|devices s|state #payments.BatchState|batchType #payments.BatchType|createdTime t t|modifiedTime t t|batchDetails payments.BatchDetail|merchantRef base.Reference @1|rapidDepositUrl s @1|closeoutTimeDifference l i@1|batchTransactions payments.BatchTransactions @1
payments.BatchCardTotal	rest	01	cardType #payments.CardType|count l|total l m|cardTypeLabel s @1|installments l @1
payments.BatchDetail	rest	01	batchTotals payments.BatchTotalStats|serverTotals *payments.ServerTotalStats|cardTotals *payments.BatchCardTotal|openTips l|openTabs l|terminalId s @1|deviceTotals *payments.DeviceTotalStats @1|endpointTotals *payments.EndpointTotalStats @1
payments.BatchRequest	rest	01	devices *s
payments.BatchTotalStats	rest	01	sales payments.BatchTotalType|refunds payments.BatchTotalType|net payments.BatchTotalType|giftCardLoads payments.BatchTotalType|giftCardCashOuts payments.BatchTotalType|tax payments.BatchTotalType|tips payments.BatchTotalType
payments.BatchTotalType	rest	01	count l|total l m
payments.BatchTransactions	rest	1	paymentIds *s|refundIds *s|creditIds *s
payments.CardTransaction	rest	01	paymentRef payments.Payment n|creditRef payments.Credit n|cardType #payments.CardType|entryType #payments.CardEntryType|first6 s|last4 s|type #payments.CardTransactionType|authCode s|referenceId s|transactionNo s|state #payments.CardTransactionState|extra {s|begBalance i mn|endBalance i mn|avsResult #payments.AVSResult|cardholderName s !|token s !|vaultedCard v n!@1|gatewayTxState #payments.GatewayTxState @1|currency s @1|captured b @1
payments.CardlessPaymentData	rest	1	paymentNetwork #payments.CardlessPaymentNetwork|paymentType #payments.CardlessPaymentDataType|paymentData s
payments.CashAdvanceCustomerIdentification	rest	1	idType #payments.IdType|serialNumber s|maskedSerialNumber s|encryptedSerialNumber s|expirationDate s|issuingState s|issuingCountry s|customerName s|addressStreet1 s|addressStreet2 s|addressCity s|addressState s|addressZipCode s|addressCountry s|tellerID w
payments.CashAdvanceExtra	rest	1	cashAdvanceSerialNum s|cashAdvanceCustomerIdentification payments.CashAdvanceCustomerIdentification|paymentRef base.Reference
payments.Credit	rest	01	id s|orderRef order.Order r|device device.Device n|tender base.Tender|employee employees.Employee r|customers customers.Customer|amount l m|taxAmount i mn|taxRates *payments.TaxableAmountRate|createdTime t t|clientCreatedTime t t|cardTransaction payments.CardTransaction|voided b|voidReason s|dccInfo v n@1|transactionSettings payments.TransactionSettings @1|creditRefunds *payments.CreditRefund @1|germanInfo v n@1|appTracking v n@1|result #payments.Result @1|transactionInfo v n@1|merchant base.Reference @1|externalReferenceId v n@1
payments.CreditRefund	rest	1	id s|orderRef base.Reference|device v n|createdTime t t|clientCreatedTime t t|credit base.Reference|employee base.Reference|germanInfo v n|appTracking v n|transactionInfo v n
payments.CreditRefundResponse	rest	1	requestSuccessful b|responseErrorMessage v n|creditRefund v n|clientData {s
payments.CreditRequest	rest	1	orderId s|credit v n|paymentCard v n
payments.CreditResponse	rest	1	requestSuccessful b|responseErrorMessage v n|credit v n|clientData {s
payments.DCCInfo	rest	1	inquiryRateId l|dccApplied b|foreignCurrencyCode s|foreignAmount l m|exchangeRate f|marginRatePercentage s|exchangeRateSourceName s|exchangeRateSourceTimeStamp s|paymentRef base.Reference|creditRef base.Reference
payments.DeviceTotalStats	rest	1	deviceId l|deviceSerial s|deviceName s|terminalId s|sales payments.BatchTotalType|refunds payments.BatchTotalType|net payments.BatchTotalType|giftCardLoads payments.BatchTotalType|giftCardCashOuts payments.BatchTotalType|tax payments.BatchTotalType|tips payments.BatchTotalType|cardTotals *payments.BatchCardTotal
payments.DiscountApprover	rest	1	discount base.Reference|merchant base.Reference|approvedBy base.Reference|order base.Reference|lineItem v n|createdTime t t|environment v n
payments.DisplayAndPrintMessage	rest	1	destination #payments.MessageDestination|content s
payments.ECommTransactionInfo	rest	1	ecommIndicator #ecomm.EcommerceIndicator|storedCredentials ecomm.StoredCredentials
payments.EndpointTotalStats	rest	1	success b|endpointName s|batchNumber s|terminalId s|count l|total l m|cardTotals *payments.BatchCardTotal
payments.FailedBatchSettlement	rest	1	merchantName s|mid s|cid s|batchId s|txCount w|state #payments.BatchState|batchType #payments.BatchType|createdTime t t|retries w
payments.FraudResponseReason	rest	1	action #payments.FraudResponseAction|ruleTriggered s|reason s
payments.GatewayTxs	rest	01	merchantGatewayId l|clientId s|amount l m|adjustAmount l m|taxAmount l m|tipAmount l m|currency #payments.Currency|state #payments.GatewayTxState|retries l|type #payments.GatewayTxType|entryType #payments.CardEntryType|responseCode s|responseMessage s|first4 s|last4 s|cardType #payments.CardType|refnum s|token s !|authcode s|employeeId s|extra s|captured b n|swiperSerial s|ksnPrefix s|createdTime t t|modifiedTime t t|refundId i n|paymentRefundId i n|refundTaxAmount l m@1|extraGatewayInfo {s @1|refundDeviceId v n@1|paymentDeviceId v n@1|paymentUuid s @1|refundUuid s @1|creditUuid s @1
payments.GermanInfo	rest	1	cardTrack2 s !|cardSequenceNumber s|transactionCaseGermany s|transactionTypeGermany s|terminalID s|traceNumber s|oldTraceNumber s|receiptNumber s|transactionAID s|transactionMSApp s|transactionScriptResults s|receiptType s|customerTransactionDOLValues s|merchantTransactionDOLValues s|merchantJournalDOL s|merchantJournalDOLValues s|configMerchantId s|configProductLabel s|hostResponseAidParBMP53 s|hostResponsePrintDataBM60 s|sepaElvReceiptFormat s|sepaElvExtAppLabel s|sepaElvPreNotification s|sepaElvMandate s|sepaElvCreditorId s|sepaElvMandateId s|sepaElvIban s !|paymentRef base.Reference|creditRef base.Reference|refundRef base.Reference|creditRefundRef base.Reference
payments.GiftCard	rest	01	track2 s !|cardNumber s !|isManuallyEntered b|deviceSerial s|virtual b @1|promoCode s @1
payments.GiftCardResponse	rest	01	txType #payments.TxType|state #payments.GiftCardState|requestAmount l m|payment payments.Payment|responseMessage s|requestSuccessful b|accountNumber s !|giftCardTxUuid s|transactionId s|referenceUuid s|authCode s|begBal i mn|endBal i mn|holdBal i mn|scv s @1|syncPaymentObject b @1
payments.GiftCardTransaction	rest	01	amount l m|taxAmount l m|orderId s|card payments.GiftCard|paymentIds *s|ignorePayment b|serviceChargeAmount payments.ServiceChargeAmount|taxableAmountRates *payments.TaxableAmountRate|lineItems *payments.LineItemPayment|employeeId s|id s @1|tipAmount l m@1|suppressPayment b @1
payments.IncrementalAuthorization	rest	1	id s|merchantId l|paymentId l|gatewayTxId l|amount l m|cardTransaction payments.CardTransaction|result #payments.Result|createdTime t t|employee base.Reference|incrementAmount l m
payments.LineItemPayment	rest	01	id s|lineItemRef order.LineItem r|paymentRef payments.Payment r|percentage l|binName s n|refunded b
payments.Payment	rest	01	id s @01o|order order.Order r@01o|device device.Device n@01o|tender base.Tender @01o|amount l m@01o|tipAmount i mn@01o|taxAmount i mn@01o|cashbackAmount i mn@01o|cashTendered i mn@01o|externalPaymentId s @01o|employee employees.Employee r@01o|createdTime t t@01o|clientCreatedTime t t@01o|modifiedTime t t@01o|offline b @01o|result #payments.Result @01o|cardTransaction payments.CardTransaction @01o|serviceCharge payments.ServiceChargeAmount @01o|taxRates *payments.PaymentTaxRate @01o|refunds *payments.Refund @01o|note s @01o|lineItemPayments *payments.LineItemPayment @01o|voidReason #order.VoidReason @01o|attributes {s @1o|additionalCharges *payments.AdditionalChargeAmount @1o|authorization base.Reference @1o|voidPaymentRef base.Reference @1o|dccInfo o n@1o|transactionSettings payments.TransactionSettings @1o|germanInfo o n@1o|appTracking o n@1o|cashAdvanceExtra o n@1o|transactionInfo o n@1o|signatureDisclaimer o n@1o|externalReferenceId s n@1o|merchant base.Reference @1o|increments *payments.IncrementalAuthorization @1o|purchaseCardL2 o n@1o|gatewayProcessingTime l @o|voidReasonDetails o @o|purchaseCardL3 o @o|oceanGatewayInfo o @o|terminalManagementComponents r @o|emiInfo o @o
payments.PaymentAttribute	rest	1	type s|value s|paymentRef base.Reference
payments.PaymentResponse	rest	01	requestSuccessful b|responseErrorMessage s n|payment payments.Payment n|clientData {s @1|syncPaymentObject b @1
payments.PaymentResponseFraudSetting	rest	1	id s|cardType #payments.CardType|responseCode s|responseCodeType #payments.FraudResponseCodeType|action #payments.FraudResponseAction|settingName s|createdTime t t|modifiedTime t t|deletedTime t t
payments.PaymentTaxRate	rest	01	id s|paymentRef payments.Payment r|name s|rate l px100000;|isDefault b|taxableAmount l m|isVat b @1|taxAmount l m@1
payments.PromotionalMessage	rest	1	message s|showOnMerchantReceipt b|showOnCustomerReceipt b|showOnDisplay b
payments.PurchaseCardL2	rest	1	taxAmount l m|taxIndicator #payments.PcTaxIndicator|vatTaxAmount l m|vatTaxRate w|purchaseIdentifier s|pcOrderNumber s|discountAmount l m|freightAmount l m|dutyAmount l m|destinationPostalCode s|shipFromPostalCode s|destinationCountryCode s|merchantTaxId s|productDescription s|paymentRef base.Reference
payments.Refund	rest	01	id s|orderRef order.Order r|device device.Device n|amount l m|taxAmount i mn|createdTime t t|clientCreatedTime t t|payment payments.Payment r|employee employees.Employee r|lineItems *order.LineItem r|overrideMerchantTender base.Tender|taxableAmountRates *payments.TaxableAmountRate|serviceChargeAmount payments.ServiceChargeAmount|tipAmount v mn@1|additionalCharges *payments.AdditionalChargeAmount @1|germanInfo v n@1|appTracking v n@1|voided b @1|voidReason s @1|cardTransaction payments.CardTransaction @1|transactionInfo v n@1|merchant base.Reference @1|externalReferenceId v n@1|status s @d|deletedTime t t@d|gatewayProcessingTime t t@d|authCode s @d|reason s @d|attributes {s @d
payments.RefundRequest	rest	1	refund v n|card v n|isAdjustment b
payments.RefundResponse	rest	1	requestSuccessful b|responseErrorMessage v n|refund v n|payment v n|extra {s
payments.RegionalExtras	rest	1	FISCAL_INVOICE_NUMBER_KEY s|INSTALLMENT_NUMBER_KEY s|INSTALLMENT_PLAN_KEY s|SKIP_FISCAL_INVOICE_NUMBER_SCREEN_VALUE s|CONFIRM_FISCAL_INVOICE_NUMBER_PROVIDED_VALUE s|INSTALLMENT_NUMBER_DEFAULT_VALUE s
payments.SepaElvTransactionInfo	rest	1	receiptFormat s|extAppLabel s|preNotification s|mandate s|creditorId s|mandateId s|iban s !|isMerchantForced b
payments.ServerTotalStats	rest	01	employeeId s|employeeName s|sales payments.BatchTotalType|refunds payments.BatchTotalType|net payments.BatchTotalType|giftCardLoads payments.BatchTotalType|giftCardCashOuts payments.BatchTotalType|tax payments.BatchTotalType|tips payments.BatchTotalType
payments.ServiceChargeAmount	rest	01	id s|name s|amount l m|paymentRef payments.Payment r|refundRef base.Reference @1|percentage l px10000;@1
payments.ServiceFeeRefundRequest	rest	1	refund payments.Refund
payments.ServiceFeeRequest	rest	1	amount l m|orderId s|sourcePaymentId s|vaultedCard payments.VaultedCard !
payments.SignatureDisclaimer	rest	1	disclaimerText v n|disclaimerValues {s|paymentRef base.Reference
payments.TaxableAmountRate	rest	01	id s|name s|taxableAmount l m|rate l|isVat b|taxAmount l m@1|transactionRef base.Reference @1
payments.TokenRequest	rest	1	id s|type #payments.TokenRequestType|employee base.Reference|device base.Reference|merchant base.Reference|tender base.Tender|gatewayTxId l|customer customers.Customer|externalReferenceId s|cardTransaction payments.CardTransaction|note s|result #payments.Result|createdTime t t|modifiedTime t t|deletedTime t t|transactionInfo payments.TransactionInfo
payments.Transaction	rest	01	createdTime t t|clientCreatedTime t t|payment payments.Payment|refund payments.Refund|credit payments.Credit|creditRefund payments.CreditRefund @1
payments.TransactionInfo	rest	1	languageIndicator s|transactionLocale s|accountSelection #payments.AccountType|paymentRef base.Reference|creditRef base.Reference|refundRef base.Reference|creditRefundRef base.Reference|fiscalInvoiceNumber s|installmentsQuantity w|installmentsPlanCode s|installmentsPlanId s|installmentsPlanDesc s|cardTypeLabel s|cardSymbol s|stan w|identityDocument v n|batchNumber s|receiptNumber s|reversalStanRefNum s|reversalStan w|reversalMac s|reversalMacKsn s|terminalIdentification s|externalTerminalId s|merchantIdentifier s|merchantNameLocation s|maskedTrack2 s|receiptExtraData s|selectedService #payments.SelectedService|transactionResult #payments.TransactionResult|transactionTags s|txFormat #payments.TxFormat|panMask s|transactionSequenceCounter s|applicationPanSequenceNumber s|reversalReason #payments.ReversalReason|isTokenBasedTx b|origTransactionSequenceCounter s|transactionSequenceCounterUpdate s|emergencyFlag b|entryType #payments.CardEntryType|promotionalMessage payments.PromotionalMessage|eCommTransactionInfo payments.ECommTransactionInfo|sepaElvTransactionInfo payments.SepaElvTransactionInfo|clientCardType #payments.CardType|explicitlySelectedApp s|isSepaElv b|printMessages *payments.DisplayAndPrintMessage
payments.TransactionSettings	rest	1	cardEntryMethods w|disableCashBack b|cloverShouldHandleReceipts b|forcePinEntryOnSwipe b|disableRestartTransactionOnFailure b|allowOfflinePayment b|approveOfflinePaymentWithoutPrompt b|forceOfflinePayment b|signatureThreshold l m|signatureEntryLocation #payments.DataEntryLocation|tipMode #payments.TipMode|tippableAmount l m|disableReceiptSelection b|disableDuplicateCheck b|autoAcceptPaymentConfirmations b|autoAcceptSignature b|returnResultOnTransactionComplete b|tipSuggestions *merchant.TipSuggestion|regionalExtras {s
payments.VasConfig	rest	1	vasProviders *payments.VasServiceProvider
payments.VasDataType	rest	1	dataType #payments.VasDataTypeType
payments.VasPayload	rest	1	payloadElements *payments.VasPayloadElement
payments.VasPayloadElement	rest	1	dataType payments.VasDataType|responseFormat #payments.VasResponseFormat|vasData s|protocolId #payments.VasProtocol|merchantId s
payments.VasPayloadResponse	rest	1	responseType #payments.VasPayloadResponseType
payments.VasServiceProvider	rest	1	providerPackage s|protocolId #payments.VasProtocol|supportedServices *payments.VasDataType|protocolConfig {s|pushUrl s|pushTitle s
payments.VasSettings	rest	1	vasMode #payments.VasMode|serviceTypes *payments.VasDataType|extras {s|pushMode #payments.VasPushMode
payments.VaultedCard	rest	01	first6 s|last4 s|cardholderName s|expirationDate s|token s !
printer.Printer	rest	01	id s|mac s|model s|name s|ipAddress s|type #printer.PrinterType
remotemessage.AcknowledgementMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|sourceMethod #remotemessage.Method
remotemessage.ActivityMessageFromActivity	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|action s|payload s
remotemessage.ActivityMessageToActivity	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|action s|payload s
remotemessage.ActivityRequest	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|action s|payload s|nonBlocking b|forceLaunch b
remotemessage.ActivityResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|resultCode l|failReason s|payload s|action s
remotemessage.AddDiscountAction	device	1	discount order.DisplayDiscount
remotemessage.AddLineItemAction	device	1	lineItem order.DisplayLineItem|taxable b
remotemessage.BalanceInquiryRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|cardEntryMethods v n|cardDataMessage s
remotemessage.BalanceInquiryResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|status #remotemessage.ResultStatus|reason s|payment payments.Payment|cardDetails pay.PaymentRequestCardDetails
remotemessage.BreakMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotemessage.CapturePreAuthMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|amount l m|tipAmount v mn|paymentId s
remotemessage.CapturePreAuthResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|status #remotemessage.ResultStatus|reason s|message s|paymentId s|amount l m|tipAmount v mn
remotemessage.CardDataRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payIntent remotemessage.PayIntent
remotemessage.CardDataResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|status #remotemessage.ResultStatus|cardData base.CardData
remotemessage.CashbackSelectedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|cashbackAmount l m
remotemessage.CloseoutRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|allowOpenTabs b|batchId s
remotemessage.CloseoutResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|status #remotemessage.ResultStatus|batch payments.Batch
remotemessage.CloverDeviceLogMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|message s
remotemessage.ConfigurationChangeMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|configurationType s|configuration s
remotemessage.ConfirmPaymentMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|challenges *base.Challenge
remotemessage.CreditPrintMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|credit payments.Credit
remotemessage.CustomerInfoMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|customer customers.CustomerInfo
remotemessage.CustomerProvidedDataMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|eventId s|config loyalty.LoyaltyDataConfig|data s
remotemessage.DeclineCreditPrintMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|credit payments.Credit|reason s
remotemessage.DeclinePaymentPrintMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|reason s
remotemessage.DiscoveryRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|supportsOrderModification v n
remotemessage.DiscoveryResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|merchantId s|merchantName s|merchantMId s|name s|serial s|model s|ready b|supportsTipAdjust b|supportsManualRefund b|supportsMultiPayToken b|supportsAcknowledgement b|supportsPreAuth b|supportsAuth b|supportsVaultCard b|supportsVoidPaymentResponse b
remotemessage.EmployeePermissionsRequest	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|permissions s|appPackage s|showCancelButton b
remotemessage.ErrorCodeEnum	device	1	errorCode #remotemessage.ErrorCode
remotemessage.ExternalDeviceStateData	device	1	externalPaymentId s|customActivityId s
remotemessage.ExternalDeviceStateEnum	device	1	state #remotemessage.ExternalDeviceState
remotemessage.FinishCancelMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|requestInfo s
remotemessage.FinishOkMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|credit payments.Credit|payment payments.Payment|refund payments.Refund|signature base.Signature|requestInfo s
remotemessage.ForceConnectMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|friendlyId s
remotemessage.GetPrintersRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|category #printer.PrintCategory
remotemessage.GetPrintersResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|printers *printer.Printer
remotemessage.ImagePrintMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|png y|urlString s|externalPrintJobId s|printer printer.Printer
remotemessage.IncrementPreAuthMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|amount l m|paymentId s
remotemessage.IncrementPreAuthResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|status #remotemessage.ResultStatus|reason s|authorization payments.Authorization
remotemessage.InputOption	device	1	keyPress #remotemessage.KeyPress|description s
remotemessage.InvalidStateTransitionMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|result #remotemessage.ResultStatus|reason s|requestedTransition s|state #remotemessage.ExternalDeviceState|substate #remotemessage.ExternalDeviceSubState|data remotemessage.ExternalDeviceStateData
remotemessage.KeyPressEnum	device	1	status #remotemessage.KeyPress
remotemessage.KeyPressMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|keyPress #remotemessage.KeyPress
remotemessage.LastMessageRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotemessage.LastMessageResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|request remotemessage.Message|response remotemessage.Message
remotemessage.LogMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|logLevel #remotemessage.LogLevelEnum|messages {s
remotemessage.LoyaltyPointsCalculatedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|loyaltyUuid s|points l|orderId s
remotemessage.LoyaltyPointsEarnedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|loyaltyUuid s|points l|orderId s
remotemessage.LoyaltyPointsReceiptPrintedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|points l|orderId s
remotemessage.Message	device	1	method #remotemessage.Method|messageId s|sourceMessageId s|version v n
remotemessage.OpenCashDrawerMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|printer printer.Printer
remotemessage.OrderActionAddDiscountMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|addDiscountAction remotemessage.AddDiscountAction
remotemessage.OrderActionAddLineItemMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|addLineItemAction remotemessage.AddLineItemAction
remotemessage.OrderActionRemoveDiscountMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|removeDiscountAction remotemessage.RemoveDiscountAction
remotemessage.OrderActionRemoveLineItemMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|removeLineItemAction remotemessage.RemoveLineItemAction
remotemessage.OrderActionResponse	device	1	accepted b|id s
remotemessage.OrderActionResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|orderActionResponse remotemessage.OrderActionResponse
remotemessage.OrderUpdateMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|order order.DisplayOrder|lineItemsAddedOperation order.operation.LineItemsAddedOperation|lineItemsDeletedOperation order.operation.LineItemsDeletedOperation|discountsAddedOperation order.operation.DiscountsAddedOperation|discountsDeletedOperation order.operation.DiscountsDeletedOperation|orderDeletedOperation order.operation.OrderDeletedOperation
remotemessage.PairingCodeMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|pairingCode s
remotemessage.PairingRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|name s|serialNumber s|applicationName s|authenticationToken v n!
remotemessage.PairingResponseMessage	device	1	_meta_superclass remotemessage.PairingRequestMessage|_meta_init_method #remotemessage.Method|pairingState #remotemessage.PairingState|millis l
remotemessage.PartialAuthMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|partialAuthAmount l m
remotemessage.PayIntent	device	1	action s|amount v mn|tippableAmount v mn|tipAmount v mn|taxAmount v mn|orderId s|paymentId s|employeeId s|transactionType #remotemessage.TransactionType|taxableAmountRates *payments.TaxableAmountRate|serviceChargeAmount payments.ServiceChargeAmount|isDisableCashBack b|isTesting b|cardEntryMethods w|voiceAuthCode s|streetAddress s|postalCode s|isCardNotPresent b|cardDataMessage s|remotePrint b|transactionNo s|isForceSwipePinEntry b|disableRestartTransactionWhenFailed b|externalPaymentId s|vaultedCard payments.VaultedCard !|allowOfflinePayment v n|approveOfflinePaymentWithoutPrompt v n|requiresRemoteConfirmation v n|applicationTracking apps.AppTracking|allowPartialAuth v n|germanInfo payments.GermanInfo|cashAdvanceCustomerIdentification payments.CashAdvanceCustomerIdentification|transactionSettings payments.TransactionSettings|externalReferenceId s|passThroughValues {s
remotemessage.PaymentConfirmedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment
remotemessage.PaymentPrintMerchantCopyMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment
remotemessage.PaymentPrintMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|order order.Order
remotemessage.PaymentRejectedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|reason #order.VoidReason
remotemessage.PaymentVoidedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|voidReason #order.VoidReason
remotemessage.PrintJobStatusRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|externalPrintJobId s
remotemessage.PrintJobStatusResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|externalPrintJobId s|status #printer.PrintJobStatus
remotemessage.PurchaseCardRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|orderId s|purchasingCardType s
remotemessage.PurchaseCardResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|resultCode w|purchaseCardL2 payments.PurchaseCardL2
remotemessage.QueryStatusEnum	device	1	queryStatus #remotemessage.QueryStatus
remotemessage.RefundPaymentPrintMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|order order.Order|refund payments.Refund
remotemessage.RefundRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|fullRefund b|amount l m|orderId s|paymentId s|disableCloverPrinting b|disableReceiptSelection b|extras {s
remotemessage.RefundResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|orderId s|paymentId s|refund payments.Refund|reason #remotemessage.ErrorCode|message s|code #remotemessage.TxState
remotemessage.RegisterForCustomerProvidedDataMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|configurations *loyalty.LoyaltyDataConfig
remotemessage.RemoteError	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|errorDetail v n|errorMessage s|errorCode v n
remotemessage.RemoteMessage	device	1	id s|type #remotemessage.RemoteMessageType|packageName s|method #remotemessage.Method|payload s|remoteSourceSDK s|remoteApplicationID s|version w|fragmentIndex w|lastFragment b|attachmentEncoding s|attachment s|attachmentUri s|remotePayCompatibilityVersion w
remotemessage.RemoveDiscountAction	device	1	discountId s|lineItemId s
remotemessage.RemoveLineItemAction	device	1	lineItemId s
remotemessage.RequestTipRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|tipSuggestions *merchant.TipSuggestion|tippableAmount l m
remotemessage.RequestTipResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|amount l m|status #remotemessage.ResultStatus|reason s
remotemessage.ResetDeviceResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|status #remotemessage.ResultStatus|state #remotemessage.ExternalDeviceState
remotemessage.ResetMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotemessage.ResultStatusEnum	device	1	status #remotemessage.ResultStatus
remotemessage.RetrieveCustomActivitiesRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|filters *s
remotemessage.RetrieveCustomActivitiesResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|activities *custom.CustomActivity
remotemessage.RetrieveDeviceStatusRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|sendLastMessage b
remotemessage.RetrieveDeviceStatusResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|status #remotemessage.ResultStatus|state #remotemessage.ExternalDeviceState|substate #remotemessage.ExternalDeviceSubState|data remotemessage.ExternalDeviceStateData
remotemessage.RetrievePaymentRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|externalPaymentId s
remotemessage.RetrievePaymentResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|status #remotemessage.ResultStatus|reason s|externalPaymentId s|queryStatus #remotemessage.QueryStatus|message s|payment payments.Payment
remotemessage.RetrievePendingPaymentsMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotemessage.RetrievePendingPaymentsResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|status #remotemessage.ResultStatus|pendingPaymentEntries *base.PendingPaymentEntry|reason s
remotemessage.ShowPaymentReceiptOptionsMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|orderId s|paymentId s|disableCloverPrinting b
remotemessage.ShowReceiptOptionsMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|orderId s|paymentId s|refundId s|creditId s|disableCloverPrinting b|payment payments.Payment|credit payments.Credit|refund payments.Refund|isReprint b
remotemessage.ShowReceiptOptionsResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|status #remotemessage.ResultStatus
remotemessage.ShutDownMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotemessage.SignatureRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|acknowledgementMessage s
remotemessage.SignatureResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|status #remotemessage.ResultStatus|reason s|signature base.Signature
remotemessage.SignatureVerifiedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|verified b
remotemessage.StartVasMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|config payments.VasConfig
remotemessage.StopVasMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotemessage.TerminalMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|text s
remotemessage.TextPrintMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|textLines *s|externalPrintJobId s|printer printer.Printer
remotemessage.ThankYouMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotemessage.TipAddedMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|tipAmount l m
remotemessage.TipAdjustMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|tipAmount l m|orderId s|paymentId s
remotemessage.TipAdjustResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|success b|amount l m|orderId s|message s|reason s|paymentId s
remotemessage.TxStartRequestMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|suppressOnScreenTips b|order order.Order|payIntent remotemessage.PayIntent|requestInfo s
remotemessage.TxStartResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|success b d|order order.Order|externalPaymentId s|message s|reason s|result #remotemessage.TxStartResponseResult|requestInfo s
remotemessage.TxStateEnum	device	1	txState #remotemessage.TxState
remotemessage.TxStateMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|txState #remotemessage.TxState
remotemessage.TxTypeRequestInfo	device	1	SALE s|AUTH s|PREAUTH s|CREDIT s|REFUND s|VOID_PAYMENT s
remotemessage.UiStateMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|uiText s|uiDirection #remotemessage.UiDirection|inputOptions *remotemessage.InputOption|uiState #remotemessage.UiState
remotemessage.VasConfigChangedMessage	device	1	_meta_superclass remotemessage.VasConfigMessage|_meta_init_method #remotemessage.Method|proxyProvider s
remotemessage.VasConfigMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|config payments.VasConfig
remotemessage.VasPayloadMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|vasPayload payments.VasPayload|vasMode #payments.VasMode|extras {s
remotemessage.VasStateEnum	device	1	vasState #remotemessage.VasState
remotemessage.VasStateMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|oldState #remotemessage.VasState|newState #remotemessage.VasState
remotemessage.VaultCardMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|cardEntryMethods w|tokenType s|singleUse b
remotemessage.VaultCardResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|reason s|status #remotemessage.ResultStatus|tokenType s|card payments.VaultedCard
remotemessage.VerifySignatureMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|signature base.Signature
remotemessage.VoidCreditMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|orderId s|creditId s|disableCloverPrinting b|disableReceiptSelection b
remotemessage.VoidCreditResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|credit payments.Credit|status #remotemessage.ResultStatus|success b|reason s|message s
remotemessage.VoidPaymentMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|voidReason #order.VoidReason|disableCloverPrinting b|disableReceiptSelection b|extras {s
remotemessage.VoidPaymentRefundMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|orderId s|refundId s|disableCloverPrinting b|disableReceiptSelection b|extras {s
remotemessage.VoidPaymentRefundResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|refund payments.Refund|status #remotemessage.ResultStatus|success b|reason s|message s
remotemessage.VoidPaymentResponseMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method|payment payments.Payment|voidReason #order.VoidReason|status #remotemessage.ResultStatus|success b|reason s|message s
remotemessage.WelcomeMessage	device	1	_meta_superclass remotemessage.Message|_meta_init_method #remotemessage.Method
remotepay.ActivityMessage	device	1	_meta_superclass remotepay.BaseRequest|action s|payload v n
remotepay.AuthRequest	device	1	_meta_superclass remotepay.TransactionRequest|_meta_init_type #remotepay.TransactionType|tipMode #payments.TipMode
remotepay.AuthResponse	device	1	_meta_superclass remotepay.PaymentResponse
remotepay.BaseRequest	device	1	requestId v n|version v n
remotepay.BaseResponse	device	1	success b|result #remotepay.ResponseCode|reason v n|message v n
remotepay.BaseTransactionRequest	device	1	_meta_superclass remotepay.BaseRequest|orderId s|disablePrinting v n|disableReceiptSelection v n|disableDuplicateChecking v n|cardNotPresent v n|disableRestartTransactionOnFail v n|amount l m|cardEntryMethods v n|vaultedCard v n!|externalId s|type #remotepay.TransactionType|autoAcceptPaymentConfirmations v n|extras {s|regionalExtras {s|externalReferenceId s
remotepay.CapturePreAuthRequest	device	1	_meta_superclass remotepay.BaseRequest|amount l m|tipAmount v mn|paymentId s
remotepay.CapturePreAuthResponse	device	1	_meta_superclass remotepay.BaseResponse|paymentId s|amount l m|tipAmount l m
remotepay.CardInfoRequest	device	1	_meta_superclass remotepay.BaseRequest|cardEntryMethods w
remotepay.CardInfoResponse	device	1	_meta_superclass remotepay.BaseResponse|card payments.VaultedCard
remotepay.CheckBalanceRequest	device	1	_meta_superclass remotepay.BaseRequest|cardEntryMethods v n
remotepay.CheckBalanceResponse	device	1	_meta_superclass remotepay.BaseResponse|amount l m
remotepay.CloseoutRequest	device	1	_meta_superclass remotepay.BaseRequest|allowOpenTabs b|batchId s
remotepay.CloseoutResponse	device	1	_meta_superclass remotepay.BaseResponse|batch payments.Batch
remotepay.CloverDeviceErrorEvent	device	1	message s|code #remotepay.DeviceErrorEventCode|cause remotepay.PlatformError|type #remotepay.ErrorType
remotepay.CloverDeviceEvent	device	1	message s|code w|eventState #remotepay.DeviceEventState|inputOptions *remotepay.InputOption
remotepay.ConfirmPaymentRequest	device	1	_meta_superclass remotepay.BaseRequest|payment payments.Payment|challenges *base.Challenge
remotepay.CustomActivityRequest	device	1	_meta_superclass remotepay.BaseRequest|action s|payload s|nonBlocking b
remotepay.CustomActivityResponse	device	1	_meta_superclass remotepay.BaseResponse|payload s|action s
remotepay.CustomerInfo	device	1	customer customers.Customer|displayString s|externalId s|externalSystemName s|extras {s
remotepay.CustomerProvidedDataEvent	device	1	_meta_superclass remotepay.BaseResponse|eventId s|config remotepay.DataProviderConfig|data s
remotepay.DataProviderConfig	device	1	type s|configuration {s
remotepay.DeviceEventEnum	device	1	deviceErrorEventCode #remotepay.DeviceErrorEventCode|deviceEventState #remotepay.DeviceEventState
remotepay.DeviceInfo	device	1	name s|model s|serial s|supportsAcks b|supportsVoidPaymentResponse b
remotepay.DisplayReceiptOptionsRequest	device	1	orderId s|paymentId s|refundId s|creditId s|disablePrinting b
remotepay.DisplayReceiptOptionsResponse	device	1	_meta_superclass remotepay.BaseResponse|resultStatus #remotepay.ResultStatus
remotepay.ExternalDeviceStateData	device	1	externalPaymentId s|customActivityId s
remotepay.ExternalDeviceStateEnum	device	1	state #remotepay.ExternalDeviceState
remotepay.Img	device	1	data s|src s|width l|height l
remotepay.IncrementPreAuthRequest	device	1	_meta_superclass remotepay.BaseRequest|amount l m|paymentId s
remotepay.IncrementPreAuthResponse	device	1	_meta_superclass remotepay.BaseResponse|authorization payments.Authorization
remotepay.InputOption	device	1	keyPress #remotepay.KeyPress|description s
remotepay.InvalidStateTransitionResponse	device	1	_meta_superclass remotepay.BaseResponse|requestedTransition s|state #remotepay.ExternalDeviceState|data remotepay.ExternalDeviceStateData
remotepay.KeyPressEnum	device	1	status #remotepay.KeyPress
remotepay.ManualRefundRequest	device	1	_meta_superclass remotepay.BaseTransactionRequest|_meta_init_type #remotepay.TransactionType
remotepay.ManualRefundResponse	device	1	_meta_superclass remotepay.BaseResponse|credit payments.Credit
remotepay.MerchantInfo	device	1	merchantID s|merchantMID s|merchantName s|supportsAuths b|supportsPreAuths b|supportsSales b|supportsVaultCards b|supportsManualRefunds b|supportsTipAdjust b|deviceInfo remotepay.DeviceInfo
remotepay.MessageFromActivity	device	1	_meta_superclass remotepay.ActivityMessage
remotepay.MessageToActivity	device	1	_meta_superclass remotepay.ActivityMessage
remotepay.OpenCashDrawerRequest	device	1	_meta_superclass remotepay.BaseRequest|reason s|deviceId v n
remotepay.PaymentResponse	device	1	_meta_superclass remotepay.BaseResponse|payment payments.Payment|isSale b|isPreAuth b|isAuth b|signature v n
remotepay.PlatformError	device	1	message s
remotepay.PreAuthRequest	device	1	_meta_superclass remotepay.BaseTransactionRequest|_meta_init_type #remotepay.TransactionType
remotepay.PreAuthResponse	device	1	_meta_superclass remotepay.PaymentResponse
remotepay.PrintJobStatusRequest	device	1	_meta_superclass remotepay.BaseRequest|printRequestId s
remotepay.PrintJobStatusResponse	device	1	_meta_superclass remotepay.BaseResponse|status #printer.PrintJobStatus|printRequestId s
remotepay.PrintManualRefundDeclineReceiptMessage	device	1	credit payments.Credit|reason s
remotepay.PrintManualRefundReceiptMessage	device	1	credit payments.Credit
remotepay.PrintPaymentDeclineReceiptMessage	device	1	payment payments.Payment|reason s
remotepay.PrintPaymentMerchantCopyReceiptMessage	device	1	payment payments.Payment
remotepay.PrintPaymentReceiptMessage	device	1	payment payments.Payment|order order.Order
remotepay.PrintRefundPaymentReceiptMessage	device	1	payment payments.Payment|order order.Order|refund payments.Refund
remotepay.PrintRefundPaymentReceiptResponse	device	1	_meta_superclass remotepay.BaseResponse|payment payments.Payment|refund payments.Refund|order order.Order
remotepay.PrintRequest	device	1	_meta_superclass remotepay.BaseRequest|images *remotepay.Img|text *s|imageUrls *s|printRequestId v n|printDeviceId v n
remotepay.QueryStatusEnum	device	1	queryStatus #remotepay.QueryStatus
remotepay.ReadCardDataRequest	device	1	_meta_superclass remotepay.BaseRequest|isForceSwipePinEntry b|cardEntryMethods w
remotepay.ReadCardDataResponse	device	1	_meta_superclass remotepay.BaseResponse|cardData base.CardData
remotepay.RefundPaymentRequest	device	1	_meta_superclass remotepay.BaseRequest|fullRefund b|amount v mn|orderId s|paymentId s|disablePrinting v n|disableReceiptSelection v n|extras {s
remotepay.RefundPaymentResponse	device	1	_meta_superclass remotepay.BaseResponse|orderId s|paymentId s|refund payments.Refund
remotepay.RegisterForCustomerProvidedDataRequest	device	1	_meta_superclass remotepay.BaseRequest|configurations *remotepay.DataProviderConfig
remotepay.ResetDeviceResponse	device	1	_meta_superclass remotepay.BaseResponse|state #remotepay.ExternalDeviceState
remotepay.ResponseCodeEnum	device	1	status #remotepay.ResponseCode
remotepay.ResultStatusEnum	device	1	status #remotepay.ResultStatus
remotepay.RetrieveDeviceStatusRequest	device	1	_meta_superclass remotepay.BaseRequest|sendLastMessage b
remotepay.RetrieveDeviceStatusResponse	device	1	_meta_superclass remotepay.BaseResponse|state #remotepay.ExternalDeviceState|data remotepay.ExternalDeviceStateData
remotepay.RetrievePaymentRequest	device	1	_meta_superclass remotepay.BaseRequest|externalPaymentId s
remotepay.RetrievePaymentResponse	device	1	_meta_superclass remotepay.BaseResponse|externalPaymentId s|queryStatus #remotepay.QueryStatus|payment payments.Payment
remotepay.RetrievePendingPaymentsResponse	device	1	_meta_superclass remotepay.BaseResponse|pendingPaymentEntries *base.PendingPaymentEntry
remotepay.RetrievePrintersRequest	device	1	_meta_superclass remotepay.BaseRequest|category #printer.PrintCategory
remotepay.RetrievePrintersResponse	device	1	_meta_superclass remotepay.BaseResponse|printers *printer.Printer
remotepay.SaleRequest	device	1	_meta_superclass remotepay.TransactionRequest|_meta_init_type #remotepay.TransactionType|tipAmount v mn|tipMode #payments.TipMode
remotepay.SaleResponse	device	1	_meta_superclass remotepay.PaymentResponse
remotepay.SetCustomerInfoRequest	device	1	_meta_superclass remotepay.BaseRequest|customerInfo remotepay.CustomerInfo
remotepay.SignatureRequest	device	1	_meta_superclass remotepay.BaseRequest|acknowledgementMessage s
remotepay.SignatureResponse	device	1	_meta_superclass remotepay.BaseResponse|signature base.Signature
remotepay.TipAdded	device	1	_meta_superclass remotepay.BaseResponse|tipAmount l m
remotepay.TipAdjustAuthRequest	device	1	_meta_superclass remotepay.BaseRequest|tipAmount l m|orderId s|paymentId s
remotepay.TipAdjustAuthResponse	device	1	_meta_superclass remotepay.BaseResponse|tipAmount l m|paymentId s
remotepay.TipRequest	device	1	_meta_superclass remotepay.BaseRequest|tipSuggestions *merchant.TipSuggestion|tippableAmount l m
remotepay.TipResponse	device	1	_meta_superclass remotepay.BaseResponse|tipAmount l m
remotepay.TransactionRequest	device	1	_meta_superclass remotepay.BaseTransactionRequest|signatureThreshold l m|signatureEntryLocation v n|autoAcceptSignature v n|allowOfflinePayment v n|forceOfflinePayment v n|disableCashback v n|approveOfflinePaymentWithoutPrompt v n|taxAmount l m|tippableAmount l m|tipSuggestions *merchant.TipSuggestion
remotepay.TransactionTypeEnum	device	1	status #remotepay.TransactionType
remotepay.VaultCardRequest	device	1	_meta_superclass remotepay.BaseRequest|cardEntryMethods v n
remotepay.VaultCardResponse	device	1	_meta_superclass remotepay.BaseResponse|card payments.VaultedCard
remotepay.VerifySignatureRequest	device	1	_meta_superclass remotepay.BaseRequest|payment payments.Payment|signature base.Signature
remotepay.VoidCreditRequest	device	1	requestId s|orderId s|creditId s|extras {s
remotepay.VoidCreditResponse	device	1	requestId s|status #remotepay.ResultStatus|credit payments.Credit
remotepay.VoidPaymentRefundRequest	device	1	_meta_superclass remotepay.BaseRequest|refundId s|orderId s|employeeId s|disablePrinting v n|disableReceiptSelection v n|extras {s
remotepay.VoidPaymentRefundResponse	device	1	_meta_superclass remotepay.RefundPaymentResponse|refundId s
remotepay.VoidPaymentRequest	device	1	_meta_superclass remotepay.BaseRequest|orderId s|paymentId s|employeeId s|voidReason s|disablePrinting v n|disableReceiptSelection v n|extras {s
remotepay.VoidPaymentResponse	device	1	_meta_superclass remotepay.PaymentResponse|paymentId s
resellers.AuditEvent	rest	1	type #resellers.Type|account base.Reference|device base.Reference|payloadInt1 l|payloadInt2 l|payloadStr1 s|payloadStr2 s|createdAt l t
resellers.BrandAsset	rest	1	id s|type s|filename s|mimeType s|url s|reseller base.Reference
resellers.BroadcastMessage	rest	1	id s|type s|text s|url s|reseller base.Reference
resellers.Reseller	rest	1	id s|fdClientId s|name s|alternateName s|code s|owner account.Account|defaultPaymentProcessor pay.PaymentProcessor|defaultProcessorKey pay.ProcessorKey|defaultCountryCode s|supportsNakedCredit b|supportsOutboundBoarding b|enforceMerchantPlan b|supportPhone s|supportEmail s|filterApps b|forcePhone b|stationsOnClassic b|allowBlackhole b|createdTime t t|parentReseller resellers.Reseller|brandAssets *base.Reference|broadcastMessage base.Reference|featuredApps *base.Reference|tasqCustomerNumber s|isBulkPurchaser b|partnerSupportEmail s|isRkiIdentifier b|isNewBilling b|merchantPlanGroup base.Reference|isSelfBoarding b|isIntercomEnabled b|locale s|resellerPrivacyPolicyUrl s|isRapidDepositEnabled b|rapidDepositServiceEntitlementNumber s|isCodelessActivation b|type #resellers.ResellerType|source #resellers.ResellerSourceType
resellers.ResellerAccountDeleteResponse	rest	1	deactivated b|message s
resellers.ResellerChannel	rest	1	id s|reseller resellers.Reseller|platform #resellers.ResellerPlatformType|chainAgent s|chainBank s|marker w|sysprin s|sysprinPartial b|associationNumber w|corporate w|customerId w|mapsId w|channel s|salesforcePartnerId s
resellers.ResellerFdmpConfiguration	rest	1	id s|userKey s !|unhashedSecret s !
tables.Table	rest	1	id s|name s|orderId v n|createdTime t t|modifiedTime t t
tokens.Error	ecommerce	1	type #tokens.ErrorType|code #tokens.ErrorCode|decline_code s|message s|charge s|doc_url s|param s
"""#

    /// Name, sources, cases.
    static let enums: StaticString = #"""
account.AuthFactorType	01	SMS|TOTP|BACKUP_CODES
account.DescriptorPermission	1	SMS|CALL
account.OAuthProvider	1	google
account.PhoneOS	1	IOS|ANDROID
account.SettingName	1	MFA_ENCOURAGE_LEVEL
account.Source	1	WEB
account.TermsType	1	PRIVACY_POLICY|TERMS_OF_SERVICE|APP_MARKET_TERMS
apps.BusinessTypeGroupCode	0	FOOD|RETAIL|SERVICES
apps.MerchantBillingStatus	0	ACTIVE|LAPSED
apps.OAuthResponseType	0	TOKEN|CODE
apps.ProductType	0	ANDROID|WEB|BOTH
apps.ScanStatus	0	NOT_SCANNED|IN_PROGRESS|PASSED|FAILED
base.AppExclusionType	1	ALL|MARKET|SEARCH|INSTALL
base.ApprovalStatus	01	NEW|PENDING|APPROVED_PENDING_SIGNING|APPROVED|DENIED|PUBLISHED
base.BusinessTypeCode	01	FULL_SERVICE_RESTAURANT|QUICK_SERVICE_RESTAURANT|COFFEE_SHOP|BAKERY|BAR|FOOD_TRUCK|FROZEN_YOGURT|PIZZA|DELI|OTHER_RESTAURANT|BOUTIQUE|CONVENIENCE_STORE|GROCERY|LIQUOR_STORE|VAPE_SHOP|JEWELRY|FLORIST|OTHER_RETAIL|FITNESS|SPA|HAIR_SALON|HOME_AND_REPAIR|PROFESSIONAL_SERVICES|CATERING|OTHER_SERVICE
base.ChallengeType	1	DUPLICATE_CHALLENGE|OFFLINE_CHALLENGE
cash.Type	01	LOAD|TRANSACTION|OPEN|ADJUSTMENT|COUNT|UNLOAD
customers.TokenType	1	MULTIPAY|FINANCIAL|CTOKEN
developer.CollectionApprovalStatus	1	NEW|PENDING|APPROVED|DENIED
developer.DeveloperBillingStatus	01	PENDING|APPROVED|DECLINED|ERROR
device.BuildType	01	ENG|USER|USERDEBUG
device.DeviceAccessoryBuildType	1	ENG|USER|USERDEBUG
device.DeviceEventType	1	REGISTERED|PROVISIONED|ACTIVATED|REACTIVATED|DEACTIVATED|DISASSOCIATED|POS_MODE|CFD_MODE
device.DeviceProvisionState	01	NOT_ASSOCIATED|DISASSOCIATED|ASSOCIATED
device.RomBuildType	01	ENG|USER
ecomm.BillPayIndicator	1	Single|Recurring|Installment|Deferred
ecomm.EcommerceIndicator	1	ecom|moto
ecomm.Initiator	1	MERCHANT|CARDHOLDER
ecomm.OrderStatus	1	created|paid|cancelled|fulfilled|returned
ecomm.PcTaxIndicator	1	UNKNOWN|TAXABLE|NON_TAXABLE
ecomm.RefundReason	1	duplicate|fraudulent|requested_by_customer
ecomm.RefundStatus	1	pending|succeeded|failed|canceled
ecomm.Sequence	1	FIRST|SUBSEQUENT
ecomm.failure_reason	1	lost_or_stolen_card|expired_or_canceled_card|unknown
ecomm.item_type	1	sku|tax|shipping
ecomm.network_status	1	approved_by_network|declined_by_network|not_sent_to_network|reversed_after_approval
ecomm.risk_level	1	normal|elevated|highest|not_assessed|unknown
ecomm.status	1	succeeded|pending|failed
ecomm.type	1	authorized|manual_review|issuer_declined|blocked|invalid
employees.AccountRole	01	OWNER|ADMIN|MANAGER|EMPLOYEE
employees.EmployeeCardStatus	1	ACTIVE|DISABLED
employees.EmployeePermission	1	MERCHANT_R|MERCHANT_W|PAYMENTS_R|PAYMENTS_W|ORDERS_R|ORDERS_W|PROCESS_CARDS
employees.Permission	01	ORDERS_R|ORDERS_W|INVENTORY_R|INVENTORY_W|PAYMENTS_R|PAYMENTS_W|CUSTOMERS_R|CUSTOMERS_W|EMPLOYEES_R|EMPLOYEES_W|MERCHANT_R|MERCHANT_W
hours.ReferenceType	01	ORDER_TYPE|ITEM_GROUP|SOFTWARE_UPDATE_EXCLUSION|ONLINE_ORDER_SERVICE
inventory.PriceType	01	FIXED|VARIABLE|PER_UNIT
inventory.TaxType	1	VAT_TAXABLE|VAT_NON_TAXABLE|VAT_EXEMPT|INTERNAL_TAX
loyalty.CustomerProvidedDataResponseType	1	ACCEPTED|PENDING
merchant.DeviceBundleStateEnum	1	COMPLETE|BROKEN|UNBUNDLED|BOARDING_PROVISION_DISCONNECT|BOARDING_PROVISION_BUNDLE_CONFLICT|BROKEN_PROVISION|BROKEN_BOARDING
merchant.LogoType	01	BUSINESS|RECEIPT
merchant.MerchantAccountStatus	1	CLOSED|FRAUD|CREDIT_DECLINED|OPEN|UNKNOWN|PENDING_CREDIT_APPROVAL
merchant.MerchantComplianceSource	1	ONBOARDING|MANUAL|BACKFILL|MIGRATION
merchant.MerchantComplianceType	1	HIPAA
merchant.MerchantCreationSource	1	FDPOS|IPG|CC|GOR_INTERNAL|FDPOS_INTERNAL|IPG_INTERNAL|SELF_BOARDING|DASHBOARD|MERCHANT_CLAIM|DEVELOPER_CLAIM|FISERV_SBA|PARTNER_SBA|SBA_HIPAA_EXEMPT
merchant.MerchantPlanPricingModel	1	PER_MONTH|PER_DEVICE|TIERED|FREE|SUPPRESSED
merchant.MerchantPlanType	1	PAYMENTS_PLUS|REGISTER_LITE|CLASSIC|REGISTER|DINING|QSR|NO_HARDWARE
merchant.OrderTitle	01	NONE|MANUAL|AUTOMATIC
merchant.ProcessingRestrictionState	1	RESTRICTED|PENDING|FAILED|NONE
merchant.SyncLevel	0	LOW|MEDIUM|HIGH|NONE
order.ClientEventType	1	DELETED_LINE_ITEM|MOVED_TABLE|LEFT_TABLE|CUSTOM_LINE_ITEM_CANCELLED
order.CustomerIdMethod	01	NAME|TABLE|NAME_TABLE
order.HoursAvailable	01	ALL|BUSINESS|CUSTOM
order.PayType	01	SPLIT_GUEST|SPLIT_ITEM|SPLIT_CUSTOM|FULL
order.PaymentState	1	OPEN|PAID|REFUNDED|CREDITED|PARTIALLY_PAID|PARTIALLY_REFUNDED
order.PrintState	1	CREATED|PRINTING|FAILED|DONE
order.VoidReason	01	USER_CANCEL|TRANSPORT_ERROR|REJECT_SIGNATURE|REJECT_PARTIAL_AUTH|NOT_APPROVED|FAILED|AUTH_CLOSED_NEW_CARD|DEVELOPER_PAY_PARTIAL_AUTH|REJECT_DUPLICATE|REJECT_OFFLINE|GIFTCARD_LOAD_FAILED|USER_GIFTCARD_LOAD_CANCEL|DEVELOPER_PAY_TIP_ADJUST_FAILED|USER_CUSTOMER_CANCEL|FRAUD|REJECT_GREATER_APPROVED_AMOUNT|TIMEOUT
order.VoidReasonCode	1	CANCEL_PAYMENT_ADJUST|BREAK_RESET|CANCEL|AUTH_FAILED|NETWORK_FAILED|NON_OK_RESULT_CODE_RETURNED_FROM_VERIFY_CVM|PARTIAL_AUTH_NOT_ALLOWED|PARTIAL_AUTH_CANCELLED|QUICK_CHIP_DECLINE|KERNEL_DECLINE|NON_OK_RESULT_CODE_FROM_FORCE_ACCEPT|MERCHANT_CANCELLED_THE_FORCE_ACCEPTANCE|CARD_READER_ERROR|UNKNOWN_EXCEPTION|ERROR_EVENT|KERNEL_EXCEPTION|FATAL_EXCEPTION|CARD_CHECK_FAILED_FOR_REVERSAL|MANUAL_ENTRY_NOT_ALLOWED|MANUAL_ENTRY_NOT_ALLOWED_FOR_CARD|SWIPE_CARD_CHECK_FAILED_FOR_REVERSAL|OFFLINE_AUTH_FAILED|TXN_STATUS_DECLINED|COMPLETION_DEVICE|NON_OK_RESULT_CODE_FROM_DUPLICATE_CHECK|MERCHANT_CANCELLED_THE_DUPLICATE_CHECK|NON_OK_RESULT_CODE_RETURNED_FROM_OFFLINE_SCREEN|MERCHANT_CANCELLED_OFFLINE_PAYMENT|OFFLINE_AUTH_FAILED_ON_CARD_PRESENT_REVERSAL|QUICK_CHIP_TIME_OUT|HANDLE_PAY_STATE|HANDLE_CONTACT_REQUIRED|FINALIZE|HANDLE_CARD_DECLINED_TXN_STATUS
pay.CardFunction	1	CREDIT|DEBIT|PREPAID|PINLESS_DEBIT|SIGNATURE_DEBIT|EBT|SNAP
pay.ErrorCode	1	TERMINAL_BUSY|TERMINAL_UNAVAILABLE|TERMINAL_GENERAL
pay.GwTxResult	1	APPROVED_ONLINE|DECLINED_ONLINE|UNABLE_TO_GO_ONLINE|REFERRAL_ONLINE|REFERRAL_OFFLINE
pay.ServiceCode1	1	INTERNATIONAL_INTERCHANGE_OK|INTERNATIONAL_INTERCHANGE_USE_IC_CHIP_WHERE_FEASIBLE|NATIONAL_INTERCHANGE_ONLY_EXCEPT_UNDER_BILATERAL_AGREEMENT|NATIONAL_INTERCHANGE_ONLY_EXCEPT_UNDER_BILATERAL_AGREEMENT_USE_IC_CHIP_WHERE_FEASIBLE|NO_INTERCHANGE_EXCEPT_UNDER_BILATERAL_AGREEMENT|TEST|UNDEFINED
pay.ServiceCode2	1	NORMAL|CONTACT_ISSUER_VIA_ONLINE_MEANS|CONTACT_ISSUER_VIA_ONLINE_MEANS_EXCEPT_UNDER_BILATERAL_AGREEMENT|UNDEFINED
pay.ServiceCode3	1	NO_RESTRICTIONS_PIN_REQUIRED|NO_RESTRICTIONS|GOODS_AND_SERVICES_ONLY_NO_CASH|ATM_ONLY_PIN_REQUIRED|CASH_ONLY|GOODS_AND_SERVICES_ONLY_NO_CASH_PIN_REQUIRED|NO_RESTRICTIONS_USE_PIN_WHERE_FEASIBLE|GOODS_AND_SERVICES_ONLY_NO_CASH_USE_PIN_WHERE_FEASIBLE|UNDEFINED
pay.TxResult	1	ERROR|MSR|EMV_OFFLINE_APPROVED|EMV_OFFLINE_DECLINED|EMV_GO_ONLINE|EMV_APPROVED_ONLINE|EMV_DECLINED_ONLINE|RFID_OFFLINE_APPROVED|RFID_OFFLINE_DECLINED|RFID_GO_ONLINE|RFID_TERMINATED|RFID_MSR|MANUAL
payments.AVSResult	01	SUCCESS|ZIP_CODE_MATCH|ZIP_CODE_MATCH_ADDRESS_NOT_CHECKED|ADDRESS_MATCH|ADDRESS_MATCH_ZIP_NOT_CHECKED|NEITHER_MATCH|SERVICE_FAILURE|SERVICE_UNAVAILABLE|NOT_CHECKED|ZIP_CODE_NOT_MATCHED_ADDRESS_NOT_CHECKED|ADDRESS_NOT_MATCHED_ZIP_CODE_NOT_CHECKED
payments.AccountType	1	CREDIT|DEBIT|CHECKING|SAVINGS
payments.AdditionalChargeType	1	INTERAC|CREDIT_SURCHARGE|CONVENIENCE_FEE|INTERAC_V2
payments.BatchState	01	OPEN|QUEUED_FOR_PROCESSING|PROCESSING|CLOSED|FAILED
payments.BatchType	01	MANUAL_CLOSE|AUTO_CLOSE
payments.CVVResult	01	SUCCESS|FAILURE|NOT_PROCESSED|NOT_PRESENT
payments.CardEntryType	01	SWIPED|KEYED|VOICE|VAULTED|OFFLINE_SWIPED|OFFLINE_KEYED|EMV_CONTACT|EMV_CONTACTLESS|MSD_CONTACTLESS|PINPAD_MANUAL_ENTRY|QR_CODE|SCANNED
payments.CardTransactionState	01	PENDING|CLOSED
payments.CardTransactionType	01	AUTH|PREAUTH|PREAUTHCAPTURE|ADJUST|VOID|VOIDRETURN|RETURN|REFUND|NAKEDREFUND|GETBALANCE|BATCHCLOSE|ACTIVATE|BALANCE_LOCK|LOAD|CASHOUT|CASHOUT_ACTIVE_STATUS|REDEMPTION|REDEMPTION_UNLOCK|RELOAD|CASH_ADVANCE|VOID_CREDIT|REFUND_CREDIT|INTERNET_ACTIVATE|TOKEN_REQUEST|VERIFICATION
payments.CardType	01	VISA|MC|AMEX|DISCOVER|DINERS_CLUB|JCB|MAESTRO|SOLO|LASER|CHINA_UNION_PAY|CARTE_BLANCHE|UNKNOWN|GIFT_CARD|EBT|GIROCARD|INTERAC|OTHER
payments.CardlessPaymentDataType	1	QR_CODE|BARCODE
payments.CardlessPaymentNetwork	1	ALIPAY|WECHAT|PAYPAL|VENMO
payments.Currency	01	USD|GBP|EUR
payments.CvmResult	01	NO_CVM_REQUIRED|SIGNATURE|SIGNATURE_VERIFIED|SIGNATURE_ON_PAPER|SIGNATURE_REJECTED|PIN|ONLINE_PIN|SIGNATURE_AND_PIN|CVM_FAILED|DEVICE
payments.DataEntryLocation	1	ON_SCREEN|ON_PAPER|NONE
payments.FraudResponseAction	1	VOID|PROMPT|IGNORE|DECLINE
payments.FraudResponseCodeType	1	AVS|CVV
payments.GatewayTxState	01	INITIATED|INITIATED_ON_AUTH|ACKNOWLEDGED|CONNECT_FAILED|TIMEOUT|FAILED|REVERSE_INITIATED|REVERSE_INITIATED_ON_AUTH|REVERSED|REVERSAL_FAILED|EXTERNAL
payments.GatewayTxType	01	AUTH|PREAUTH|PREAUTHCAPTURE|ADJUST|VOID|VOIDRETURN|RETURN|REFUND|NAKEDREFUND|REFUNDVOID|GETBALANCE|BATCHCLOSE|ACTIVATE|BALANCE_LOCK|LOAD|CASHOUT|CASHOUT_ACTIVE_STATUS|REDEMPTION|REDEMPTION_UNLOCK|RELOAD|CASH_ADVANCE|VOID_CREDIT|REFUND_CREDIT|INTERNET_ACTIVATE|TOKEN_REQUEST|VERIFICATION|MONEY_TRANSFER|PAYMENT_CAPTURE|CREDIT_CAPTURE
payments.GiftCardState	01	INVALID|ACTIVATED|INACTIVE
payments.IdType	1	DRIVERS_LICENSE|PASSPORT|US_MILITARY_ID|US_RESIDENT|CONSULAR_ID|CANADIAN_CITIZEN|US_STATE_GOVT_ID|OTHER_ID
payments.MessageDestination	1	CUSTOMER_DISPLAY|CUSTOMER_RECEIPT|CUSTOMER_RECEIPT_AID_PARAM|MERCHANT_DISPLAY|MERCHANT_RECEIPT|MERCHANT_RECEIPT_AID_PARAM
payments.PcTaxIndicator	1	UNKNOWN|TAXABLE|NON_TAXABLE
payments.Result	01	SUCCESS|FAIL|INITIATED|VOIDED|VOIDING|VOID_FAILED|AUTH|AUTH_COMPLETED|DISCOUNT|OFFLINE_RETRYING|PENDING
payments.ReversalReason	1	CHIP_DECLINE|CARDHOLDER_CANCELLATION|COMMUNICATION_ERROR|OTHER_REASON
payments.SelectedService	1	NONE|PAYMENT|REFUND|CANCELLATION|PRE_AUTH|UPDATE_PRE_AUTH|PAYMENT_COMPLETION|CASH_ADVANCE|DEFERRED_PAYMENT|DEFERRED_PAYMENT_COMPLETION|VOICE_AUTHORISATION|CARDHOLDER_DETECTION|TOKEN_REQUEST|VERIFICATION
payments.TipMode	1	TIP_PROVIDED|ON_SCREEN_BEFORE_PAYMENT|ON_SCREEN_AFTER_PAYMENT|ON_PAPER|NO_TIP
payments.TokenRequestType	1	VERIFICATION|TOKEN_REQUEST
payments.TransactionResult	1	APPROVED|DECLINED|ABORTED|VOICE_AUTHORISATION|PAYMENT_PART_ONLY|PARTIALLY_APPROVED|NONE
payments.TxFormat	1	DEFAULT|NEXO
payments.TxType	01	AUTH|PREAUTH|PREAUTHCAPTURE|ADJUST|VOID|VOIDRETURN|RETURN|REFUND|NAKEDREFUND|GETBALANCE|BATCHCLOSE|ACTIVATE|BALANCE_LOCK|LOAD|CASHOUT|CASHOUT_ACTIVE_STATUS|REDEMPTION|REDEMPTION_UNLOCK|RELOAD|INTERNET_ACTIVATE
payments.Type	01	TAB|AUTH
payments.VasDataTypeType	1	ALL|LOYALTY|OFFER|GIFT_CARD|PRIVATE_LABEL_CARD|CUSTOMER|VAS_DATA
payments.VasMode	1	PAY_ONLY|VAS_ONLY|VAS_OR_PAYMENT|VAS_AND_PAYMENT
payments.VasPayloadResponseType	1	ACCEPTED|PENDING
payments.VasProtocol	1	ST|PK
payments.VasPushMode	1	PUSH_NONE|PUSH_ONLY|PUSH_AND_GET
payments.VasResponseFormat	1	NDEF|STRING|ENCRYPTED
printer.PrintCategory	1	ORDER|RECEIPT|FISCAL|LABEL
printer.PrintJobStatus	1	IN_QUEUE|PRINTING|DONE|ERROR|UNKNOWN|NOT_FOUND
printer.PrinterType	01	NETWORK|MY_LOCAL
remotemessage.ErrorCode	1	ORDER_NOT_FOUND|PAYMENT_NOT_FOUND|FAIL
remotemessage.ExternalDeviceState	1	IDLE|BUSY|WAITING_FOR_POS|WAITING_FOR_CUSTOMER|UNKNOWN
remotemessage.ExternalDeviceSubState	1	CUSTOM_ACTIVITY|STARTING_PAYMENT_FLOW|PROCESSING_PAYMENT|PROCESSING_CARD_DATA|PROCESSING_CREDIT|VERIFY_SIGNATURE|TIP_SCREEN|RECEIPT_SCREEN|CONFIRM_PAYMENT|UNKNOWN
remotemessage.KeyPress	1	NONE|ENTER|ESC|BACKSPACE|TAB|STAR|BUTTON_1|BUTTON_2|BUTTON_3|BUTTON_4|BUTTON_5|BUTTON_6|BUTTON_7|BUTTON_8|DIGIT_1|DIGIT_2|DIGIT_3|DIGIT_4|DIGIT_5|DIGIT_6|DIGIT_7|DIGIT_8|DIGIT_9|DIGIT_0
remotemessage.LogLevelEnum	1	VERBOSE|DEBUG|INFO|WARN|ERROR
remotemessage.Method	1	ACK|ACTIVITY_MESSAGE_FROM_ACTIVITY|ACTIVITY_MESSAGE_TO_ACTIVITY|ACTIVITY_REQUEST|EMPLOYEE_PERMISSIONS_REQUEST|ACTIVITY_RESPONSE|BREAK|CAPTURE_PREAUTH|CAPTURE_PREAUTH_RESPONSE|CARD_DATA|CARD_DATA_RESPONSE|CASHBACK_SELECTED|CLEAR_SESSION|CLOSEOUT_REQUEST|CLOSEOUT_RESPONSE|CLOVER_DEVICE_LOG_REQUEST|CONFIGURATION_CHANGE|CONFIRM_PAYMENT_MESSAGE|CUSTOMER_INFO_MESSAGE|DISCOVERY_REQUEST|DISCOVERY_RESPONSE|FINISH_CANCEL|FINISH_OK|FORCECONNECT|GET_PRINTERS_REQUEST|GET_PRINTERS_RESPONSE|INCREMENT_PREAUTH_REQUEST|INCREMENT_PREAUTH_RESPONSE|INVALID_STATE_TRANSITION|KEY_PRESS|LAST_MSG_REQUEST|LAST_MSG_RESPONSE|LOG_MESSAGE|OPEN_CASH_DRAWER|ORDER_ACTION_ADD_DISCOUNT|ORDER_ACTION_ADD_LINE_ITEM|ORDER_ACTION_REMOVE_DISCOUNT|ORDER_ACTION_REMOVE_LINE_ITEM|ORDER_ACTION_RESPONSE|PAIRING_CODE|PAIRING_REQUEST|PAIRING_RESPONSE|PARTIAL_AUTH|PAYMENT_CONFIRMED|PAYMENT_REJECTED|PAYMENT_VOIDED|PRINT_CREDIT|PRINT_CREDIT_DECLINE|PRINT_IMAGE|PRINT_JOB_STATUS_REQUEST|PRINT_JOB_STATUS_RESPONSE|PRINT_PAYMENT|PRINT_PAYMENT_DECLINE|PRINT_PAYMENT_MERCHANT_COPY|PRINT_TEXT|PURCHASE_CARD_REQUEST_MESSAGE|PURCHASE_CARD_RESPONSE_MESSAGE|REFUND_PRINT_PAYMENT|REFUND_REQUEST|REFUND_RESPONSE|REMOTE_ERROR|RESET|RESET_DEVICE_RESPONSE|RETRIEVE_CUSTOM_ACTIVITIES_REQUEST|RETRIEVE_CUSTOM_ACTIVITIES_RESPONSE|RETRIEVE_DEVICE_STATUS_REQUEST|RETRIEVE_DEVICE_STATUS_RESPONSE|RETRIEVE_PAYMENT_REQUEST|RETRIEVE_PAYMENT_RESPONSE|RETRIEVE_PENDING_PAYMENTS|RETRIEVE_PENDING_PAYMENTS_RESPONSE|SET_ORDER|SHOW_LOYALTY_POINTS_CALCULATED|SHOW_LOYALTY_POINTS_EARNED_SCREEN|SHOW_LOYALTY_POINTS_RECEIPT_PRINTED|SHOW_ORDER_SCREEN|SHOW_PAYMENT_RECEIPT_OPTIONS|SHOW_THANK_YOU_SCREEN|SHOW_WELCOME_SCREEN|SHUTDOWN|SIGNATURE_VERIFIED|START_VAS|STOP_VAS|TERMINAL_MESSAGE|TIP_ADDED|TIP_ADJUST|TIP_ADJUST_RESPONSE|TX_START|TX_START_RESPONSE|TX_STATE|UI_STATE|VAS_CONFIG|VAS_CONFIG_CHANGED|VAS_PAYLOAD_MESSAGE|VAS_STATE|VAULT_CARD|VAULT_CARD_RESPONSE|VERIFY_SIGNATURE|VOID_PAYMENT|VOID_PAYMENT_RESPONSE|VOID_PAYMENT_REFUND|VOID_PAYMENT_REFUND_RESPONSE|VOID_CREDIT|VOID_CREDIT_RESPONSE|REGISTER_FOR_CUST_DATA|CUSTOMER_PROVIDED_DATA_MESSAGE|LOYALTY_CONFIG|SHOW_RECEIPT_OPTIONS|SHOW_RECEIPT_OPTIONS_RESPONSE|REQUEST_SIGNATURE|REQUEST_SIGNATURE_RESPONSE|BALANCE_INQUIRY|BALANCE_INQUIRY_RESPONSE|REQUEST_TIP|REQUEST_TIP_RESPONSE|CARD_DETAILS|CARD_DETAILS_RESPONSE
remotemessage.PairingState	1	UNINITIALIZED|PAIRED|FAILED|INITIAL
remotemessage.QueryStatus	1	FOUND|NOT_FOUND|IN_PROGRESS
remotemessage.RemoteMessageType	1	COMMAND|QUERY|EVENT|PING|PONG
remotemessage.ResultStatus	1	SUCCESS|FAIL|CANCEL
remotemessage.TransactionType	1	PAYMENT|CREDIT|AUTH|DATA|BALANCE_INQUIRY|PAYMENT_REVERSAL|PAYMENT_ADJUSTMENT|CREDIT_REVERSAL|REFUND_ADJUSTMENT|CASH_ADVANCE|CAPTURE_PREAUTH|VAS_DATA|VERIFY_CARD|TOKENIZE_CARD
remotemessage.TxStartResponseResult	1	SUCCESS|ORDER_MODIFIED|ORDER_LOAD|DUPLICATE|FAIL
remotemessage.TxState	1	START|SUCCESS|FAIL
remotemessage.UiDirection	1	ENTER|EXIT
remotemessage.UiState	1	ADD_SIGNATURE|ADD_SIGNATURE_CANCEL_CONFIRM|ADD_TIP|APPROVE_ELV_LIMIT_OVERRIDE|APPROVED|CANCELED|CASHBACK_CONFIRM|CASHBACK_SELECT|CONFIGURING|CONFIRM_AMOUNT|CONFIRM_DUPLICATE_CHECK|CONFIRM_PARTIAL_AUTH|CONTACTLESS_TAP_REQUIRED|CUSTOM_ACTIVITY|CUSTOM_TIP_AMOUNT|DCC_HOST_REQUEST|DECLINED|DISPLAY_MESSAGE|DISPLAY_ORDER|ENTER_INSTALLMENT_CODE|ENTER_INSTALLMENTS|ENTER_PAN_LAST_FOUR|ERROR_SCREEN|FAILED|FATAL|FISCAL_INVOICE_NUMBER|FORCE_ACCEPTANCE|HANDLE_TENDER|INPUT_ERROR|MANUAL_CARD_CVV|MANUAL_CARD_CVV_UNREADABLE|MANUAL_CARD_EXPIRATION|MANUAL_CARD_NUMBER|MANUAL_ENTRY_FALLBACK|OFFLINE_PAYMENT_CONFIRM|PACKET_EXCEPTION|PERSONAL_ID_ENTRY|PERSONAL_ID_ENTRY_PAS|PIN_BYPASS_CONFIRM|PIN_PAD|PROCESSING|PROCESSING_CREDIT|PROCESSING_GO_ONLINE|PROCESSING_SWIPE|RECEIPT_OPTIONS|REMOVE_CARD|RETURN_TO_MERCHANT|SELECT_ACCOUNT|SELECT_APPLICATION|SELECT_DCC|SELECT_INSTALLMENT_PLAN|SELECT_LANGUAGE|SELECT_MULTI_MID|SELECT_TIP|SELECT_WITHDRAW_FROM_ACCOUNT|SENSORY_EXPERIENCE|SHOW_SEPA_MANDAT|SIGNATURE_CUSTOMER_MODE|SIGNATURE_ON_SCREEN_FALLBACK|SIGNATURE_REJECT|START|STARTING_CUSTOM_ACTIVITY|SWIPE_CVV_ENTRY|THANKYOU_SCREEN|TIMED_OUT|TRY_AGAIN|VERIFY_SIGNATURE_ON_PAPER|VERIFY_SIGNATURE_ON_PAPER_CONFIRM_VOID|VERIFY_SIGNATURE_ON_SCREEN|VERIFY_SIGNATURE_ON_SCREEN_CONFIRM_VOID|VERIFY_SURCHARGES|VOICE_REFERRAL_RESULT|VOID_CONFIRM|VOIDED|WELCOME_SCREEN
remotemessage.VasState	1	START_REQUESTED|STARTED|TIMED_OUT|STOP_REQUESTED|STOPPED|FAILED
remotepay.DeviceErrorEventCode	1	AbortEndpoint|AccessDenied|CancelIoFailed|DeviceAllreadyLocked|DeviceIoControl|DeviceNotFound|EndpointAllreadyLocked|GetDeviceKeyValueFailed|GetOverlappedResult|GetString|InsufficientMemory|Interrupted|InvalidConfig|InvalidEndpoint|InvalidParam|IoCancelled|IoControlMessage|IoEndpointGlobalCancelRedo|IoSyncFailed|IoTimedOut|MonoApiError|None|NotConnected|NotSupported|Ok|Overflow|PipeError|ReadFailed|ReceiveThreadTerminated|ResourceBusy|SendNotificationFailure|SetDeviceKeyValueFailed|Success|UnknownError|UserAborted|Win32Error|WriteFailed
remotepay.DeviceEventState	1	ADD_SIGNATURE|ADD_SIGNATURE_CANCEL_CONFIRM|ADD_TIP|APPROVE_ELV_LIMIT_OVERRIDE|APPROVED|CANCELED|CASHBACK_CONFIRM|CASHBACK_SELECT|CONFIGURING|CONFIRM_AMOUNT|CONFIRM_DUPLICATE_CHECK|CONFIRM_PARTIAL_AUTH|CONTACTLESS_TAP_REQUIRED|CUSTOM_ACTIVITY|CUSTOM_TIP_AMOUNT|DCC_HOST_REQUEST|DECLINED|ENTER_INSTALLMENT_CODE|ENTER_INSTALLMENTS|ENTER_PAN_LAST_FOUR|ERROR_SCREEN|FAILED|FATAL|FISCAL_INVOICE_NUMBER|FORCE_ACCEPTANCE|HANDLE_TENDER|INPUT_ERROR|MANUAL_CARD_CVV|MANUAL_CARD_CVV_UNREADABLE|MANUAL_CARD_EXPIRATION|MANUAL_CARD_NUMBER|MANUAL_ENTRY_FALLBACK|OFFLINE_PAYMENT_CONFIRM|PACKET_EXCEPTION|PERSONAL_ID_ENTRY|PERSONAL_ID_ENTRY_PAS|PIN_BYPASS_CONFIRM|PIN_PAD|PROCESSING|PROCESSING_CREDIT|PROCESSING_GO_ONLINE|PROCESSING_SWIPE|RECEIPT_OPTIONS|REMOVE_CARD|RETURN_TO_MERCHANT|SELECT_ACCOUNT|SELECT_APPLICATION|SELECT_DCC|SELECT_INSTALLMENT_PLAN|SELECT_LANGUAGE|SELECT_MULTI_MID|SELECT_TIP|SELECT_WITHDRAW_FROM_ACCOUNT|SENSORY_EXPERIENCE|SHOW_SEPA_MANDAT|SIGNATURE_CUSTOMER_MODE|SIGNATURE_ON_SCREEN_FALLBACK|SIGNATURE_REJECT|START|STARTING_CUSTOM_ACTIVITY|SWIPE_CVV_ENTRY|TIMED_OUT|TRY_AGAIN|VERIFY_SIGNATURE_ON_PAPER|VERIFY_SIGNATURE_ON_PAPER_CONFIRM_VOID|VERIFY_SIGNATURE_ON_SCREEN|VERIFY_SIGNATURE_ON_SCREEN_CONFIRM_VOID|VERIFY_SURCHARGES|VOICE_REFERRAL_RESULT|VOID_CONFIRM|VOIDED
remotepay.ErrorType	1	COMMUNICATION|VALIDATION|EXCEPTION
remotepay.ExternalDeviceState	1	IDLE|BUSY|WAITING_FOR_POS|WAITING_FOR_CUSTOMER|UNKNOWN
remotepay.KeyPress	1	NONE|ENTER|ESC|BACKSPACE|TAB|STAR|BUTTON_1|BUTTON_2|BUTTON_3|BUTTON_4|BUTTON_5|BUTTON_6|BUTTON_7|BUTTON_8|DIGIT_1|DIGIT_2|DIGIT_3|DIGIT_4|DIGIT_5|DIGIT_6|DIGIT_7|DIGIT_8|DIGIT_9|DIGIT_0
remotepay.QueryStatus	1	FOUND|NOT_FOUND|IN_PROGRESS
remotepay.ResponseCode	1	SUCCESS|FAIL|UNSUPPORTED|CANCEL|DUPLICATE|ERROR
remotepay.ResultStatus	1	SUCCESS|FAIL|CANCEL
remotepay.TransactionType	1	PAYMENT|CREDIT|AUTH|DATA|BALANCE_INQUIRY|PAYMENT_REVERSAL|PAYMENT_ADJUSTMENT|CREDIT_REVERSAL|REFUND_ADJUSTMENT|CASH_ADVANCE|CAPTURE_PREAUTH|VAS_DATA|VERIFY_CARD|TOKENIZE_CARD
resellers.ResellerPlatformType	1	NORTH|OMAHA|SOUTH
resellers.ResellerSourceType	1	COPILOT|INTERNAL
resellers.ResellerType	1	JV|SMS|PFAC|WHOLESALE_ISO|RETAIL_ISO|FSP|AGENT|STRATEGIC_FI|REGIONAL_FI|COMMUNITY_BANK|NON_FI|REFERRAL_PARTNER|DIRECT_SALES|UNKNOWN|DEMO
resellers.Type	1	LOGGED_IN|LOGGED_OUT|OTA_SENT_UPDATE|OTA_DOWNLOAD_START|OTA_DOWNLOAD_FAIL|OTA_DOWNLOAD_COMPLETE|OTA_APPLY_START|OTA_APPLY_FAIL|OTA_APPLY_DONE|OTA_APPLY_COMPLETE|CLOSE_OUT_START|CLOSE_OUT_COMPLETE|CLOSE_OUT_ABORTED|CLOSE_OUT_REQUESTED|REMOTE_SUPPORT_REQUESTED|REMOTE_SUPPORT_REQUEST_RESOLVED|REMOTE_SUPPORT_ENDED|OWNER_EMAIL_CHANGE|GATEWAY_TIPPING_CHANGE|MANUAL_CLOSEOUT_CHANGE|BULK_APP_UNINSTALL|DEFAULT_CURRENCY_CHANGE|CONFIG_VALUE_CHANGE|BILLING_SUPPRESSION_CHANGE|CHANGE_MERCHANT_PLAN|UPDATE_NEW_BATCH_CLOSE|DELETE_AUTH_FACTOR|MERCHANT_ASSOCIATION_CHANGE|CREATE_MERCHANT_ASSOCIATION|OWNER_ACCOUNT_REACTIVATED|CREATE_RESELLER|INITIAL_PLAN_ASSIGNMENT|OWNER_NAME_CHANGE
tokens.ErrorCode	1	amount_too_large|amount_too_small|api_key_expired|card_declined|charge_already_captured|charge_already_refunded|charge_disputed|charge_exceeds_source_limit|charge_expired_for_capture|country_unsupported|email_invalid|expired_card|incorrect_address|incorrect_cvc|incorrect_number|incorrect_zip|invalid_card_type|invalid_wallet_type|invalid_charge_amount|invalid_tip_amount|invalid_tax_amount|invalid_convenience_fee|invalid_cvc|invalid_expiry_month|invalid_expiry_year|invalid_number|missing|order_creation_failed|order_required_settings|order_status_invalid|parameter_invalid_empty|parameter_invalid_integer|parameter_invalid_string_blank|parameter_invalid_string_empty|parameter_missing|parameter_unknown|postal_code_invalid|processing_error|rate_limit|resource_missing|token_already_used|invalid_request|card_on_file_missing|order_already_paid
tokens.ErrorType	1	api_connection_error|api_error|authentication_error|card_error|idempotency_error|invalid_request_error|rate_limit_error|validation_error
tokens.TokenType	1	ONEOFF|MULTIPAY
"""#

    /// The names of all sensitive fields, sorted, whatever model they are of.
    static let sensitiveNames: StaticString = #"""
abaAccountNumber
accountNumber
activationCode
appSecret
authenticationToken
backupCodes
bankAccountNumber
bankRoutingNumber
cardNumber
cardTrack2
cardholderName
claimCode
csrfToken
cvv
ddaAccountNumber
debugApplicationPan
debugPlainTrack1
debugPlainTrack2
debugTrack2EquivalentData
dob
iban
keyInfo
keyPrefix
lastActivationCode
number
pan
passwordHash
pin
pinBlock
pinBlockContainer
plainCardData
secret
sensitiveData
sepaElvIban
signingKey
ssn
taxId
tin
token
totpKey
track1
track2
track3
transArmorKey
unhashedPin
unhashedSecret
uniqueToken
userKey
vaultedCard
"""#
}
