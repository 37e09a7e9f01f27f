// Made by Scripts/generate-catalogue from Catalogue/endpoints.json. Change that file, then run `make docs`.

/// The operations of Clover's API; `EndpointCatalogue` reads it.
// swift-format-ignore
enum EndpointTable {
    /// A line each, tab-separated, in the order of `EndpointCatalogue.Column`.
    static let operations: StaticString = #"""
GET	/v3/merchants/current	v3	merchants		object	merchant.Merchant								u	0	0	0	0	0	0	1,2
GET	/v3/merchants/{mId}	v3	merchant	GetMerchant	object	merchant.Merchant		MERCHANT_R					getMerchant		1	2	0	0	0	0	
POST	/v3/merchants/{mId}	v3	merchant	UpdateMerchant	object		merchant.Merchant	~MERCHANT_W							1	2	0	0	0	0	
GET	/v3/merchants/{mId}/address	v3	address	GetMerchantAddress	object	base.Address		MERCHANT_R					getMerchantAddress		0	0	0	0	0	0	
GET	/v3/merchants/{mId}/default_service_charge	v3	default_service_charge	GetDefaultServiceCharge	object	base.ServiceCharge		MERCHANT_R					getMerchantDefaultServiceCharge		0	0	0	0	0	0	3
GET	/v3/merchants/{mId}/devices	v3	devices	GetMerchantDevices	list	device.Device		MERCHANT_R	1000						0	0	3	4	0	0	
GET	/v3/merchants/{mId}/devices/{deviceId}	v3	devices	GetMerchantDevice	object	device.Device		~MERCHANT_R							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/ecomm_payment_configs	v3	ecomm_payment_configs		object										0	0	0	0	0	0	4
GET	/v3/merchants/{mId}/gateway	v3	gateway	GetMerchantGateway	object	merchant.Gateway		MERCHANT_R					getMerchantGateway		0	0	0	0	0	0	5
GET	/v3/merchants/{mId}/opening_hours	v3	opening_hours	GetAllMerchantOpeningHours	list	hours.HoursSet		MERCHANT_R	1000				getMerchantOpeningHours		0	0	0	5	0	0	
POST	/v3/merchants/{mId}/opening_hours	v3	opening_hours	CreateMerchantOpeningHours	object	hours.HoursSet	hours.HoursSet	MERCHANT_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/opening_hours/{hId}	v3	opening_hours	GetMerchantOpeningHours	object	hours.HoursSet		MERCHANT_R					getMerchantOpeningHour		0	0	0	0	0	0	
POST	/v3/merchants/{mId}/opening_hours/{hId}	v3	opening_hours	UpdateMerchantOpeningHours	object	hours.HoursSet	hours.HoursSet	MERCHANT_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/opening_hours/{hId}	v3	opening_hours	DeleteMerchantOpeningHours				~MERCHANT_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/order_fees	v3	order_fees		list	order.OrderFee			1000		createdTime	modifiedTime			0	0	6	7	0	0	
GET	/v3/merchants/{mId}/order_fees/{orderFeeId}	v3	order_fees		object	order.OrderFee									0	0	0	0	0	0	
POST	/v3/merchants/{mId}/order_type_categories	v3	order_type_categories	CreateOrDeleteOrderTypeCategories	list	order.OrderTypeCategory	elements<order.OrderTypeCategory>	~MERCHANT_W							0	0	0	0	8	0	6
GET	/v3/merchants/{mId}/order_types	v3	order_types	GetOrderTypes	list	order.OrderType		MERCHANT_R	1000				getMerchantOrderTypes		9	0	10	11	0	0	
POST	/v3/merchants/{mId}/order_types	v3	order_types	CreateOrderType	object		order.OrderType	~MERCHANT_W							9	0	0	0	0	0	
GET	/v3/merchants/{mId}/order_types/{orderTypeId}	v3	order_types	GetOrderType	object	order.OrderType		~MERCHANT_R					getMerchantOrderType		9	0	0	0	0	0	
POST	/v3/merchants/{mId}/order_types/{orderTypeId}	v3	order_types	UpdateOrderType	object		order.OrderType	~MERCHANT_W							9	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/order_types/{orderTypeId}	v3	order_types	DeleteOrderType				~MERCHANT_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/printers	v3	printers		list	printer.Printer			1000					u	0	0	0	12	0	0	1
GET	/v3/merchants/{mId}/properties	v3	properties	GetMerchantProperties	object	merchant.MerchantProperties		MERCHANT_R					getMerchantProperties		0	0	0	0	0	0	7,8
POST	/v3/merchants/{mId}/properties	v3	properties	UpdateMerchantProperties	object		merchant.MerchantProperties	MERCHANT_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/roles	v3	roles	GetRoles	list	employees.Role		EMPLOYEES_R	1000			modifiedTime	getMerchantRoles		13	0	14	15	0	0	
POST	/v3/merchants/{mId}/roles	v3	roles	CreateRole	object		employees.Role	EMPLOYEES_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/roles/{roleId}	v3	roles	GetRole	object	employees.Role		EMPLOYEES_R					getMerchantRole		13	0	0	0	0	0	
POST	/v3/merchants/{mId}/roles/{roleId}	v3	roles	UpdateRole	object		employees.Role	~EMPLOYEES_W							13	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/roles/{roleId}	v3	roles	DeleteRole				~EMPLOYEES_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/sync/{table}	v3	sync	GetSyncToken	object										0	0	0	0	0	0	9,4
GET	/v3/merchants/{mId}/system_order_types	v3	system_order_types	GetSystemOrderTypes	list	order.SystemOrderType		~MERCHANT_R	1000				getMerchantSystemOrderTypes		0	0	0	16	0	0	
GET	/v3/merchants/{mId}/tenders	v3	tenders	GetMerchantTenders	list	base.Tender		MERCHANT_R	1000			modifiedTime	getMerchantTenders		0	0	17	18	0	0	
POST	/v3/merchants/{mId}/tenders	v3	tenders	CreateMerchantTender	object	base.Tender	base.Tender	~MERCHANT_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/tenders/{tenderId}	v3	tenders	GetMerchantTender	object	base.Tender		~MERCHANT_R					getMerchantTender		0	0	0	0	0	0	
POST	/v3/merchants/{mId}/tenders/{tenderId}	v3	tenders	UpdateMerchantTender	object		base.Tender	~MERCHANT_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/tenders/{tenderId}	v3	tenders	DeleteMerchantTender				~MERCHANT_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/tip_suggestions	v3	tip_suggestions	GetTipSuggestions	list	merchant.TipSuggestion		MERCHANT_R	1000				getMerchantTipSuggestions		0	0	19	20	0	0	
GET	/v3/merchants/{mId}/tip_suggestions/{tId}	v3	tip_suggestions	GetTipSuggestion	object	merchant.TipSuggestion		~MERCHANT_R					getMerchantTipSuggestion		0	0	0	0	0	0	
POST	/v3/merchants/{mId}/tip_suggestions/{tId}	v3	tip_suggestions	UpdateTipSuggestion	object		merchant.TipSuggestion	~MERCHANT_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/cash_events	v3	cash_events	GetAllCashEvents	list	cash.CashEvent		MERCHANT_R	500		timestamp		getMerchantCashEvents		21	22	23	24	0	0	10
GET	/v3/merchants/{mId}/devices/{deviceId}/cash_events	v3	devices	GetDeviceCashEvents	list	cash.CashEvent		MERCHANT_R	500		timestamp		getMerchantDeviceCashEvents		21	22	23	24	0	0	10
GET	/v3/merchants/{mId}/employees/{empId}/cash_events	v3	employees	GetEmployeeCashEvents	list	cash.CashEvent		MERCHANT_R	500		timestamp		getMerchantEmployeeCashEvents		21	22	23	24	0	0	10
GET	/v3/merchants/{mId}/customers	v3	customers	GetCustomers	list	customers.Customer		CUSTOMERS_R	1000		customerSince		getMerchantCustomers		25	0	26	27	0	0	
POST	/v3/merchants/{mId}/customers	v3	customers	CreateCustomer	object		customers.Customer	CUSTOMERS_W							28	0	0	0	0	0	11,12
GET	/v3/merchants/{mId}/customers.csv	v3	customers.csv	GetCustomersCsv	csv	customers.Customer		~CUSTOMERS_R							28	0	26	0	0	0	13
GET	/v3/merchants/{mId}/customers/{customerId}	v3	customers	GetCustomer	object	customers.Customer		CUSTOMERS_R					getMerchantCustomer		28	0	26	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}	v3	customers	UpdateCustomer	object		customers.Customer	CUSTOMERS_W							28	0	0	0	0	0	14
DELETE	/v3/merchants/{mId}/customers/{customerId}	v3	customers	DeleteCustomer				CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/addresses	v3	customers	CreateCustomerAddress	object		customers.Address	~CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/addresses/{addressId}	v3	customers	UpdateCustomerAddress	object		customers.Address	~CUSTOMERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/customers/{customerId}/addresses/{addressId}	v3	customers	DeleteCustomerAddress				~CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/cards	v3	customers	CreateCustomerCard	object		customers.Card	~CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/cards/{cardId}	v3	customers	UpdateCustomerCard	object		customers.Card	~CUSTOMERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/customers/{customerId}/cards/{cardId}	v3	customers	DeleteCustomerCard				~CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/email_addresses	v3	customers	CreateCustomerEmailAddress	object		customers.EmailAddress	~CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/email_addresses/{emailId}	v3	customers	UpdateCustomerEmailAddress	object		customers.EmailAddress	~CUSTOMERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/customers/{customerId}/email_addresses/{emailId}	v3	customers	DeleteCustomerEmailAddress				~CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/metadata	v3	customers	CreateOrUpdateCustomerMetadata	object		customers.CustomerMetadata	~CUSTOMERS_W							0	0	0	0	0	0	15
POST	/v3/merchants/{mId}/customers/{customerId}/phone_numbers	v3	customers	CreateCustomerPhoneNumber	object		customers.PhoneNumber	~CUSTOMERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/customers/{customerId}/phone_numbers/{phoneId}	v3	customers	UpdateCustomerPhoneNumber	object		customers.PhoneNumber	~CUSTOMERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/customers/{customerId}/phone_numbers/{phoneId}	v3	customers	DeleteCustomerPhoneNumber				~CUSTOMERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/employee_cards	v3	employee_cards	GetEmployeeCards	list	employees.EmployeeCard		~EMPLOYEES_R	1000					i	0	0	29	30	0	0	16,17
POST	/v3/merchants/{mId}/employee_cards	v3	employee_cards	CreateOrUpdateEmployeeCard	object		employees.EmployeeCard	~EMPLOYEES_W							0	0	0	0	0	0	16,18,17
GET	/v3/merchants/{mId}/employee_cards/{employeeCardId}	v3	employee_cards	GetEmployeeCard	object	employees.EmployeeCard		~EMPLOYEES_R							0	0	0	0	0	0	16,17
DELETE	/v3/merchants/{mId}/employee_cards/{employeeCardId}	v3	employee_cards	DeleteEmployeeCard				~EMPLOYEES_W							0	0	0	0	0	0	16
GET	/v3/merchants/{mId}/employees	v3	employees	GetEmployees	list	employees.Employee		EMPLOYEES_R	1000			modifiedTime	getMerchantEmployees		31	32	33	34	0	0	19
POST	/v3/merchants/{mId}/employees	v3	employees	CreateEmployee	object		employees.Employee	EMPLOYEES_W							35	36	0	0	0	0	
GET	/v3/merchants/{mId}/employees/current	v3	employees		object	employees.Employee		~EMPLOYEES_R						u	0	0	0	0	0	0	1
GET	/v3/merchants/{mId}/employees/{empId}	v3	employees	GetEmployee	object	employees.Employee		EMPLOYEES_R					getMerchantEmployee		31	32	0	0	0	0	20
POST	/v3/merchants/{mId}/employees/{empId}	v3	employees	UpdateEmployee	object		employees.Employee	EMPLOYEES_W							35	36	0	0	0	0	
DELETE	/v3/merchants/{mId}/employees/{empId}	v3	employees	DeleteEmployee				EMPLOYEES_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/employees/{empId}/orders	v3	employees	GetEmployeeOrders	list	order.Order		~ORDERS_R	1000	filtered	createdTime		getMerchantEmployeeOrders	i	37	38	39	40	0	41	21
GET	/v3/merchants/{mId}/employees/{empId}/payments	v3	employees	GetEmployeePayments	list	payments.Payment		~PAYMENTS_R	1000	always	createdTime	modifiedTime	getMerchantEmployeePayments		42	43	44	45	0	0	22,23
GET	/v3/merchants/{mId}/employees/{empId}/shifts	v3	employees	GetEmployeeShifts	list	employees.Shift		EMPLOYEES_R	1000		in_time		getMerchantEmployeeShifts		46	47	48	49	0	0	
POST	/v3/merchants/{mId}/employees/{empId}/shifts	v3	employees	CreateShift	object		employees.Shift	EMPLOYEES_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/employees/{empId}/shifts/{shiftId}	v3	employees	GetEmployeeShift	object	employees.Shift		~EMPLOYEES_R					getMerchantEmployeeShift		46	47	0	0	0	0	
POST	/v3/merchants/{mId}/employees/{empId}/shifts/{shiftId}	v3	employees	UpdateShift	object		employees.Shift	EMPLOYEES_W							46	47	0	0	0	0	
DELETE	/v3/merchants/{mId}/employees/{empId}/shifts/{shiftId}	v3	employees	DeleteShift				EMPLOYEES_W							0	0	0	0	0	0	24
GET	/v3/merchants/{mId}/shifts	v3	shifts	GetAllShifts	list	employees.Shift		~EMPLOYEES_R	1000		in_time		getMerchantShifts		46	47	48	49	0	0	25
GET	/v3/merchants/{mId}/shifts.csv	v3	shifts.csv	GetAllShiftsCSV	csv	employees.Shift		~EMPLOYEES_R							0	0	48	0	0	0	13
GET	/v3/merchants/{mId}/shifts/{shiftId}	v3	shifts	GetShift	object	employees.Shift		~EMPLOYEES_R					getMerchantShift		46	47	0	0	0	0	
GET	/v3/merchants/{mId}/attributes	v3	attributes	GetAttributes	list	inventory.Attribute		INVENTORY_R	1000			modifiedTime	getMerchantAttributes		0	0	50	5	0	0	
POST	/v3/merchants/{mId}/attributes	v3	attributes	CreateAttribute	object		inventory.Attribute	INVENTORY_W							51	0	0	0	0	0	
GET	/v3/merchants/{mId}/attributes/{attributeId}	v3	attributes	GetAttribute	object	inventory.Attribute		~INVENTORY_R					getMerchantAttribute		0	0	0	0	0	0	
POST	/v3/merchants/{mId}/attributes/{attributeId}	v3	attributes	UpdateAttribute	object		inventory.Attribute	~INVENTORY_W							51	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/attributes/{attributeId}	v3	attributes	DeleteAttribute				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/attributes/{attributeId}/options	v3	attributes	GetOptionsByAttribute	list	inventory.Option		~INVENTORY_R	1000			modifiedTime	getMerchantAttributeOptions		0	0	52	5	0	0	
POST	/v3/merchants/{mId}/attributes/{attributeId}/options	v3	attributes	CreateOption	object		inventory.Option	INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/attributes/{attributeId}/options/{optionId}	v3	attributes	GetOptionById	object	inventory.Option		~INVENTORY_R					getMerchantAttributeOption		0	0	52	0	0	0	
POST	/v3/merchants/{mId}/attributes/{attributeId}/options/{optionId}	v3	attributes	UpdateOption	object		inventory.Option	~INVENTORY_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/attributes/{attributeId}/options/{optionId}	v3	attributes	DeleteOption				~INVENTORY_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/bulk_items	v3	bulk_items	BulkCreateInventoryItems	list		inventory.InventoryItems	~INVENTORY_W							0	0	0	0	0	0	26
PUT	/v3/merchants/{mId}/bulk_items	v3	bulk_items	BulkPatchInventoryItems	list		inventory.InventoryItems	~INVENTORY_W							0	0	0	0	0	0	27
GET	/v3/merchants/{mId}/categories	v3	categories	GetCategories	list	inventory.Category		INVENTORY_R	1000			modifiedTime	getMerchantCategories		53	54	55	56	0	0	
POST	/v3/merchants/{mId}/categories	v3	categories	CreateCategory	object		inventory.Category	INVENTORY_W							53	54	0	0	0	0	
DELETE	/v3/merchants/{mId}/categories	v3	categories	BulkDeleteCategories				~INVENTORY_W							0	0	0	0	57	0	28
POST	/v3/merchants/{mId}/categories/bulk_sort_orders	v3	categories	UpdateCategorySortOrders	list		docs:CategorySortOrderArray	~INVENTORY_W							0	0	0	0	0	0	29,30
GET	/v3/merchants/{mId}/categories/{catId}	v3	categories	GetCategory	object	inventory.Category		INVENTORY_R					getMerchantCategory		53	54	0	0	0	0	
POST	/v3/merchants/{mId}/categories/{catId}	v3	categories	UpdateCategory	object		inventory.Category	~INVENTORY_W							53	54	0	0	0	0	
DELETE	/v3/merchants/{mId}/categories/{catId}	v3	categories	DeleteCategory				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/categories/{catId}/items	v3	categories	GetCategoryItems	list	inventory.Item		INVENTORY_R	1000			modifiedTime	getMerchantCategoryItems		58	59	55	60	0	0	31,32
POST	/v3/merchants/{mId}/category_items	v3	category_items	CreateOrDeleteCategoryItems	list	inventory.CategoryItem	elements<inventory.CategoryItem>	INVENTORY_W							53	0	0	0	8	0	6
GET	/v3/merchants/{mId}/discounts	v3	discounts	GetDiscounts	list	inventory.Discount		INVENTORY_R	1000			modifiedtime			0	0	61	62	0	0	33
POST	/v3/merchants/{mId}/discounts	v3	discounts	CreateDiscount	object		inventory.Discount	INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/discounts/{discountId}	v3	discounts	GetDiscount	object	inventory.Discount		~INVENTORY_R							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/discounts/{discountId}	v3	discounts	UpdateDiscount	object		inventory.Discount	~INVENTORY_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/discounts/{discountId}	v3	discounts	DeleteDiscount				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/item_groups	v3	item_groups	GetItemGroups	list	inventory.ItemGroup		INVENTORY_R	1000			modifiedTime	getMerchantItemGroups		63	0	64	5	0	0	
POST	/v3/merchants/{mId}/item_groups	v3	item_groups	CreateItemGroup	object		inventory.ItemGroup	INVENTORY_W							63	0	0	0	0	0	
GET	/v3/merchants/{mId}/item_groups/{itemGroupId}	v3	item_groups	GetItemGroup	object	inventory.ItemGroup		INVENTORY_R					getMerchantItemGroup		63	0	0	0	0	0	
POST	/v3/merchants/{mId}/item_groups/{itemGroupId}	v3	item_groups	UpdateItemGroup	object		inventory.ItemGroup	~INVENTORY_W							63	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/item_groups/{itemGroupId}	v3	item_groups	DeleteItemGroup				~INVENTORY_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/item_modifier_groups	v3	item_modifier_groups	CreateOrDeleteItemModifierGroups	list	inventory.ItemModifierGroup	elements<inventory.ItemModifierGroup>	INVENTORY_W							0	0	0	0	8	0	6
GET	/v3/merchants/{mId}/item_stocks	v3	item_stocks	GetItemStocks	list	inventory.ItemStock		~INVENTORY_R	1000				getMerchantItemStocks		0	0	0	65	0	0	34
GET	/v3/merchants/{mId}/item_stocks/{itemId}	v3	item_stocks	GetItemStock	object	inventory.ItemStock		INVENTORY_R					getMerchantItemStock		0	0	0	0	0	0	34,35
POST	/v3/merchants/{mId}/item_stocks/{itemId}	v3	item_stocks	UpdateItemStock	object		inventory.ItemStock	INVENTORY_W							0	0	0	0	0	0	36,37
PUT	/v3/merchants/{mId}/item_stocks/{itemId}	v3	item_stocks		object		inventory.ItemStock	INVENTORY_W							0	0	0	0	0	0	38,39
DELETE	/v3/merchants/{mId}/item_stocks/{itemId}	v3	item_stocks	DeleteItemStock				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/items	v3	items	GetItems	list	inventory.Item		INVENTORY_R	1000			modifiedTime	getMerchantItems		66	67	68	60	0	0	40,41
POST	/v3/merchants/{mId}/items	v3	items	CreateItem	object		inventory.Item	INVENTORY_W							66	67	0	0	0	0	
DELETE	/v3/merchants/{mId}/items	v3	items	BulkDeleteItems				~INVENTORY_W							0	0	0	0	69	0	42
GET	/v3/merchants/{mId}/items/{itemId}	v3	items	GetItem	object	inventory.Item		INVENTORY_R					getMerchantItem		70	67	0	0	0	0	
POST	/v3/merchants/{mId}/items/{itemId}	v3	items	UpdateItem	object		inventory.Item	INVENTORY_W							70	67	0	0	0	0	43
PUT	/v3/merchants/{mId}/items/{itemId}	v3	items		object		inventory.Item	INVENTORY_W							0	0	0	0	0	0	38,44
DELETE	/v3/merchants/{mId}/items/{itemId}	v3	items	DeleteItem				INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/items/{itemId}/categories	v3	items	GetItemCategories	list	inventory.Category		~INVENTORY_R	1000			modifiedTime	getMerchantItemCategories		53	54	55	56	0	0	
GET	/v3/merchants/{mId}/items/{itemId}/tags	v3	items	GetItemTags	list	inventory.Tag		~INVENTORY_R	1000			modifiedTime	getMerchantItemTags		71	54	72	5	0	0	
GET	/v3/merchants/{mId}/items_no_revenue_class	v3	items_no_revenue_class	GetItemsNoRevenueClass	list	inventory.Item		~INVENTORY_R	1000			modifiedTime			70	67	73	60	0	0	
POST	/v3/merchants/{mId}/modifier_group_sort_orders	v3	modifier_group_sort_orders	UpdateModifierGroupSortOrders	object		inventory.ModifierGroupArray	~INVENTORY_W							0	0	0	0	0	0	45
GET	/v3/merchants/{mId}/modifier_groups	v3	modifier_groups	GetModifierGroups	list	inventory.ModifierGroup		INVENTORY_R	1000			modifiedTime	getMerchantModifierGroups		74	75	76	77	0	0	
POST	/v3/merchants/{mId}/modifier_groups	v3	modifier_groups	CreateModifierGroup	object		inventory.ModifierGroup	INVENTORY_W							74	75	0	0	0	0	
DELETE	/v3/merchants/{mId}/modifier_groups	v3	modifier_groups	BulkDeleteModifierGroups				~INVENTORY_W							0	0	0	0	78	0	46
GET	/v3/merchants/{mId}/modifier_groups/{modGroupId}	v3	modifier_groups	GetModifierGroup	object	inventory.ModifierGroup		INVENTORY_R					getMerchantModifierGroup		74	75	0	0	0	0	
POST	/v3/merchants/{mId}/modifier_groups/{modGroupId}	v3	modifier_groups	UpdateModifierGroup	object		inventory.ModifierGroup	~INVENTORY_W							74	75	0	0	0	0	
DELETE	/v3/merchants/{mId}/modifier_groups/{modGroupId}	v3	modifier_groups	DeleteModifierGroup				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/modifier_groups/{modGroupId}/items	v3	modifier_groups	GetModifierGroupItems	list	inventory.Item		INVENTORY_R	1000			modifiedTime			70	67	73	60	0	0	
PUT	/v3/merchants/{mId}/modifier_groups/{modGroupId}/layout	v3	modifier_groups	ReorderModifiers	list	base.Reference	base.IdArray	~INVENTORY_W							0	0	0	0	0	0	47
GET	/v3/merchants/{mId}/modifier_groups/{modGroupId}/modifiers	v3	modifier_groups	GetModifiersByGroup	list	inventory.Modifier		INVENTORY_R	1000			modifiedTime	getMerchantModifierGroupModifiers		74	0	79	80	0	0	48
POST	/v3/merchants/{mId}/modifier_groups/{modGroupId}/modifiers	v3	modifier_groups	CreateModifier	object		inventory.Modifier	INVENTORY_W							81	82	0	0	0	0	
GET	/v3/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}	v3	modifier_groups	GetModifier	object	inventory.Modifier		~INVENTORY_R					getMerchantModifierGroupModifier		81	82	0	0	0	0	
POST	/v3/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}	v3	modifier_groups	UpdateModifier	object		inventory.Modifier	~INVENTORY_W							81	82	0	0	0	0	
DELETE	/v3/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}	v3	modifier_groups	DeleteModifier				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/modifiers	v3	modifiers	GetModifiers	list	inventory.Modifier		~INVENTORY_R	1000			modifiedTime	getMerchantModifiers		81	82	79	80	0	0	
POST	/v3/merchants/{mId}/option_items	v3	option_items	CreateOrDeleteOptionItems	list	inventory.OptionItem	elements<inventory.OptionItem>	INVENTORY_W							0	0	0	0	8	0	6
GET	/v3/merchants/{mId}/options	v3	options	GetOptions	list	inventory.Option		~INVENTORY_R	1000			modifiedTime	getMerchantOptions		0	0	52	5	0	0	
GET	/v3/merchants/{mId}/tag_items	v3	tag_items	GetTagItems	list	inventory.TagItem		INVENTORY_R	1000						0	0	0	0	0	0	
POST	/v3/merchants/{mId}/tag_items	v3	tag_items	CreateOrDeleteTagItems	list	inventory.TagItem	elements<inventory.TagItem>	INVENTORY_W							0	0	0	0	8	0	6
GET	/v3/merchants/{mId}/tags	v3	tags	GetTags	list	inventory.Tag		INVENTORY_R	1000			modifiedTime	getMerchantTags		71	54	72	5	0	0	
POST	/v3/merchants/{mId}/tags	v3	tags	CreateTag	object		inventory.Tag	INVENTORY_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/tags	v3	tags	BulkDeleteTags				~INVENTORY_W							0	0	0	0	83	0	49
GET	/v3/merchants/{mId}/tags/{tagId}	v3	tags	GetTag	object	inventory.Tag		~INVENTORY_R					getMerchantTag		71	54	0	0	0	0	
POST	/v3/merchants/{mId}/tags/{tagId}	v3	tags	UpdateTag	object		inventory.Tag	~INVENTORY_W							71	54	0	0	0	0	
DELETE	/v3/merchants/{mId}/tags/{tagId}	v3	tags	DeleteTag				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/tags/{tagId}/items	v3	tags	GetTaggedItems	list	inventory.Item		~INVENTORY_R	1000			modifiedTime	getMerchantTagItems		71	0	84	60	0	0	50,51
POST	/v3/merchants/{mId}/tax_rate_items	v3	tax_rate_items	CreateOrDeleteTaxRateItems	list	inventory.TaxRateItem	elements<inventory.TaxRateItem>	~INVENTORY_W							0	0	0	0	8	0	6
GET	/v3/merchants/{mId}/tax_rates	v3	tax_rates	GetTaxRates	list	inventory.TaxRate		INVENTORY_R	1000				getMerchantTaxRates		53	54	85	86	0	0	52
POST	/v3/merchants/{mId}/tax_rates	v3	tax_rates	CreateTaxRate	object	inventory.TaxRate	inventory.TaxRate	INVENTORY_W							53	54	0	0	0	0	
GET	/v3/merchants/{mId}/tax_rates/{taxId}	v3	tax_rates	GetTaxRate	object	inventory.TaxRate		INVENTORY_R					getMerchantTaxRate		53	54	0	0	0	0	
POST	/v3/merchants/{mId}/tax_rates/{taxId}	v3	tax_rates	UpdateTaxRate	object		inventory.TaxRate	~INVENTORY_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/tax_rates/{taxId}	v3	tax_rates	DeleteTaxRate				~INVENTORY_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/tax_rates/{taxId}/items	v3	tax_rates	GetItemsByTaxRate	list	inventory.Item		~INVENTORY_R	1000			modifiedTime	getMerchantTaxRateItems		53	0	73	60	0	0	53
GET	/v3/merchants/{mId}/tax_rules	v3	tax_rules	GetTaxRules	list	docs:TaxRule		~INVENTORY_R	1000						0	0	0	0	0	0	54
GET	/v3/merchants/{mId}/tax_rules/{taxRuleId}	v3	tax_rules	GetTaxRule	object	docs:TaxRule		~INVENTORY_R							0	0	0	0	0	0	55
POST	/v3/merchants/{mId}/atomic_order/checkouts	v3	atomic_order	CheckoutAtomicOrder	object	order.OrderCheckoutResponse	docs:OrderCheckoutRequest	~ORDERS_W							0	0	0	0	0	0	56,30
POST	/v3/merchants/{mId}/atomic_order/orders	v3	atomic_order	CreateAtomicOrder	object	order.Order	order.OrderSubmitRequest	ORDERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/orders	v3	orders	GetOrders	list	order.Order		ORDERS_R	1000	filtered	createdTime	modifiedTime	getMerchantOrders		87	88	89	40	0	41	57,58,59
POST	/v3/merchants/{mId}/orders	v3	orders	CreateOrder	object		order.Order	ORDERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/orders/{orderId}	v3	orders	GetOrder	object	order.Order		ORDERS_R					getMerchantOrder		90	38	0	0	0	0	58
POST	/v3/merchants/{mId}/orders/{orderId}	v3	orders	UpdateOrder	object		order.Order	ORDERS_W							37	38	0	0	0	0	43,60
DELETE	/v3/merchants/{mId}/orders/{orderId}	v3	orders	DeleteOrder				ORDERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/bulk_line_items	v3	orders	BulkCreateLineItems	list		order.CreateLineItemsRequest	ORDERS_W							0	0	0	0	0	0	61
GET	/v3/merchants/{mId}/orders/{orderId}/discounts	v3	orders	GetOrderDiscounts	list	order.Discount		ORDERS_R	1000				getMerchantOrderDiscounts		0	0	0	62	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/discounts	v3	orders	CreateDiscount	object		order.Discount	ORDERS_W							0	0	0	0	0	0	62
DELETE	/v3/merchants/{mId}/orders/{orderId}/discounts/{discountId}	v3	orders	RemoveOrderDiscount				~ORDERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/orders/{orderId}/line_items	v3	orders	GetOrderLineItems	list	order.LineItem		ORDERS_R	1000				getMerchantOrderLineItems		91	92	0	93	0	0	63
POST	/v3/merchants/{mId}/orders/{orderId}/line_items	v3	orders	CreateLineItem	object		order.LineItem	ORDERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/orders/{orderId}/line_items	v3	orders	DeleteLineItems				~ORDERS_W							0	0	0	0	0	0	64
GET	/v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}	v3	orders	GetOrderLineItem	object	order.LineItem		ORDERS_R					getMerchantOrderLineItem		91	92	0	0	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}	v3	orders	UpdateOrderLineItem	object		order.LineItem	~ORDERS_W							91	92	0	0	0	0	
DELETE	/v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}	v3	orders	DeleteOrderLineItem				ORDERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/discounts	v3	orders	CreateLineItemDiscount	object		order.Discount	ORDERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/discounts/{discountId}	v3	orders	RemoveDiscount				~ORDERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/line_items/{oldLineItemId}/exchange/{lineItemId}	v3	orders	SetOrderLineItem	object		order.LineItem	~ORDERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/modifications	v3	orders	ApplyModification	object		order.Modification	ORDERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/modifications/{modificationId}	v3	orders	RemoveModification				~ORDERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/orders/{orderId}/order_fee_line_items	v3	orders		list	order.LineItem		~ORDERS_R	1000						94	0	0	93	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/order_fee_line_items	v3	orders	CreateOrderFeeLineItem	object		order.LineItem	~ORDERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/orders/{orderId}/order_fee_line_items/{orderFeeLineItemId}	v3	orders	GetOrderFeeLineItem	object	order.LineItem		~ORDERS_R							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/orders/{orderId}/order_fee_line_items/{orderFeeLineItemId}	v3	orders					~ORDERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/orders/{orderId}/payments	v3	orders	GetOrderPayments	list	payments.Payment		PAYMENTS_R	1000	always	createdTime	modifiedTime			42	43	44	45	0	0	22,23
POST	/v3/merchants/{mId}/orders/{orderId}/payments	v3	orders	CreatePaymentForOrder	object		payments.Payment	~PAYMENTS_W							0	0	0	0	0	0	65
POST	/v3/merchants/{mId}/orders/{orderId}/payments/{payId}/refund	v3	orders					PAYMENTS_W						u	0	0	0	0	0	0	1
POST	/v3/merchants/{mId}/orders/{orderId}/service_charge/	v3	orders	ApplyServiceCharge	object		base.ServiceCharge	ORDERS_W							0	0	0	0	0	0	66,67,68
DELETE	/v3/merchants/{mId}/orders/{orderId}/service_charge/{chargeId}	v3	orders	RemoveServiceCharge				~ORDERS_W							0	0	0	0	0	0	
POST	/v3/merchants/{mId}/orders/{orderId}/voided_line_items	v3	orders	VoidOrderLineItem	object		order.VoidedLineItem	~ORDERS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/orders_v2/{orderId}	v3	orders_v2	DeleteOrderWithReasonHandler				~ORDERS_W							0	0	0	0	0	0	69
POST	/v3/merchants/{mId}/print_event	v3	print_event	CreatePrintEvent	object		order.PrintOrder	ORDERS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/print_event/{eventId}	v3	print_event	GetPrintEvent	object	order.PrintOrder		ORDERS_R							0	0	0	0	0	0	70
GET	/v3/merchants/{mId}/voided_line_items	v3	voided_line_items	GetVoidedOrderLineItems	list	order.VoidedLineItem		~ORDERS_R	1000						0	0	95	96	0	0	71
GET	/v3/merchants/{mId}/voided_line_items/totals	v3	voided_line_items	GetVoidedLineItemsTotals	object	order.VoidedItemsSummary		~ORDERS_R							0	0	97	0	0	0	
GET	/v3/merchants/{mId}/authorizations	v3	authorizations	GetAuthorizations	list	payments.Authorization		~PAYMENTS_R	1000	always	createdTime		getMerchantAuthorizations		98	99	100	101	0	0	22
POST	/v3/merchants/{mId}/authorizations	v3	authorizations	CreateAuthorization	object	payments.Authorization	payments.Authorization	~PAYMENTS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/authorizations/{authId}	v3	authorizations	GetAuthorization	object	payments.Authorization		~PAYMENTS_R					getMerchantAuthorization		42	0	0	0	0	0	
POST	/v3/merchants/{mId}/authorizations/{authId}	v3	authorizations	UpdateAuthorization	object		payments.Authorization	~PAYMENTS_W							0	0	0	0	0	0	
DELETE	/v3/merchants/{mId}/authorizations/{authId}	v3	authorizations	DeleteAuthorization				~PAYMENTS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/batches	v3	batches		list	payments.Batch		~PAYMENTS_R	1000					u	0	0	0	102	0	0	1
GET	/v3/merchants/{mId}/credit_refunds	v3	credit_refunds	GetCreditRefunds	list	payments.CreditRefund		~PAYMENTS_R	1000						103	0	0	104	0	0	72
GET	/v3/merchants/{mId}/credit_refunds/{crId}	v3	credit_refunds	GetCreditRefund	object	payments.CreditRefund		~PAYMENTS_R							103	0	0	0	0	0	
GET	/v3/merchants/{mId}/credits	v3	credits	GetCredits	list	payments.Credit		PAYMENTS_R	1000				getMerchantCredits		105	0	106	107	0	0	
GET	/v3/merchants/{mId}/credits/{creditId}	v3	credits	GetCredit	object	payments.Credit		~PAYMENTS_R					getMerchantCredit		105	0	0	0	0	0	
GET	/v3/merchants/{mId}/payments	v3	payments	GetPayments	list	payments.Payment		PAYMENTS_R	1000	always	createdTime	modifiedTime	getMerchantPayments		108	43	44	45	0	0	22,23,73,74
GET	/v3/merchants/{mId}/payments/{payId}	v3	payments	GetPayment	object	payments.Payment		PAYMENTS_R					getMerchantPayment		42	43	0	0	0	0	73
POST	/v3/merchants/{mId}/payments/{payId}	v3	payments	UpdatePayment	object		payments.Payment	~PAYMENTS_W							0	0	0	0	0	0	
GET	/v3/merchants/{mId}/payments/{payId}/status	v3	payments	GetStatus	object			~PAYMENTS_R							42	0	0	0	0	0	4
POST	/v3/merchants/{mId}/payments/{payId}/voids	v3	payments					PAYMENTS_W						u	0	0	0	0	0	0	1
GET	/v3/merchants/{mId}/refunds	v3	refunds	GetRefunds	list	payments.Refund		PAYMENTS_R	1000				getMerchantRefunds		109	0	0	110	0	0	75,72
GET	/v3/merchants/{mId}/refunds/{refundId}	v3	refunds	GetRefund	object	payments.Refund		PAYMENTS_R					getMerchantRefund		109	0	0	0	0	0	
GET	/v3/apps	v3	apps		list	apps.App			1000					u	0	0	0	111	0	0	1
GET	/v3/apps/{appId}/merchants/{mId}/billing_info	v3	apps	GetMerchantBillingInfo	object	apps.AppBillingInfo							getAppMerchantBillingInfo		0	0	0	0	0	0	
GET	/v3/apps/{appId}/merchants/{mId}/metereds/{meteredId}	v3	apps	GetMerchantAppMeteredEvents	list	apps.AppMeteredEvent			1000				getAppMerchantMetered		0	0	0	112	0	0	76
POST	/v3/apps/{appId}/merchants/{mId}/metereds/{meteredId}	v3	apps	CreateMerchantAppMeteredEvent	object	apps.AppMeteredEvent									0	0	0	0	113	0	77
GET	/v3/apps/{appId}/merchants/{mId}/metereds/{meteredId}/events/{eventId}	v3	apps	GetMerchantAppMeteredEvent	object	apps.AppMeteredEvent									0	0	0	0	0	0	
DELETE	/v3/apps/{appId}/merchants/{mId}/metereds/{meteredId}/events/{eventId}	v3	apps	DeleteMerchantAppMeteredEvent		apps.AppMeteredEvent									0	0	0	0	0	0	
POST	/v3/apps/{appId}/devices/{deviceId}/notifications	v3	apps	CreateDeviceAppNotification	object		apps.AppNotification								0	0	0	0	0	0	17
POST	/v3/apps/{appId}/merchants/{mId}/notifications	v3	apps	CreateMerchantAppNotification	object		apps.AppNotification								0	0	0	0	0	0	17
GET	/v3/accounts/current	v3	accounts		object	account.Account								u	0	0	0	0	0	0	1
GET	/v3/accounts/current/business-topology	v3	accounts		object									u	0	0	0	0	0	0	1
GET	/v3/accounts/current/merchants	v3	accounts		list	merchant.Merchant			1000					u	0	0	0	114	0	0	1
GET	/v3/merchant_plans	v3	merchant_plans		list	merchant.MerchantPlan			1000					u	0	0	0	115	0	0	1
GET	/v3/resellers	v3	resellers		list	resellers.Reseller			1000					u	0	0	0	116	0	0	1
POST	/v3/resellers	v3	resellers											u	0	0	0	0	0	0	1
POST	/v1/charges	ecommerce	ecommerce	CreateCharge	object	ecomm.Charge	ecomm.CreateChargeRequest								0	0	0	0	0	0	
GET	/v1/charges	ecommerce	ecommerce	GetCharges	list	ecomm.Charge			100						0	0	117	0	118	0	
POST	/v1/charges/{chargeId}/capture	ecommerce	ecommerce	CaptureCharge	object	ecomm.Charge	ecomm.CaptureCharge								0	0	0	0	0	0	
GET	/v1/charges/{chargeId}	ecommerce	ecommerce	GetChargesCharge	object	ecomm.Charge									0	0	0	0	0	0	
POST	/v1/refunds	ecommerce	ecommerce	CreateRefund	object	ecomm.Refund	ecomm.CreateRefundRequest								0	0	0	0	0	0	
GET	/v1/refunds	ecommerce	ecommerce	ListRefunds	list	ecomm.Refund			100						0	0	119	0	120	0	
GET	/v1/refunds/{refundId}	ecommerce	ecommerce	GetRefund	object	ecomm.Refund									0	0	0	0	0	0	
POST	/v1/tokens	token	token	CreateToken											0	0	0	0	0	0	
POST	/invoicingcheckoutservice/v1/checkouts	hosted-checkout	hosted-checkout	CreateCheckout											0	0	0	0	0	0	
GET	/v1/orders	ecommerce	ecommerce		list	ecomm.Order			100						0	0	121	0	122	0	
GET	/v1/orders/{orderId}	ecommerce	ecommerce		object	ecomm.Order									0	0	0	0	123	0	
POST	/v1/orders	ecommerce	ecommerce		object	ecomm.Order	ecomm.CreateOrderRequest								0	0	0	0	0	0	
POST	/v1/orders/{orderId}/pay	ecommerce	ecommerce		object	ecomm.Order	ecomm.PayForOrderRequest								0	0	0	0	0	0	
POST	/v1/orders/{orderId}/returns	ecommerce	ecommerce		object	ecomm.OrderReturn	ecomm.ReturnOrderRequest								0	0	0	0	0	0	
POST	/v1/customers	ecommerce	ecommerce		object	ecomm.Customer	ecomm.CreateCustomerRequest								0	0	0	0	0	0	
POST	/v1/customers/{customerId}	ecommerce	ecommerce		object	ecomm.Customer	ecomm.CustomerRequest								0	0	0	0	0	0	
PUT	/v1/customers/{customerId}	ecommerce	ecommerce		object	ecomm.Customer	ecomm.CustomerRequest								0	0	0	0	0	0	
DELETE	/v1/customers/{customerId}/sources/{sourceId}	ecommerce	ecommerce												0	0	0	0	0	0	
GET	/pakms/apikey	platform-host	platform-host		object										0	0	0	0	0	0	
GET	/oauth/authorize	oauth	oauth												0	0	0	0	124	0	
GET	/oauth/token	oauth	oauth												0	0	0	0	125	0	
GET	/oauth/v2/authorize	oauth	oauth												0	0	0	0	0	0	
POST	/oauth/v2/token	oauth	oauth												0	0	0	0	0	0	
POST	/oauth/v2/refresh	oauth	oauth												0	0	0	0	0	0	
"""#

    /// Lists of names, by line number.
    static let lists: StaticString = #"""

