# PowerShell completion for shopctl
# Generated from the command tree; `shopctl completion powershell` prints it.

$global:ShopctlWords = @{
    '' = @('ship	Quote and ship an order, step by step or in one go', 'quote	Compare what the carriers offer for a parcel', 'shipping	Ship orders: services, create, get, cancel', 'totals	Check or complete the sums of orders, offline', 'orders	Manage orders', 'fulfillments	Read shipments', 'shipnow	On-demand deliveries', 'customers	Manage customers', 'addresses	Manage addresses of customers', 'groups	Manage groups of customers and who is in them', 'products	Manage products', 'variants	Manage variants of products', 'collections	Manage collections of products and what is in them', 'inventory	Read inventory levels', 'webhooks	Manage webhooks', 'auth	Connect shops: sign in, see and change which keys there are', 'profiles	Manage profiles: accounts at services', 'config	See and change settings', 'sandbox	Run the whole service on this machine', 'api	Call any operation with a request of your own', 'account	Show the account that a key belongs to', 'locations	List provinces, districts and wards', 'service	Show the version of the service', 'history	Show what a webhook delivery looks like', 'commands	List every command and the operations it calls', 'schema	Print the JSON Schema of what a command sends and gets', 'doctor	Check settings, keys and the way to the service', 'completion	Print the completion script of a shell', 'help	Show help on a topic or a command')
    'help' = @('environment	Help topic', 'exit-codes	Help topic', 'formatting	Help topic', 'input	Help topic', 'ship	Quote and ship an order, step by step or in one go', 'quote	Compare what the carriers offer for a parcel', 'shipping	Ship orders: services, create, get, cancel', 'totals	Check or complete the sums of orders, offline', 'orders	Manage orders', 'fulfillments	Read shipments', 'shipnow	On-demand deliveries', 'customers	Manage customers', 'addresses	Manage addresses of customers', 'groups	Manage groups of customers and who is in them', 'products	Manage products', 'variants	Manage variants of products', 'collections	Manage collections of products and what is in them', 'inventory	Read inventory levels', 'webhooks	Manage webhooks', 'auth	Connect shops: sign in, see and change which keys there are', 'profiles	Manage profiles: accounts at services', 'config	See and change settings', 'sandbox	Run the whole service on this machine', 'api	Call any operation with a request of your own', 'account	Show the account that a key belongs to', 'locations	List provinces, districts and wards', 'service	Show the version of the service', 'history	Show what a webhook delivery looks like', 'commands	List every command and the operations it calls', 'schema	Print the JSON Schema of what a command sends and gets', 'doctor	Check settings, keys and the way to the service', 'completion	Print the completion script of a shell')
    'schema' = @('ship	Quote and ship an order, step by step or in one go', 'quote	Compare what the carriers offer for a parcel', 'shipping	Ship orders: services, create, get, cancel', 'totals	Check or complete the sums of orders, offline', 'orders	Manage orders', 'fulfillments	Read shipments', 'shipnow	On-demand deliveries', 'customers	Manage customers', 'addresses	Manage addresses of customers', 'groups	Manage groups of customers and who is in them', 'products	Manage products', 'variants	Manage variants of products', 'collections	Manage collections of products and what is in them', 'inventory	Read inventory levels', 'webhooks	Manage webhooks', 'auth	Connect shops: sign in, see and change which keys there are', 'profiles	Manage profiles: accounts at services', 'config	See and change settings', 'sandbox	Run the whole service on this machine', 'api	Call any operation with a request of your own', 'account	Show the account that a key belongs to', 'locations	List provinces, districts and wards', 'service	Show the version of the service', 'history	Show what a webhook delivery looks like', 'commands	List every command and the operations it calls', 'schema	Print the JSON Schema of what a command sends and gets', 'doctor	Check settings, keys and the way to the service', 'completion	Print the completion script of a shell')
    'ship' = @('drafts	Manage drafts')
    'ship drafts' = @('list	List the drafts that are not done', 'show	Show a draft', 'remove	Remove a draft')
    'shipping' = @('services	Ask what the carriers offer for a parcel', 'fulfillment	Read a shipment', 'get	Read an order with its shipments', 'create	Create an order, confirm it and hand it to its carrier', 'cancel	Cancel an order and its shipments')
    'totals' = @('check	Compare the sums and weights of orders with their formulas', 'fill	Complete the missing sums, weights and cash on delivery of orders')
    'orders' = @('list	List orders', 'get	Read an order with its shipments', 'create	Create an order', 'cancel	Cancel an order and its shipments', 'confirm	Confirm an order')
    'fulfillments' = @('list	List shipments', 'get	Read a shipment')
    'shipnow' = @('services	Ask what an on-demand delivery costs', 'get	Read an on-demand delivery', 'create	Call a driver for an on-demand delivery', 'cancel	Cancel an on-demand delivery')
    'customers' = @('list	List customers', 'get	Read a customer', 'create	Create a customer', 'update	Change a customer', 'delete	Delete a customer')
    'addresses' = @('list	List addresses of customers', 'get	Read an address', 'create	Create an address of a customer', 'update	Change an address', 'delete	Delete an address')
    'groups' = @('list	List groups of customers', 'get	Read a group', 'create	Create a group of customers', 'update	Change a group', 'delete	Delete a group', 'members	Manage members')
    'groups members' = @('list	List the customers of groups, or the groups of customers', 'add	Put a customer into a group', 'remove	Take a customer out of a group')
    'products' = @('list	List products', 'get	Read a product with its variants', 'create	Create a product', 'update	Change a product', 'delete	Delete a product')
    'variants' = @('list	List variants', 'get	Read a variant', 'create	Create a variant of a product', 'update	Change a variant', 'delete	Delete a variant')
    'collections' = @('list	List collections of products', 'get	Read a collection', 'create	Create a collection of products', 'update	Change a collection', 'delete	Delete a collection', 'members	Manage members')
    'collections members' = @('list	List the products of collections, or the collections of products', 'add	Put a product into a collection', 'remove	Take a product out of a collection')
    'inventory' = @('list	List the stock of variants')
    'webhooks' = @('list	List the webhooks and how their deliveries fare', 'create	Ask for changes to be sent to a url', 'delete	Stop sending changes to a webhook')
    'auth' = @('login	Sign a shop in and save its key', 'status	Show every key there is, and whether the service accepts it', 'shops	List the shops that are signed in', 'use	Act for this shop from now on', 'logout	Forget the key of a shop', 'token	Print a key in clear', 'setup	Set a first profile up by questions')
    'profiles' = @('list	List the profiles', 'show	Show a profile, keys as their last four characters', 'add	Add a profile: the address of a service and a key for it', 'use	Make a profile the one in force', 'remove	Remove a profile and its keys')
    'config' = @('list	List the settings in force', 'get	Print one setting', 'set	Change a setting of the profile in force', 'unset	Remove a setting from the profile in force', 'path	Print where the settings are kept')
    'sandbox' = @('start	Run the service here until Ctrl-C', 'exec	Run a command against a fresh sandbox that ends with it', 'stop	Stop a running sandbox', 'status	List the sandboxes and whether they run', 'openapi	Print the service as an OpenAPI 3.1 document', 'credentials	Print the keys of the sandbox''s accounts', 'sign-in	Sign a shop in with a request token, as its owner would (--shop names the shop)', 'unlink	Remove the link of a shop (--shop) with its partners, which ends their keys', 'advance	Move a shipment as its carrier would, and emit its changes', 'clock	Manage clock', 'faults	Manage faults', 'deliveries	Show the attempts to deliver changes to webhooks, the newest first', 'snapshot	Manage snapshot', 'reset	Go back to what the sandbox began with; accounts and keys stay', 'log	Show the requests that the sandbox has seen, keys left out')
    'sandbox clock' = @('show	Show the business clock and when something next happens by itself', 'freeze	Stop the business clock where it stands', 'set	Set the business clock', 'advance	Move the business clock on: retries, expiry and shipments follow it', 'real	Set the business clock going with the machine''s again')
    'sandbox faults' = @('add	Script a fault: which calls it befalls, and what it does to them', 'list	List the scripted faults and how often each has struck', 'clear	Take a fault away, or all of them')
    'sandbox snapshot' = @('save	Save the data as they are', 'restore	Put the data back to a snapshot, and the business clock with them', 'list	List the snapshots', 'remove	Remove a snapshot')
    'account' = @('show	Show the account that the key belongs to')
    'locations' = @('list	List the provinces, districts and wards that the service knows')
    'service' = @('version	Show which version of the service answers')
    'history' = @('changes	Show the form of a webhook delivery')
}

