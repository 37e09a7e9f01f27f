# Sales by day, from the raw lists: {"orders": [...], "payments": [...], "refunds": [...], "credits": [...]}, with orders that
# have their lines, discounts and service charges. TZ is the shop's zone. For shops without VAT whose lines are all revenue.

def half_up: (. + 0.5) | floor;
def list($name): .[$name].elements // [];
def time: .clientCreatedTime // .createdTime;
def day: . / 1000 | floor | strflocaltime("%Y-%m-%d");
def total(f): [.[] | f] | add // 0;

# What discounts take off a base.
def off($base):
    total(
        if .percentageDecimal then $base * .percentageDecimal / 1000000 | half_up
        elif .percentage then $base * .percentage / 100 | half_up
        else -.amount end)
    | if . > $base then $base else . end;

def gross: (if .unitQty then .price * .unitQty / 1000 | half_up else .price end) + (list("modifications") | total(.amount));
def net: gross as $gross | $gross - (list("discounts") | off($gross));
def goods: list("lineItems") | map(select((.exchanged or .isOrderFee) | not));
def charge($discounted):
    (.serviceCharge // {}) as $charge
    | (list("lineItems") | map(select(.isOrderFee)) | total(.price))
      + if $charge.percentageDecimal then $discounted * $charge.percentageDecimal / 1000000 | half_up
        else $discounted * ($charge.percentage // 0) / 100 | half_up end;

# The measures as pairs of a name and an amount, each with its day.
def sale($day):
    (goods | total(gross)) as $gross
    | (goods | total(net)) as $subtotal
    | ($subtotal - (list("discounts") | off($subtotal))) as $discounted
    | if any(goods[]; .isRevenue == false) or .isVat then error("\(.id) needs another program") else . end
    | ["orders", 1], ["grossSales", $gross], ["discounts", $gross - $discounted], ["serviceCharges", charge($discounted)]
    | [$day] + .;
def payment: ["tax", .taxAmount], ["tips", .tipAmount], ["amountCollected", .amount + .tipAmount];
def refund:
    (.tipAmount // 0) as $tip
    | ((.serviceChargeAmount // .serviceCharge // {}).amount // 0) as $charge
    | (list("additionalCharges") | total(.amount)) as $surcharges
    | ["tax", -.taxAmount], ["tips", -$tip], ["serviceCharges", -$charge], ["amountCollected", -.amount],
      ["refunds", .amount - .taxAmount - $tip - $charge - $surcharges];
def credit: ["manualRefunds", .amount - .taxAmount], ["tax", -.taxAmount], ["amountCollected", -.amount];

(.orders | map(select(.testMode)) | map({(.id): true}) | add // {}) as $tests
| (.payments | map(select(.result == "SUCCESS" and ($tests[.order.id] | not)))) as $payments
| ($payments | group_by(.order.id) | map({key: .[0].order.id, value: (map(time) | min)}) | from_entries) as $sold
| [
    (.orders[] | select($sold[.id]) | sale($sold[.id] | day)),
    ($payments[] | [time | day] + payment),
    (.refunds[] | select((.voided or .deletedTime or (.status // "SUCCESS") != "SUCCESS") | not) | [time | day] + refund),
    (.credits[] | select((.voided or (.result // "SUCCESS") != "SUCCESS" or .creditRefunds) | not) | [time | day] + credit)]
| group_by(.[0])
| map(
    (group_by(.[1]) | map({key: .[0][1], value: total(.[2])}) | from_entries) as $day
    | {day: .[0][0]} + $day)
| .[]
