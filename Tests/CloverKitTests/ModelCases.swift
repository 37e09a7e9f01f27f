// Made by Scripts/generate-kit from Catalogue/models.json. Change that file, then run `make docs`.
// swift-format-ignore-file

import CloverKit

/// The properties of each model that a read returns.
extension ModelCase {
    static let all: [ModelCase] = [
        appBillingInfoCase(),
        appMeteredEventCase(),
        baseAddressCase(),
        serviceChargeCase(),
        tenderCase(),
        cashEventCase(),
        customerCase(),
        employeeCase(),
        roleCase(),
        shiftCase(),
        hoursSetCase(),
        attributeCase(),
        categoryCase(),
        itemCase(),
        itemGroupCase(),
        itemStockCase(),
        modifierCase(),
        modifierGroupCase(),
        optionCase(),
        tagCase(),
        taxRateCase(),
        gatewayCase(),
        merchantCase(),
        merchantPropertiesCase(),
        tipSuggestionCase(),
        orderDiscountCase(),
        lineItemCase(),
        orderCase(),
        orderTypeCase(),
        systemOrderTypeCase(),
        authorizationCase(),
        creditCase(),
        paymentCase(),
        refundCase(),
    ]

    private static func appBillingInfoCase() -> ModelCase {
        ModelCase(name: "apps.AppBillingInfo", type: AppBillingInfo.self) { record in
            [
                ("appSubscription", record.appSubscription?.json),
                ("isInTrial", record.isInTrial?.json),
                ("billingStartTime", record.billingStartTime?.json),
                ("status", record.status?.json),
                ("daysLapsed", record.daysLapsed?.json),
            ]
        }
    }

    private static func appMeteredEventCase() -> ModelCase {
        ModelCase(name: "apps.AppMeteredEvent", type: AppMeteredEvent.self) { record in
            [
                ("id", record.id?.json),
                ("appMetered", record.appMetered?.json),
                ("count", record.count?.json),
                ("createdTime", record.createdTime?.json),
                ("modifiedTime", record.modifiedTime?.json),
                ("charge", record.charge?.json),
            ]
        }
    }

    private static func baseAddressCase() -> ModelCase {
        ModelCase(name: "base.Address", type: BaseAddress.self) { record in
            [
                ("address1", record.address1?.json),
                ("address2", record.address2?.json),
                ("address3", record.address3?.json),
                ("city", record.city?.json),
                ("country", record.country?.json),
                ("phoneNumber", record.phoneNumber?.json),
                ("state", record.state?.json),
                ("zip", record.zip?.json),
            ]
        }
    }

    private static func serviceChargeCase() -> ModelCase {
        ModelCase(name: "base.ServiceCharge", type: ServiceCharge.self) { record in
            [
                ("id", record.id?.json),
                ("orderRef", record.orderRef?.json),
                ("name", record.name?.json),
                ("enabled", record.enabled?.json),
                ("percentage", record.percentage?.json),
                ("percentageDecimal", record.percentageDecimal?.json),
            ]
        }
    }

    private static func tenderCase() -> ModelCase {
        ModelCase(name: "base.Tender", type: Tender.self) { record in
            [
                ("id", record.id?.json),
                ("editable", record.editable?.json),
                ("labelKey", record.labelKey?.json),
                ("label", record.label?.json),
                ("opensCashDrawer", record.opensCashDrawer?.json),
                ("supportsTipping", record.supportsTipping?.json),
                ("enabled", record.enabled?.json),
                ("visible", record.visible?.json),
                ("instructions", record.instructions?.json),
            ]
        }
    }

    private static func cashEventCase() -> ModelCase {
        ModelCase(name: "cash.CashEvent", type: CashEvent.self) { record in
            [
                ("type", record.type?.json),
                ("amountChange", record.amountChange?.json),
                ("timestamp", record.timestamp?.json),
                ("note", record.note?.json),
                ("employee", record.employee?.json),
                ("device", record.device?.json),
                ("merchant", record.merchant?.json),
            ]
        }
    }