$global:ShopctlFlags = @{
    'ship' = @('--input	the order, JSON or YAML, - for stdin; what it lacks is asked for', '--pick	the offer to take: cheapest, fastest, best-value, or the code of a service', '--max-fee	refuse a dearer offer (exit 12)', '--by	leave out what is delivered later: a day (2026-02-03, local time, its whole day) or a time with a zone', '--resume	go on with this draft, without a value with the latest that is not sent', '--again	send another order like one that was sent within 24 hours', '--answers	take the answers from a file, then ask for the rest; `ship drafts show --json` prints those of a draft')
    'ship drafts list' = @('--all	those too that are answered; they are kept for 30 days')
    'quote' = @('--pickup-address	Where the parcel is picked up', '--pickup-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--pickup-address.district	District; prefix, abbreviation and diacritics are optional', '--pickup-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping-address	Where the parcel goes', '--shipping-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--chargeable-weight	Weight that is charged for; the greater of gross and volumetric weight when absent (g)', '--gross-weight	Actual weight (g)', '--length	Length of the parcel (cm)', '--width	Width of the parcel (cm)', '--height	Height of the parcel (cm)', '--basket-value	Value of the goods; the basis of the insurance fee (currency units)', '--cod-amount	Cash to collect from the buyer; some carriers charge for it (currency units)', '--include-insurance	Whether the parcel is insured; absent means yes', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in', '--order	quote the parcel of this order, so that its fee fits when the order is sent; - for stdin', '--pick	the offer to take: cheapest, fastest, best-value, or the code of a service', '--max-fee	refuse a dearer offer (exit 12)', '--by	leave out what is delivered later: a day (2026-02-03, local time, its whole day) or a time with a zone')
    'shipping services' = @('--pickup-address	Where the parcel is picked up', '--pickup-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--pickup-address.district	District; prefix, abbreviation and diacritics are optional', '--pickup-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping-address	Where the parcel goes', '--shipping-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--chargeable-weight	Weight that is charged for; the greater of gross and volumetric weight when absent (g)', '--gross-weight	Actual weight (g)', '--length	Length of the parcel (cm)', '--width	Width of the parcel (cm)', '--height	Height of the parcel (cm)', '--basket-value	Value of the goods; the basis of the insurance fee (currency units)', '--cod-amount	Cash to collect from the buyer; some carriers charge for it (currency units)', '--include-insurance	Whether the parcel is insured; absent means yes', '--limit	how many in all (records)', '--match	only what has these words in its name, phone or code; without diacritics', '--connection-ids	Connections to the carriers that are asked; all when absent', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipping fulfillment' = @('--id	Id of the shipment', '--shipping-code	The carrier''s code of the parcel', '--external-id	Id of the shipment in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipping get' = @('--id	Id of the order', '--code	Code of the order', '--external-id	Id of the order in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipping create' = @('--customer-address	Address of the customer', '--customer-address.full-name	Full name of the person', '--customer-address.phone	Phone number', '--customer-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--customer-address.district	District; prefix, abbreviation and diacritics are optional', '--customer-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--customer-address.address1	Street address, first line', '--customer-address.email	Email address', '--customer-address.company	Company', '--customer-address.address2	Street address, second line', '--shipping-address	Where the parcel goes', '--shipping-address.full-name	Full name of the person', '--shipping-address.phone	Phone number', '--shipping-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping-address.address1	Street address, first line', '--shipping-address.email	Email address', '--shipping-address.company	Company', '--shipping-address.address2	Street address, second line', '--lines	What is sold; variants of one product are lines of their own', '--shipping	How it is shipped, with the service chosen from a quote', '--shipping.pickup-address	Where the parcel is picked up', '--shipping.pickup-address.full-name	Full name of the person', '--shipping.pickup-address.phone	Phone number', '--shipping.pickup-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping.pickup-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping.pickup-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping.pickup-address.address1	Street address, first line', '--shipping.pickup-address.email	Email address', '--shipping.pickup-address.company	Company', '--shipping.pickup-address.address2	Street address, second line', '--shipping.shipping-service-code	Code of the chosen service, as quoted', '--shipping.shipping-service-fee	What the shop pays for the delivery, as quoted (currency units)', '--shipping.try-on	What the buyer may do before paying: none, open (inspect) or try (try on)', '--shipping.return-address	Where it returns to; when empty, the pickup address', '--shipping.return-address.full-name	Full name of the person', '--shipping.return-address.phone	Phone number', '--shipping.return-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping.return-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping.return-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping.return-address.address1	Street address, first line', '--shipping.return-address.email	Email address', '--shipping.return-address.company	Company', '--shipping.return-address.address2	Street address, second line', '--shipping.shipping-service-name	Name of the chosen service', '--shipping.carrier	Carrier of the chosen service, as quoted; replaced by connection_id', '--shipping.connection-id	Connection to the carrier', '--shipping.include-insurance	Whether the parcel is insured for its basket value; absent means yes', '--shipping.shipping-note	Note for the carrier', '--shipping.cod-amount	Cash that the carrier collects from the buyer (currency units)', '--shipping.chargeable-weight	The greater of gross and volumetric weight; worked out when absent (g)', '--shipping.gross-weight	Actual weight (g)', '--shipping.length	Length of the parcel (cm)', '--shipping.width	Width of the parcel (cm)', '--shipping.height	Height of the parcel (cm)', '--external-id	Id of the order in the caller''s system, unique there', '--external-code	Code of the order in the shop, unique there; shown in preference to external_id', '--external-url	URL of the order in the caller''s system', '--external-meta	Free data of the caller, kept with the order', '--total-items	Sum of the quantities of the lines (items)', '--basket-value	Sum over the lines of quantity * retail_price, without fees and discounts (currency units)', '--order-discount	Discount on the whole order, beside the discounts of its lines (currency units)', '--total-discount	Sum over the lines of quantity * (retail_price - payment_price), plus order_discount (currency units)', '--total-fee	Sum of the amounts of the fee lines (currency units)', '--fee-lines	Fees charged to the buyer', '--total-amount	basket_value - total_discount + total_fee (currency units)', '--order-note	Note on the order', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipping cancel' = @('--cancel-reason	Why it is cancelled', '--id	Id of the order', '--code	Code of the order', '--external-id	Id of the order in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'totals check' = @('--explain	show the arithmetic', '--csv	read csv, which stdin cannot tell by a name')
    'totals fill' = @('--overwrite	replace what is wrong', '--csv	read csv, which stdin cannot tell by a name')
    'orders list' = @('--id	Ids of the orders', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--since	only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m', '--until	only what was created until then; a day is meant with its whole day', '--today	only what was created today', '--status	only what is in this state: its letter or word, for example P or done', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'orders get' = @('--id	Id of the order', '--code	Code of the order', '--external-id	Id of the order in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'orders create' = @('--lines	What is sold; variants of one product are lines of their own', '--customer-address	Address of the customer', '--customer-address.full-name	Full name of the person', '--customer-address.phone	Phone number', '--customer-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--customer-address.district	District; prefix, abbreviation and diacritics are optional', '--customer-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--customer-address.address1	Street address, first line', '--customer-address.email	Email address', '--customer-address.company	Company', '--customer-address.address2	Street address, second line', '--shipping-address	Where the parcel goes', '--shipping-address.full-name	Full name of the person', '--shipping-address.phone	Phone number', '--shipping-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping-address.address1	Street address, first line', '--shipping-address.email	Email address', '--shipping-address.company	Company', '--shipping-address.address2	Street address, second line', '--shipping	How it is to be shipped', '--shipping.pickup-address	Where the parcel is picked up', '--shipping.pickup-address.full-name	Full name of the person', '--shipping.pickup-address.phone	Phone number', '--shipping.pickup-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping.pickup-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping.pickup-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping.pickup-address.address1	Street address, first line', '--shipping.pickup-address.email	Email address', '--shipping.pickup-address.company	Company', '--shipping.pickup-address.address2	Street address, second line', '--shipping.return-address	Where it returns to; when empty, the pickup address', '--shipping.return-address.full-name	Full name of the person', '--shipping.return-address.phone	Phone number', '--shipping.return-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--shipping.return-address.district	District; prefix, abbreviation and diacritics are optional', '--shipping.return-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--shipping.return-address.address1	Street address, first line', '--shipping.return-address.email	Email address', '--shipping.return-address.company	Company', '--shipping.return-address.address2	Street address, second line', '--shipping.shipping-service-code	Code of the chosen service, as quoted', '--shipping.shipping-service-fee	What the shop pays for the delivery, as quoted (currency units)', '--shipping.shipping-service-name	Name of the chosen service', '--shipping.carrier	Carrier of the chosen service, as quoted; replaced by connection_id', '--shipping.connection-id	Connection to the carrier', '--shipping.include-insurance	Whether the parcel is insured for its basket value; absent means yes', '--shipping.shipping-note	Note for the carrier', '--shipping.cod-amount	Cash that the carrier collects from the buyer (currency units)', '--shipping.chargeable-weight	The greater of gross and volumetric weight; worked out when absent (g)', '--shipping.gross-weight	Actual weight (g)', '--shipping.length	Length of the parcel (cm)', '--shipping.width	Width of the parcel (cm)', '--shipping.height	Height of the parcel (cm)', '--shipping.try-on	What the buyer may do before paying: none, open (inspect) or try (try on)', '--external-id	Id of the order in the caller''s system, unique there', '--external-code	Code of the order in the shop, unique there; shown in preference to external_id', '--external-url	URL of the order in the caller''s system', '--external-meta	Free data of the caller, kept with the order', '--total-items	Sum of the quantities of the lines (items)', '--basket-value	Sum over the lines of quantity * retail_price, without fees and discounts (currency units)', '--order-discount	Discount on the whole order, beside the discounts of its lines (currency units)', '--total-discount	Sum over the lines of quantity * (retail_price - payment_price), plus order_discount (currency units)', '--total-fee	Sum of the amounts of the fee lines (currency units)', '--fee-lines	Fees charged to the buyer', '--total-amount	basket_value - total_discount + total_fee (currency units)', '--order-note	Note on the order', '--payment-method	How the buyer pays', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'orders cancel' = @('--cancel-reason	Why it is cancelled', '--id	Id of the order', '--code	Code of the order', '--external-id	Id of the order in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'orders confirm' = @('--order-id	Id of the order', '--auto-inventory-voucher	create reserves the goods; confirm takes them too', '--inventory-policy	obey moves the stock and needs enough of it; ignore leaves it', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'fulfillments list' = @('--order-id	Ids of the orders', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--since	only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m', '--until	only what was created until then; a day is meant with its whole day', '--today	only what was created today', '--status	only what is in this state: its letter or word, for example P or done', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'fulfillments get' = @('--id	Id of the shipment', '--shipping-code	The carrier''s code of the parcel', '--external-id	Id of the shipment in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipnow services' = @('--pickup-address	Where the driver picks up; coordinates give the most accurate fee', '--pickup-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--pickup-address.district	District; prefix, abbreviation and diacritics are optional', '--pickup-address.address	Street address', '--pickup-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--pickup-address.coordinates	Where it is on the map', '--pickup-address.coordinates.latitude	Latitude, north is positive (degrees)', '--pickup-address.coordinates.longitude	Longitude, east is positive (degrees)', '--delivery-points	The stops', '--coupon	Code of a coupon', '--limit	how many in all (records)', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipnow get' = @('--id	Id of the delivery', '--shipping-code	The carrier''s code of the parcel', '--external-id	Id of the delivery in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipnow create' = @('--pickup-address	Where the driver picks up', '--pickup-address.full-name	Full name of the person', '--pickup-address.phone	Phone number', '--pickup-address.province	Province or city; prefix, abbreviation and diacritics are optional', '--pickup-address.district	District; prefix, abbreviation and diacritics are optional', '--pickup-address.address	Street address', '--pickup-address.coordinates	Where it is on the map', '--pickup-address.coordinates.latitude	Latitude, north is positive (degrees)', '--pickup-address.coordinates.longitude	Longitude, east is positive (degrees)', '--pickup-address.company	Company', '--pickup-address.email	Email address', '--pickup-address.ward	Ward; prefix, abbreviation and diacritics are optional', '--delivery-points	The stops, each an order of its own', '--shipping-service-code	Code of the service, as priced', '--shipping-service-fee	What the shop pays for the delivery, as priced (currency units)', '--external-id	Id of the delivery in the caller''s system', '--coupon	Code of a coupon', '--shipping-note	Note for the driver', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'shipnow cancel' = @('--id	Id of the delivery', '--shipping-code	The carrier''s code of the parcel', '--external-id	Id of the delivery in the caller''s system', '--cancel-reason	Why it is cancelled', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'customers list' = @('--id	Ids of the customers', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--since	only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m', '--until	only what was created until then; a day is meant with its whole day', '--today	only what was created today', '--status	only what is in this state: its letter or word, for example P or done', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'customers get' = @('--id	Id of the customer', '--code	Code of the customer', '--external-id	Id of the customer in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'customers create' = @('--full-name	Full name', '--phone	Phone number', '--external-id	Id of the customer in the caller''s system', '--external-code	Code of the customer in the caller''s system', '--email	Email address', '--gender	Gender', '--birthday	Date of birth, free text', '--type	Kind of customer; independent is deprecated', '--note	Note on the customer', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'customers update' = @('--id	Id of the customer', '--full-name	Full name', '--phone	Phone number', '--email	Email address', '--gender	Gender', '--birthday	Date of birth, free text', '--type	Kind of customer; independent is deprecated', '--note	Note on the customer', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'customers delete' = @('--id	Id of the customer', '--code	Code of the customer', '--external-id	Id of the customer in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'addresses list' = @('--customer-id	Ids of the customers', '--phone	Phone number, matched exactly', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'addresses get' = @('--id	Id of the address', '--code	Code of the address', '--external-id	Id of the address in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'addresses create' = @('--customer-id	Id of the customer', '--full-name	Full name of the person', '--phone	Phone number', '--province	Province or city; prefix, abbreviation and diacritics are optional', '--district	District; prefix, abbreviation and diacritics are optional', '--ward	Ward; prefix, abbreviation and diacritics are optional', '--address1	Street address, first line', '--address2	Street address, second line', '--company	Company', '--email	Email address', '--position	Position of the person in the company', '--coordinates	Where the address is on the map', '--coordinates.latitude	Latitude, north is positive (degrees)', '--coordinates.longitude	Longitude, east is positive (degrees)', '--country	Country', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'addresses update' = @('--id	Id of the address', '--full-name	Full name of the person', '--phone	Phone number', '--province	Province or city; prefix, abbreviation and diacritics are optional', '--district	District; prefix, abbreviation and diacritics are optional', '--ward	Ward; prefix, abbreviation and diacritics are optional', '--address1	Street address, first line', '--address2	Street address, second line', '--company	Company', '--email	Email address', '--position	Position of the person in the company', '--coordinates	Where the address is on the map', '--coordinates.latitude	Latitude, north is positive (degrees)', '--coordinates.longitude	Longitude, east is positive (degrees)', '--country	Country', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'addresses delete' = @('--id	Id of the address', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups list' = @('--id	Ids of the groups', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups get' = @('--id	Id of the group', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups create' = @('--name	Name of the group', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups update' = @('--id	Id of the group', '--name	Name of the group', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups delete' = @('--id	Id of the group', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups members list' = @('--customer-id	Ids of the customers', '--group-id	Ids of the groups', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups members add' = @('--customer-id	Id of the customer', '--group-id	Id of the group', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'groups members remove' = @('--customer-id	Id of the customer', '--group-id	Id of the group', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'products list' = @('--id	Ids of the products', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--since	only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m', '--until	only what was created until then; a day is meant with its whole day', '--today	only what was created today', '--status	only what is in this state: its letter or word, for example P or done', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'products get' = @('--id	Id of the product', '--code	Code of the product', '--external-id	Id of the product in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'products create' = @('--code	Code in the shop; made by the service when absent', '--external-id	Id in the caller''s system', '--external-code	Code in the caller''s system', '--brand-id	Id of the brand', '--name	Name', '--short-desc	Description in a sentence', '--description	Description', '--note	Note of the shop', '--image-urls	URLs of pictures', '--list-price	Price printed on the packaging (currency units)', '--retail-price	Price before discount (currency units)', '--cost-price	What it cost the shop (currency units)', '--unit	Unit it is sold by, for example box', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'products update' = @('--id	Id of the product', '--brand-id	Id of the brand', '--name	Name', '--short-desc	Description in a sentence', '--description	Description', '--note	Note of the shop', '--list-price	Price printed on the packaging (currency units)', '--retail-price	Price before discount (currency units)', '--cost-price	What it cost the shop (currency units)', '--unit	Unit it is sold by, for example box', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'products delete' = @('--id	Id of the product', '--code	Code of the product', '--external-id	Id of the product in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'variants list' = @('--id	Ids of the variants', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--status	only what is in this state: its letter or word, for example P or done', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'variants get' = @('--id	Id of the variant', '--code	Code of the variant', '--external-id	Id of the variant in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'variants create' = @('--product-id	Id of the product', '--code	Code in the shop; made by the service when absent', '--external-id	Id in the caller''s system', '--external-code	Code in the caller''s system', '--name	Name', '--short-desc	Description in a sentence', '--description	Description', '--note	Note of the shop', '--image-urls	URLs of pictures', '--list-price	Price printed on the packaging (currency units)', '--retail-price	Price before discount (currency units)', '--cost-price	What it cost the shop (currency units)', '--attributes	Traits that tell the variant, for example its colour', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'variants update' = @('--id	Id of the variant', '--code	Code in the shop; made by the service when absent', '--name	Name', '--short-desc	Description in a sentence', '--description	Description', '--note	Note of the shop', '--list-price	Price printed on the packaging (currency units)', '--retail-price	Price before discount (currency units)', '--cost-price	What it cost the shop (currency units)', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'variants delete' = @('--id	Id of the variant', '--code	Code of the variant', '--external-id	Id of the variant in the caller''s system', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections list' = @('--id	Ids of the collections', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--since	only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m', '--until	only what was created until then; a day is meant with its whole day', '--today	only what was created today', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections get' = @('--id	Id of the collection', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections create' = @('--name	Name of the collection', '--short-desc	Description in a sentence', '--description	Description', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections update' = @('--id	Id of the collection', '--name	Name of the collection', '--short-desc	Description in a sentence', '--description	Description', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections delete' = @('--id	Id of the collection', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections members list' = @('--collection-id	Ids of the collections', '--product-id	Ids of the products', '--include-deleted	Whether deleted records come too, as id and deleted alone', '--limit	how many in all (records)', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections members add' = @('--collection-id	Id of the collection', '--product-id	Id of the product', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'collections members remove' = @('--collection-id	Id of the collection', '--product-id	Id of the product', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'inventory list' = @('--variant-id	Ids of the variants', '--limit	how many in all; all of them when absent, in a table the newest 100 (records)', '--all	every record there is, in a table too', '--page-size	how many a request asks for, 100 at most (records)', '--after	go on after this cursor', '--before	what comes before this cursor', '--sort	order: created_at or updated_at, with a leading - for the latest first; a table has the newest first', '--since	only what was changed since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m', '--until	only what was changed until then; a day is meant with its whole day', '--today	only what was changed today', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'webhooks list' = @('--limit	how many in all (records)', '--since	only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m', '--until	only what was created until then; a day is meant with its whole day', '--today	only what was created today', '--status	only what is in this state: its letter or word, for example P or done', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'webhooks create' = @('--url	Where the changes are sent; a secret in it lets the receiver know the sender', '--entities	The kinds of records whose changes are sent', '--metadata	Free text, kept with the webhook', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'webhooks delete' = @('--id	Id of the webhook', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'auth login' = @('--shop-id	a shop that signed in before, or has just done so', '--email	pre-fills a first sign-in', '--phone	pre-fills a first sign-in', '--name	pre-fills a first sign-in, and names the shop here', '--redirect-url	where the sign-in page of the service returns to, for a page of your own', '--browser	open the sign-in page (--no-browser prints its address only)')
    'auth status' = @('--offline	ask nobody whether the keys work')
    'auth logout' = @('--all	the keys of all shops')
    'auth token' = @('--api-key	the API key of the profile, not a shop key')
    'profiles add' = @('--kind	whose API key it is', '--api-key-stdin	read the API key from stdin', '--replace	replace a profile of that name', '--sign-in-component-url	script of the service''s sign-in component')
    'config list' = @('--show-origin	tell where each one comes from')
    'sandbox start' = @('--port	port on 127.0.0.1, 0 for a free one; 4010 when absent (TCP)', '--data	where its data is kept', '--ephemeral	keep nothing', '--seed	what a new one begins with: demo (example records), none, or a seed file', '--allow-host	a host outside this machine that webhooks may lead to', '--name	a name to find it by, where several run')
    'sandbox exec' = @('--seed	what a new one begins with: demo (example records), none, or a seed file')
    'sandbox stop' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox openapi' = @('--control	the sandbox''s control plane in place of the service')
    'sandbox credentials' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox sign-in' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox unlink' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox advance' = @('--to	a state of the shipment, or reconciled', '--substate	what is said of it there, for example delivery_fail', '--auto	by itself, each step at its time by the clock', '--name	which sandbox, where several run; the newest when absent')
    'sandbox clock show' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox clock freeze' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox clock set' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox clock advance' = @('--until-idle	stop at each moment at which something is due, until it is done', '--name	which sandbox, where several run; the newest when absent')
    'sandbox clock real' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox faults add' = @('--nth	the call of this number (calls)', '--every	each call whose number this divides (calls)', '--once	the next call', '--share	this share of the calls, chosen by the seed (0 to 1)', '--seed	what the share is chosen by', '--do	what happens to the call', '--name	which sandbox, where several run; the newest when absent')
    'sandbox faults list' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox faults clear' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox deliveries' = @('--webhook	those to this webhook', '--limit	how many; 100 when absent (attempts)', '--name	which sandbox, where several run; the newest when absent')
    'sandbox snapshot save' = @('--replace	replace a snapshot of that name', '--name	which sandbox, where several run; the newest when absent')
    'sandbox snapshot restore' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox snapshot list' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox snapshot remove' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox reset' = @('--name	which sandbox, where several run; the newest when absent')
    'sandbox log' = @('--operation	requests of an operation, of an area (shop.Order/*), or all (*)', '--status	a status, a class of them (4xx), or a code such as not_found', '--fault	what a fault befell: its id, or any', '--limit	how many; 100 when absent (requests)', '--follow	go on with each request as it comes, until Ctrl-C', '--name	which sandbox, where several run; the newest when absent')
    'api' = @('--data	the request; @FILE reads it from a file, - from stdin; {} when absent')
    'account show' = @('--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'locations list' = @('--limit	how many in all (records)', '--match	only what has these words in its name, phone or code; without diacritics', '--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'service version' = @('--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'history changes' = @('--input	take the request from a JSON or YAML file, - for stdin; flags override it', '--skeleton	print a request to fill in')
    'commands' = @('--tree	the groups, global flags and exit codes as well; JSON')
}

$global:ShopctlSources = @{
    'shipping fulfillment --id' = 'ask ids shipping'
    'shipping get --id' = 'ask ids shipping'
    'shipping cancel --id' = 'ask ids shipping'
    'orders list --id' = 'ask ids orders'
    'orders get --id' = 'ask ids orders'
    'orders cancel --id' = 'ask ids orders'
    'fulfillments get --id' = 'ask ids fulfillments'
    'shipnow get --id' = 'ask ids shipnow'
    'shipnow cancel --id' = 'ask ids shipnow'
    'addresses get --id' = 'ask ids addresses'
    'addresses update --id' = 'ask ids addresses'
    'addresses delete --id' = 'ask ids addresses'
    'groups list --id' = 'ask ids groups'
    'groups get --id' = 'ask ids groups'
    'groups update --id' = 'ask ids groups'
    'groups delete --id' = 'ask ids groups'
    'products list --id' = 'ask ids products'
    'products get --id' = 'ask ids products'
    'products update --id' = 'ask ids products'
    'products delete --id' = 'ask ids products'
    'variants list --id' = 'ask ids variants'
    'variants get --id' = 'ask ids variants'
    'variants update --id' = 'ask ids variants'
    'variants delete --id' = 'ask ids variants'
    'collections list --id' = 'ask ids collections'
    'collections get --id' = 'ask ids collections'
    'collections update --id' = 'ask ids collections'
    'collections delete --id' = 'ask ids collections'
    'webhooks delete --id' = 'ask ids webhooks'
    'api --data' = 'any'
    '* --profile' = 'ask profiles'
    '* --shop' = 'ask shops'
    '* --shop-id' = 'ask shops'
    '* --as' = 'values partner shop'
    '* --kind' = 'values partner shop'
    '* --output' = 'values table json jsonl csv yaml name'
    '* -o' = 'values table json jsonl csv yaml name'
    '* --json' = 'switch'
    '* --utc' = 'switch'
    '* --no-csv-guard' = 'switch'
    '* --quiet' = 'switch'
    '* -q' = 'switch'
    '* --debug' = 'switch'
    '* --no-input' = 'switch'
    '* --yes' = 'switch'
    '* -y' = 'switch'
    '* --dry-run' = 'switch'
    '* -n' = 'switch'
    '* --curl' = 'switch'
    '* --read-only' = 'switch'
    '* --no-color' = 'switch'
    '* --version' = 'switch'
    '* --help' = 'switch'
    '* -h' = 'switch'
    '* --again' = 'switch'
    '* --all' = 'switch'
    '* --include-insurance' = 'switch'
    '* --skeleton' = 'switch'
    '* --shipping.include-insurance' = 'switch'
    '* --explain' = 'switch'
    '* --csv' = 'switch'
    '* --overwrite' = 'switch'
    '* --today' = 'switch'
    '* --include-deleted' = 'switch'
    '* --browser' = 'switch'
    '* --offline' = 'switch'
    '* --api-key' = 'switch'
    '* --api-key-stdin' = 'switch'
    '* --replace' = 'switch'
    '* --show-origin' = 'switch'
    '* --ephemeral' = 'switch'
    '* --control' = 'switch'
    '* --auto' = 'switch'
    '* --until-idle' = 'switch'
    '* --once' = 'switch'
    '* --follow' = 'switch'
    '* -f' = 'switch'
    '* --tree' = 'switch'
    '* --fields' = 'ask fields'
    '* --input' = 'files'
    '* --answers' = 'files'
    '* --order' = 'files'
    '* --id' = 'ask ids customers'
    '* --customer-id' = 'ask ids customers'
    '* --shipping.try-on' = 'values unknown none open try'
    '* --payment-method' = 'values cod bank other vtpay'
    '* --order-id' = 'ask ids orders'
    '* --auto-inventory-voucher' = 'values create confirm'
    '* --inventory-policy' = 'values obey ignore'
    '* --gender' = 'values unknown male female other'
    '* --type' = 'values unknown individual organization anonymous independent'
    '* --group-id' = 'ask ids groups'
    '* --product-id' = 'ask ids products'
    '* --collection-id' = 'ask ids collections'
    '* --variant-id' = 'ask ids variants'
    '* --entities' = 'values customer customer_address customer_group customer_group_relationship fulfillment inventory_level order product product_collection product_collection_relationship shipnow_fulfillment variant'
    '* --data' = 'directories'
}

$global:ShopctlArguments = @{
    'shipping fulfillment 0' = 'ask ids shipping'
    'shipping get 0' = 'ask ids shipping'
    'shipping cancel 0' = 'ask ids shipping'
    'totals check 0' = 'files'
    'totals fill 0' = 'files'
    'orders get 0' = 'ask ids orders'
    'orders cancel 0' = 'ask ids orders'
    'orders confirm 0' = 'ask ids orders'
    'fulfillments get 0' = 'ask ids fulfillments'
    'shipnow get 0' = 'ask ids shipnow'
    'shipnow cancel 0' = 'ask ids shipnow'
    'customers get 0' = 'ask ids customers'
    'customers update 0' = 'ask ids customers'
    'customers delete 0' = 'ask ids customers'
    'addresses get 0' = 'ask ids addresses'
    'addresses update 0' = 'ask ids addresses'
    'addresses delete 0' = 'ask ids addresses'
    'groups get 0' = 'ask ids groups'
    'groups update 0' = 'ask ids groups'
    'groups delete 0' = 'ask ids groups'
    'products get 0' = 'ask ids products'
    'products update 0' = 'ask ids products'
    'products delete 0' = 'ask ids products'
    'variants get 0' = 'ask ids variants'
    'variants update 0' = 'ask ids variants'
    'variants delete 0' = 'ask ids variants'
    'collections get 0' = 'ask ids collections'
    'collections update 0' = 'ask ids collections'
    'collections delete 0' = 'ask ids collections'
    'webhooks delete 0' = 'ask ids webhooks'
    'auth use 0' = 'ask shops'
    'auth logout 0' = 'ask shops'
    'auth token 0' = 'ask shops'
    'profiles show 0' = 'ask profiles'
    'profiles use 0' = 'ask profiles'
    'profiles remove 0' = 'ask profiles'
    'sandbox advance 0' = 'ask ids sandbox'
    'completion 0' = 'values bash zsh fish powershell'
}

$global:ShopctlGlobals = @('--profile	use this profile', '--shop	act for this shop', '--as	call as partner or as shop, where both can', '--base-url	address of the service', '--output	how to print the result', '--json	same as -o json', '--fields	print these fields only (a,b.c); without a value, list the fields there are', '--query	print what this expression makes of the whole result', '--utc	show times in UTC', '--no-csv-guard	write csv cells as they are, also where a spreadsheet would run them', '--quiet	no notices, no progress', '--debug	tell on stderr what goes over the wire, keys redacted', '--no-input	never ask', '--yes	answer confirmations with yes', '--dry-run	check, print the request, send nothing', '--curl	print the call as a curl command, send nothing', '--timeout	limit for one attempt', '--max-retries	how often a call is tried again', '--read-only	refuse everything that writes', '--no-color	no colours', '--version	print the version', '--help	show help')

function global:Get-ShopctlFlagSource([string]$Path, [string]$Flag) {
    foreach ($key in "$Path $Flag", "* $Flag") {
        if ($global:ShopctlSources.ContainsKey($key)) { return $global:ShopctlSources[$key] }
    }
    'any'
}

# Candidates as lines "text<TAB>description"; Before are the words that stand before the value.
function global:Get-ShopctlCandidates([string]$Source, [string]$Value, [string[]]$Before) {
    $kind, $rest = $Source -split ' '
    switch ($kind) {
        'values' { $rest }
        'files' { Get-ChildItem -Path "$Value*" -Name -ErrorAction SilentlyContinue }
        'directories' { Get-ChildItem -Path "$Value*" -Name -Directory -ErrorAction SilentlyContinue }
        'ask' {
            $lead = ''
            if ($rest -contains 'fields' -and $Value -match '^(.*,)') { $lead = $Matches[1] }
            & shopctl __complete @rest '--' @Before 2>$null | ForEach-Object { "$lead$_" }
        }
    }
}

Register-ArgumentCompleter -Native -CommandName shopctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString().Trim('"', "'") })
    $path = ''; $flag = ''; $ended = $false; $position = 0
    foreach ($word in $before) {
        if ($flag) { $flag = ''; continue }
        if ($ended) { continue }
        if ($word -eq '--') { $ended = $true; continue }
        if ($word -match '^-.') {
            if ($word -notmatch '=' -and (Get-ShopctlFlagSource $path $word) -ne 'switch') { $flag = $word }
            continue
        }
        $names = @($global:ShopctlWords[$path] | ForEach-Object { ($_ -split "`t")[0] })
        if ($names -ccontains $word) {
            $path = "$path $word".Trim() -replace '^(help|schema) ', ''
        } else { $position++ }
    }

    $lead = ''; $value = $wordToComplete
    if ($ended) { return }
    if ($flag) {
        $candidates = Get-ShopctlCandidates (Get-ShopctlFlagSource $path $flag) $value $before
    } elseif ($wordToComplete -match '^(--[^=]+)=(.*)$') {
        $lead = "$($Matches[1])="; $value = $Matches[2]
        $candidates = Get-ShopctlCandidates (Get-ShopctlFlagSource $path $Matches[1]) $value $before
    } else {
        $words = $global:ShopctlWords[$path]
        $source = $global:ShopctlArguments["$path $position"]
        if ($wordToComplete -like '-*' -or -not ($words -or $source)) {
            $candidates = @($global:ShopctlFlags[$path]) + $global:ShopctlGlobals
        } elseif ($words) {
            $candidates = $words
        } else {
            $candidates = Get-ShopctlCandidates $source $value $before
        }
    }

    foreach ($candidate in $candidates) {
        if (-not $candidate) { continue }
        $text, $description = $candidate -split "`t", 2
        if (-not $text.StartsWith($value, [StringComparison]::Ordinal)) { continue }
        if (-not $description) { $description = $text }
        [System.Management.Automation.CompletionResult]::new("$lead$text", $text, 'ParameterValue', $description)
    }
}
