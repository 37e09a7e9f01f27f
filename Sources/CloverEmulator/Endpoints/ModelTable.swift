// Made by Scripts/generate-emulator-catalogue from Catalogue/models.json. Change that file, then run `make docs`.

/// The models of bodies, a line each; tab-separated: name, fields with their types (i integer, d number, b boolean,
/// s text, l list, o object, v anything).
// swift-format-ignore
enum ModelTable {
    static let lines: StaticString = #"""
account.Account	id:s,name:s,email:s,primaryMerchant:o,primaryDeveloper:o,primaryReseller:o,isActive:b,createdTime:i,claimedTime:i,lastLogin:i,inviteSent:b,status:s,role:o,merchants:l,developers:l,resellers:l,csrfToken:s,authFactors:l,primaryEnterprise:o
base.Address	address1:s,address2:s,address3:s,city:s,country:s,phoneNumber:s,state:s,zip:s
base.IdArray	ids:l
base.Reference	id:s
base.ServiceCharge	id:s,orderRef:o,name:s,enabled:b,percentage:i,percentageDecimal:i
base.Tender	id:s,editable:b,labelKey:s,label:s,opensCashDrawer:b,supportsTipping:b,enabled:b,visible:b,instructions:s
customers.Address	id:s,address1:s,address2:s,address3:s,city:s,country:s,state:s,zip:s,customer:o
customers.Card	id:s,first6:s,last4:s,firstName:s,lastName:s,expirationDate:s,cardType:s,token:s,tokenType:s,modifiedTime:i,customer:o
customers.Customer	id:s,orderRef:o,firstName:s,lastName:s,marketingAllowed:b,customerSince:i,orders:l,addresses:l,emailAddresses:l,phoneNumbers:l,cards:l,merchant:o,metadata:o
customers.CustomerMetadata	businessName:s,note:s,dobYear:i,dobMonth:i,dobDay:i,modifiedTime:i,customer:o
customers.EmailAddress	id:s,emailAddress:s,verifiedTime:i,primaryEmail:b,customer:o
customers.PhoneNumber	id:s,phoneNumber:s,customer:o
employees.Employee	id:s,name:s,nickname:s,customId:s,email:s,inviteSent:b,claimedTime:i,deletedTime:i,pin:s,unhashedPin:s,role:s,roles:l,isOwner:b,shifts:l,payments:l,orders:l,employeeCards:l,merchant:o
employees.EmployeeCard	id:s,merchant:o,employee:o,updater:o,number:s,status:s,createdTime:i,modifiedTime:i
employees.Role	id:s,name:s,systemRole:s,employeesRef:l,merchant:o
employees.Shift	id:s,employee:o,cashTipsCollected:i,serverBanking:b,inTime:i,overrideInTime:i,overrideInEmployee:o,outTime:i,overrideOutTime:i,overrideOutEmployee:o
hours.HoursSet	id:s,name:s,reference:o,sunday:l,monday:l,tuesday:l,wednesday:l,thursday:l,friday:l,saturday:l
inventory.Attribute	id:s,name:s,itemGroup:o,options:l
inventory.Category	id:s,name:s,sortOrder:i,items:l,deleted:b,modifiedTime:i,canonical:o,menuSection:v,colorCode:s
inventory.Discount	id:s,name:s,amount:i,percentage:i,merchantRef:o
inventory.Item	id:s,hidden:b,itemGroup:o,name:s,alternateName:s,code:s,sku:s,price:i,priceType:s,defaultTaxRates:b,unitName:s,cost:i,isRevenue:b,stockCount:i,taxRates:l,modifierGroups:l,categories:l,tags:l,itemStock:o,modifiedTime:i,options:l,canonical:o,menuItem:v,deletedTime:i,priceWithoutVat:i,available:b,autoManage:b,MenuItem:o,colorCode:s,isAgeRestricted:b,deleted:b
inventory.ItemGroup	id:s,name:s,items:l,attributes:l
inventory.ItemStock	item:o,stockCount:i,quantity:d,modifiedTime:i
inventory.Modifier	id:s,name:s,alternateName:s,price:i,modifierGroup:o,menuModifier:v,available:b,deleted:b,modifiedTime:i
inventory.ModifierGroup	id:s,name:s,alternateName:s,minRequired:i,maxAllowed:i,showByDefault:b,modifiers:l,modifierIds:s,items:l,menuModifierGroup:v,sortOrder:v,deleted:b
inventory.Option	id:s,name:s,attribute:o,items:l
inventory.Tag	id:s,name:s,items:l,printers:l,showInReporting:v
inventory.TaxRate	id:s,lineItemRef:o,name:s,rate:i,isDefault:b,items:l,taxType:v,taxAmount:v,deletedTime:i,modifiedTime:i
merchant.Merchant	id:s,name:s,owner:o,address:o,merchantPlan:o,defaultCurrency:s,phoneNumber:s,website:s,logos:l,createdTime:i,properties:o,gateway:o,tipSuggestions:l,employees:l,items:l,tags:l,tenders:l,shifts:l,orders:l,payments:l,taxRates:l,printers:l,modifierGroups:l,orderTypes:l,reseller:o,opening_hours:l,businessTypeCode:s,isBillable:b,devices:l,merchantGroups:l,customerContactEmail:s,billingInfo:o,partnerApp:o,accountType:s,bankProcessing:o,merchantBoarding:o,hierarchy:o,externalMerchants:l,programExpresses:l,deviceBoardings:l,selfBoardingApplication:o,deviceBundleStates:l,equipment:l,enterprises:v,compliances:v
merchant.MerchantProperties	defaultCurrency:s,tipsEnabled:b,receiptProperties:s,summaryHour:i,signatureThreshold:i,hasDefaultEmployee:b,tipRateDefault:i,onPaperTipSignatures:b,autoLogout:b,orderTitle:s,orderTitleMax:i,resetOnReportingTime:b,notesOnOrders:b,deleteOrders:b,removeTaxEnabled:b,groupLineItems:b,alternateInventoryNames:b,autoPrint:b,hardwareProfile:s,infoleaseSuppressBilling:b,infoleaseSuppressPlanBilling:b,shippingAddress:s,marketingEnabled:b,marketingPreferenceText:s,bankMarker:i,supportPhone:s,supportEmail:s,manualCloseout:b,showCloseoutOrders:b,sendCloseoutEmail:b,stayInCategory:b,locale:s,timezone:s,vat:b,vatTaxName:s,appBillingSystem:s,abaAccountNumber:s,ddaAccountNumber:s,trackStock:b,updateStock:b,allowClockOutWithOpenOrders:b,logInClockInPrompt:b,accountType:s,businessTypeCode:s,pinLength:i,cashBackEnabled:b,cashBackOptions:s,maxCashBack:i,hierarchy:s,hasConsented:b,merchantRef:o,maxTipPercentage:i,noSignatureProgramEligible:b,manualCloseoutPerDevice:b,autoCloseoutTimezone:s,merchantBoardingStatus:s,alwaysRequireSignature:b,printedFirstDataReceiptLogoEnabled:b,privacyPolicyMode:s,merchantPrivacyPolicyUrl:s,disablePrintTaxesPaymentOnReceipts:b,processingRestrictions:s,limpModeAllowed2:b
merchant.TipSuggestion	id:s,name:s,percentage:i,isEnabled:b,amount:i
order.Discount	id:s,orderRef:o,lineItemRef:o,discount:o,name:s,amount:i,percentage:i,approver:v,percentageDecimal:i,discType:s
order.LineItem	id:s,orderRef:o,item:o,name:s,alternateName:s,price:i,unitQty:i,unitName:s,itemCode:s,note:s,printed:b,exchangedLineItem:o,binName:s,userData:s,createdTime:i,orderClientCreatedTime:i,discounts:l,discountAmount:i,exchanged:b,modifications:l,refunded:b,isRevenue:b,taxRates:l,payments:l,priceWithModifiers:i,priceWithModifiersAndItemAndOrderDiscounts:i,orderLevelDiscounts:l,orderLevelDiscountAmount:i,tags:l,refund:o,revenueAmount:i,quantitySold:d,printGroup:v,isOrderFee:b,orderFee:o,percentage:i,isAgeRestricted:b,ageRestrictedType:s,minimumAge:i,colorCode:s
order.Modification	id:s,lineItemRef:o,name:s,alternateName:s,amount:i,modifier:o,quantitySold:i
order.Order	id:s,currency:s,customers:l,employee:o,total:i,title:s,note:s,orderType:o,taxRemoved:b,isVat:b,state:s,manualTransaction:b,groupLineItems:b,testMode:b,payType:s,createdTime:i,clientCreatedTime:i,modifiedTime:i,deletedTimestamp:i,serviceCharge:o,discounts:l,lineItems:l,taxRates:l,payments:l,refunds:l,credits:l,voids:l,device:o,customerId:i,customerUuid:s,orderTypeId:i,externalReferenceId:s,unpaidBalance:i,paymentState:s,preAuths:l,authorizations:l,merchant:o,onlineOrder:v,printGroups:l,additionalCharges:l,orderFulfillmentEvent:o
order.OrderType	id:s,labelKey:s,label:s,taxable:b,isDefault:b,filterCategories:b,isHidden:b,fee:i,minOrderAmount:i,maxOrderAmount:i,maxRadius:i,avgOrderTime:i,hoursAvailable:s,customerIdMethod:s,isDeleted:b,systemOrderTypeId:s,hours:o,categories:l,systemOrderTypeDatabaseId:i,onlineOrderServices:l
order.PrintOrder	id:s,merchantRef:o,orderRef:o,deviceRef:o,category:s,state:v,createdTime:i,modifiedTime:i,deletedTime:i,printTime:i
order.VoidedLineItem	lineItem:o,merchant:o,reason:v,removedBy:o,approvedBy:o,deleteType:v,device:o,createdBy:o,deletedTime:i,environment:v,clientEventType:s
payments.Authorization	id:s,payment:o,tabName:s,amount:i,cardType:s,last4:s,authcode:s,type:s,note:s,closingPayment:o,createdTime:i,token:s,externalReferenceId:v,additionalCharges:l
payments.Payment	id:s,order:o,device:o,tender:o,amount:i,tipAmount:i,taxAmount:i,cashbackAmount:i,cashTendered:i,externalPaymentId:s,employee:o,createdTime:i,clientCreatedTime:i,modifiedTime:i,offline:b,result:s,cardTransaction:o,serviceCharge:o,taxRates:l,refunds:l,note:s,lineItemPayments:l,voidReason:s,attributes:o,additionalCharges:l,authorization:o,voidPaymentRef:o,dccInfo:o,transactionSettings:o,germanInfo:o,appTracking:o,cashAdvanceExtra:o,transactionInfo:o,signatureDisclaimer:o,externalReferenceId:s,merchant:o,increments:l,purchaseCardL2:o,gatewayProcessingTime:i,voidReasonDetails:o,purchaseCardL3:o,oceanGatewayInfo:o,terminalManagementComponents:l,emiInfo:o
"""#
}