    private static func customerCase() -> ModelCase {
        ModelCase(name: "customers.Customer", type: Customer.self) { record in
            [
                ("id", record.id?.json),
                ("orderRef", record.orderRef?.json),
                ("firstName", record.firstName?.json),
                ("lastName", record.lastName?.json),
                ("marketingAllowed", record.marketingAllowed?.json),
                ("customerSince", record.customerSince?.json),
                ("orders", record.orders?.json),
                ("addresses", record.addresses?.json),
                ("emailAddresses", record.emailAddresses?.json),
                ("phoneNumbers", record.phoneNumbers?.json),
                ("cards", record.cards?.json),
                ("merchant", record.merchant?.json),
                ("metadata", record.metadata?.json),
            ]
        }
    }

    private static func employeeCase() -> ModelCase {
        ModelCase(name: "employees.Employee", type: Employee.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("nickname", record.nickname?.json),
                ("customId", record.customId?.json),
                ("email", record.email?.json),
                ("inviteSent", record.inviteSent?.json),
                ("claimedTime", record.claimedTime?.json),
                ("deletedTime", record.deletedTime?.json),
                ("pin", record.pin?.json),
                ("unhashedPin", record.unhashedPin?.json),
                ("role", record.role?.json),
                ("roles", record.roles?.json),
                ("isOwner", record.isOwner?.json),
                ("shifts", record.shifts?.json),
                ("payments", record.payments?.json),
                ("orders", record.orders?.json),
                ("employeeCards", record.employeeCards?.json),
                ("merchant", record.merchant?.json),
            ]
        }
    }

    private static func roleCase() -> ModelCase {
        ModelCase(name: "employees.Role", type: Role.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("systemRole", record.systemRole?.json),
                ("employeesRef", record.employeesRef?.json),
                ("merchant", record.merchant?.json),
            ]
        }
    }

    private static func shiftCase() -> ModelCase {
        ModelCase(name: "employees.Shift", type: Shift.self) { record in
            [
                ("id", record.id?.json),
                ("employee", record.employee?.json),
                ("cashTipsCollected", record.cashTipsCollected?.json),
                ("serverBanking", record.serverBanking?.json),
                ("inTime", record.inTime?.json),
                ("overrideInTime", record.overrideInTime?.json),
                ("overrideInEmployee", record.overrideInEmployee?.json),
                ("outTime", record.outTime?.json),
                ("overrideOutTime", record.overrideOutTime?.json),
                ("overrideOutEmployee", record.overrideOutEmployee?.json),
            ]
        }
    }

    private static func hoursSetCase() -> ModelCase {
        ModelCase(name: "hours.HoursSet", type: HoursSet.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("reference", record.reference?.json),
                ("sunday", record.sunday?.json),
                ("monday", record.monday?.json),
                ("tuesday", record.tuesday?.json),
                ("wednesday", record.wednesday?.json),
                ("thursday", record.thursday?.json),
                ("friday", record.friday?.json),
                ("saturday", record.saturday?.json),
            ]
        }
    }

    private static func attributeCase() -> ModelCase {
        ModelCase(name: "inventory.Attribute", type: Attribute.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("itemGroup", record.itemGroup?.json),
                ("options", record.options?.json),
            ]
        }
    }

    private static func categoryCase() -> ModelCase {
        ModelCase(name: "inventory.Category", type: Category.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("sortOrder", record.sortOrder?.json),
                ("items", record.items?.json),
                ("deleted", record.deleted?.json),
                ("modifiedTime", record.modifiedTime?.json),
                ("canonical", record.canonical?.json),
                ("menuSection", record.menuSection?.json),
                ("colorCode", record.colorCode?.json),
            ]
        }
    }

    private static func itemCase() -> ModelCase {
        ModelCase(name: "inventory.Item", type: Item.self) { record in
            [
                ("id", record.id?.json),
                ("hidden", record.hidden?.json),
                ("itemGroup", record.itemGroup?.json),
                ("name", record.name?.json),
                ("alternateName", record.alternateName?.json),
                ("code", record.code?.json),
                ("sku", record.sku?.json),
                ("price", record.price?.json),
                ("priceType", record.priceType?.json),
                ("defaultTaxRates", record.defaultTaxRates?.json),
                ("unitName", record.unitName?.json),
                ("cost", record.cost?.json),
                ("isRevenue", record.isRevenue?.json),
                ("stockCount", record.stockCount?.json),
                ("taxRates", record.taxRates?.json),
                ("modifierGroups", record.modifierGroups?.json),
                ("categories", record.categories?.json),
                ("tags", record.tags?.json),
                ("itemStock", record.itemStock?.json),
                ("modifiedTime", record.modifiedTime?.json),
                ("options", record.options?.json),
                ("canonical", record.canonical?.json),
                ("menuItem", record.menuItem?.json),
                ("deletedTime", record.deletedTime?.json),
                ("priceWithoutVat", record.priceWithoutVat?.json),
                ("available", record.available?.json),
                ("autoManage", record.autoManage?.json),
                ("MenuItem", record.MenuItem?.json),
                ("colorCode", record.colorCode?.json),
                ("isAgeRestricted", record.isAgeRestricted?.json),
                ("deleted", record.deleted?.json),
            ]
        }
    }

    private static func itemGroupCase() -> ModelCase {
        ModelCase(name: "inventory.ItemGroup", type: ItemGroup.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("items", record.items?.json),
                ("attributes", record.attributes?.json),
            ]
        }
    }

    private static func itemStockCase() -> ModelCase {
        ModelCase(name: "inventory.ItemStock", type: ItemStock.self) { record in
            [
                ("item", record.item?.json),
                ("stockCount", record.stockCount?.json),
                ("quantity", record.quantity?.json),
                ("modifiedTime", record.modifiedTime?.json),
            ]
        }
    }

    private static func modifierCase() -> ModelCase {
        ModelCase(name: "inventory.Modifier", type: Modifier.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("alternateName", record.alternateName?.json),
                ("price", record.price?.json),
                ("modifierGroup", record.modifierGroup?.json),
                ("menuModifier", record.menuModifier?.json),
                ("available", record.available?.json),
                ("deleted", record.deleted?.json),
                ("modifiedTime", record.modifiedTime?.json),
            ]
        }
    }

    private static func modifierGroupCase() -> ModelCase {
        ModelCase(name: "inventory.ModifierGroup", type: ModifierGroup.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("alternateName", record.alternateName?.json),
                ("minRequired", record.minRequired?.json),
                ("maxAllowed", record.maxAllowed?.json),
                ("showByDefault", record.showByDefault?.json),
                ("modifiers", record.modifiers?.json),
                ("modifierIds", record.modifierIds?.json),
                ("items", record.items?.json),
                ("menuModifierGroup", record.menuModifierGroup?.json),
                ("sortOrder", record.sortOrder?.json),
                ("deleted", record.deleted?.json),
            ]
        }
    }

    private static func optionCase() -> ModelCase {
        ModelCase(name: "inventory.Option", type: Option.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("attribute", record.attribute?.json),
                ("items", record.items?.json),
            ]
        }
    }

    private static func tagCase() -> ModelCase {
        ModelCase(name: "inventory.Tag", type: Tag.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("items", record.items?.json),
                ("printers", record.printers?.json),
                ("showInReporting", record.showInReporting?.json),
            ]
        }
    }

    private static func taxRateCase() -> ModelCase {
        ModelCase(name: "inventory.TaxRate", type: TaxRate.self) { record in
            [
                ("id", record.id?.json),
                ("lineItemRef", record.lineItemRef?.json),
                ("name", record.name?.json),
                ("rate", record.rate?.json),
                ("isDefault", record.isDefault?.json),
                ("items", record.items?.json),
                ("taxType", record.taxType?.json),
                ("taxAmount", record.taxAmount?.json),
                ("deletedTime", record.deletedTime?.json),
                ("modifiedTime", record.modifiedTime?.json),
            ]
        }
    }

    private static func gatewayCase() -> ModelCase {
        ModelCase(name: "merchant.Gateway", type: Gateway.self) { record in
            [
                ("paymentProcessorName", record.paymentProcessorName?.json),
                ("authorizationFrontEnd", record.authorizationFrontEnd?.json),
                ("acquiringBackEnd", record.acquiringBackEnd?.json),
                ("paymentGatewayApi", record.paymentGatewayApi?.json),
                ("accountName", record.accountName?.json),
                ("mid", record.mid?.json),
                ("tid", record.tid?.json),
                ("storeId", record.storeId?.json),
                ("supportsTipping", record.supportsTipping?.json),
                ("frontendMid", record.frontendMid?.json),
                ("backendMid", record.backendMid?.json),
                ("supportsTipAdjust", record.supportsTipAdjust?.json),
                ("supportsNakedCredit", record.supportsNakedCredit?.json),
                ("supportsMultiPayToken", record.supportsMultiPayToken?.json),
                ("keyPrefix", record.keyPrefix?.json),
                ("keyInfo", record.keyInfo?.json),
                ("closingTime", record.closingTime?.json),
                ("newBatchCloseEnabled", record.newBatchCloseEnabled?.json),
                ("altMid", record.altMid?.json),
                ("fns", record.fns?.json),
                ("mcc", record.mcc?.json),
                ("tokenType", record.tokenType?.json),
                ("groupId", record.groupId?.json),
                ("debitKeyCode", record.debitKeyCode?.json),
                ("sredCode", record.sredCode?.json),
                ("supportsPreauthOverage", record.supportsPreauthOverage?.json),
                ("production", record.production?.json),
            ]
        }
    }

    private static func merchantCase() -> ModelCase {
        ModelCase(name: "merchant.Merchant", type: Merchant.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("owner", record.owner?.json),
                ("address", record.address?.json),
                ("merchantPlan", record.merchantPlan?.json),
                ("defaultCurrency", record.defaultCurrency?.json),
                ("phoneNumber", record.phoneNumber?.json),
                ("website", record.website?.json),
                ("logos", record.logos?.json),
                ("createdTime", record.createdTime?.json),
                ("properties", record.properties?.json),
                ("gateway", record.gateway?.json),
                ("tipSuggestions", record.tipSuggestions?.json),
                ("employees", record.employees?.json),
                ("items", record.items?.json),
                ("tags", record.tags?.json),
                ("tenders", record.tenders?.json),
                ("shifts", record.shifts?.json),
                ("orders", record.orders?.json),
                ("payments", record.payments?.json),
                ("taxRates", record.taxRates?.json),
                ("printers", record.printers?.json),
                ("modifierGroups", record.modifierGroups?.json),
                ("orderTypes", record.orderTypes?.json),
                ("reseller", record.reseller?.json),
                ("opening_hours", record.openingHours?.json),
                ("businessTypeCode", record.businessTypeCode?.json),
                ("isBillable", record.isBillable?.json),
                ("devices", record.devices?.json),
                ("merchantGroups", record.merchantGroups?.json),
                ("customerContactEmail", record.customerContactEmail?.json),
                ("billingInfo", record.billingInfo?.json),
                ("partnerApp", record.partnerApp?.json),
                ("accountType", record.accountType?.json),
                ("bankProcessing", record.bankProcessing?.json),
                ("merchantBoarding", record.merchantBoarding?.json),
                ("hierarchy", record.hierarchy?.json),
                ("externalMerchants", record.externalMerchants?.json),
                ("programExpresses", record.programExpresses?.json),
                ("deviceBoardings", record.deviceBoardings?.json),
                ("selfBoardingApplication", record.selfBoardingApplication?.json),
                ("deviceBundleStates", record.deviceBundleStates?.json),
                ("equipment", record.equipment?.json),
                ("enterprises", record.enterprises?.json),
                ("compliances", record.compliances?.json),
            ]
        }
    }

    private static func merchantPropertiesCase() -> ModelCase {
        ModelCase(name: "merchant.MerchantProperties", type: MerchantProperties.self) { record in
            [
                ("defaultCurrency", record.defaultCurrency?.json),
                ("tipsEnabled", record.tipsEnabled?.json),
                ("receiptProperties", record.receiptProperties?.json),
                ("summaryHour", record.summaryHour?.json),
                ("signatureThreshold", record.signatureThreshold?.json),
                ("hasDefaultEmployee", record.hasDefaultEmployee?.json),
                ("tipRateDefault", record.tipRateDefault?.json),
                ("onPaperTipSignatures", record.onPaperTipSignatures?.json),
                ("autoLogout", record.autoLogout?.json),
                ("orderTitle", record.orderTitle?.json),
                ("orderTitleMax", record.orderTitleMax?.json),
                ("resetOnReportingTime", record.resetOnReportingTime?.json),
                ("notesOnOrders", record.notesOnOrders?.json),
                ("deleteOrders", record.deleteOrders?.json),
                ("removeTaxEnabled", record.removeTaxEnabled?.json),
                ("groupLineItems", record.groupLineItems?.json),
                ("alternateInventoryNames", record.alternateInventoryNames?.json),
                ("autoPrint", record.autoPrint?.json),
                ("hardwareProfile", record.hardwareProfile?.json),
                ("infoleaseSuppressBilling", record.infoleaseSuppressBilling?.json),
                ("infoleaseSuppressPlanBilling", record.infoleaseSuppressPlanBilling?.json),
                ("shippingAddress", record.shippingAddress?.json),
                ("marketingEnabled", record.marketingEnabled?.json),
                ("marketingPreferenceText", record.marketingPreferenceText?.json),
                ("bankMarker", record.bankMarker?.json),
                ("supportPhone", record.supportPhone?.json),
                ("supportEmail", record.supportEmail?.json),
                ("manualCloseout", record.manualCloseout?.json),
                ("showCloseoutOrders", record.showCloseoutOrders?.json),
                ("sendCloseoutEmail", record.sendCloseoutEmail?.json),
                ("stayInCategory", record.stayInCategory?.json),
                ("locale", record.locale?.json),
                ("timezone", record.timezone?.json),
                ("vat", record.vat?.json),
                ("vatTaxName", record.vatTaxName?.json),
                ("appBillingSystem", record.appBillingSystem?.json),
                ("abaAccountNumber", record.abaAccountNumber?.json),
                ("ddaAccountNumber", record.ddaAccountNumber?.json),
                ("trackStock", record.trackStock?.json),
                ("updateStock", record.updateStock?.json),
                ("allowClockOutWithOpenOrders", record.allowClockOutWithOpenOrders?.json),
                ("logInClockInPrompt", record.logInClockInPrompt?.json),
                ("accountType", record.accountType?.json),
                ("businessTypeCode", record.businessTypeCode?.json),
                ("pinLength", record.pinLength?.json),
                ("cashBackEnabled", record.cashBackEnabled?.json),
                ("cashBackOptions", record.cashBackOptions?.json),
                ("maxCashBack", record.maxCashBack?.json),
                ("hierarchy", record.hierarchy?.json),
                ("hasConsented", record.hasConsented?.json),
                ("merchantRef", record.merchantRef?.json),
                ("maxTipPercentage", record.maxTipPercentage?.json),
                ("noSignatureProgramEligible", record.noSignatureProgramEligible?.json),
                ("manualCloseoutPerDevice", record.manualCloseoutPerDevice?.json),
                ("autoCloseoutTimezone", record.autoCloseoutTimezone?.json),
                ("merchantBoardingStatus", record.merchantBoardingStatus?.json),
                ("alwaysRequireSignature", record.alwaysRequireSignature?.json),
                ("printedFirstDataReceiptLogoEnabled", record.printedFirstDataReceiptLogoEnabled?.json),
                ("privacyPolicyMode", record.privacyPolicyMode?.json),
                ("merchantPrivacyPolicyUrl", record.merchantPrivacyPolicyUrl?.json),
                ("disablePrintTaxesPaymentOnReceipts", record.disablePrintTaxesPaymentOnReceipts?.json),
                ("processingRestrictions", record.processingRestrictions?.json),
                ("limpModeAllowed2", record.limpModeAllowed2?.json),
            ]
        }
    }

    private static func tipSuggestionCase() -> ModelCase {
        ModelCase(name: "merchant.TipSuggestion", type: TipSuggestion.self) { record in
            [
                ("id", record.id?.json),
                ("name", record.name?.json),
                ("percentage", record.percentage?.json),
                ("isEnabled", record.isEnabled?.json),
                ("amount", record.amount?.json),
            ]
        }
    }

    private static func orderDiscountCase() -> ModelCase {
        ModelCase(name: "order.Discount", type: OrderDiscount.self) { record in
            [
                ("id", record.id?.json),
                ("orderRef", record.orderRef?.json),
                ("lineItemRef", record.lineItemRef?.json),
                ("discount", record.discount?.json),
                ("name", record.name?.json),
                ("amount", record.amount?.json),
                ("percentage", record.percentage?.json),
                ("approver", record.approver?.json),
                ("percentageDecimal", record.percentageDecimal?.json),
                ("discType", record.discType?.json),
            ]
        }
    }

    private static func lineItemCase() -> ModelCase {
        ModelCase(name: "order.LineItem", type: LineItem.self) { record in
            [
                ("id", record.id?.json),
                ("orderRef", record.orderRef?.json),
                ("item", record.item?.json),
                ("name", record.name?.json),
                ("alternateName", record.alternateName?.json),
                ("price", record.price?.json),
                ("unitQty", record.unitQty?.json),
                ("unitName", record.unitName?.json),
                ("itemCode", record.itemCode?.json),
                ("note", record.note?.json),
                ("printed", record.printed?.json),
                ("exchangedLineItem", record.exchangedLineItem?.json),
                ("binName", record.binName?.json),
                ("userData", record.userData?.json),
                ("createdTime", record.createdTime?.json),
                ("orderClientCreatedTime", record.orderClientCreatedTime?.json),
                ("discounts", record.discounts?.json),
                ("discountAmount", record.discountAmount?.json),
                ("exchanged", record.exchanged?.json),
                ("modifications", record.modifications?.json),
                ("refunded", record.refunded?.json),
                ("isRevenue", record.isRevenue?.json),
                ("taxRates", record.taxRates?.json),
                ("payments", record.payments?.json),
                ("priceWithModifiers", record.priceWithModifiers?.json),
                ("priceWithModifiersAndItemAndOrderDiscounts", record.priceWithModifiersAndItemAndOrderDiscounts?.json),
                ("orderLevelDiscounts", record.orderLevelDiscounts?.json),
                ("orderLevelDiscountAmount", record.orderLevelDiscountAmount?.json),
                ("tags", record.tags?.json),
                ("refund", record.refund?.json),
                ("revenueAmount", record.revenueAmount?.json),
                ("quantitySold", record.quantitySold?.json),
                ("printGroup", record.printGroup?.json),
                ("isOrderFee", record.isOrderFee?.json),
                ("orderFee", record.orderFee?.json),
                ("percentage", record.percentage?.json),
                ("isAgeRestricted", record.isAgeRestricted?.json),
                ("ageRestrictedType", record.ageRestrictedType?.json),
                ("minimumAge", record.minimumAge?.json),
                ("colorCode", record.colorCode?.json),
            ]
        }
    }

    private static func orderCase() -> ModelCase {
        ModelCase(name: "order.Order", type: Order.self) { record in
            [
                ("id", record.id?.json),
                ("currency", record.currency?.json),
                ("customers", record.customers?.json),
                ("employee", record.employee?.json),
                ("total", record.total?.json),
                ("title", record.title?.json),
                ("note", record.note?.json),
                ("orderType", record.orderType?.json),
                ("taxRemoved", record.taxRemoved?.json),
                ("isVat", record.isVat?.json),
                ("state", record.state?.json),
                ("manualTransaction", record.manualTransaction?.json),
                ("groupLineItems", record.groupLineItems?.json),
                ("testMode", record.testMode?.json),
                ("payType", record.payType?.json),
                ("createdTime", record.createdTime?.json),
                ("clientCreatedTime", record.clientCreatedTime?.json),
                ("modifiedTime", record.modifiedTime?.json),
                ("deletedTimestamp", record.deletedTimestamp?.json),
                ("serviceCharge", record.serviceCharge?.json),
                ("discounts", record.discounts?.json),
                ("lineItems", record.lineItems?.json),
                ("taxRates", record.taxRates?.json),
                ("payments", record.payments?.json),
                ("refunds", record.refunds?.json),
                ("credits", record.credits?.json),
                ("voids", record.voids?.json),
                ("device", record.device?.json),
                ("customerId", record.customerId?.json),
                ("customerUuid", record.customerUuid?.json),
                ("orderTypeId", record.orderTypeId?.json),
                ("externalReferenceId", record.externalReferenceId?.json),
                ("unpaidBalance", record.unpaidBalance?.json),
                ("paymentState", record.paymentState?.json),
                ("preAuths", record.preAuths?.json),
                ("authorizations", record.authorizations?.json),
                ("merchant", record.merchant?.json),
                ("onlineOrder", record.onlineOrder?.json),
                ("printGroups", record.printGroups?.json),
                ("additionalCharges", record.additionalCharges?.json),
                ("orderFulfillmentEvent", record.orderFulfillmentEvent?.json),
            ]
        }
    }

    private static func orderTypeCase() -> ModelCase {
        ModelCase(name: "order.OrderType", type: OrderType.self) { record in
            [
                ("id", record.id?.json),
                ("labelKey", record.labelKey?.json),
                ("label", record.label?.json),
                ("taxable", record.taxable?.json),
                ("isDefault", record.isDefault?.json),
                ("filterCategories", record.filterCategories?.json),
                ("isHidden", record.isHidden?.json),
                ("fee", record.fee?.json),
                ("minOrderAmount", record.minOrderAmount?.json),
                ("maxOrderAmount", record.maxOrderAmount?.json),
                ("maxRadius", record.maxRadius?.json),
                ("avgOrderTime", record.avgOrderTime?.json),
                ("hoursAvailable", record.hoursAvailable?.json),
                ("customerIdMethod", record.customerIdMethod?.json),
                ("isDeleted", record.isDeleted?.json),
                ("systemOrderTypeId", record.systemOrderTypeId?.json),
                ("hours", record.hours?.json),
                ("categories", record.categories?.json),
                ("systemOrderTypeDatabaseId", record.systemOrderTypeDatabaseId?.json),
                ("onlineOrderServices", record.onlineOrderServices?.json),
            ]
        }
    }

    private static func systemOrderTypeCase() -> ModelCase {
        ModelCase(name: "order.SystemOrderType", type: SystemOrderType.self) { record in
            [
                ("id", record.id?.json),
                ("labelKey", record.labelKey?.json),
                ("isQsr", record.isQsr?.json),
                ("isFsr", record.isFsr?.json),
                ("isRetail", record.isRetail?.json),
            ]
        }
    }

    private static func authorizationCase() -> ModelCase {
        ModelCase(name: "payments.Authorization", type: Authorization.self) { record in
            [
                ("id", record.id?.json),
                ("payment", record.payment?.json),
                ("tabName", record.tabName?.json),
                ("amount", record.amount?.json),
                ("cardType", record.cardType?.json),
                ("last4", record.last4?.json),
                ("authcode", record.authcode?.json),
                ("type", record.type?.json),
                ("note", record.note?.json),
                ("closingPayment", record.closingPayment?.json),
                ("createdTime", record.createdTime?.json),
                ("token", record.token?.json),
                ("externalReferenceId", record.externalReferenceId?.json),
                ("additionalCharges", record.additionalCharges?.json),
            ]
        }
    }

    private static func creditCase() -> ModelCase {
        ModelCase(name: "payments.Credit", type: Credit.self) { record in
            [
                ("id", record.id?.json),
                ("orderRef", record.orderRef?.json),
                ("device", record.device?.json),
                ("tender", record.tender?.json),
                ("employee", record.employee?.json),
                ("customers", record.customers?.json),
                ("amount", record.amount?.json),
                ("taxAmount", record.taxAmount?.json),
                ("taxRates", record.taxRates?.json),
                ("createdTime", record.createdTime?.json),
                ("clientCreatedTime", record.clientCreatedTime?.json),
                ("cardTransaction", record.cardTransaction?.json),
                ("voided", record.voided?.json),
                ("voidReason", record.voidReason?.json),
                ("dccInfo", record.dccInfo?.json),
                ("transactionSettings", record.transactionSettings?.json),
                ("creditRefunds", record.creditRefunds?.json),
                ("germanInfo", record.germanInfo?.json),
                ("appTracking", record.appTracking?.json),
                ("result", record.result?.json),
                ("transactionInfo", record.transactionInfo?.json),
                ("merchant", record.merchant?.json),
                ("externalReferenceId", record.externalReferenceId?.json),
            ]
        }
    }

    private static func paymentCase() -> ModelCase {
        ModelCase(name: "payments.Payment", type: Payment.self) { record in
            [
                ("id", record.id?.json),
                ("order", record.order?.json),
                ("device", record.device?.json),
                ("tender", record.tender?.json),
                ("amount", record.amount?.json),
                ("tipAmount", record.tipAmount?.json),
                ("taxAmount", record.taxAmount?.json),
                ("cashbackAmount", record.cashbackAmount?.json),
                ("cashTendered", record.cashTendered?.json),
                ("externalPaymentId", record.externalPaymentId?.json),
                ("employee", record.employee?.json),
                ("createdTime", record.createdTime?.json),
                ("clientCreatedTime", record.clientCreatedTime?.json),
                ("modifiedTime", record.modifiedTime?.json),
                ("offline", record.offline?.json),
                ("result", record.result?.json),
                ("cardTransaction", record.cardTransaction?.json),
                ("serviceCharge", record.serviceCharge?.json),
                ("taxRates", record.taxRates?.json),
                ("refunds", record.refunds?.json),
                ("note", record.note?.json),
                ("lineItemPayments", record.lineItemPayments?.json),
                ("voidReason", record.voidReason?.json),
                ("attributes", record.attributes?.json),
                ("additionalCharges", record.additionalCharges?.json),
                ("authorization", record.authorization?.json),
                ("voidPaymentRef", record.voidPaymentRef?.json),
                ("dccInfo", record.dccInfo?.json),
                ("transactionSettings", record.transactionSettings?.json),
                ("germanInfo", record.germanInfo?.json),
                ("appTracking", record.appTracking?.json),
                ("cashAdvanceExtra", record.cashAdvanceExtra?.json),
                ("transactionInfo", record.transactionInfo?.json),
                ("signatureDisclaimer", record.signatureDisclaimer?.json),
                ("externalReferenceId", record.externalReferenceId?.json),
                ("merchant", record.merchant?.json),
                ("increments", record.increments?.json),
                ("purchaseCardL2", record.purchaseCardL2?.json),
                ("gatewayProcessingTime", record.gatewayProcessingTime?.json),
                ("voidReasonDetails", record.voidReasonDetails?.json),
                ("purchaseCardL3", record.purchaseCardL3?.json),
                ("oceanGatewayInfo", record.oceanGatewayInfo?.json),
                ("terminalManagementComponents", record.terminalManagementComponents?.json),
                ("emiInfo", record.emiInfo?.json),
            ]
        }
    }

    private static func refundCase() -> ModelCase {
        ModelCase(name: "payments.Refund", type: Refund.self) { record in
            [
                ("id", record.id?.json),
                ("orderRef", record.orderRef?.json),
                ("device", record.device?.json),
                ("amount", record.amount?.json),
                ("taxAmount", record.taxAmount?.json),
                ("createdTime", record.createdTime?.json),
                ("clientCreatedTime", record.clientCreatedTime?.json),
                ("payment", record.payment?.json),
                ("employee", record.employee?.json),
                ("lineItems", record.lineItems?.json),
                ("overrideMerchantTender", record.overrideMerchantTender?.json),
                ("taxableAmountRates", record.taxableAmountRates?.json),
                ("serviceChargeAmount", record.serviceChargeAmount?.json),
                ("tipAmount", record.tipAmount?.json),
                ("additionalCharges", record.additionalCharges?.json),
                ("germanInfo", record.germanInfo?.json),
                ("appTracking", record.appTracking?.json),
                ("voided", record.voided?.json),
                ("voidReason", record.voidReason?.json),
                ("cardTransaction", record.cardTransaction?.json),
                ("transactionInfo", record.transactionInfo?.json),
                ("merchant", record.merchant?.json),
                ("externalReferenceId", record.externalReferenceId?.json),
                ("status", record.status?.json),
                ("deletedTime", record.deletedTime?.json),
                ("gatewayProcessingTime", record.gatewayProcessingTime?.json),
                ("authCode", record.authCode?.json),
                ("reason", record.reason?.json),
                ("attributes", record.attributes?.json),
            ]
        }
    }
}