employees,bankProcessing,externalMerchant,merchantBoarding,merchantL3Prerequisite,deviceBoarding,programExpress,hierarchy,shifts,orders,address,logos,owner,items,tags,tenders,payments,gateway,printers,modifierGroups,properties,tipSuggestions,openingHours,partnerApp,selfBoardingApplication,enterprises,equipment,equipmentSummary
employees.roles,employees.shifts,shifts.employee,shifts.overrideInEmployee,shifts.overrideOutEmployee,orders.credits,orders.customers,orders.discounts,orders.employee,orders.lineItems,orders.orderFulfillmentEvent,orders.orderType,orders.payments,orders.refunds,orders.serviceCharge,orders.voids,owner.roles,owner.shifts,items.ageRestricted,items.categories,items.itemStock,items.modifierGroups,items.options,items.tags,items.taxRates,tags.items,tags.printers,payments.additionalCharges,payments.appTracking,payments.cardTransaction,payments.dccInfo,payments.employee,payments.externalReferenceId,payments.germanInfo,payments.lineItemPayments,payments.oceanGatewayInfo,payments.order,payments.paymentAttributes,payments.refunds,payments.taxRates,payments.tender,payments.transactionInfo,modifierGroups.items,modifierGroups.modifiers
serial,name,merchant.id,merchant.name,deviceTypeName,model,id,deleted_time,orderPrefix
allowStoreAndForward,buildNumber,buildType,bundleIndicator,cpuId,deviceCertificate,deviceTypeName,id,imei,imsi,maxOfflineDays,model,name,offlinePayments,offlinePaymentsAll,offlinePaymentsLimit,offlinePaymentsLimitDefault,offlinePaymentsMaxLimit,offlinePaymentsMaxTotalPaymentsLimit,offlinePaymentsPromptThreshold,offlinePaymentsPromptThresholdDefault,offlinePaymentsTotalPaymentsLimit,offlinePaymentsTotalPaymentsLimitDefault,orderPrefix,pedCertificate,pinDisabled,productName,secureId,serial,showOfflinePayments,simIccid,terminalId,terminalPrefix
id,name
modifiedTime,amount,serviceChargeUuid,type,percentage,name,createdTime,id,deletedTime
createdTime,id,modifiedTime,name,percentage,type
delete
hours,attributes,categories
id,deletedTime
avgOrderTime,customerIdMethod,fee,filterCategories,hoursAvailable,id,isDefault,isDeleted,isHidden,label,labelKey,maxOrderAmount,maxRadius,minOrderAmount,systemOrderTypeDatabaseId,systemOrderTypeId,taxable
id,ipAddress,mac,model,name,type
employees
modifiedTime,systemRole,name,id,deletedTime
id,name,systemRole
id,isFsr,isQsr,isRetail,labelKey
modifiedTime,visible,merchantId,instruction,systemTenderId,label,id,labelKey,opensCashDrawer,deletedTime,enabled
editable,enabled,id,instructions,label,labelKey,opensCashDrawer,supportsTipping,visible
flatTip,percentage,name,id,enabled
amount,id,isEnabled,name,percentage
employee,device
employee.roles,employee.shifts
employee.id,note,amountChange,employee.name,type,device.id,timestamp
amountChange,note,timestamp,type
addresses,emailAddresses,phoneNumbers,cards,metadata,orders
customerSince,firstName,lastName,emailAddress,phoneNumber,marketingAllowed,fullName,id,deletedTime
customerSince,firstName,id,lastName,marketingAllowed
addresses,emailAddresses,phoneNumbers,cards,metadata
id
createdTime,id,modifiedTime,number,status
roles,shifts
roles.employees,shifts.employee,shifts.overrideInEmployee,shifts.overrideOutEmployee
modifiedTime,role,role.id,customId,name,nickname,id,deletedTime,deleted_time,email,pin
claimedTime,customId,deletedTime,email,id,inviteSent,isOwner,name,nickname,pin,role,unhashedPin
shifts,payments,orders,roles
shifts.employee,shifts.overrideInEmployee,shifts.overrideOutEmployee,payments.additionalCharges,payments.appTracking,payments.cardTransaction,payments.dccInfo,payments.employee,payments.externalReferenceId,payments.germanInfo,payments.lineItemPayments,payments.oceanGatewayInfo,payments.order,payments.paymentAttributes,payments.refunds,payments.taxRates,payments.tender,payments.transactionInfo,orders.credits,orders.customers,orders.discounts,orders.employee,orders.lineItems,orders.orderFulfillmentEvent,orders.orderType,orders.payments,orders.refunds,orders.serviceCharge,orders.voids,roles.employees
lineItems,serviceCharge,discounts,credits,payments,customers,orderFulfillmentEvent,refunds
lineItems.discounts,lineItems.employee,lineItems.modifications,lineItems.orderType,lineItems.payments,lineItems.taxRates,credits.appTracking,credits.cardTransaction,credits.dccInfo,credits.employee,credits.germanInfo,credits.order,credits.taxRates,credits.tender,credits.transactionInfo,payments.additionalCharges,payments.appTracking,payments.cardTransaction,payments.dccInfo,payments.employee,payments.externalReferenceId,payments.germanInfo,payments.lineItemPayments,payments.oceanGatewayInfo,payments.order,payments.paymentAttributes,payments.refunds,payments.taxRates,payments.tender,payments.transactionInfo,customers.addresses,customers.cards,customers.emailAddresses,customers.metadata,customers.phoneNumbers,refunds.appTracking,refunds.employee,refunds.germanInfo,refunds.lineItems,refunds.oceanGatewayInfo,refunds.overrideMerchantTender,refunds.payment,refunds.serviceCharge,refunds.transactionInfo
lineItems,serviceCharge,discounts,credits,payments,customers,orderFulfillmentEvent,refunds,createdTime
clientCreatedTime,createdTime,currency,customerId,customerUuid,deletedTimestamp,externalReferenceId,groupLineItems,id,isVat,manualTransaction,modifiedTime,note,orderTypeId,payType,paymentState,state,taxRemoved,testMode,title,total,unpaidBalance
deletedTime,externalReferenceId,createdTime,total,payType,title,note,state,manualTransaction,cardTransaction.last4,testMode,touched
tender,germanInfo,lineItemPayments,cardTransaction,dccInfo,employee,refunds,transactionInfo,externalReferenceId,oceanGatewayInfo,taxRates,additionalCharges,appTracking,paymentAttributes,order
refunds.appTracking,refunds.employee,refunds.germanInfo,refunds.lineItems,refunds.oceanGatewayInfo,refunds.overrideMerchantTender,refunds.payment,refunds.serviceCharge,refunds.transactionInfo
modifiedTime,device.id,externalReferenceId,result,offline,createdTime,externalPaymentId,voided,id,tender.id,employee.id,order.modifiedTime,amount,cardType,clientCreatedTime
amount,cashTendered,cashbackAmount,clientCreatedTime,createdTime,externalPaymentId,externalReferenceId,gatewayProcessingTime,id,modifiedTime,note,offline,result,taxAmount,tipAmount,voidReason
employee,overrideInEmployee,overrideOutEmployee
employee.roles,employee.shifts,overrideInEmployee.roles,overrideInEmployee.shifts,overrideOutEmployee.roles,overrideOutEmployee.shifts
employee.id,out_time,in_time,employee.name,in_and_override_time,out_and_override_time,id,has_in_time,override_in_time,deletedTime,server_banking
cashTipsCollected,id,inTime,outTime,overrideInTime,overrideOutTime,serverBanking
modifiedTime,name,id,deletedTime,itemGroup.id
options
modifiedTime,item.id,name,attribute.id,id,deletedTime
items
items.ageRestricted,items.categories,items.itemStock,items.modifierGroups,items.options,items.tags,items.taxRates
modifiedTime,deleted,sortOrder,name,colorCode,id
colorCode,deleted,id,modifiedTime,name,sortOrder
categoryIds
categories,itemStock,modifierRates,options,tags,taxRates,items
categories.items,tags.items,tags.printers,taxRates.items
alternateName,autoManage,available,code,colorCode,cost,defaultTaxRates,deletedTime,hidden,id,isAgeRestricted,isRevenue,modifiedTime,name,price,priceType,priceWithoutVat,sku,stockCount,unitName
amount,modifiedtime,percentage,id
amount,id,name,percentage
items,attributes
modifiedTime,name,id,deletedTime
modifiedTime,quantity,stockCount
tags,categories,taxRates,modifierGroups,itemStock,options,ageRestricted
tags.items,tags.printers,categories.items,taxRates.items,modifierGroups.items,modifierGroups.modifiers
lowStock,modifiedTime,hidden,itemCode,available,option.id,modifierGroup.id,autoManage,price,id,sku,defaultTaxRates,tags.id,alternateName,isRevenue,tags.name,deleted,item.id,name,itemStock.quantity,itemGroup.id,isAgeRestricted,ageRestrictedType,minimumAge,categoryId
itemIds
tags,categories,taxRates,modifierGroups,itemStock,options
items,printers
modifiedTime,deleted,name,showInReporting,id
modifiedTime,hidden,itemCode,available,option.id,modifierGroup.id,autoManage,price,id,sku,defaultTaxRates,tags.id,alternateName,isRevenue,tags.name,deleted,item.id,name,itemStock.quantity,itemGroup.id
modifiers,items
modifiers.modifierGroup,items.ageRestricted,items.categories,items.itemStock,items.modifierGroups,items.options,items.tags,items.taxRates
modifiedTime,category.id,negativeSortOrder,item.id,sortOrder,name,id,showByDefault
alternateName,id,maxAllowed,minRequired,modifierIds,name,showByDefault
modifierGroupIds
modifiedTime,price,name,alternateName,id,modifierGroup.id
alternateName,id,name,price
modifierGroup
modifierGroup.items,modifierGroup.modifiers
tagIds
modifiedTime,hidden,itemCode,available,option.id,alternateName,isRevenue,modifierGroup.id,autoManage,deleted,item.id,price,name,itemStock.quantity,id,sku,defaultTaxRates,itemGroup.id
isDefault,rate,items.id,name,id,taxAmount,taxType
deletedTime,id,isDefault,modifiedTime,name,rate
employee,payments,refunds,credits,voids,payment.tender,payment.cardTransaction,lineItems,customers,serviceCharge,discounts,orderType,lineItems.discounts,lineItems.modifications
employee.roles,employee.shifts,payments.additionalCharges,payments.appTracking,payments.cardTransaction,payments.dccInfo,payments.employee,payments.externalReferenceId,payments.germanInfo,payments.lineItemPayments,payments.oceanGatewayInfo,payments.order,payments.paymentAttributes,payments.refunds,payments.taxRates,payments.tender,payments.transactionInfo,refunds.appTracking,refunds.employee,refunds.germanInfo,refunds.lineItems,refunds.oceanGatewayInfo,refunds.overrideMerchantTender,refunds.payment,refunds.serviceCharge,refunds.transactionInfo,credits.appTracking,credits.cardTransaction,credits.dccInfo,credits.employee,credits.germanInfo,credits.order,credits.taxRates,credits.tender,credits.transactionInfo,voids.additionalCharges,voids.appTracking,voids.cardTransaction,voids.dccInfo,voids.employee,voids.externalReferenceId,voids.germanInfo,voids.lineItemPayments,voids.oceanGatewayInfo,voids.order,voids.paymentAttributes,voids.refunds,voids.taxRates,voids.tender,voids.transactionInfo,lineItems.employee,lineItems.orderType,lineItems.payments,lineItems.taxRates,customers.addresses,customers.cards,customers.emailAddresses,customers.metadata,customers.phoneNumbers,orderType.attributes,orderType.categories,orderType.hours
employee.id,note,modifiedTime,orderType,touched,cardTransaction.last4,manualTransaction,employee.name,title,device.id,externalReferenceId,clientCreatedTime,total,payType,testMode,createdTime,id,state,deletedTime,customer.id
lineItems,serviceCharge,discounts,credits,payments,customers,orderFulfillmentEvent,refunds,employee,orderType
employee,orderType,discounts,modifications,taxRates,payments
taxRates.items
ageRestrictedType,alternateName,binName,createdTime,discountAmount,exchanged,id,isAgeRestricted,isOrderFee,isRevenue,itemCode,minimumAge,name,note,orderClientCreatedTime,orderLevelDiscountAmount,percentage,price,priceWithModifiers,priceWithModifiersAndItemAndOrderDiscounts,printed,quantitySold,refunded,revenueAmount,unitName,unitQty,userData
employee,orderType,payments
reason,quantity,orderId,revenueClassName,deleteType,isRevenue,approvedByUuid,sortByName,printed,orderType.id,price,name,showInReporting,lineItemUuid,id,deletedTime,merchantId,removedById
clientEventType,deletedTime
reason,quantity,orderId,revenueClassName,deleteType,isRevenue,approvedByUuid,sortByName,printed,orderType.id,price,name,showInReporting,lineItemUuid,id,deletedTime
payment
payment.additionalCharges,payment.appTracking,payment.cardTransaction,payment.dccInfo,payment.employee,payment.externalReferenceId,payment.germanInfo,payment.lineItemPayments,payment.oceanGatewayInfo,payment.order,payment.paymentAttributes,payment.refunds,payment.taxRates,payment.tender,payment.transactionInfo
last4,note,amount,tabName,orderId,cardType,orderModifiedTime,type,device.id,token,result,authcode,externalReferenceId,closingPaymentId,merchantId,paymentId,createdTime,id,deletedTime
amount,authcode,cardType,createdTime,id,last4,note,tabName,token,type
accountId,batchType,closeoutTimeDifference,createdTime,devices,firstGatewayTxId,id,lastGatewayTxId,merchantId,modifiedTime,rapidDepositUrl,state,totalBatchAmount,txCount
credit,germanInfo,appTracking,transactionInfo
clientCreatedTime,createdTime,id
dccInfo,germanInfo,appTracking,tender,employee,cardTransaction,order,taxRates,transactionInfo
employee.id,order.modifiedTime,reason,amount,cardType,order.id,failed,device.id,merchantTender.databaseId,externalReferenceId,result,clientCreatedTime,merchantId,id,tender.id,taxAmount,orderType.databaseId,deletedTime
amount,clientCreatedTime,createdTime,id,result,taxAmount,voidReason,voided
tender,germanInfo,lineItemPayments,cardTransaction,dccInfo,refunds,transactionInfo,externalReferenceId,oceanGatewayInfo,taxRates,additionalCharges,appTracking,paymentAttributes,order
payment,germanInfo,appTracking,employee,overrideMerchantTender,serviceCharge,lineItems,transactionInfo,oceanGatewayInfo
amount,clientCreatedTime,createdTime,id,taxAmount,voidReason,voided
activationUrl,appDomain,appSecret,approvalStatus,approvalStatusModifiedTime,approved,billingStartTime,defaultResponseType,description,eula,filenameIcon,filenameIconLarge,filenameIconSmall,hidden,id,installCount,installed,installedTime,isMerchantInTrial,name,packageName,paidAppHasTrial,permissionCustomersRead,permissionCustomersWrite,permissionEmployeesRead,permissionEmployeesWrite,permissionInventoryRead,permissionInventoryWrite,permissionMerchantRead,permissionMerchantWrite,permissionMidRead,permissionOrdersRead,permissionOrdersWrite,permissionPaymentsRead,permissionPaymentsWrite,permissionProcessCards,privacyPolicy,productType,published,siteUrl,smartReceiptText,smartReceiptUrl,sortOrder,supportEmail,supportPhone,supportPhoneHours,supportUrl,systemApp,tagline,videoUrl
count,createdTime,id,modifiedTime
count
accountType,businessTypeCode,createdTime,customerContactEmail,defaultCurrency,id,isBillable,name,phoneNumber,website
activationTime,billToMid,bogo,createdTime,deactivationTime,defaultPlan,description,enforced,hidden,id,modifiedTime,name,planCode,price,pricingModel,recommended,trialDays,trialExpirationTime,type,weight
allowBlackhole,alternateName,code,createdTime,defaultCountryCode,enforceMerchantPlan,fdClientId,filterApps,forcePhone,id,isBulkPurchaser,isCodelessActivation,isIntercomEnabled,isNewBilling,isRapidDepositEnabled,isRkiIdentifier,isSelfBoarding,locale,name,partnerSupportEmail,rapidDepositServiceEntitlementNumber,resellerPrivacyPolicyUrl,source,stationsOnClassic,supportEmail,supportPhone,supportsNakedCredit,supportsOutboundBoarding,tasqCustomerNumber,type
created,customer
created,customer,ending_before,expand,limit,threeds_validation_result,is_threeds,starting_after
charge,created
charge,created,ending_before,limit,starting_after
created,customer,status
sort,created,customer,ending_before,limit,starting_after,status,expand,ids,status_transitioned
expand
client_id,redirect_uri
client_id,client_secret,code
"""#

    /// What to know of an operation, by line number.
    static let notes: StaticString = #"""

