/** Examples of the commands that are made from operations; a test parses each and checks its request by a dry run. */
const examples: Readonly<Record<string, readonly string[]>> = {
  'shipping services': [
    'shopctl shipping services --input examples/quote.json',
    'shopctl shipping services --input examples/quote.json --gross-weight 2500 -o csv',
  ],
  'shipping create': [
    'shopctl shipping create --input examples/shipment.json --dry-run',
    'shopctl shipping create --input examples/shipment.json --external-id WEB-2026-000118 --json',
  ],
  'shipping get': [
    'shopctl shipping get 1234567890123456789',
    'shopctl shipping get --external-id WEB-2026-000117 --json',
  ],
  'shipping cancel': [
    'shopctl shipping cancel 1234567890123456789 --cancel-reason "Buyer changed their mind"',
    'shopctl shipping cancel --external-id WEB-2026-000117 --cancel-reason "Wrong address" --yes',
  ],
  'shipping fulfillment': [
    'shopctl shipping fulfillment 1234567890123456789',
    'shopctl shipping fulfillment --shipping-code SBX00012345 --fields shipping_state,estimated_delivery_at',
  ],
  'orders list': [
    'shopctl orders list --limit 20 --sort -updated_at',
    'shopctl orders list --all -o csv --fields id,external_id,status,total_amount',
    'shopctl orders list --id 1234567890123456789,1234567890123456790 --json',
  ],
  'orders get': ['shopctl orders get 1234567890123456789', 'shopctl orders get --external-id WEB-2026-000117 --json'],
  'orders create': [
    'shopctl orders create --input examples/order-complete.json --dry-run',
    'shopctl orders create --lines product_name=Tea,quantity=2,retail_price=120000,payment_price=120000 --total-items 2 --basket-value 240000 --total-discount 0 --total-fee 0 --total-amount 240000',
  ],
  'orders confirm': [
    'shopctl orders confirm 1234567890123456789',
    'shopctl orders confirm 1234567890123456789 --auto-inventory-voucher confirm --inventory-policy obey',
  ],
  'orders cancel': [
    'shopctl orders cancel 1234567890123456789 --cancel-reason "Buyer changed their mind"',
    'shopctl orders cancel --code DH000117 --cancel-reason "Out of stock" --yes',
  ],
  'fulfillments list': [
    'shopctl fulfillments list --order-id 1234567890123456789',
    'shopctl fulfillments list --all --query "[?shipping_state==\'delivering\'].shipping_code"',
  ],
  'fulfillments get': [
    'shopctl fulfillments get 1234567890123456789',
    'shopctl fulfillments get --shipping-code SBX00012345',
  ],
  'shipnow services': ['shopctl shipnow services --input examples/shipnow-quote.json'],
  'shipnow create': ['shopctl shipnow create --input examples/shipnow.json --dry-run'],
  'shipnow get': ['shopctl shipnow get 1234567890123456789 --fields shipping_state,driver_name,driver_phone'],
  'shipnow cancel': ['shopctl shipnow cancel 1234567890123456789 --cancel-reason "Buyer is not at home"'],
  'customers list': ['shopctl customers list --limit 20', 'shopctl customers list --all --include-deleted -o jsonl'],
  'customers get': ['shopctl customers get 1234567890123456789', 'shopctl customers get --external-id CRM-42 --json'],
  'customers create': [
    'shopctl customers create --full-name "Nguyễn Thị Lan" --phone 0901234567 --external-id CRM-42',
    'shopctl customers create --skeleton > customer.yaml',
  ],
  'customers update': ['shopctl customers update 1234567890123456789 --email lan@example.com --note ""'],
  'customers delete': [
    'shopctl customers delete 1234567890123456789',
    'shopctl customers delete --external-id CRM-42 --yes',
  ],
  'addresses list': [
    'shopctl addresses list --customer-id 1234567890123456789',
    'shopctl addresses list --phone 0901234567 --json',
  ],
  'addresses get': ['shopctl addresses get 1234567890123456789'],
  'addresses create': [
    'shopctl addresses create --customer-id 1234567890123456789 --full-name "Nguyễn Thị Lan" --phone 0901234567 --province "Hà Nội" --district "Quận Cầu Giấy" --ward "Phường Dịch Vọng" --address1 "12 ngõ 5"',
  ],
  'addresses update': [
    'shopctl addresses update 1234567890123456789 --ward "Phường Dịch Vọng Hậu"',
    'shopctl addresses update 1234567890123456789 --coordinates.latitude 21.0362 --coordinates.longitude 105.7905',
  ],
  'addresses delete': ['shopctl addresses delete 1234567890123456789 --yes'],
  'groups list': ['shopctl groups list'],
  'groups get': ['shopctl groups get 1234567890123456789'],
  'groups create': ['shopctl groups create --name "Wholesale buyers" -o name'],
  'groups update': ['shopctl groups update 1234567890123456789 --name "Wholesale, north"'],
  'groups delete': ['shopctl groups delete 1234567890123456789 --yes'],
  'groups members list': [
    'shopctl groups members list --group-id 1234567890123456789',
    'shopctl groups members list --customer-id 1234567890123456790 --json',
  ],
  'groups members add': ['shopctl groups members add --group-id 1234567890123456789 --customer-id 1234567890123456790'],
  'groups members remove': [
    'shopctl groups members remove --group-id 1234567890123456789 --customer-id 1234567890123456790 --yes',
  ],
  'products list': [
    'shopctl products list --sort -created_at',
    'shopctl products list --all -o csv --fields id,code,name,retail_price',
  ],
  'products get': ['shopctl products get 1234567890123456789', 'shopctl products get --code TEA-01 --json'],
  'products create': [
    'shopctl products create --name "Trà ô long" --code TEA-01 --retail-price 120000 --unit box --image-urls https://example.com/tea.jpg',
  ],
  'products update': ['shopctl products update 1234567890123456789 --retail-price 115000 --note ""'],
  'products delete': ['shopctl products delete 1234567890123456789', 'shopctl products delete --code TEA-01 --yes'],
  'variants list': ['shopctl variants list --limit 20', 'shopctl variants list --all -o jsonl'],
  'variants get': ['shopctl variants get 1234567890123456789', 'shopctl variants get --code TEA-01-250G --json'],
  'variants create': [
    'shopctl variants create --product-id 1234567890123456789 --name "Trà ô long 250 g" --retail-price 120000 --attributes name=Size,value=250g',
  ],
  'variants update': ['shopctl variants update 1234567890123456789 --list-price 130000 --retail-price 115000'],
  'variants delete': ['shopctl variants delete 1234567890123456789 --yes'],
  'collections list': ['shopctl collections list'],
  'collections get': ['shopctl collections get 1234567890123456789'],
  'collections create': ['shopctl collections create --name "Tết 2027" --short-desc "Gifts for the new year"'],
  'collections update': ['shopctl collections update 1234567890123456789 --name "Tết 2028"'],
  'collections delete': ['shopctl collections delete 1234567890123456789 --yes'],
  'collections members list': [
    'shopctl collections members list --collection-id 1234567890123456789',
    'shopctl collections members list --product-id 1234567890123456790 --json',
  ],
  'collections members add': [
    'shopctl collections members add --collection-id 1234567890123456789 --product-id 1234567890123456790',
  ],
  'collections members remove': [
    'shopctl collections members remove --collection-id 1234567890123456789 --product-id 1234567890123456790 --yes',
  ],
  'inventory list': [
    'shopctl inventory list --variant-id 1234567890123456789',
    'shopctl inventory list --all --query "[?available_quantity==`0`].variant_id"',
  ],
  'webhooks list': ['shopctl webhooks list', 'shopctl webhooks list --as shop --json'],
  'webhooks create': [
    'shopctl webhooks create --url https://example.com/hooks/7f3a --entities order --entities fulfillment',
    'shopctl webhooks create --as shop --url https://example.com/hooks/7f3a --entities inventory_level',
  ],
  'webhooks delete': ['shopctl webhooks delete 1234567890123456789 --yes'],
  'account show': ['shopctl account show', 'shopctl account show --profile sandbox-shop --json'],
  'locations list': ['shopctl locations list -o csv', 'shopctl locations list --query "provinces[].name"'],
  'service version': ['shopctl service version', 'shopctl service version --json'],
  'history changes': ['shopctl history changes --json'],
};

/** The examples of a command, by all its words; none where nobody wrote one. */
export function examplesOf(command: string): readonly string[] {
  return (Object.hasOwn(examples, command) ? examples[command] : undefined) ?? [];
}
