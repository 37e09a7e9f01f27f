/// The filter fields of each endpoint, in the order of the `X-Clover-Allowed-Filter-Fields` header (Clover REST
/// documentation, applying filters; recorded headers; clients generated from the official description).
package enum FilterFields {
    package static let orders = FilterField.list(
        """
        employee.id:t,employee.name:n,note:n,modifiedTime:i,createdTime:i,clientCreatedTime:i,deletedTime:i,\
        orderType:t,touched:b,cardTransaction.last4:t,manualTransaction:b,title:n,device.id:t,externalReferenceId:t,\
        total:i,payType:c,testMode:b,id:t,state:c,customer.id:t
        """)

    package static let payments = FilterField.list(
        """
        modifiedTime:i,createdTime:i,clientCreatedTime:i,device.id:t,externalReferenceId:t,externalPaymentId:t,\
        result:c,offline:b,voided:b,id:t,tender.id:t,employee.id:t,order.modifiedTime:i,amount:i,cardType:c
        """)

    package static let customers = FilterField.list(
        """
        customerSince:i,deletedTime:i,emailAddress:t,firstName:n,fullName:n,id:t,lastName:n,marketingAllowed:b,\
        phoneNumber:t
        """)

    package static let employees = FilterField.list(
        """
        modifiedTime:i,role:c,role.id:t,customId:t,pin:t,name:n,nickname:n,id:t,deletedTime:i,email:t
        """)

    /// `categoryId` is in no documented list but works (live sandbox notes).
    package static let items = FilterField.list(
        """
        name:n,alternateName:n,id:t,item.id:t,sku:t,itemCode:t,price:i,hidden:b,available:b,autoManage:b,deleted:b,\
        modifiedTime:i,lowStock:b,itemStock.quantity:i,itemGroup.id:t,option.id:t,modifierGroup.id:t,tags.id:t,\
        tags.name:n,defaultTaxRates:b,isRevenue:b,isAgeRestricted:b,ageRestrictedType:t,minimumAge:i,categoryId:t
        """)

    package static let categories = FilterField.list("id:t,name:n,sortOrder:i,colorCode:t,deleted:b,modifiedTime:i")

    package static let tags = FilterField.list("modifiedTime:i,deleted:b,name:n,showInReporting:b,id:t")

    package static let discounts = FilterField.list("amount:i,modifiedtime:i,percentage:i,id:t")

    package static let tenders = FilterField.list(
        """
        modifiedTime:i,visible:b,merchantId:t,instruction:t,systemTenderId:t,label:n,id:t,labelKey:t,\
        opensCashDrawer:b,deletedTime:i,enabled:b
        """)

    package static let roles = FilterField.list("modifiedTime:i,systemRole:c,name:n,id:t,deletedTime:i")

    package static let devices = FilterField.list(
        """
        serial:t,name:n,merchant.id:t,merchant.name:n,deviceTypeName:t,model:t,id:t,deleted_time:i,orderPrefix:t
        """)

    package static let modifierGroups = FilterField.list(
        """
        modifiedTime:i,category.id:t,negativeSortOrder:i,item.id:t,sortOrder:i,name:n,id:t,showByDefault:b
        """)

    package static let modifiers = FilterField.list(
        """
        modifiedTime:i,price:i,name:n,alternateName:n,id:t,modifierGroup.id:t
        """)

    package static let taxRates = FilterField.list("isDefault:b,rate:i,items.id:t,name:n,id:t,taxAmount:i,taxType:c")

    package static let orderTypes = FilterField.list("id:t,deletedTime:i")

    package static let tipSuggestions = FilterField.list("flatTip:b,percentage:i,name:n,id:t,enabled:b")
}

/// A field that an endpoint accepts in filters and in `orderBy`.
package struct FilterField: Sendable {
    /// How a field's values are parsed and compared.
    package enum Kind: Sendable {
        case integer
        case boolean
        /// Compared exactly.
        case text
        /// Compared exactly; a trailing `*` matches any ending (live sandbox notes, names of items).
        case name
        /// Compared case-insensitively: the service itself returns mixed case (recorded responses, order states).
        case caseless
    }

    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind = .text) {
        self.name = name
        self.kind = kind
    }

    /// Parses comma-separated names with their kinds, such as `id:t,price:i`: i integer, b boolean, n text with a
    /// trailing star, c text without case, t text.
    static func list(_ text: Substring) -> [FilterField] {
        text.split(separator: ",").compactMap { field -> FilterField? in
            guard let colon = field.lastIndex(of: ":") else { return nil }
            let name = String(field[..<colon])
            return switch field[field.index(after: colon)...] {
            case "i": FilterField(name, .integer)
            case "b": FilterField(name, .boolean)
            case "n": FilterField(name, .name)
            case "c": FilterField(name, .caseless)
            default: FilterField(name)
            }
        }
    }
}
