// Made by Scripts/generate-emulator-catalogue from Catalogue/endpoints.json. Change that file, then run `make docs`.

/// The V3 operations, a line each; tab-separated: method, path behind `/v3`, shape (list, one, csv, or - for writes),
/// filter names with their kinds (i integer, b boolean, n text with a trailing star, c text without case, t text).
// swift-format-ignore
enum EndpointTable {
    static let lines: StaticString = #"""
DELETE	/apps/{appId}/merchants/{mId}/metereds/{meteredId}/events/{eventId}	-	
DELETE	/merchants/{mId}/attributes/{attributeId}	-	
DELETE	/merchants/{mId}/attributes/{attributeId}/options/{optionId}	-	
DELETE	/merchants/{mId}/authorizations/{authId}	-	
DELETE	/merchants/{mId}/categories	-	
DELETE	/merchants/{mId}/categories/{catId}	-	
DELETE	/merchants/{mId}/customers/{customerId}	-	
DELETE	/merchants/{mId}/customers/{customerId}/addresses/{addressId}	-	
DELETE	/merchants/{mId}/customers/{customerId}/cards/{cardId}	-	
DELETE	/merchants/{mId}/customers/{customerId}/email_addresses/{emailId}	-	
DELETE	/merchants/{mId}/customers/{customerId}/phone_numbers/{phoneId}	-	
DELETE	/merchants/{mId}/discounts/{discountId}	-	
DELETE	/merchants/{mId}/employee_cards/{employeeCardId}	-	
DELETE	/merchants/{mId}/employees/{empId}	-	
DELETE	/merchants/{mId}/employees/{empId}/shifts/{shiftId}	-	
DELETE	/merchants/{mId}/item_groups/{itemGroupId}	-	
DELETE	/merchants/{mId}/item_stocks/{itemId}	-	
DELETE	/merchants/{mId}/items	-	
DELETE	/merchants/{mId}/items/{itemId}	-	
DELETE	/merchants/{mId}/modifier_groups	-	
DELETE	/merchants/{mId}/modifier_groups/{modGroupId}	-	
DELETE	/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}	-	
DELETE	/merchants/{mId}/opening_hours/{hId}	-	
DELETE	/merchants/{mId}/order_types/{orderTypeId}	-	
DELETE	/merchants/{mId}/orders/{orderId}	-	
DELETE	/merchants/{mId}/orders/{orderId}/discounts/{discountId}	-	
DELETE	/merchants/{mId}/orders/{orderId}/line_items	-	
DELETE	/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}	-	
DELETE	/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/discounts/{discountId}	-	
DELETE	/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/modifications/{modificationId}	-	
DELETE	/merchants/{mId}/orders/{orderId}/order_fee_line_items/{orderFeeLineItemId}	-	
DELETE	/merchants/{mId}/orders/{orderId}/service_charge/{chargeId}	-	
DELETE	/merchants/{mId}/orders_v2/{orderId}	-	
DELETE	/merchants/{mId}/roles/{roleId}	-	
DELETE	/merchants/{mId}/tags	-	
DELETE	/merchants/{mId}/tags/{tagId}	-	
DELETE	/merchants/{mId}/tax_rates/{taxId}	-	
DELETE	/merchants/{mId}/tenders/{tenderId}	-	
GET	/accounts/current	one	
GET	/accounts/current/business-topology	one	
GET	/accounts/current/merchants	list	
GET	/apps	list	
GET	/apps/{appId}/merchants/{mId}/billing_info	one	
GET	/apps/{appId}/merchants/{mId}/metereds/{meteredId}	list	
GET	/apps/{appId}/merchants/{mId}/metereds/{meteredId}/events/{eventId}	one	
GET	/merchant_plans	list	
GET	/merchants/current	one	
GET	/merchants/{mId}	one	
GET	/merchants/{mId}/address	one	
GET	/merchants/{mId}/attributes	list	modifiedTime:i,name:n,id:t,deletedTime:i,itemGroup.id:t
GET	/merchants/{mId}/attributes/{attributeId}	one	
GET	/merchants/{mId}/attributes/{attributeId}/options	list	modifiedTime:i,item.id:t,name:n,attribute.id:t,id:t,deletedTime:i
GET	/merchants/{mId}/attributes/{attributeId}/options/{optionId}	one	modifiedTime:i,item.id:t,name:n,attribute.id:t,id:t,deletedTime:i
GET	/merchants/{mId}/authorizations	list	last4:t,note:t,amount:i,tabName:t,orderId:t,cardType:c,orderModifiedTime:i,type:c,device.id:t,token:t,result:c,authcode:t,externalReferenceId:t,closingPaymentId:t,merchantId:t,paymentId:t,createdTime:i,id:t,deletedTime:i
GET	/merchants/{mId}/authorizations/{authId}	one	
GET	/merchants/{mId}/batches	list	
GET	/merchants/{mId}/cash_events	list	employee.id:t,note:t,amountChange:i,employee.name:n,type:c,device.id:t,timestamp:i
GET	/merchants/{mId}/categories	list	modifiedTime:i,deleted:b,sortOrder:i,name:n,colorCode:t,id:t
GET	/merchants/{mId}/categories/{catId}	one	
GET	/merchants/{mId}/categories/{catId}/items	list	modifiedTime:i,deleted:b,sortOrder:i,name:n,colorCode:t,id:t
GET	/merchants/{mId}/credit_refunds	list	
GET	/merchants/{mId}/credit_refunds/{crId}	one	
GET	/merchants/{mId}/credits	list	employee.id:t,order.modifiedTime:i,reason:t,amount:i,cardType:c,order.id:t,failed:b,device.id:t,merchantTender.databaseId:i,externalReferenceId:t,result:c,clientCreatedTime:i,merchantId:t,id:t,tender.id:t,taxAmount:i,orderType.databaseId:i,deletedTime:i
GET	/merchants/{mId}/credits/{creditId}	one	
GET	/merchants/{mId}/customers	list	customerSince:i,firstName:t,lastName:t,emailAddress:t,phoneNumber:t,marketingAllowed:b,fullName:t,id:t,deletedTime:i
GET	/merchants/{mId}/customers.csv	csv	customerSince:i,firstName:t,lastName:t,emailAddress:t,phoneNumber:t,marketingAllowed:b,fullName:t,id:t,deletedTime:i
GET	/merchants/{mId}/customers/{customerId}	one	customerSince:i,firstName:t,lastName:t,emailAddress:t,phoneNumber:t,marketingAllowed:b,fullName:t,id:t,deletedTime:i
GET	/merchants/{mId}/default_service_charge	one	
GET	/merchants/{mId}/devices	list	serial:t,name:n,merchant.id:t,merchant.name:n,deviceTypeName:t,model:t,id:t,deleted_time:i,orderPrefix:t
GET	/merchants/{mId}/devices/{deviceId}	one	
GET	/merchants/{mId}/devices/{deviceId}/cash_events	list	employee.id:t,note:t,amountChange:i,employee.name:n,type:c,device.id:t,timestamp:i
GET	/merchants/{mId}/discounts	list	amount:i,modifiedtime:i,percentage:i,id:t
GET	/merchants/{mId}/discounts/{discountId}	one	
GET	/merchants/{mId}/ecomm_payment_configs	one	
GET	/merchants/{mId}/employee_cards	list	id:t
GET	/merchants/{mId}/employee_cards/{employeeCardId}	one	
GET	/merchants/{mId}/employees	list	modifiedTime:i,role:c,role.id:t,customId:t,name:n,nickname:t,id:t,deletedTime:i,deleted_time:i,email:t,pin:t
GET	/merchants/{mId}/employees/current	one	
GET	/merchants/{mId}/employees/{empId}	one	
GET	/merchants/{mId}/employees/{empId}/cash_events	list	employee.id:t,note:t,amountChange:i,employee.name:n,type:c,device.id:t,timestamp:i
GET	/merchants/{mId}/employees/{empId}/orders	list	lineItems:t,serviceCharge:t,discounts:t,credits:t,payments:t,customers:t,orderFulfillmentEvent:t,refunds:t,createdTime:i
GET	/merchants/{mId}/employees/{empId}/payments	list	modifiedTime:i,device.id:t,externalReferenceId:t,result:c,offline:b,createdTime:i,externalPaymentId:t,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c,clientCreatedTime:i
GET	/merchants/{mId}/employees/{empId}/shifts	list	employee.id:t,out_time:i,in_time:i,employee.name:n,in_and_override_time:i,out_and_override_time:i,id:t,has_in_time:b,override_in_time:i,deletedTime:i,server_banking:b
GET	/merchants/{mId}/employees/{empId}/shifts/{shiftId}	one	
GET	/merchants/{mId}/gateway	one	
GET	/merchants/{mId}/item_groups	list	modifiedTime:i,name:n,id:t,deletedTime:i
GET	/merchants/{mId}/item_groups/{itemGroupId}	one	
GET	/merchants/{mId}/item_stocks	list	
GET	/merchants/{mId}/item_stocks/{itemId}	one	
GET	/merchants/{mId}/items	list	lowStock:b,modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t,isAgeRestricted:b,ageRestrictedType:t,minimumAge:i,categoryId:t
GET	/merchants/{mId}/items/{itemId}	one	
GET	/merchants/{mId}/items/{itemId}/categories	list	modifiedTime:i,deleted:b,sortOrder:i,name:n,colorCode:t,id:t
GET	/merchants/{mId}/items/{itemId}/tags	list	modifiedTime:i,deleted:b,name:n,showInReporting:b,id:t
GET	/merchants/{mId}/items_no_revenue_class	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t
GET	/merchants/{mId}/modifier_groups	list	modifiedTime:i,category.id:t,negativeSortOrder:i,item.id:t,sortOrder:i,name:n,id:t,showByDefault:b
GET	/merchants/{mId}/modifier_groups/{modGroupId}	one	
GET	/merchants/{mId}/modifier_groups/{modGroupId}/items	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t
GET	/merchants/{mId}/modifier_groups/{modGroupId}/modifiers	list	modifiedTime:i,price:i,name:n,alternateName:t,id:t,modifierGroup.id:t
GET	/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}	one	
GET	/merchants/{mId}/modifiers	list	modifiedTime:i,price:i,name:n,alternateName:t,id:t,modifierGroup.id:t
GET	/merchants/{mId}/modifiers/{modId}	one	
GET	/merchants/{mId}/opening_hours	list	
GET	/merchants/{mId}/opening_hours/{hId}	one	
GET	/merchants/{mId}/options	list	modifiedTime:i,item.id:t,name:n,attribute.id:t,id:t,deletedTime:i
GET	/merchants/{mId}/order_fees	list	modifiedTime:i,amount:i,serviceChargeUuid:t,type:c,percentage:i,name:n,createdTime:i,id:t,deletedTime:i
GET	/merchants/{mId}/order_fees/{orderFeeId}	one	
GET	/merchants/{mId}/order_types	list	id:t,deletedTime:i
GET	/merchants/{mId}/order_types/{orderTypeId}	one	
GET	/merchants/{mId}/orders	list	employee.id:t,note:t,modifiedTime:i,orderType:t,touched:b,cardTransaction.last4:t,manualTransaction:b,employee.name:n,title:t,device.id:t,externalReferenceId:t,clientCreatedTime:i,total:i,payType:c,testMode:b,createdTime:i,id:t,state:t,deletedTime:i,customer.id:t
GET	/merchants/{mId}/orders/{orderId}	one	
GET	/merchants/{mId}/orders/{orderId}/discounts	list	
GET	/merchants/{mId}/orders/{orderId}/line_items	list	
GET	/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}	one	
GET	/merchants/{mId}/orders/{orderId}/order_fee_line_items	list	
GET	/merchants/{mId}/orders/{orderId}/order_fee_line_items/{orderFeeLineItemId}	one	
GET	/merchants/{mId}/orders/{orderId}/payments	list	modifiedTime:i,device.id:t,externalReferenceId:t,result:c,offline:b,createdTime:i,externalPaymentId:t,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c,clientCreatedTime:i
GET	/merchants/{mId}/payments	list	modifiedTime:i,device.id:t,externalReferenceId:t,result:c,offline:b,createdTime:i,externalPaymentId:t,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c,clientCreatedTime:i
GET	/merchants/{mId}/payments/{payId}	one	
GET	/merchants/{mId}/payments/{payId}/status	one	
GET	/merchants/{mId}/print_event/{eventId}	one	
GET	/merchants/{mId}/printers	list	
GET	/merchants/{mId}/properties	one	
GET	/merchants/{mId}/refunds	list	
GET	/merchants/{mId}/refunds/{refundId}	one	
GET	/merchants/{mId}/roles	list	modifiedTime:i,systemRole:c,name:n,id:t,deletedTime:i
GET	/merchants/{mId}/roles/{roleId}	one	
GET	/merchants/{mId}/shifts	list	employee.id:t,out_time:i,in_time:i,employee.name:n,in_and_override_time:i,out_and_override_time:i,id:t,has_in_time:b,override_in_time:i,deletedTime:i,server_banking:b
GET	/merchants/{mId}/shifts.csv	csv	employee.id:t,out_time:i,in_time:i,employee.name:n,in_and_override_time:i,out_and_override_time:i,id:t,has_in_time:b,override_in_time:i,deletedTime:i,server_banking:b
GET	/merchants/{mId}/shifts/{shiftId}	one	
GET	/merchants/{mId}/sync/{table}	one	
GET	/merchants/{mId}/system_order_types	list	
GET	/merchants/{mId}/tag_items	list	
GET	/merchants/{mId}/tags	list	modifiedTime:i,deleted:b,name:n,showInReporting:b,id:t
GET	/merchants/{mId}/tags/{tagId}	one	
GET	/merchants/{mId}/tags/{tagId}/items	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,alternateName:t,isRevenue:b,modifierGroup.id:t,autoManage:b,deleted:b,item.id:t,price:i,name:n,itemStock.quantity:i,id:t,sku:t,defaultTaxRates:b,itemGroup.id:t
GET	/merchants/{mId}/tax_rates	list	isDefault:b,rate:i,items.id:t,name:n,id:t,taxAmount:i,taxType:c
GET	/merchants/{mId}/tax_rates/{taxId}	one	
GET	/merchants/{mId}/tax_rates/{taxId}/items	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t
GET	/merchants/{mId}/tax_rules	list	
GET	/merchants/{mId}/tax_rules/{taxRuleId}	one	
GET	/merchants/{mId}/tenders	list	modifiedTime:i,visible:b,merchantId:t,instruction:t,systemTenderId:t,label:t,id:t,labelKey:t,opensCashDrawer:b,deletedTime:i,enabled:b
GET	/merchants/{mId}/tenders/{tenderId}	one	
GET	/merchants/{mId}/tip_suggestions	list	flatTip:b,percentage:i,name:n,id:t,enabled:b
GET	/merchants/{mId}/tip_suggestions/{tId}	one	
GET	/merchants/{mId}/voided_line_items	list	reason:t,quantity:i,orderId:t,revenueClassName:t,deleteType:t,isRevenue:b,approvedByUuid:t,sortByName:t,printed:b,orderType.id:t,price:i,name:n,showInReporting:b,lineItemUuid:t,id:t,deletedTime:i,merchantId:t,removedById:t
GET	/merchants/{mId}/voided_line_items/totals	one	reason:t,quantity:i,orderId:t,revenueClassName:t,deleteType:t,isRevenue:b,approvedByUuid:t,sortByName:t,printed:b,orderType.id:t,price:i,name:n,showInReporting:b,lineItemUuid:t,id:t,deletedTime:i
GET	/resellers	list	
POST	/apps/{appId}/devices/{deviceId}/notifications	-	
POST	/apps/{appId}/merchants/{mId}/metereds/{meteredId}	-	
POST	/apps/{appId}/merchants/{mId}/notifications	-	
POST	/merchants/{mId}	-	
POST	/merchants/{mId}/atomic_order/checkouts	-	
POST	/merchants/{mId}/atomic_order/orders	-	
POST	/merchants/{mId}/attributes	-	
POST	/merchants/{mId}/attributes/{attributeId}	-	
POST	/merchants/{mId}/attributes/{attributeId}/options	-	
POST	/merchants/{mId}/attributes/{attributeId}/options/{optionId}	-	
POST	/merchants/{mId}/authorizations	-	
POST	/merchants/{mId}/authorizations/{authId}	-	
POST	/merchants/{mId}/bulk_items	-	
POST	/merchants/{mId}/categories	-	
POST	/merchants/{mId}/categories/bulk_sort_orders	-	
POST	/merchants/{mId}/categories/{catId}	-	
POST	/merchants/{mId}/category_items	-	
POST	/merchants/{mId}/customers	-	
POST	/merchants/{mId}/customers/{customerId}	-	
POST	/merchants/{mId}/customers/{customerId}/addresses	-	
POST	/merchants/{mId}/customers/{customerId}/addresses/{addressId}	-	
POST	/merchants/{mId}/customers/{customerId}/cards	-	
POST	/merchants/{mId}/customers/{customerId}/cards/{cardId}	-	
POST	/merchants/{mId}/customers/{customerId}/email_addresses	-	
POST	/merchants/{mId}/customers/{customerId}/email_addresses/{emailId}	-	
POST	/merchants/{mId}/customers/{customerId}/metadata	-	
POST	/merchants/{mId}/customers/{customerId}/phone_numbers	-	
POST	/merchants/{mId}/customers/{customerId}/phone_numbers/{phoneId}	-	
POST	/merchants/{mId}/discounts	-	
POST	/merchants/{mId}/discounts/{discountId}	-	
POST	/merchants/{mId}/employee_cards	-	
POST	/merchants/{mId}/employees	-	
POST	/merchants/{mId}/employees/{empId}	-	
POST	/merchants/{mId}/employees/{empId}/shifts	-	
POST	/merchants/{mId}/employees/{empId}/shifts/{shiftId}	-	
POST	/merchants/{mId}/item_groups	-	
POST	/merchants/{mId}/item_groups/{itemGroupId}	-	
POST	/merchants/{mId}/item_modifier_groups	-	
POST	/merchants/{mId}/item_stocks/{itemId}	-	
POST	/merchants/{mId}/items	-	
POST	/merchants/{mId}/items/{itemId}	-	
POST	/merchants/{mId}/modifier_group_sort_orders	-	
POST	/merchants/{mId}/modifier_groups	-	
POST	/merchants/{mId}/modifier_groups/{modGroupId}	-	
POST	/merchants/{mId}/modifier_groups/{modGroupId}/modifiers	-	
POST	/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}	-	
POST	/merchants/{mId}/opening_hours	-	
POST	/merchants/{mId}/opening_hours/{hId}	-	
POST	/merchants/{mId}/option_items	-	
POST	/merchants/{mId}/order_type_categories	-	
POST	/merchants/{mId}/order_types	-	
POST	/merchants/{mId}/order_types/{orderTypeId}	-	
POST	/merchants/{mId}/orders	-	
POST	/merchants/{mId}/orders/{orderId}	-	
POST	/merchants/{mId}/orders/{orderId}/bulk_line_items	-	
POST	/merchants/{mId}/orders/{orderId}/discounts	-	
POST	/merchants/{mId}/orders/{orderId}/line_items	-	
POST	/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}	-	
POST	/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/discounts	-	
POST	/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/modifications	-	
POST	/merchants/{mId}/orders/{orderId}/line_items/{oldLineItemId}/exchange/{lineItemId}	-	
POST	/merchants/{mId}/orders/{orderId}/order_fee_line_items	-	
POST	/merchants/{mId}/orders/{orderId}/payments	-	
POST	/merchants/{mId}/orders/{orderId}/service_charge	-	
POST	/merchants/{mId}/orders/{orderId}/voided_line_items	-	
POST	/merchants/{mId}/payments/{payId}	-	
POST	/merchants/{mId}/print_event	-	
POST	/merchants/{mId}/properties	-	
POST	/merchants/{mId}/roles	-	
POST	/merchants/{mId}/roles/{roleId}	-	
POST	/merchants/{mId}/tag_items	-	
POST	/merchants/{mId}/tags	-	
POST	/merchants/{mId}/tags/{tagId}	-	
POST	/merchants/{mId}/tax_rate_items	-	
POST	/merchants/{mId}/tax_rates	-	
POST	/merchants/{mId}/tax_rates/{taxId}	-	
POST	/merchants/{mId}/tenders	-	
POST	/merchants/{mId}/tenders/{tenderId}	-	
POST	/merchants/{mId}/tip_suggestions/{tId}	-	
POST	/resellers	-	
PUT	/merchants/{mId}/bulk_items	-	
PUT	/merchants/{mId}/item_stocks/{itemId}	-	
PUT	/merchants/{mId}/items/{itemId}	-	
PUT	/merchants/{mId}/modifier_groups/{modGroupId}/layout	-	
"""#
}