seen only in programs, not in the reference; may not work
returns the merchant of the token, regardless of --merchant
returns one object, not a list
the response is not documented
describes how the merchant's cards are processed; keep it confidential
takes {"elements":[...]} with pairs of ids; with --param delete=true, the same body removes the pairs
returns one object
holds bank account numbers
deprecated
maximum of 500 records per page
email addresses and phone numbers are lists: "emailAddresses":[{"emailAddress":"..."}]; plain fields are ignored
the response omits them unless they are expanded
returns CSV text, not JSON; not paged
changes only the fields in the body; PUT and PATCH are refused with 405
creates it, or changes an existing one
removed from newer references; may no longer work
the model is matched by its name
creates or changes a card
holds PINs
holds the PIN
the documented filter names are those of expand, which must be a mistake; Clover itself is asked about each name
returns at most 90 days and does not report the rest; without a filter on createdTime, about 90 days
21 filter names were withdrawn in May 2023
wants the header X-Clover-Account-Id: the id of an employee who may edit shifts
at least one merchant returned shifts only per employee: employees/ID/shifts
creates many items at once
changes only the fields in the body, for many items at once
deletes the categories of --param categoryIds=A,B
maximum of 1000 categories per request
the fields of its body are not known
sortOrder and colorCode are documented for filters, but belong to the category, not to items
modifierRates and items are documented for expand, but no record has them
the filter for changes is spelled modifiedtime
an item that was never stocked has only the item field
the id is the item's
quantity is the new count, not a change
quantity is returned with a decimal point
worked in a sandbox; the reference documents only POST
quantity is the new count
the category filter is categoryId
name=Cof* finds names by prefix
deletes the items of --param itemIds=A,B
changes only the fields in the body
requires a name, otherwise 400
maximum of 200 groups per request
deletes the groups of --param modifierGroupIds=A,B
replaces all modifiers of the group and their order
modifiers and items are documented for expand, but no record has them
deletes the tags of --param tagIds=A,B
the iOS SDK reads one object here; the reference documents a list
items and printers are documented for expand, but no record has them
a rate of 825000 is 8.25 %
items is documented for expand, but no record has it
the fields of its records are not known
its fields are not known
prices an order without saving it
a filter on createdTime, state, total and some other fields silently searches only the last 90 days
expanded lists are silently cut at 100 entries
modifiedTime may be a second before createdTime
an order holds at most 3000 line items
maximum of 100 line items per request
a fixed amount must be negative, otherwise 400
price is per unit; unitQty is in thousandths, and absent for pieces
deletes all line items of the order
records a payment taken elsewhere; moves no money
the path ends with a slash
takes one charge; for several, use order_fee_line_items
returns a percentage, not a computed amount
deletes with a reason; how to give it is not known
a finished print job can no longer be read
not available for a single order: 405
its filter names are not documented; the service lists them
returns card data only with --expand cardTransaction
amount includes tax; tipAmount is added to it
the amount of a refund is positive
a list of events; the iOS SDK reads one object here
takes no body; --param count=N, by default 1
"""#
}
