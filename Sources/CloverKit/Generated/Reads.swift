// Made by Scripts/generate-kit from Catalogue/endpoints.json. Change that file, then run `make docs`.
// swift-format-ignore-file

extension Shop {
    /// `GET /v3/merchants/{mId}`, the first SDK's `getMerchant`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let merchant = try await shop.merchant(expand: [\.employees])
    /// print(merchant.name ?? "", merchant.employees?.count ?? 0)
    /// ```
    ///
    /// - Parameter expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func merchant(expand: [PartialKeyPath<Merchant.Fields>] = []) async throws -> Merchant {
        try await record(["v3", "merchants", merchantID], expand)
    }

    /// `GET /v3/merchants/{mId}/address`, the first SDK's `getMerchantAddress`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let address = try await shop.address()
    /// print(address.address1 ?? "", address.state ?? "")
    /// ```
    ///
    /// - Throws: `CloverError`, or `CancellationError`.
    public func address() async throws -> BaseAddress {
        try await record(["v3", "merchants", merchantID, "address"])
    }

    /// `GET /v3/merchants/{mId}/default_service_charge`, the first SDK's `getMerchantDefaultServiceCharge`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let defaultServiceCharge = try await shop.defaultServiceCharge()
    /// print(defaultServiceCharge.name ?? "", defaultServiceCharge.percentageDecimal ?? 0)
    /// ```
    ///
    /// - Throws: `CloverError`, or `CancellationError`.
    public func defaultServiceCharge() async throws -> ServiceCharge {
        try await record(["v3", "merchants", merchantID, "default_service_charge"])
    }

    /// `GET /v3/merchants/{mId}/gateway`, the first SDK's `getMerchantGateway`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let gateway = try await shop.gateway()
    /// print(gateway.paymentProcessorName ?? "", gateway.authorizationFrontEnd ?? "")
    /// ```
    ///
    /// - Throws: `CloverError`, or `CancellationError`.
    public func gateway() async throws -> Gateway {
        try await record(["v3", "merchants", merchantID, "gateway"])
    }

    /// `GET /v3/merchants/{mId}/opening_hours`, the first SDK's `getMerchantOpeningHours`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await hoursSet in shop.openingHours.sort(\.name).limit(10) {
    ///     print(hoursSet.name ?? "", hoursSet.id?.text ?? "")
    /// }
    /// ```
    ///
    /// - Filters: none.
    /// - Sort orders: `\.id`, `\.name`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var openingHours: Records<HoursSet> { records(["v3", "merchants", merchantID, "opening_hours"]) }

    /// `GET /v3/merchants/{mId}/opening_hours/{hId}`, the first SDK's `getMerchantOpeningHour`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let openingHour = try await shop.openingHour("HOURS")
    /// print(openingHour.name ?? "", openingHour.id?.text ?? "")
    /// ```
    ///
    /// - Parameter hours: its id.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func openingHour(_ hours: Identifier<HoursSet>) async throws -> HoursSet {
        try await record(["v3", "merchants", merchantID, "opening_hours", hours.text])
    }

    /// `GET /v3/merchants/{mId}/order_types`, the first SDK's `getMerchantOrderTypes`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await orderType in shop.orderTypes.expand(\.hours) {
    ///     print(orderType.label ?? "", orderType.hours?.name ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.id`.
    /// - Filters that the library applies itself: `\.avgOrderTime`.
    /// - Sort orders: `\.avgOrderTime`, `\.customerIdMethod`, `\.fee`, `\.filterCategories`, `\.hoursAvailable`, `\.id`, `\.isDefault`, `\.isDeleted`, `\.isHidden`, `\.label`, `\.labelKey`, `\.maxOrderAmount`, `\.maxRadius`, `\.minOrderAmount`, `\.systemOrderTypeDatabaseId`, `\.systemOrderTypeId`, `\.taxable`.
    /// - Expansions: `\.hours`, `\.categories`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var orderTypes: Records<OrderType> { records(["v3", "merchants", merchantID, "order_types"]) }

    /// `GET /v3/merchants/{mId}/order_types/{orderTypeId}`, the first SDK's `getMerchantOrderType`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let orderType = try await shop.orderType("ORDERTYPE", expand: [\.categories])
    /// print(orderType.label ?? "", orderType.categories?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - orderType: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func orderType(_ orderType: Identifier<OrderType>, expand: [PartialKeyPath<OrderType.Fields>] = []) async throws -> OrderType {
        try await record(["v3", "merchants", merchantID, "order_types", orderType.text], expand)
    }

    /// `GET /v3/merchants/{mId}/properties`, the first SDK's `getMerchantProperties`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let properties = try await shop.properties()
    /// print(properties.defaultCurrency ?? "", properties.tipsEnabled ?? false)
    /// ```
    ///
    /// - Throws: `CloverError`, or `CancellationError`.
    public func properties() async throws -> MerchantProperties {
        try await record(["v3", "merchants", merchantID, "properties"])
    }

    /// `GET /v3/merchants/{mId}/roles`, the first SDK's `getMerchantRoles`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// for try await role in shop.roles.filter(\.systemRole == "OWNER") {
    ///     print(role.name ?? "", role.systemRole ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.systemRole`, `\.name`, `\.id`.
    /// - Sort orders: `\.id`, `\.name`, `\.systemRole`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var roles: Records<Role> { records(["v3", "merchants", merchantID, "roles"]) }

    /// `GET /v3/merchants/{mId}/roles/{roleId}`, the first SDK's `getMerchantRole`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// let role = try await shop.role("ROLE")
    /// print(role.name ?? "", role.id?.text ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - role: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func role(_ role: Identifier<Role>, expand: [PartialKeyPath<Role.Fields>] = []) async throws -> Role {
        try await record(["v3", "merchants", merchantID, "roles", role.text], expand)
    }

    /// `GET /v3/merchants/{mId}/system_order_types`, the first SDK's `getMerchantSystemOrderTypes`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await systemOrderType in shop.systemOrderTypes {
    ///     print(systemOrderType.labelKey ?? "", systemOrderType.isQsr ?? false)
    /// }
    /// ```
    ///
    /// - Filters: none.
    /// - Sort orders: `\.id`, `\.isFsr`, `\.isQsr`, `\.isRetail`, `\.labelKey`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var systemOrderTypes: Records<SystemOrderType> { records(["v3", "merchants", merchantID, "system_order_types"]) }

    /// `GET /v3/merchants/{mId}/tenders`, the first SDK's `getMerchantTenders`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await tender in shop.tenders.filter(\.visible == true) {
    ///     print(tender.label ?? "", tender.visible ?? false)
    /// }
    /// ```
    ///
    /// - Filters: `\.visible`, `\.label`, `\.id`, `\.labelKey`, `\.opensCashDrawer`, `\.enabled`.
    /// - Sort orders: `\.editable`, `\.enabled`, `\.id`, `\.instructions`, `\.label`, `\.labelKey`, `\.opensCashDrawer`, `\.supportsTipping`, `\.visible`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var tenders: Records<Tender> { records(["v3", "merchants", merchantID, "tenders"]) }

    /// `GET /v3/merchants/{mId}/tenders/{tenderId}`, the first SDK's `getMerchantTender`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let tender = try await shop.tender("TENDER")
    /// print(tender.label ?? "", tender.labelKey ?? "")
    /// ```
    ///
    /// - Parameter tender: its id.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func tender(_ tender: Identifier<Tender>) async throws -> Tender {
        try await record(["v3", "merchants", merchantID, "tenders", tender.text])
    }

    /// `GET /v3/merchants/{mId}/tip_suggestions`, the first SDK's `getMerchantTipSuggestions`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await tipSuggestion in shop.tipSuggestions.filter(\.name == "Good service") {
    ///     print(tipSuggestion.name ?? "", tipSuggestion.amount?.minorUnits ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: `\.percentage`, `\.name`, `\.id`.
    /// - Sort orders: `\.amount`, `\.id`, `\.isEnabled`, `\.name`, `\.percentage`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var tipSuggestions: Records<TipSuggestion> { records(["v3", "merchants", merchantID, "tip_suggestions"]) }

    /// `GET /v3/merchants/{mId}/tip_suggestions/{tId}`, the first SDK's `getMerchantTipSuggestion`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// let tipSuggestion = try await shop.tipSuggestion("TIPSUGGESTION")
    /// print(tipSuggestion.name ?? "", tipSuggestion.percentage ?? 0)
    /// ```
    ///
    /// - Parameter tipSuggestion: its id.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func tipSuggestion(_ tipSuggestion: Identifier<TipSuggestion>) async throws -> TipSuggestion {
        try await record(["v3", "merchants", merchantID, "tip_suggestions", tipSuggestion.text])
    }

    /// `GET /v3/merchants/{mId}/cash_events`, the first SDK's `getMerchantCashEvents`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await cashEvent in shop.cashEvents.filter(\.employee.id == "EMPLOYEE") {
    ///     print(cashEvent.amountChange?.minorUnits ?? 0, cashEvent.employee?.name ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.employee.id`, `\.note`, `\.amountChange`, `\.employee.name`, `\.type`, `\.device.id`, `\.timestamp`.
    /// - Sort orders: `\.amountChange`, `\.note`, `\.timestamp`, `\.type`, `\.employee.id`, `\.employee.name`, `\.device.id`.
    /// - Expansions: `\.employee`, `\.device`, `\.employee.roles`, `\.employee.shifts`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var cashEvents: Records<CashEvent> { records(["v3", "merchants", merchantID, "cash_events"]) }

    /// `GET /v3/merchants/{mId}/devices/{deviceId}/cash_events`, the first SDK's `getMerchantDeviceCashEvents`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await cashEvent in shop.deviceCashEvents(device: "DEVICE").expand(\.employee) {
    ///     print(cashEvent.amountChange?.minorUnits ?? 0, cashEvent.employee?.name ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.employee.id`, `\.note`, `\.amountChange`, `\.employee.name`, `\.type`, `\.device.id`, `\.timestamp`.
    /// - Sort orders: `\.amountChange`, `\.note`, `\.timestamp`, `\.type`, `\.employee.id`, `\.employee.name`, `\.device.id`.
    /// - Expansions: `\.employee`, `\.device`, `\.employee.roles`, `\.employee.shifts`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter device: its id.
    public func deviceCashEvents(device: Identifier<Device>) -> Records<CashEvent> { records(["v3", "merchants", merchantID, "devices", device.text, "cash_events"]) }

    /// `GET /v3/merchants/{mId}/employees/{empId}/cash_events`, the first SDK's `getMerchantEmployeeCashEvents`. Needs the permission `MERCHANT_R`.
    ///
    /// ```swift
    /// for try await cashEvent in shop.employeeCashEvents(employee: "EMPLOYEE").sort(\.amountChange, .descending).limit(10) {
    ///     print(cashEvent.amountChange?.minorUnits ?? 0, cashEvent.note ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.employee.id`, `\.note`, `\.amountChange`, `\.employee.name`, `\.type`, `\.device.id`, `\.timestamp`.
    /// - Sort orders: `\.amountChange`, `\.note`, `\.timestamp`, `\.type`, `\.employee.id`, `\.employee.name`, `\.device.id`.
    /// - Expansions: `\.employee`, `\.device`, `\.employee.roles`, `\.employee.shifts`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter employee: its id.
    public func employeeCashEvents(employee: Identifier<Employee>) -> Records<CashEvent> { records(["v3", "merchants", merchantID, "employees", employee.text, "cash_events"]) }

    /// `GET /v3/merchants/{mId}/customers`, the first SDK's `getMerchantCustomers`. Needs the permission `CUSTOMERS_R`.
    ///
    /// ```swift
    /// import Foundation
    /// let dayAgo = Timestamp(Date.now.addingTimeInterval(-86_400))
    /// for try await customer in shop.customers.filter(\.customerSince >= dayAgo) {
    ///     print(customer.firstName ?? "", customer.customerSince?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: `\.customerSince`, `\.firstName`, `\.lastName`, `\.marketingAllowed`, `\.id`.
    /// - Sort orders: `\.customerSince`, `\.firstName`, `\.id`, `\.lastName`, `\.marketingAllowed`.
    /// - Expansions: `\.addresses`, `\.emailAddresses`, `\.phoneNumbers`, `\.cards`, `\.metadata`, `\.orders`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var customers: Records<Customer> { records(["v3", "merchants", merchantID, "customers"]) }

    /// `GET /v3/merchants/{mId}/customers/{customerId}`, the first SDK's `getMerchantCustomer`. Needs the permission `CUSTOMERS_R`.
    ///
    /// ```swift
    /// let customer = try await shop.customer("CUSTOMER", expand: [\.emailAddresses])
    /// print(customer.firstName ?? "", customer.emailAddresses?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - customer: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func customer(_ customer: Identifier<Customer>, expand: [PartialKeyPath<Customer.Fields>] = []) async throws -> Customer {
        try await record(["v3", "merchants", merchantID, "customers", customer.text], expand)
    }

    /// `GET /v3/merchants/{mId}/employees`, the first SDK's `getMerchantEmployees`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// for try await employee in shop.employees.filter(\.role == "OWNER") {
    ///     print(employee.name ?? "", employee.role ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.role`, `\.customId`, `\.name`, `\.nickname`, `\.id`, `\.deletedTime`, `\.email`, `\.pin`.
    /// - Filters that the library applies itself: `\.claimedTime`.
    /// - Sort orders: `\.claimedTime`, `\.customId`, `\.deletedTime`, `\.email`, `\.id`, `\.inviteSent`, `\.isOwner`, `\.name`, `\.nickname`, `\.pin`, `\.role`, `\.unhashedPin`.
    /// - Expansions: `\.roles`, `\.shifts`, `\.shifts.employee`, `\.shifts.overrideInEmployee`, `\.shifts.overrideOutEmployee`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var employees: Records<Employee> { records(["v3", "merchants", merchantID, "employees"]) }

    /// `GET /v3/merchants/{mId}/employees/{empId}`, the first SDK's `getMerchantEmployee`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// let employee = try await shop.employee("EMPLOYEE", expand: [\.shifts])
    /// print(employee.name ?? "", employee.shifts?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - employee: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func employee(_ employee: Identifier<Employee>, expand: [PartialKeyPath<Employee.Fields>] = []) async throws -> Employee {
        try await record(["v3", "merchants", merchantID, "employees", employee.text], expand)
    }

    /// `GET /v3/merchants/{mId}/employees/{empId}/orders`, the first SDK's `getMerchantEmployeeOrders`. Needs the permission `ORDERS_R`.
    ///
    /// ```swift
    /// import Foundation
    /// let dayAgo = Timestamp(Date.now.addingTimeInterval(-86_400))
    /// for try await order in shop.employeeOrders(employee: "EMPLOYEE").filter(\.createdTime >= dayAgo) {
    ///     print(order.total?.minorUnits ?? 0, order.createdTime?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: `\.createdTime`.
    /// - Sort orders: `\.clientCreatedTime`, `\.createdTime`, `\.currency`, `\.customerId`, `\.customerUuid`, `\.deletedTimestamp`, `\.externalReferenceId`, `\.groupLineItems`, `\.id`, `\.isVat`, `\.manualTransaction`, `\.modifiedTime`, `\.note`, `\.orderTypeId`, `\.payType`, `\.paymentState`, `\.state`, `\.taxRemoved`, `\.testMode`, `\.title`, `\.total`, `\.unpaidBalance`.
    /// - Expansions: `\.lineItems`, `\.serviceCharge`, `\.discounts`, `\.credits`, `\.payments`, `\.customers`, `\.orderFulfillmentEvent`, `\.refunds`, `\.lineItems.discounts`, `\.lineItems.modifications`, `\.lineItems.payments`, `\.lineItems.taxRates`, `\.credits.appTracking`, `\.credits.cardTransaction`, `\.credits.dccInfo`, `\.credits.employee`, `\.credits.germanInfo`, `\.credits.taxRates`, `\.credits.tender`, `\.credits.transactionInfo`, `\.payments.additionalCharges`, `\.payments.appTracking`, `\.payments.cardTransaction`, `\.payments.dccInfo`, `\.payments.employee`, `\.payments.externalReferenceId`, `\.payments.germanInfo`, `\.payments.lineItemPayments`, `\.payments.oceanGatewayInfo`, `\.payments.order`, `\.payments.refunds`, `\.payments.taxRates`, `\.payments.tender`, `\.payments.transactionInfo`, `\.customers.addresses`, `\.customers.cards`, `\.customers.emailAddresses`, `\.customers.metadata`, `\.customers.phoneNumbers`, `\.refunds.appTracking`, `\.refunds.employee`, `\.refunds.germanInfo`, `\.refunds.lineItems`, `\.refunds.overrideMerchantTender`, `\.refunds.payment`, `\.refunds.transactionInfo`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter employee: its id.
    public func employeeOrders(employee: Identifier<Employee>) -> Records<Order> { records(["v3", "merchants", merchantID, "employees", employee.text, "orders"]) }

    /// `GET /v3/merchants/{mId}/employees/{empId}/payments`, the first SDK's `getMerchantEmployeePayments`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// import Foundation
    /// let dayAgo = Timestamp(Date.now.addingTimeInterval(-86_400))
    /// for try await payment in shop.employeePayments(employee: "EMPLOYEE").filter(\.modifiedTime >= dayAgo) {
    ///     print(payment.amount?.minorUnits ?? 0, payment.modifiedTime?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.device.id`, `\.externalReferenceId`, `\.result`, `\.offline`, `\.createdTime`, `\.externalPaymentId`, `\.id`, `\.tender.id`, `\.employee.id`, `\.order.modifiedTime`, `\.amount`, `\.clientCreatedTime`.
    /// - Sort orders: `\.amount`, `\.cashTendered`, `\.cashbackAmount`, `\.clientCreatedTime`, `\.createdTime`, `\.externalPaymentId`, `\.externalReferenceId`, `\.gatewayProcessingTime`, `\.id`, `\.modifiedTime`, `\.note`, `\.offline`, `\.result`, `\.taxAmount`, `\.tipAmount`, `\.voidReason`, `\.device.id`, `\.tender.id`, `\.employee.id`, `\.order.modifiedTime`.
    /// - Expansions: `\.tender`, `\.germanInfo`, `\.lineItemPayments`, `\.cardTransaction`, `\.dccInfo`, `\.employee`, `\.refunds`, `\.transactionInfo`, `\.externalReferenceId`, `\.oceanGatewayInfo`, `\.taxRates`, `\.additionalCharges`, `\.appTracking`, `\.order`, `\.refunds.appTracking`, `\.refunds.employee`, `\.refunds.germanInfo`, `\.refunds.lineItems`, `\.refunds.overrideMerchantTender`, `\.refunds.payment`, `\.refunds.transactionInfo`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter employee: its id.
    public func employeePayments(employee: Identifier<Employee>) -> Records<Payment> { records(["v3", "merchants", merchantID, "employees", employee.text, "payments"]) }

    /// `GET /v3/merchants/{mId}/employees/{empId}/shifts`, the first SDK's `getMerchantEmployeeShifts`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// for try await shift in shop.employeeShifts(employee: "EMPLOYEE").expand(\.overrideInEmployee) {
    ///     print(shift.inTime?.date ?? .distantPast, shift.overrideInEmployee?.name ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.employee.id`, `\.employee.name`, `\.id`.
    /// - Filters that the library applies itself: `\.inTime`, `\.overrideInTime`, `\.outTime`, `\.overrideOutTime`.
    /// - Sort orders: `\.cashTipsCollected`, `\.id`, `\.inTime`, `\.outTime`, `\.overrideInTime`, `\.overrideOutTime`, `\.serverBanking`, `\.employee.id`, `\.employee.name`.
    /// - Expansions: `\.employee`, `\.overrideInEmployee`, `\.overrideOutEmployee`, `\.employee.roles`, `\.employee.shifts`, `\.overrideInEmployee.roles`, `\.overrideInEmployee.shifts`, `\.overrideOutEmployee.roles`, `\.overrideOutEmployee.shifts`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter employee: its id.
    public func employeeShifts(employee: Identifier<Employee>) -> Records<Shift> { records(["v3", "merchants", merchantID, "employees", employee.text, "shifts"]) }

    /// `GET /v3/merchants/{mId}/employees/{empId}/shifts/{shiftId}`, the first SDK's `getMerchantEmployeeShift`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// let employeeShift = try await shop.employeeShift(employee: "EMPLOYEE", shift: "SHIFT", expand: [\.overrideOutEmployee])
    /// print(employeeShift.inTime?.date ?? .distantPast, employeeShift.overrideOutEmployee?.name ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - employee: its id.
    ///   - shift: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func employeeShift(employee: Identifier<Employee>, shift: Identifier<Shift>, expand: [PartialKeyPath<Shift.Fields>] = []) async throws -> Shift {
        try await record(["v3", "merchants", merchantID, "employees", employee.text, "shifts", shift.text], expand)
    }

    /// `GET /v3/merchants/{mId}/shifts`, the first SDK's `getMerchantShifts`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// for try await shift in shop.shifts.sort(\.inTime, .descending).limit(10) {
    ///     print(shift.inTime?.date ?? .distantPast, shift.serverBanking ?? false)
    /// }
    /// ```
    ///
    /// - Filters: `\.employee.id`, `\.employee.name`, `\.id`.
    /// - Filters that the library applies itself: `\.inTime`, `\.overrideInTime`, `\.outTime`, `\.overrideOutTime`.
    /// - Sort orders: `\.cashTipsCollected`, `\.id`, `\.inTime`, `\.outTime`, `\.overrideInTime`, `\.overrideOutTime`, `\.serverBanking`, `\.employee.id`, `\.employee.name`.
    /// - Expansions: `\.employee`, `\.overrideInEmployee`, `\.overrideOutEmployee`, `\.employee.roles`, `\.employee.shifts`, `\.overrideInEmployee.roles`, `\.overrideInEmployee.shifts`, `\.overrideOutEmployee.roles`, `\.overrideOutEmployee.shifts`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var shifts: Records<Shift> { records(["v3", "merchants", merchantID, "shifts"]) }

    /// `GET /v3/merchants/{mId}/shifts/{shiftId}`, the first SDK's `getMerchantShift`. Needs the permission `EMPLOYEES_R`.
    ///
    /// ```swift
    /// let shift = try await shop.shift("SHIFT", expand: [\.employee])
    /// print(shift.inTime?.date ?? .distantPast, shift.employee?.name ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - shift: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func shift(_ shift: Identifier<Shift>, expand: [PartialKeyPath<Shift.Fields>] = []) async throws -> Shift {
        try await record(["v3", "merchants", merchantID, "shifts", shift.text], expand)
    }

    /// `GET /v3/merchants/{mId}/attributes`, the first SDK's `getMerchantAttributes`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await attribute in shop.attributes.filter(\.name == "Size") {
    ///     print(attribute.name ?? "", attribute.id?.text ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.name`, `\.id`, `\.itemGroup.id`.
    /// - Sort orders: `\.id`, `\.name`, `\.itemGroup.id`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var attributes: Records<Attribute> { records(["v3", "merchants", merchantID, "attributes"]) }

    /// `GET /v3/merchants/{mId}/attributes/{attributeId}`, the first SDK's `getMerchantAttribute`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let attribute = try await shop.attribute("ATTRIBUTE")
    /// print(attribute.name ?? "", attribute.id?.text ?? "")
    /// ```
    ///
    /// - Parameter attribute: its id.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func attribute(_ attribute: Identifier<Attribute>) async throws -> Attribute {
        try await record(["v3", "merchants", merchantID, "attributes", attribute.text])
    }

    /// `GET /v3/merchants/{mId}/attributes/{attributeId}/options`, the first SDK's `getMerchantAttributeOptions`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await option in shop.attributeOptions(attribute: "ATTRIBUTE").filter(\.name == "Large") {
    ///     print(option.name ?? "", option.id?.text ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.name`, `\.attribute.id`, `\.id`.
    /// - Sort orders: `\.id`, `\.name`, `\.attribute.id`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter attribute: its id.
    public func attributeOptions(attribute: Identifier<Attribute>) -> Records<Option> { records(["v3", "merchants", merchantID, "attributes", attribute.text, "options"]) }

    /// `GET /v3/merchants/{mId}/attributes/{attributeId}/options/{optionId}`, the first SDK's `getMerchantAttributeOption`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let attributeOption = try await shop.attributeOption(attribute: "ATTRIBUTE", option: "OPTION")
    /// print(attributeOption.name ?? "", attributeOption.id?.text ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - attribute: its id.
    ///   - option: its id.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func attributeOption(attribute: Identifier<Attribute>, option: Identifier<Option>) async throws -> Option {
        try await record(["v3", "merchants", merchantID, "attributes", attribute.text, "options", option.text])
    }

    /// `GET /v3/merchants/{mId}/categories`, the first SDK's `getMerchantCategories`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// import Foundation
    /// let dayAgo = Timestamp(Date.now.addingTimeInterval(-86_400))
    /// for try await category in shop.categories.filter(\.modifiedTime >= dayAgo) {
    ///     print(category.name ?? "", category.modifiedTime?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.deleted`, `\.sortOrder`, `\.name`, `\.colorCode`, `\.id`.
    /// - Sort orders: `\.colorCode`, `\.deleted`, `\.id`, `\.modifiedTime`, `\.name`, `\.sortOrder`.
    /// - Expansions: `\.items`, `\.items.categories`, `\.items.itemStock`, `\.items.modifierGroups`, `\.items.options`, `\.items.tags`, `\.items.taxRates`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var categories: Records<Category> { records(["v3", "merchants", merchantID, "categories"]) }

    /// `GET /v3/merchants/{mId}/categories/{catId}`, the first SDK's `getMerchantCategory`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let category = try await shop.category("CATEGORY", expand: [\.items])
    /// print(category.name ?? "", category.items?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - category: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func category(_ category: Identifier<Category>, expand: [PartialKeyPath<Category.Fields>] = []) async throws -> Category {
        try await record(["v3", "merchants", merchantID, "categories", category.text], expand)
    }

    /// `GET /v3/merchants/{mId}/categories/{catId}/items`, the first SDK's `getMerchantCategoryItems`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// import Foundation
    /// let dayAgo = Timestamp(Date.now.addingTimeInterval(-86_400))
    /// for try await item in shop.categoryItems(category: "CATEGORY").filter(\.modifiedTime >= dayAgo) {
    ///     print(item.name ?? "", item.modifiedTime?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.deleted`, `\.name`, `\.colorCode`, `\.id`.
    /// - Filters that the library applies itself: `\.deletedTime`.
    /// - Sort orders: `\.alternateName`, `\.autoManage`, `\.available`, `\.code`, `\.colorCode`, `\.cost`, `\.defaultTaxRates`, `\.deletedTime`, `\.hidden`, `\.id`, `\.isAgeRestricted`, `\.isRevenue`, `\.modifiedTime`, `\.name`, `\.price`, `\.priceType`, `\.priceWithoutVat`, `\.sku`, `\.stockCount`, `\.unitName`, `\.deleted`.
    /// - Expansions: `\.categories`, `\.itemStock`, `\.options`, `\.tags`, `\.taxRates`, `\.categories.items`, `\.tags.items`, `\.tags.printers`, `\.taxRates.items`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter category: its id.
    public func categoryItems(category: Identifier<Category>) -> Records<Item> { records(["v3", "merchants", merchantID, "categories", category.text, "items"]) }

    /// `GET /v3/merchants/{mId}/item_groups`, the first SDK's `getMerchantItemGroups`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await itemGroup in shop.itemGroups.filter(\.name == "T-shirts") {
    ///     print(itemGroup.name ?? "", itemGroup.id?.text ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.name`, `\.id`.
    /// - Sort orders: `\.id`, `\.name`.
    /// - Expansions: `\.items`, `\.attributes`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var itemGroups: Records<ItemGroup> { records(["v3", "merchants", merchantID, "item_groups"]) }

    /// `GET /v3/merchants/{mId}/item_groups/{itemGroupId}`, the first SDK's `getMerchantItemGroup`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let itemGroup = try await shop.itemGroup("ITEMGROUP", expand: [\.attributes])
    /// print(itemGroup.name ?? "", itemGroup.attributes?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - itemGroup: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func itemGroup(_ itemGroup: Identifier<ItemGroup>, expand: [PartialKeyPath<ItemGroup.Fields>] = []) async throws -> ItemGroup {
        try await record(["v3", "merchants", merchantID, "item_groups", itemGroup.text], expand)
    }

    /// `GET /v3/merchants/{mId}/item_stocks`, the first SDK's `getMerchantItemStocks`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await itemStock in shop.itemStocks.sort(\.quantity, .descending).limit(10) {
    ///     print(itemStock.quantity ?? 0, itemStock.modifiedTime?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: none.
    /// - Filters that the library applies itself: `\.modifiedTime`.
    /// - Sort orders: `\.modifiedTime`, `\.quantity`, `\.stockCount`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var itemStocks: Records<ItemStock> { records(["v3", "merchants", merchantID, "item_stocks"]) }

    /// `GET /v3/merchants/{mId}/item_stocks/{itemId}`, the first SDK's `getMerchantItemStock`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let itemStock = try await shop.itemStock("ITEM")
    /// print(itemStock.quantity ?? 0, itemStock.modifiedTime?.date ?? .distantPast)
    /// ```
    ///
    /// - Parameter item: its id.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func itemStock(_ item: Identifier<Item>) async throws -> ItemStock {
        try await record(["v3", "merchants", merchantID, "item_stocks", item.text])
    }

    /// `GET /v3/merchants/{mId}/items`, the first SDK's `getMerchantItems`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await item in shop.items.expand(\.categories) {
    ///     print(item.name ?? "", item.categories?.count ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.hidden`, `\.available`, `\.autoManage`, `\.price`, `\.id`, `\.sku`, `\.defaultTaxRates`, `\.tags.id`, `\.alternateName`, `\.isRevenue`, `\.tags.name`, `\.deleted`, `\.name`, `\.itemGroup.id`, `\.isAgeRestricted`.
    /// - Filters that the library applies itself: `\.deletedTime`.
    /// - Sort orders: `\.alternateName`, `\.autoManage`, `\.available`, `\.code`, `\.colorCode`, `\.cost`, `\.defaultTaxRates`, `\.deletedTime`, `\.hidden`, `\.id`, `\.isAgeRestricted`, `\.isRevenue`, `\.modifiedTime`, `\.name`, `\.price`, `\.priceType`, `\.priceWithoutVat`, `\.sku`, `\.stockCount`, `\.unitName`, `\.tags.id`, `\.tags.name`, `\.deleted`, `\.itemStock.quantity`, `\.itemGroup.id`.
    /// - Expansions: `\.tags`, `\.categories`, `\.taxRates`, `\.modifierGroups`, `\.itemStock`, `\.options`, `\.tags.items`, `\.tags.printers`, `\.categories.items`, `\.taxRates.items`, `\.modifierGroups.items`, `\.modifierGroups.modifiers`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var items: Records<Item> { records(["v3", "merchants", merchantID, "items"]) }

    /// `GET /v3/merchants/{mId}/items/{itemId}`, the first SDK's `getMerchantItem`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let item = try await shop.item("ITEM", expand: [\.taxRates])
    /// print(item.name ?? "", item.taxRates?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - item: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func item(_ item: Identifier<Item>, expand: [PartialKeyPath<Item.Fields>] = []) async throws -> Item {
        try await record(["v3", "merchants", merchantID, "items", item.text], expand)
    }

    /// `GET /v3/merchants/{mId}/items/{itemId}/categories`, the first SDK's `getMerchantItemCategories`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await category in shop.itemCategories(item: "ITEM").sort(\.name).limit(10) {
    ///     print(category.name ?? "", category.deleted ?? false)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.deleted`, `\.sortOrder`, `\.name`, `\.colorCode`, `\.id`.
    /// - Sort orders: `\.colorCode`, `\.deleted`, `\.id`, `\.modifiedTime`, `\.name`, `\.sortOrder`.
    /// - Expansions: `\.items`, `\.items.categories`, `\.items.itemStock`, `\.items.modifierGroups`, `\.items.options`, `\.items.tags`, `\.items.taxRates`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter item: its id.
    public func itemCategories(item: Identifier<Item>) -> Records<Category> { records(["v3", "merchants", merchantID, "items", item.text, "categories"]) }

    /// `GET /v3/merchants/{mId}/items/{itemId}/tags`, the first SDK's `getMerchantItemTags`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await tag in shop.itemTags(item: "ITEM").filter(\.name == "Bakery") {
    ///     print(tag.name ?? "", tag.id?.text ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.name`, `\.id`.
    /// - Sort orders: `\.id`, `\.name`, `\.showInReporting`.
    /// - Expansions: `\.items`, `\.printers`, `\.items.categories`, `\.items.itemStock`, `\.items.modifierGroups`, `\.items.options`, `\.items.tags`, `\.items.taxRates`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter item: its id.
    public func itemTags(item: Identifier<Item>) -> Records<Tag> { records(["v3", "merchants", merchantID, "items", item.text, "tags"]) }

    /// `GET /v3/merchants/{mId}/modifier_groups`, the first SDK's `getMerchantModifierGroups`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await modifierGroup in shop.modifierGroups.filter(\.name == "Milk") {
    ///     print(modifierGroup.name ?? "", modifierGroup.alternateName ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.name`, `\.id`, `\.showByDefault`.
    /// - Sort orders: `\.alternateName`, `\.id`, `\.maxAllowed`, `\.minRequired`, `\.modifierIds`, `\.name`, `\.showByDefault`, `\.sortOrder`.
    /// - Expansions: `\.modifiers`, `\.items`, `\.modifiers.modifierGroup`, `\.items.categories`, `\.items.itemStock`, `\.items.modifierGroups`, `\.items.options`, `\.items.tags`, `\.items.taxRates`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var modifierGroups: Records<ModifierGroup> { records(["v3", "merchants", merchantID, "modifier_groups"]) }

    /// `GET /v3/merchants/{mId}/modifier_groups/{modGroupId}`, the first SDK's `getMerchantModifierGroup`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let modifierGroup = try await shop.modifierGroup("MODIFIERGROUP", expand: [\.items])
    /// print(modifierGroup.name ?? "", modifierGroup.items?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - modifierGroup: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func modifierGroup(_ modifierGroup: Identifier<ModifierGroup>, expand: [PartialKeyPath<ModifierGroup.Fields>] = []) async throws -> ModifierGroup {
        try await record(["v3", "merchants", merchantID, "modifier_groups", modifierGroup.text], expand)
    }

    /// `GET /v3/merchants/{mId}/modifier_groups/{modGroupId}/modifiers`, the first SDK's `getMerchantModifierGroupModifiers`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// import Foundation
    /// let dayAgo = Timestamp(Date.now.addingTimeInterval(-86_400))
    /// for try await modifier in shop.modifierGroupModifiers(modifierGroup: "MODIFIERGROUP").filter(\.modifiedTime >= dayAgo) {
    ///     print(modifier.name ?? "", modifier.modifiedTime?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.price`, `\.name`, `\.alternateName`, `\.id`, `\.modifierGroup.id`.
    /// - Sort orders: `\.alternateName`, `\.id`, `\.name`, `\.price`, `\.modifiedTime`, `\.modifierGroup.id`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter modifierGroup: its id.
    public func modifierGroupModifiers(modifierGroup: Identifier<ModifierGroup>) -> Records<Modifier> { records(["v3", "merchants", merchantID, "modifier_groups", modifierGroup.text, "modifiers"]) }

    /// `GET /v3/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}`, the first SDK's `getMerchantModifierGroupModifier`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let modifierGroupModifier = try await shop.modifierGroupModifier(modifierGroup: "MODIFIERGROUP", modifier: "MODIFIER")
    /// print(modifierGroupModifier.name ?? "", modifierGroupModifier.modifiedTime?.date ?? .distantPast)
    /// ```
    ///
    /// - Parameters:
    ///   - modifierGroup: its id.
    ///   - modifier: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func modifierGroupModifier(modifierGroup: Identifier<ModifierGroup>, modifier: Identifier<Modifier>, expand: [PartialKeyPath<Modifier.Fields>] = []) async throws -> Modifier {
        try await record(["v3", "merchants", merchantID, "modifier_groups", modifierGroup.text, "modifiers", modifier.text], expand)
    }

    /// `GET /v3/merchants/{mId}/modifiers`, the first SDK's `getMerchantModifiers`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await modifier in shop.modifiers.sort(\.name).limit(10) {
    ///     print(modifier.name ?? "", modifier.alternateName ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.price`, `\.name`, `\.alternateName`, `\.id`, `\.modifierGroup.id`.
    /// - Sort orders: `\.alternateName`, `\.id`, `\.name`, `\.price`, `\.modifiedTime`, `\.modifierGroup.id`.
    /// - Expansions: `\.modifierGroup`, `\.modifierGroup.items`, `\.modifierGroup.modifiers`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var modifiers: Records<Modifier> { records(["v3", "merchants", merchantID, "modifiers"]) }

    /// `GET /v3/merchants/{mId}/options`, the first SDK's `getMerchantOptions`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await option in shop.options.sort(\.name).limit(10) {
    ///     print(option.name ?? "", option.id?.text ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.name`, `\.attribute.id`, `\.id`.
    /// - Sort orders: `\.id`, `\.name`, `\.attribute.id`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var options: Records<Option> { records(["v3", "merchants", merchantID, "options"]) }

    /// `GET /v3/merchants/{mId}/tags`, the first SDK's `getMerchantTags`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await tag in shop.tags.expand(\.printers) {
    ///     print(tag.name ?? "", tag.printers?.count ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: `\.name`, `\.id`.
    /// - Sort orders: `\.id`, `\.name`, `\.showInReporting`.
    /// - Expansions: `\.items`, `\.printers`, `\.items.categories`, `\.items.itemStock`, `\.items.modifierGroups`, `\.items.options`, `\.items.tags`, `\.items.taxRates`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var tags: Records<Tag> { records(["v3", "merchants", merchantID, "tags"]) }

    /// `GET /v3/merchants/{mId}/tags/{tagId}`, the first SDK's `getMerchantTag`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let tag = try await shop.tag("TAG", expand: [\.items])
    /// print(tag.name ?? "", tag.items?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - tag: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func tag(_ tag: Identifier<Tag>, expand: [PartialKeyPath<Tag.Fields>] = []) async throws -> Tag {
        try await record(["v3", "merchants", merchantID, "tags", tag.text], expand)
    }

    /// `GET /v3/merchants/{mId}/tags/{tagId}/items`, the first SDK's `getMerchantTagItems`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await item in shop.tagItems(tag: "TAG").filter(\.isRevenue == true) {
    ///     print(item.name ?? "", item.isRevenue ?? false)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.hidden`, `\.available`, `\.alternateName`, `\.isRevenue`, `\.autoManage`, `\.deleted`, `\.price`, `\.name`, `\.id`, `\.sku`, `\.defaultTaxRates`, `\.itemGroup.id`.
    /// - Filters that the library applies itself: `\.deletedTime`.
    /// - Sort orders: `\.alternateName`, `\.autoManage`, `\.available`, `\.code`, `\.colorCode`, `\.cost`, `\.defaultTaxRates`, `\.deletedTime`, `\.hidden`, `\.id`, `\.isAgeRestricted`, `\.isRevenue`, `\.modifiedTime`, `\.name`, `\.price`, `\.priceType`, `\.priceWithoutVat`, `\.sku`, `\.stockCount`, `\.unitName`, `\.deleted`, `\.itemStock.quantity`, `\.itemGroup.id`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter tag: its id.
    public func tagItems(tag: Identifier<Tag>) -> Records<Item> { records(["v3", "merchants", merchantID, "tags", tag.text, "items"]) }

    /// `GET /v3/merchants/{mId}/tax_rates`, the first SDK's `getMerchantTaxRates`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await taxRate in shop.taxRates.filter(\.isDefault == true) {
    ///     print(taxRate.name ?? "", taxRate.isDefault ?? false)
    /// }
    /// ```
    ///
    /// - Filters: `\.isDefault`, `\.rate`, `\.items.id`, `\.name`, `\.id`.
    /// - Filters that the library applies itself: `\.deletedTime`, `\.modifiedTime`.
    /// - Sort orders: `\.deletedTime`, `\.id`, `\.isDefault`, `\.modifiedTime`, `\.name`, `\.rate`, `\.items.id`, `\.taxAmount`, `\.taxType`.
    /// - Expansions: `\.items`, `\.items.categories`, `\.items.itemStock`, `\.items.modifierGroups`, `\.items.options`, `\.items.tags`, `\.items.taxRates`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var taxRates: Records<TaxRate> { records(["v3", "merchants", merchantID, "tax_rates"]) }

    /// `GET /v3/merchants/{mId}/tax_rates/{taxId}`, the first SDK's `getMerchantTaxRate`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// let taxRate = try await shop.taxRate("TAXRATE", expand: [\.items])
    /// print(taxRate.name ?? "", taxRate.items?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - taxRate: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func taxRate(_ taxRate: Identifier<TaxRate>, expand: [PartialKeyPath<TaxRate.Fields>] = []) async throws -> TaxRate {
        try await record(["v3", "merchants", merchantID, "tax_rates", taxRate.text], expand)
    }

    /// `GET /v3/merchants/{mId}/tax_rates/{taxId}/items`, the first SDK's `getMerchantTaxRateItems`. Needs the permission `INVENTORY_R`.
    ///
    /// ```swift
    /// for try await item in shop.taxRateItems(taxRate: "TAXRATE").sort(\.price, .descending).limit(10) {
    ///     print(item.name ?? "", item.price?.minorUnits ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.hidden`, `\.available`, `\.autoManage`, `\.price`, `\.id`, `\.sku`, `\.defaultTaxRates`, `\.tags.id`, `\.alternateName`, `\.isRevenue`, `\.tags.name`, `\.deleted`, `\.name`, `\.itemGroup.id`.
    /// - Filters that the library applies itself: `\.deletedTime`.
    /// - Sort orders: `\.alternateName`, `\.autoManage`, `\.available`, `\.code`, `\.colorCode`, `\.cost`, `\.defaultTaxRates`, `\.deletedTime`, `\.hidden`, `\.id`, `\.isAgeRestricted`, `\.isRevenue`, `\.modifiedTime`, `\.name`, `\.price`, `\.priceType`, `\.priceWithoutVat`, `\.sku`, `\.stockCount`, `\.unitName`, `\.tags.id`, `\.tags.name`, `\.deleted`, `\.itemStock.quantity`, `\.itemGroup.id`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter taxRate: its id.
    public func taxRateItems(taxRate: Identifier<TaxRate>) -> Records<Item> { records(["v3", "merchants", merchantID, "tax_rates", taxRate.text, "items"]) }

    /// `GET /v3/merchants/{mId}/orders`, the first SDK's `getMerchantOrders`. Needs the permission `ORDERS_R`.
    ///
    /// ```swift
    /// for try await order in shop.orders.expand(\.payments) {
    ///     print(order.total?.minorUnits ?? 0, order.payments?.count ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: `\.employee.id`, `\.note`, `\.modifiedTime`, `\.manualTransaction`, `\.employee.name`, `\.title`, `\.device.id`, `\.externalReferenceId`, `\.clientCreatedTime`, `\.total`, `\.payType`, `\.testMode`, `\.createdTime`, `\.id`, `\.state`.
    /// - Filters that the library applies itself: `\.deletedTimestamp`.
    /// - Sort orders: `\.clientCreatedTime`, `\.createdTime`, `\.currency`, `\.customerId`, `\.customerUuid`, `\.deletedTimestamp`, `\.externalReferenceId`, `\.groupLineItems`, `\.id`, `\.isVat`, `\.manualTransaction`, `\.modifiedTime`, `\.note`, `\.orderTypeId`, `\.payType`, `\.paymentState`, `\.state`, `\.taxRemoved`, `\.testMode`, `\.title`, `\.total`, `\.unpaidBalance`, `\.employee.id`, `\.orderType`, `\.employee.name`, `\.device.id`.
    /// - Expansions: `\.employee`, `\.payments`, `\.refunds`, `\.credits`, `\.voids`, `\.lineItems`, `\.customers`, `\.serviceCharge`, `\.discounts`, `\.orderType`, `\.lineItems.discounts`, `\.lineItems.modifications`, `\.employee.roles`, `\.employee.shifts`, `\.payments.additionalCharges`, `\.payments.appTracking`, `\.payments.cardTransaction`, `\.payments.dccInfo`, `\.payments.employee`, `\.payments.externalReferenceId`, `\.payments.germanInfo`, `\.payments.lineItemPayments`, `\.payments.oceanGatewayInfo`, `\.payments.order`, `\.payments.refunds`, `\.payments.taxRates`, `\.payments.tender`, `\.payments.transactionInfo`, `\.refunds.appTracking`, `\.refunds.employee`, `\.refunds.germanInfo`, `\.refunds.lineItems`, `\.refunds.overrideMerchantTender`, `\.refunds.payment`, `\.refunds.transactionInfo`, `\.credits.appTracking`, `\.credits.cardTransaction`, `\.credits.dccInfo`, `\.credits.employee`, `\.credits.germanInfo`, `\.credits.taxRates`, `\.credits.tender`, `\.credits.transactionInfo`, `\.voids.additionalCharges`, `\.voids.appTracking`, `\.voids.cardTransaction`, `\.voids.dccInfo`, `\.voids.employee`, `\.voids.externalReferenceId`, `\.voids.germanInfo`, `\.voids.lineItemPayments`, `\.voids.oceanGatewayInfo`, `\.voids.order`, `\.voids.refunds`, `\.voids.taxRates`, `\.voids.tender`, `\.voids.transactionInfo`, `\.lineItems.payments`, `\.lineItems.taxRates`, `\.customers.addresses`, `\.customers.cards`, `\.customers.emailAddresses`, `\.customers.metadata`, `\.customers.phoneNumbers`, `\.orderType.categories`, `\.orderType.hours`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var orders: Records<Order> { records(["v3", "merchants", merchantID, "orders"]) }

    /// `GET /v3/merchants/{mId}/orders/{orderId}`, the first SDK's `getMerchantOrder`. Needs the permission `ORDERS_R`.
    ///
    /// ```swift
    /// let order = try await shop.order("ORDER", expand: [\.discounts])
    /// print(order.total?.minorUnits ?? 0, order.discounts?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - order: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func order(_ order: Identifier<Order>, expand: [PartialKeyPath<Order.Fields>] = []) async throws -> Order {
        try await record(["v3", "merchants", merchantID, "orders", order.text], expand)
    }

    /// `GET /v3/merchants/{mId}/orders/{orderId}/discounts`, the first SDK's `getMerchantOrderDiscounts`. Needs the permission `ORDERS_R`.
    ///
    /// ```swift
    /// for try await orderDiscount in shop.orderDiscounts(order: "ORDER").sort(\.name).limit(10) {
    ///     print(orderDiscount.name ?? "", orderDiscount.amount?.minorUnits ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: none.
    /// - Sort orders: `\.amount`, `\.id`, `\.name`, `\.percentage`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter order: its id.
    public func orderDiscounts(order: Identifier<Order>) -> Records<OrderDiscount> { records(["v3", "merchants", merchantID, "orders", order.text, "discounts"]) }

    /// `GET /v3/merchants/{mId}/orders/{orderId}/line_items`, the first SDK's `getMerchantOrderLineItems`. Needs the permission `ORDERS_R`.
    ///
    /// ```swift
    /// for try await lineItem in shop.orderLineItems(order: "ORDER").expand(\.discounts) {
    ///     print(lineItem.name ?? "", lineItem.discounts?.count ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: none.
    /// - Filters that the library applies itself: `\.createdTime`, `\.orderClientCreatedTime`.
    /// - Sort orders: `\.ageRestrictedType`, `\.alternateName`, `\.binName`, `\.createdTime`, `\.discountAmount`, `\.exchanged`, `\.id`, `\.isAgeRestricted`, `\.isOrderFee`, `\.isRevenue`, `\.itemCode`, `\.minimumAge`, `\.name`, `\.note`, `\.orderClientCreatedTime`, `\.orderLevelDiscountAmount`, `\.percentage`, `\.price`, `\.priceWithModifiers`, `\.priceWithModifiersAndItemAndOrderDiscounts`, `\.printed`, `\.quantitySold`, `\.refunded`, `\.revenueAmount`, `\.unitName`, `\.unitQty`, `\.userData`.
    /// - Expansions: `\.discounts`, `\.modifications`, `\.taxRates`, `\.payments`, `\.taxRates.items`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameter order: its id.
    public func orderLineItems(order: Identifier<Order>) -> Records<LineItem> { records(["v3", "merchants", merchantID, "orders", order.text, "line_items"]) }

    /// `GET /v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}`, the first SDK's `getMerchantOrderLineItem`. Needs the permission `ORDERS_R`.
    ///
    /// ```swift
    /// let orderLineItem = try await shop.orderLineItem(order: "ORDER", lineItem: "LINEITEM", expand: [\.modifications])
    /// print(orderLineItem.name ?? "", orderLineItem.modifications?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - order: its id.
    ///   - lineItem: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func orderLineItem(order: Identifier<Order>, lineItem: Identifier<LineItem>, expand: [PartialKeyPath<LineItem.Fields>] = []) async throws -> LineItem {
        try await record(["v3", "merchants", merchantID, "orders", order.text, "line_items", lineItem.text], expand)
    }

    /// `GET /v3/merchants/{mId}/authorizations`, the first SDK's `getMerchantAuthorizations`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// for try await authorization in shop.authorizations.filter(\.last4 == "4242") {
    ///     print(authorization.last4 ?? "", authorization.amount?.minorUnits ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: `\.last4`, `\.note`, `\.amount`, `\.tabName`, `\.cardType`, `\.type`, `\.token`, `\.authcode`, `\.createdTime`, `\.id`.
    /// - Sort orders: `\.amount`, `\.authcode`, `\.cardType`, `\.createdTime`, `\.id`, `\.last4`, `\.note`, `\.tabName`, `\.token`, `\.type`, `\.externalReferenceId`.
    /// - Expansions: `\.payment`, `\.payment.additionalCharges`, `\.payment.appTracking`, `\.payment.cardTransaction`, `\.payment.dccInfo`, `\.payment.employee`, `\.payment.externalReferenceId`, `\.payment.germanInfo`, `\.payment.lineItemPayments`, `\.payment.oceanGatewayInfo`, `\.payment.order`, `\.payment.refunds`, `\.payment.taxRates`, `\.payment.tender`, `\.payment.transactionInfo`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var authorizations: Records<Authorization> { records(["v3", "merchants", merchantID, "authorizations"]) }

    /// `GET /v3/merchants/{mId}/authorizations/{authId}`, the first SDK's `getMerchantAuthorization`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// let authorization = try await shop.authorization("AUTHORIZATION", expand: [\.additionalCharges])
    /// print(authorization.last4 ?? "", authorization.additionalCharges?.count ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - authorization: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func authorization(_ authorization: Identifier<Authorization>, expand: [PartialKeyPath<Authorization.Fields>] = []) async throws -> Authorization {
        try await record(["v3", "merchants", merchantID, "authorizations", authorization.text], expand)
    }

    /// `GET /v3/merchants/{mId}/credits`, the first SDK's `getMerchantCredits`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// for try await credit in shop.credits.filter(\.employee.id == "EMPLOYEE") {
    ///     print(credit.amount?.minorUnits ?? 0, credit.employee?.name ?? "")
    /// }
    /// ```
    ///
    /// - Filters: `\.employee.id`, `\.amount`, `\.device.id`, `\.result`, `\.clientCreatedTime`, `\.id`, `\.tender.id`, `\.taxAmount`.
    /// - Filters that the library applies itself: `\.createdTime`.
    /// - Sort orders: `\.amount`, `\.clientCreatedTime`, `\.createdTime`, `\.id`, `\.result`, `\.taxAmount`, `\.voidReason`, `\.voided`, `\.employee.id`, `\.device.id`, `\.externalReferenceId`, `\.tender.id`.
    /// - Expansions: `\.dccInfo`, `\.germanInfo`, `\.appTracking`, `\.tender`, `\.employee`, `\.cardTransaction`, `\.taxRates`, `\.transactionInfo`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var credits: Records<Credit> { records(["v3", "merchants", merchantID, "credits"]) }

    /// `GET /v3/merchants/{mId}/credits/{creditId}`, the first SDK's `getMerchantCredit`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// let credit = try await shop.credit("CREDIT", expand: [\.employee])
    /// print(credit.amount?.minorUnits ?? 0, credit.employee?.name ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - credit: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func credit(_ credit: Identifier<Credit>, expand: [PartialKeyPath<Credit.Fields>] = []) async throws -> Credit {
        try await record(["v3", "merchants", merchantID, "credits", credit.text], expand)
    }

    /// `GET /v3/merchants/{mId}/payments`, the first SDK's `getMerchantPayments`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// for try await payment in shop.payments.expand(\.lineItemPayments) {
    ///     print(payment.amount?.minorUnits ?? 0, payment.lineItemPayments?.count ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: `\.modifiedTime`, `\.device.id`, `\.externalReferenceId`, `\.result`, `\.offline`, `\.createdTime`, `\.externalPaymentId`, `\.id`, `\.tender.id`, `\.employee.id`, `\.order.modifiedTime`, `\.amount`, `\.clientCreatedTime`.
    /// - Sort orders: `\.amount`, `\.cashTendered`, `\.cashbackAmount`, `\.clientCreatedTime`, `\.createdTime`, `\.externalPaymentId`, `\.externalReferenceId`, `\.gatewayProcessingTime`, `\.id`, `\.modifiedTime`, `\.note`, `\.offline`, `\.result`, `\.taxAmount`, `\.tipAmount`, `\.voidReason`, `\.device.id`, `\.tender.id`, `\.employee.id`, `\.order.modifiedTime`.
    /// - Expansions: `\.tender`, `\.germanInfo`, `\.lineItemPayments`, `\.cardTransaction`, `\.dccInfo`, `\.refunds`, `\.transactionInfo`, `\.externalReferenceId`, `\.oceanGatewayInfo`, `\.taxRates`, `\.additionalCharges`, `\.appTracking`, `\.order`, `\.refunds.appTracking`, `\.refunds.employee`, `\.refunds.germanInfo`, `\.refunds.lineItems`, `\.refunds.overrideMerchantTender`, `\.refunds.payment`, `\.refunds.transactionInfo`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var payments: Records<Payment> { records(["v3", "merchants", merchantID, "payments"]) }

    /// `GET /v3/merchants/{mId}/payments/{payId}`, the first SDK's `getMerchantPayment`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// let payment = try await shop.payment("PAYMENT", expand: [\.cardTransaction])
    /// print(payment.amount?.minorUnits ?? 0, payment.cardTransaction?.last4 ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - payment: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func payment(_ payment: Identifier<Payment>, expand: [PartialKeyPath<Payment.Fields>] = []) async throws -> Payment {
        try await record(["v3", "merchants", merchantID, "payments", payment.text], expand)
    }

    /// `GET /v3/merchants/{mId}/refunds`, the first SDK's `getMerchantRefunds`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// for try await refund in shop.refunds.expand(\.payment) {
    ///     print(refund.amount?.minorUnits ?? 0, refund.payment?.amount?.minorUnits ?? 0)
    /// }
    /// ```
    ///
    /// - Filters: none.
    /// - Filters that the library applies itself: `\.createdTime`, `\.clientCreatedTime`, `\.deletedTime`, `\.gatewayProcessingTime`.
    /// - Sort orders: `\.amount`, `\.clientCreatedTime`, `\.createdTime`, `\.id`, `\.taxAmount`, `\.voidReason`, `\.voided`.
    /// - Expansions: `\.payment`, `\.germanInfo`, `\.appTracking`, `\.employee`, `\.overrideMerchantTender`, `\.lineItems`, `\.transactionInfo`.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    public var refunds: Records<Refund> { records(["v3", "merchants", merchantID, "refunds"]) }

    /// `GET /v3/merchants/{mId}/refunds/{refundId}`, the first SDK's `getMerchantRefund`. Needs the permission `PAYMENTS_R`.
    ///
    /// ```swift
    /// let refund = try await shop.refund("REFUND", expand: [\.employee])
    /// print(refund.amount?.minorUnits ?? 0, refund.employee?.name ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - refund: its id.
    ///   - expand: nested objects and lists to include; lists are completed.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func refund(_ refund: Identifier<Refund>, expand: [PartialKeyPath<Refund.Fields>] = []) async throws -> Refund {
        try await record(["v3", "merchants", merchantID, "refunds", refund.text], expand)
    }

    /// `GET /v3/apps/{appId}/merchants/{mId}/billing_info`, the first SDK's `getAppMerchantBillingInfo`.
    ///
    /// ```swift
    /// let appMerchantBillingInfo = try await shop.appMerchantBillingInfo("APP")
    /// print(appMerchantBillingInfo.status ?? "", appMerchantBillingInfo.isInTrial ?? false)
    /// ```
    ///
    /// - Parameter app: its id.
    /// - Throws: `CloverError`, or `CancellationError`.
    public func appMerchantBillingInfo(_ app: Identifier<App>) async throws -> AppBillingInfo {
        try await record(["v3", "apps", app.text, "merchants", merchantID, "billing_info"])
    }

    /// `GET /v3/apps/{appId}/merchants/{mId}/metereds/{meteredId}`, the first SDK's `getAppMerchantMetered`.
    ///
    /// ```swift
    /// for try await appMeteredEvent in shop.appMerchantMetered(app: "APP", metered: "METERED").sort(\.createdTime, .descending).limit(10) {
    ///     print(appMeteredEvent.createdTime?.date ?? .distantPast, appMeteredEvent.modifiedTime?.date ?? .distantPast)
    /// }
    /// ```
    ///
    /// - Filters: none.
    /// - Filters that the library applies itself: `\.createdTime`, `\.modifiedTime`.
    /// - Sort orders: `\.count`, `\.createdTime`, `\.id`, `\.modifiedTime`.
    /// - Expansions: none.
    ///
    /// Nothing is sent before the first record is wanted. Reading throws `CloverError`, or `CancellationError`: see `Records`.
    ///
    /// - Parameters:
    ///   - app: its id.
    ///   - metered: its id.
    public func appMerchantMetered(app: Identifier<App>, metered: Identifier<AppMetered>) -> Records<AppMeteredEvent> { records(["v3", "apps", app.text, "merchants", merchantID, "metereds", metered.text]) }
}
