// Made by Scripts/generate-emulator-catalogue from Catalogue/endpoints.json. Change that file, then run `make docs`.

/// The V3 paths, a line each; tab-separated: path behind `/v3`, methods, and for GET the shape (list, one, csv),
/// the filter names with their kinds (i integer, b boolean, n text with a trailing star, c text without case,
/// t text), and the other names to sort by.
// swift-format-ignore
enum EndpointTable {
    static let lines: StaticString = #"""
/accounts/current	GET	one		
/accounts/current/business-topology	GET	one		
/accounts/current/merchants	GET	list		accountType,businessTypeCode,createdTime,customerContactEmail,defaultCurrency,id,isBillable,name,phoneNumber,website
/apps	GET	list		activationUrl,appDomain,appSecret,approvalStatus,approvalStatusModifiedTime,approved,billingStartTime,defaultResponseType,description,eula,filenameIcon,filenameIconLarge,filenameIconSmall,hidden,id,installCount,installed,installedTime,isMerchantInTrial,name,packageName,paidAppHasTrial,permissionCustomersRead,permissionCustomersWrite,permissionEmployeesRead,permissionEmployeesWrite,permissionInventoryRead,permissionInventoryWrite,permissionMerchantRead,permissionMerchantWrite,permissionMidRead,permissionOrdersRead,permissionOrdersWrite,permissionPaymentsRead,permissionPaymentsWrite,permissionProcessCards,privacyPolicy,productType,published,siteUrl,smartReceiptText,smartReceiptUrl,sortOrder,supportEmail,supportPhone,supportPhoneHours,supportUrl,systemApp,tagline,videoUrl
/apps/{appId}/devices/{deviceId}/notifications	POST
/apps/{appId}/merchants/{mId}/billing_info	GET	one		
/apps/{appId}/merchants/{mId}/metereds/{meteredId}	GET,POST	list		count,createdTime,id,modifiedTime
/apps/{appId}/merchants/{mId}/metereds/{meteredId}/events/{eventId}	DELETE,GET	one		
/apps/{appId}/merchants/{mId}/notifications	POST
/merchant_plans	GET	list		activationTime,billToMid,bogo,createdTime,deactivationTime,defaultPlan,description,enforced,hidden,id,modifiedTime,name,planCode,price,pricingModel,recommended,trialDays,trialExpirationTime,type,weight
/merchants/current	GET	one		
/merchants/{mId}	GET,POST	one		
/merchants/{mId}/address	GET	one		
/merchants/{mId}/atomic_order/checkouts	POST
/merchants/{mId}/atomic_order/orders	POST
/merchants/{mId}/attributes	GET,POST	list	modifiedTime:i,name:n,id:t,deletedTime:i,itemGroup.id:t	
/merchants/{mId}/attributes/{attributeId}	DELETE,GET,POST	one		
/merchants/{mId}/attributes/{attributeId}/options	GET,POST	list	modifiedTime:i,item.id:t,name:n,attribute.id:t,id:t,deletedTime:i	
/merchants/{mId}/attributes/{attributeId}/options/{optionId}	DELETE,GET,POST	one	modifiedTime:i,item.id:t,name:n,attribute.id:t,id:t,deletedTime:i	
/merchants/{mId}/authorizations	GET,POST	list	last4:t,note:t,amount:i,tabName:t,orderId:t,cardType:c,orderModifiedTime:i,type:c,device.id:t,token:t,result:c,authcode:t,externalReferenceId:t,closingPaymentId:t,merchantId:t,paymentId:t,createdTime:i,id:t,deletedTime:i	
/merchants/{mId}/authorizations/{authId}	DELETE,GET,POST	one		
/merchants/{mId}/batches	GET	list		accountId,batchType,closeoutTimeDifference,createdTime,devices,firstGatewayTxId,id,lastGatewayTxId,merchantId,modifiedTime,rapidDepositUrl,state,totalBatchAmount,txCount
/merchants/{mId}/bulk_items	POST,PUT
/merchants/{mId}/cash_events	GET	list	employee.id:t,note:t,amountChange:i,employee.name:n,type:c,device.id:t,timestamp:i	
/merchants/{mId}/categories	DELETE,GET,POST	list	modifiedTime:i,deleted:b,sortOrder:i,name:n,colorCode:t,id:t	
/merchants/{mId}/categories/bulk_sort_orders	POST
/merchants/{mId}/categories/{catId}	DELETE,GET,POST	one		
/merchants/{mId}/categories/{catId}/items	GET	list	modifiedTime:i,deleted:b,sortOrder:i,name:n,colorCode:t,id:t	alternateName,autoManage,available,code,cost,defaultTaxRates,deletedTime,hidden,isAgeRestricted,isRevenue,price,priceType,priceWithoutVat,sku,stockCount,unitName
/merchants/{mId}/category_items	POST
/merchants/{mId}/credit_refunds	GET	list		clientCreatedTime,createdTime,id
/merchants/{mId}/credit_refunds/{crId}	GET	one		
/merchants/{mId}/credits	GET	list	employee.id:t,order.modifiedTime:i,reason:t,amount:i,cardType:c,order.id:t,failed:b,device.id:t,merchantTender.databaseId:i,externalReferenceId:t,result:c,clientCreatedTime:i,merchantId:t,id:t,tender.id:t,taxAmount:i,orderType.databaseId:i,deletedTime:i	createdTime,voidReason,voided
/merchants/{mId}/credits/{creditId}	GET	one		
/merchants/{mId}/customers	GET,POST	list	customerSince:i,firstName:t,lastName:t,emailAddress:t,phoneNumber:t,marketingAllowed:b,fullName:t,id:t,deletedTime:i	
/merchants/{mId}/customers.csv	GET	csv	customerSince:i,firstName:t,lastName:t,emailAddress:t,phoneNumber:t,marketingAllowed:b,fullName:t,id:t,deletedTime:i	
/merchants/{mId}/customers/{customerId}	DELETE,GET,POST	one	customerSince:i,firstName:t,lastName:t,emailAddress:t,phoneNumber:t,marketingAllowed:b,fullName:t,id:t,deletedTime:i	
/merchants/{mId}/customers/{customerId}/addresses	POST
/merchants/{mId}/customers/{customerId}/addresses/{addressId}	DELETE,POST
/merchants/{mId}/customers/{customerId}/cards	POST
/merchants/{mId}/customers/{customerId}/cards/{cardId}	DELETE,POST
/merchants/{mId}/customers/{customerId}/email_addresses	POST
/merchants/{mId}/customers/{customerId}/email_addresses/{emailId}	DELETE,POST
/merchants/{mId}/customers/{customerId}/metadata	POST
/merchants/{mId}/customers/{customerId}/phone_numbers	POST
/merchants/{mId}/customers/{customerId}/phone_numbers/{phoneId}	DELETE,POST
/merchants/{mId}/default_service_charge	GET	one		
/merchants/{mId}/devices	GET	list	serial:t,name:n,merchant.id:t,merchant.name:n,deviceTypeName:t,model:t,id:t,deleted_time:i,orderPrefix:t	allowStoreAndForward,buildNumber,buildType,bundleIndicator,cpuId,deviceCertificate,imei,imsi,maxOfflineDays,offlinePayments,offlinePaymentsAll,offlinePaymentsLimit,offlinePaymentsLimitDefault,offlinePaymentsMaxLimit,offlinePaymentsMaxTotalPaymentsLimit,offlinePaymentsPromptThreshold,offlinePaymentsPromptThresholdDefault,offlinePaymentsTotalPaymentsLimit,offlinePaymentsTotalPaymentsLimitDefault,pedCertificate,pinDisabled,productName,secureId,showOfflinePayments,simIccid,terminalId,terminalPrefix
/merchants/{mId}/devices/{deviceId}	GET	one		
/merchants/{mId}/devices/{deviceId}/cash_events	GET	list	employee.id:t,note:t,amountChange:i,employee.name:n,type:c,device.id:t,timestamp:i	
/merchants/{mId}/discounts	GET,POST	list	amount:i,modifiedtime:i,percentage:i,id:t	name
/merchants/{mId}/discounts/{discountId}	DELETE,GET,POST	one		
/merchants/{mId}/ecomm_payment_configs	GET	one		
/merchants/{mId}/employee_cards	GET,POST	list	id:t	createdTime,modifiedTime,number,status
/merchants/{mId}/employee_cards/{employeeCardId}	DELETE,GET	one		
/merchants/{mId}/employees	GET,POST	list	modifiedTime:i,role:c,role.id:t,customId:t,name:n,nickname:t,id:t,deletedTime:i,deleted_time:i,email:t,pin:t	claimedTime,inviteSent,isOwner,unhashedPin
/merchants/{mId}/employees/current	GET	one		
/merchants/{mId}/employees/{empId}	DELETE,GET,POST	one		
/merchants/{mId}/employees/{empId}/cash_events	GET	list	employee.id:t,note:t,amountChange:i,employee.name:n,type:c,device.id:t,timestamp:i	
/merchants/{mId}/employees/{empId}/orders	GET	list	lineItems:t,serviceCharge:t,discounts:t,credits:t,payments:t,customers:t,orderFulfillmentEvent:t,refunds:t,createdTime:i	clientCreatedTime,currency,customerId,customerUuid,deletedTimestamp,externalReferenceId,groupLineItems,id,isVat,manualTransaction,modifiedTime,note,orderTypeId,payType,paymentState,state,taxRemoved,testMode,title,total,unpaidBalance
/merchants/{mId}/employees/{empId}/payments	GET	list	modifiedTime:i,device.id:t,externalReferenceId:t,result:c,offline:b,createdTime:i,externalPaymentId:t,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c,clientCreatedTime:i	cashTendered,cashbackAmount,gatewayProcessingTime,note,taxAmount,tipAmount,voidReason
/merchants/{mId}/employees/{empId}/shifts	GET,POST	list	employee.id:t,out_time:i,in_time:i,employee.name:n,in_and_override_time:i,out_and_override_time:i,id:t,has_in_time:b,override_in_time:i,deletedTime:i,server_banking:b	cashTipsCollected,inTime,outTime,overrideInTime,overrideOutTime,serverBanking
/merchants/{mId}/employees/{empId}/shifts/{shiftId}	DELETE,GET,POST	one		
/merchants/{mId}/gateway	GET	one		
/merchants/{mId}/item_groups	GET,POST	list	modifiedTime:i,name:n,id:t,deletedTime:i	
/merchants/{mId}/item_groups/{itemGroupId}	DELETE,GET,POST	one		
/merchants/{mId}/item_modifier_groups	POST
/merchants/{mId}/item_stocks	GET	list		modifiedTime,quantity,stockCount
/merchants/{mId}/item_stocks/{itemId}	DELETE,GET,POST,PUT	one		
/merchants/{mId}/items	DELETE,GET,POST	list	lowStock:b,modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t,isAgeRestricted:b,ageRestrictedType:t,minimumAge:i,categoryId:t	code,colorCode,cost,deletedTime,priceType,priceWithoutVat,stockCount,unitName
/merchants/{mId}/items/{itemId}	DELETE,GET,POST,PUT	one		
/merchants/{mId}/items/{itemId}/categories	GET	list	modifiedTime:i,deleted:b,sortOrder:i,name:n,colorCode:t,id:t	
/merchants/{mId}/items/{itemId}/tags	GET	list	modifiedTime:i,deleted:b,name:n,showInReporting:b,id:t	
/merchants/{mId}/items_no_revenue_class	GET	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t	code,colorCode,cost,deletedTime,isAgeRestricted,priceType,priceWithoutVat,stockCount,unitName
/merchants/{mId}/modifier_group_sort_orders	POST
/merchants/{mId}/modifier_groups	DELETE,GET,POST	list	modifiedTime:i,category.id:t,negativeSortOrder:i,item.id:t,sortOrder:i,name:n,id:t,showByDefault:b	alternateName,maxAllowed,minRequired,modifierIds
/merchants/{mId}/modifier_groups/{modGroupId}	DELETE,GET,POST	one		
/merchants/{mId}/modifier_groups/{modGroupId}/items	GET	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t	code,colorCode,cost,deletedTime,isAgeRestricted,priceType,priceWithoutVat,stockCount,unitName
/merchants/{mId}/modifier_groups/{modGroupId}/layout	PUT
/merchants/{mId}/modifier_groups/{modGroupId}/modifiers	GET,POST	list	modifiedTime:i,price:i,name:n,alternateName:t,id:t,modifierGroup.id:t	
/merchants/{mId}/modifier_groups/{modGroupId}/modifiers/{modId}	DELETE,GET,POST	one		
/merchants/{mId}/modifiers	GET	list	modifiedTime:i,price:i,name:n,alternateName:t,id:t,modifierGroup.id:t	
/merchants/{mId}/modifiers/{modId}	GET	one		
/merchants/{mId}/opening_hours	GET,POST	list		id,name
/merchants/{mId}/opening_hours/{hId}	DELETE,GET,POST	one		
/merchants/{mId}/option_items	POST
/merchants/{mId}/options	GET	list	modifiedTime:i,item.id:t,name:n,attribute.id:t,id:t,deletedTime:i	
/merchants/{mId}/order_fees	GET	list	modifiedTime:i,amount:i,serviceChargeUuid:t,type:c,percentage:i,name:n,createdTime:i,id:t,deletedTime:i	
/merchants/{mId}/order_fees/{orderFeeId}	GET	one		
/merchants/{mId}/order_type_categories	POST
/merchants/{mId}/order_types	GET,POST	list	id:t,deletedTime:i	avgOrderTime,customerIdMethod,fee,filterCategories,hoursAvailable,isDefault,isDeleted,isHidden,label,labelKey,maxOrderAmount,maxRadius,minOrderAmount,systemOrderTypeDatabaseId,systemOrderTypeId,taxable
/merchants/{mId}/order_types/{orderTypeId}	DELETE,GET,POST	one		
/merchants/{mId}/orders	GET,POST	list	employee.id:t,note:t,modifiedTime:i,orderType:t,touched:b,cardTransaction.last4:t,manualTransaction:b,employee.name:n,title:t,device.id:t,externalReferenceId:t,clientCreatedTime:i,total:i,payType:c,testMode:b,createdTime:i,id:t,state:t,deletedTime:i,customer.id:t	currency,customerId,customerUuid,deletedTimestamp,groupLineItems,isVat,orderTypeId,paymentState,taxRemoved,unpaidBalance
/merchants/{mId}/orders/{orderId}	DELETE,GET,POST	one		
/merchants/{mId}/orders/{orderId}/bulk_line_items	POST
/merchants/{mId}/orders/{orderId}/discounts	GET,POST	list		amount,id,name,percentage
/merchants/{mId}/orders/{orderId}/discounts/{discountId}	DELETE
/merchants/{mId}/orders/{orderId}/line_items	DELETE,GET,POST	list		ageRestrictedType,alternateName,binName,createdTime,discountAmount,exchanged,id,isAgeRestricted,isOrderFee,isRevenue,itemCode,minimumAge,name,note,orderClientCreatedTime,orderLevelDiscountAmount,percentage,price,priceWithModifiers,priceWithModifiersAndItemAndOrderDiscounts,printed,quantitySold,refunded,revenueAmount,unitName,unitQty,userData
/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}	DELETE,GET,POST	one		
/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/discounts	POST
/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/discounts/{discountId}	DELETE
/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/modifications	POST
/merchants/{mId}/orders/{orderId}/line_items/{lineItemId}/modifications/{modificationId}	DELETE
/merchants/{mId}/orders/{orderId}/line_items/{oldLineItemId}/exchange/{lineItemId}	POST
/merchants/{mId}/orders/{orderId}/order_fee_line_items	GET,POST	list		ageRestrictedType,alternateName,binName,createdTime,discountAmount,exchanged,id,isAgeRestricted,isOrderFee,isRevenue,itemCode,minimumAge,name,note,orderClientCreatedTime,orderLevelDiscountAmount,percentage,price,priceWithModifiers,priceWithModifiersAndItemAndOrderDiscounts,printed,quantitySold,refunded,revenueAmount,unitName,unitQty,userData
/merchants/{mId}/orders/{orderId}/order_fee_line_items/{orderFeeLineItemId}	DELETE,GET	one		
/merchants/{mId}/orders/{orderId}/payments	GET,POST	list	modifiedTime:i,device.id:t,externalReferenceId:t,result:c,offline:b,createdTime:i,externalPaymentId:t,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c,clientCreatedTime:i	cashTendered,cashbackAmount,gatewayProcessingTime,note,taxAmount,tipAmount,voidReason
/merchants/{mId}/orders/{orderId}/service_charge	POST
/merchants/{mId}/orders/{orderId}/service_charge/{chargeId}	DELETE
/merchants/{mId}/orders/{orderId}/voided_line_items	POST
/merchants/{mId}/orders_v2/{orderId}	DELETE
/merchants/{mId}/payments	GET	list	modifiedTime:i,device.id:t,externalReferenceId:t,result:c,offline:b,createdTime:i,externalPaymentId:t,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c,clientCreatedTime:i	cashTendered,cashbackAmount,gatewayProcessingTime,note,taxAmount,tipAmount,voidReason
/merchants/{mId}/payments/{payId}	GET,POST	one		
/merchants/{mId}/payments/{payId}/status	GET	one		
/merchants/{mId}/print_event	POST
/merchants/{mId}/print_event/{eventId}	GET	one		
/merchants/{mId}/printers	GET	list		id,ipAddress,mac,model,name,type
/merchants/{mId}/properties	GET,POST	one		
/merchants/{mId}/refunds	GET	list		amount,clientCreatedTime,createdTime,id,taxAmount,voidReason,voided
/merchants/{mId}/refunds/{refundId}	GET	one		
/merchants/{mId}/roles	GET,POST	list	modifiedTime:i,systemRole:c,name:n,id:t,deletedTime:i	
/merchants/{mId}/roles/{roleId}	DELETE,GET,POST	one		
/merchants/{mId}/shifts	GET	list	employee.id:t,out_time:i,in_time:i,employee.name:n,in_and_override_time:i,out_and_override_time:i,id:t,has_in_time:b,override_in_time:i,deletedTime:i,server_banking:b	cashTipsCollected,inTime,outTime,overrideInTime,overrideOutTime,serverBanking
/merchants/{mId}/shifts.csv	GET	csv	employee.id:t,out_time:i,in_time:i,employee.name:n,in_and_override_time:i,out_and_override_time:i,id:t,has_in_time:b,override_in_time:i,deletedTime:i,server_banking:b	
/merchants/{mId}/shifts/{shiftId}	GET	one		
/merchants/{mId}/sync/{table}	GET	one		
/merchants/{mId}/system_order_types	GET	list		id,isFsr,isQsr,isRetail,labelKey
/merchants/{mId}/tag_items	GET,POST	list		
/merchants/{mId}/tags	DELETE,GET,POST	list	modifiedTime:i,deleted:b,name:n,showInReporting:b,id:t	
/merchants/{mId}/tags/{tagId}	DELETE,GET,POST	one		
/merchants/{mId}/tags/{tagId}/items	GET	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,alternateName:t,isRevenue:b,modifierGroup.id:t,autoManage:b,deleted:b,item.id:t,price:i,name:n,itemStock.quantity:i,id:t,sku:t,defaultTaxRates:b,itemGroup.id:t	code,colorCode,cost,deletedTime,isAgeRestricted,priceType,priceWithoutVat,stockCount,unitName
/merchants/{mId}/tax_rate_items	POST
/merchants/{mId}/tax_rates	GET,POST	list	isDefault:b,rate:i,items.id:t,name:n,id:t,taxAmount:i,taxType:c	deletedTime,modifiedTime
/merchants/{mId}/tax_rates/{taxId}	DELETE,GET,POST	one		
/merchants/{mId}/tax_rates/{taxId}/items	GET	list	modifiedTime:i,hidden:b,itemCode:t,available:b,option.id:t,modifierGroup.id:t,autoManage:b,price:i,id:t,sku:t,defaultTaxRates:b,tags.id:t,alternateName:t,isRevenue:b,tags.name:n,deleted:b,item.id:t,name:n,itemStock.quantity:i,itemGroup.id:t	code,colorCode,cost,deletedTime,isAgeRestricted,priceType,priceWithoutVat,stockCount,unitName
/merchants/{mId}/tax_rules	GET	list		
/merchants/{mId}/tax_rules/{taxRuleId}	GET	one		
/merchants/{mId}/tenders	GET,POST	list	modifiedTime:i,visible:b,merchantId:t,instruction:t,systemTenderId:t,label:t,id:t,labelKey:t,opensCashDrawer:b,deletedTime:i,enabled:b	editable,instructions,supportsTipping
/merchants/{mId}/tenders/{tenderId}	DELETE,GET,POST	one		
/merchants/{mId}/tip_suggestions	GET	list	flatTip:b,percentage:i,name:n,id:t,enabled:b	amount,isEnabled
/merchants/{mId}/tip_suggestions/{tId}	GET,POST	one		
/merchants/{mId}/voided_line_items	GET	list	reason:t,quantity:i,orderId:t,revenueClassName:t,deleteType:t,isRevenue:b,approvedByUuid:t,sortByName:t,printed:b,orderType.id:t,price:i,name:n,showInReporting:b,lineItemUuid:t,id:t,deletedTime:i,merchantId:t,removedById:t	clientEventType
/merchants/{mId}/voided_line_items/totals	GET	one	reason:t,quantity:i,orderId:t,revenueClassName:t,deleteType:t,isRevenue:b,approvedByUuid:t,sortByName:t,printed:b,orderType.id:t,price:i,name:n,showInReporting:b,lineItemUuid:t,id:t,deletedTime:i	
/resellers	GET,POST	list		allowBlackhole,alternateName,code,createdTime,defaultCountryCode,enforceMerchantPlan,fdClientId,filterApps,forcePhone,id,isBulkPurchaser,isCodelessActivation,isIntercomEnabled,isNewBilling,isRapidDepositEnabled,isRkiIdentifier,isSelfBoarding,locale,name,partnerSupportEmail,rapidDepositServiceEntitlementNumber,resellerPrivacyPolicyUrl,source,stationsOnClassic,supportEmail,supportPhone,supportsNakedCredit,supportsOutboundBoarding,tasqCustomerNumber,type
"""#
}
