# fish completion for shopctl
# Generated from the command tree; `shopctl completion fish` prints it.

function __shopctl_words
    switch "$argv"
        case ''
            printf '%s\t%s\n' 'ship' 'Quote and ship an order, step by step or all at once' 'quote' 'Compare what the carriers offer for a parcel' 'shipping' 'Ship orders: services, create, get, cancel' 'batch' 'Work through a whole spreadsheet, each row exactly once' 'slips' 'Make packing slips for orders, or a list of what to fetch' 'totals' 'Check or complete the sums of orders, offline' 'orders' 'Manage orders' 'fulfillments' 'Read shipments' 'shipnow' 'On-demand deliveries' 'customers' 'Manage customers' 'addresses' 'Manage addresses of customers' 'groups' 'Manage groups of customers and who is in them' 'products' 'Manage products' 'variants' 'Manage variants of products' 'collections' 'Manage collections of products and what is in them' 'inventory' 'Read inventory levels' 'webhooks' 'Manage webhooks, and receive what they bring' 'events' 'See, replay and forget the changes that were received' 'mirror' 'Copy the shop into a database, and ask it in SQL' 'auth' 'Connect shops: sign in, see and change keys' 'profiles' 'Manage profiles: accounts at services' 'config' 'See and change settings' 'workspace' 'See, check and back up what batches and events keep' 'sandbox' 'Run the whole service on this machine' 'api' 'Call any operation with a request of your own' 'account' 'Show the account that a key belongs to' 'locations' 'List provinces, districts and wards' 'service' 'Show the version of the service' 'history' 'Show what a webhook delivery looks like' 'commands' 'List every command and the operations it calls' 'schema' 'Print the JSON Schema of what a command takes and gives' 'conformance' 'Check whether a live service does what the contract says' 'drift' 'See how answers of the service differ from the contract' 'doctor' 'Check settings, keys and the way to the service' 'completion' 'Print the completion script of a shell' 'help' 'Show help on a topic or a command'
        case 'help'
            printf '%s\t%s\n' 'environment' 'Help topic' 'exit-codes' 'Help topic' 'formatting' 'Help topic' 'input' 'Help topic' 'ship' 'Quote and ship an order, step by step or all at once' 'quote' 'Compare what the carriers offer for a parcel' 'shipping' 'Ship orders: services, create, get, cancel' 'batch' 'Work through a whole spreadsheet, each row exactly once' 'slips' 'Make packing slips for orders, or a list of what to fetch' 'totals' 'Check or complete the sums of orders, offline' 'orders' 'Manage orders' 'fulfillments' 'Read shipments' 'shipnow' 'On-demand deliveries' 'customers' 'Manage customers' 'addresses' 'Manage addresses of customers' 'groups' 'Manage groups of customers and who is in them' 'products' 'Manage products' 'variants' 'Manage variants of products' 'collections' 'Manage collections of products and what is in them' 'inventory' 'Read inventory levels' 'webhooks' 'Manage webhooks, and receive what they bring' 'events' 'See, replay and forget the changes that were received' 'mirror' 'Copy the shop into a database, and ask it in SQL' 'auth' 'Connect shops: sign in, see and change keys' 'profiles' 'Manage profiles: accounts at services' 'config' 'See and change settings' 'workspace' 'See, check and back up what batches and events keep' 'sandbox' 'Run the whole service on this machine' 'api' 'Call any operation with a request of your own' 'account' 'Show the account that a key belongs to' 'locations' 'List provinces, districts and wards' 'service' 'Show the version of the service' 'history' 'Show what a webhook delivery looks like' 'commands' 'List every command and the operations it calls' 'schema' 'Print the JSON Schema of what a command takes and gives' 'conformance' 'Check whether a live service does what the contract says' 'drift' 'See how answers of the service differ from the contract' 'doctor' 'Check settings, keys and the way to the service' 'completion' 'Print the completion script of a shell'
        case 'ship'
            printf '%s\t%s\n' 'drafts' 'Manage drafts'
        case 'ship drafts'
            printf '%s\t%s\n' 'list' 'List the drafts that are not finished' 'show' 'Show a draft' 'remove' 'Remove a draft'
        case 'shipping'
            printf '%s\t%s\n' 'services' 'Ask what the carriers offer for a parcel' 'fulfillment' 'Read a shipment' 'get' 'Read an order with its shipments' 'create' 'Create an order, confirm it and hand it to its carrier' 'cancel' 'Cancel an order and its shipments'
        case 'batch'
            printf '%s\t%s\n' 'map' 'Say how the columns of a sheet are understood, and save that' 'plan' 'Read a sheet and say what would be done with each row, and what it costs' 'run' 'Run a command for each row of a sheet, each exactly once' 'resume' 'Continue a batch that was stopped' 'work' 'Help with a batch that another machine started' 'retry' 'Send the failed rows of a batch once more' 'settle' 'Say whether an unclear row was done' 'list' 'List batches, newest first' 'show' 'Show how far a batch has come' 'rows' 'List the rows of a batch in the order of the file' 'result' 'Write the sheet again, with the result of each row' 'undo' 'Undo what a batch has made' 'forget' 'Remove what is kept of a batch, with its personal data'
        case 'totals'
            printf '%s\t%s\n' 'check' 'Compare the sums and weights of orders with their formulas' 'fill' 'Complete the missing sums, weights and cash on delivery of orders'
        case 'orders'
            printf '%s\t%s\n' 'list' 'List orders' 'get' 'Read an order with its shipments' 'create' 'Create an order' 'cancel' 'Cancel an order and its shipments' 'confirm' 'Confirm an order'
        case 'fulfillments'
            printf '%s\t%s\n' 'list' 'List shipments' 'get' 'Read a shipment'
        case 'shipnow'
            printf '%s\t%s\n' 'services' 'Ask what an on-demand delivery costs' 'get' 'Read an on-demand delivery' 'create' 'Call a driver for an on-demand delivery' 'cancel' 'Cancel an on-demand delivery'
        case 'customers'
            printf '%s\t%s\n' 'list' 'List customers' 'get' 'Read a customer' 'create' 'Create a customer' 'update' 'Change a customer' 'delete' 'Delete a customer'
        case 'addresses'
            printf '%s\t%s\n' 'list' 'List addresses of customers' 'get' 'Read an address' 'create' 'Create an address of a customer' 'update' 'Change an address' 'delete' 'Delete an address'
        case 'groups'
            printf '%s\t%s\n' 'list' 'List groups of customers' 'get' 'Read a group' 'create' 'Create a group of customers' 'update' 'Change a group' 'delete' 'Delete a group' 'members' 'Manage members'
        case 'groups members'
            printf '%s\t%s\n' 'list' 'List the customers of groups, or the groups of customers' 'add' 'Put a customer into a group' 'remove' 'Take a customer out of a group'
        case 'products'
            printf '%s\t%s\n' 'list' 'List products' 'get' 'Read a product with its variants' 'create' 'Create a product' 'update' 'Change a product' 'delete' 'Delete a product'
        case 'variants'
            printf '%s\t%s\n' 'list' 'List variants' 'get' 'Read a variant' 'create' 'Create a variant of a product' 'update' 'Change a variant' 'delete' 'Delete a variant'
        case 'collections'
            printf '%s\t%s\n' 'list' 'List collections of products' 'get' 'Read a collection' 'create' 'Create a collection of products' 'update' 'Change a collection' 'delete' 'Delete a collection' 'members' 'Manage members'
        case 'collections members'
            printf '%s\t%s\n' 'list' 'List the products of collections, or the collections of products' 'add' 'Put a product into a collection' 'remove' 'Take a product out of a collection'
        case 'inventory'
            printf '%s\t%s\n' 'list' 'List the stock of variants'
        case 'webhooks'
            printf '%s\t%s\n' 'list' 'List the webhooks and the state of their deliveries' 'create' 'Ask for changes to be sent to a url' 'delete' 'Stop sending changes to a webhook' 'listen' 'Receive changes, keep them, and hand them on' 'status' 'Show how webhooks and targets are doing' 'recover' 'Replace webhooks that the service has stopped' 'test' 'Examine a receiver: send it what the service may send, and judge its answers' 'install' 'Write a systemd user unit that runs the listener with this configuration' 'uninstall' 'Remove the unit that runs the listener'
        case 'events'
            printf '%s\t%s\n' 'list' 'List the changes that were received' 'show' 'Show a whole change' 'tail' 'Show the latest changes, then each new one as it comes' 'replay' 'Forward stored changes again, in order' 'targets' 'Show the targets, and how far each is behind' 'prune' 'Forget changes that came before a time'
        case 'events targets'
            printf '%s\t%s\n' 'pause' 'Hand nothing on to a target until it is resumed' 'resume' 'Resume handing on to a target, from where it stopped' 'retry' 'Retry at once everything that is waiting or was given up for a target' 'remove' 'Forget a target, and what it has not accepted'
        case 'mirror'
            printf '%s\t%s\n' 'sync' 'Copy the shop into its mirror: everything the first time, then what changed' 'status' 'Show how fresh the mirror is' 'verify' 'Compare the mirror with the service, record by record' 'sql' 'Ask the mirror in SQL; nothing can be changed' 'tables' 'List the tables and views of the mirror' 'schema' 'Show the columns of the mirror’s tables' 'export' 'Write every table of the mirror to a file of its own' 'path' 'Print where the mirror is' 'forget' 'Delete the mirror'
        case 'auth'
            printf '%s\t%s\n' 'login' 'Sign a shop in and save its key' 'status' 'Show every key there is, and whether the service accepts it' 'shops' 'List the shops that are signed in' 'use' 'Act for this shop from now on' 'logout' 'Forget the key of a shop' 'token' 'Print a key in clear' 'setup' 'Set up a first profile by answering questions'
        case 'profiles'
            printf '%s\t%s\n' 'list' 'List the profiles' 'show' 'Show a profile, keys as their last four characters' 'add' 'Add a profile: the address of a service and a key for it' 'set-key' 'Give a profile another API key' 'use' 'Switch to a profile' 'remove' 'Remove a profile and its keys'
        case 'config'
            printf '%s\t%s\n' 'list' 'List the current settings' 'get' 'Print one setting' 'set' 'Change a setting of the current profile' 'unset' 'Remove a setting from the current profile' 'path' 'Print where the settings are stored'
        case 'workspace'
            printf '%s\t%s\n' 'show' 'Show where batches and events are stored, and how much there is' 'check' 'Check that the stored data is consistent and durable' 'backup' 'Copy the stored data to a new file, even while it is in use'
        case 'sandbox'
            printf '%s\t%s\n' 'start' 'Run the service here until Ctrl-C' 'exec' 'Run a command against a fresh sandbox that ends with it' 'stop' 'Stop a running sandbox' 'status' 'List the sandboxes and whether they run' 'openapi' 'Print the service as an OpenAPI 3.1 document' 'credentials' 'Print the keys of the sandbox\'s accounts' 'sign-in' 'Sign a shop in with a request token, as its owner would' 'unlink' 'Remove the link of a shop with its partners, which ends their keys' 'advance' 'Move a shipment as its carrier would, and emit its changes' 'clock' 'Manage clock' 'faults' 'Manage faults' 'deliveries' 'Show the attempts to deliver changes to webhooks, the newest first' 'redeliver' 'Send a delivery again, under a new callback id' 'snapshot' 'Manage snapshot' 'reset' 'Go back to what the sandbox began with; accounts and keys stay' 'log' 'Show the requests that the sandbox has seen, keys left out'
        case 'sandbox clock'
            printf '%s\t%s\n' 'show' 'Show the business clock and when something next happens by itself' 'freeze' 'Stop the business clock where it stands' 'set' 'Set the business clock' 'advance' 'Move the business clock on: retries, expiry and shipments follow it' 'real' 'Set the business clock going with the machine\'s again'
        case 'sandbox faults'
            printf '%s\t%s\n' 'add' 'Script a fault: which calls it affects, and how they fail' 'list' 'List the scripted faults and how often each has struck' 'clear' 'Take a fault away, or all of them'
        case 'sandbox snapshot'
            printf '%s\t%s\n' 'save' 'Save the data as they are' 'restore' 'Put the data back to a snapshot, and the business clock with them' 'list' 'List the snapshots' 'remove' 'Remove a snapshot'
        case 'account'
            printf '%s\t%s\n' 'show' 'Show the account that the key belongs to'
        case 'locations'
            printf '%s\t%s\n' 'list' 'List the provinces, districts and wards that the service knows'
        case 'service'
            printf '%s\t%s\n' 'version' 'Show which version of the service answers'
        case 'history'
            printf '%s\t%s\n' 'changes' 'Show the form of a webhook delivery'
        case 'schema'
            printf '%s\t%s\n' 'ship' 'Quote and ship an order, step by step or all at once' 'quote' 'Compare what the carriers offer for a parcel' 'shipping' 'Ship orders: services, create, get, cancel' 'batch' 'Work through a whole spreadsheet, each row exactly once' 'slips' 'Make packing slips for orders, or a list of what to fetch' 'totals' 'Check or complete the sums of orders, offline' 'orders' 'Manage orders' 'fulfillments' 'Read shipments' 'shipnow' 'On-demand deliveries' 'customers' 'Manage customers' 'addresses' 'Manage addresses of customers' 'groups' 'Manage groups of customers and who is in them' 'products' 'Manage products' 'variants' 'Manage variants of products' 'collections' 'Manage collections of products and what is in them' 'inventory' 'Read inventory levels' 'webhooks' 'Manage webhooks, and receive what they bring' 'events' 'See, replay and forget the changes that were received' 'mirror' 'Copy the shop into a database, and ask it in SQL' 'auth' 'Connect shops: sign in, see and change keys' 'profiles' 'Manage profiles: accounts at services' 'config' 'See and change settings' 'workspace' 'See, check and back up what batches and events keep' 'sandbox' 'Run the whole service on this machine' 'api' 'Call any operation with a request of your own' 'account' 'Show the account that a key belongs to' 'locations' 'List provinces, districts and wards' 'service' 'Show the version of the service' 'history' 'Show what a webhook delivery looks like' 'commands' 'List every command and the operations it calls' 'schema' 'Print the JSON Schema of what a command takes and gives' 'conformance' 'Check whether a live service does what the contract says' 'drift' 'See how answers of the service differ from the contract' 'doctor' 'Check settings, keys and the way to the service' 'completion' 'Print the completion script of a shell'
        case 'conformance'
            printf '%s\t%s\n' 'run' 'Check whether the service does what the contract says' 'diff' 'Compare the service with a fresh sandbox' 'clean' 'Remove what a run left behind when it was killed'
        case 'drift'
            printf '%s\t%s\n' 'list' 'List how answers of the service differed from the contract' 'show' 'Show one finding' 'forget' 'Forget findings, or all of them'
    end
end

function __shopctl_flags
    switch "$argv"
        case 'ship'
            printf '%s\t%s\n' '--input' 'the order, JSON or YAML, - for stdin; what it lacks is asked for' '--pick' 'the offer to take: cheapest, fastest, best-value, or the code of a service' '--max-fee' 'refuse an offer that costs more, with exit 12 (currency units)' '--by' 'leave out offers that deliver later: a day (2026-02-03, local time, to its end) or a time with a zone' '--resume' 'continue this draft; without a value, the latest one that was not sent' '--again' 'send another order like one that was sent within 24 hours' '--answers' 'take the answers from a file, then ask for the rest; `ship drafts show --json` prints those of a draft'
        case 'ship drafts list'
            printf '%s\t%s\n' '--all' 'also those that are done; they are kept for 30 days' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'quote'
            printf '%s\t%s\n' '--pickup-address' 'Where the parcel is picked up' '--pickup-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--pickup-address.district' 'District; prefix, abbreviation and diacritics are optional' '--pickup-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping-address' 'Where the parcel goes' '--shipping-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--chargeable-weight' 'Weight that is charged for; the greater of gross and volumetric weight when absent (g)' '--gross-weight' 'Actual weight (g)' '--length' 'Length of the parcel (cm)' '--width' 'Width of the parcel (cm)' '--height' 'Height of the parcel (cm)' '--basket-value' 'Value of the goods; the basis of the insurance fee (currency units)' '--cod-amount' 'Cash to collect from the buyer; some carriers charge for it (currency units)' '--include-insurance' 'Whether the parcel is insured; absent means yes' '--order' 'quote the parcel of this order, so that its fee fits when the order is sent; - for stdin' '--pick' 'the offer to take: cheapest, fastest, best-value, or the code of a service' '--max-fee' 'refuse an offer that costs more, with exit 12 (currency units)' '--by' 'leave out offers that deliver later: a day (2026-02-03, local time, to its end) or a time with a zone' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipping services'
            printf '%s\t%s\n' '--pickup-address' 'Where the parcel is picked up' '--pickup-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--pickup-address.district' 'District; prefix, abbreviation and diacritics are optional' '--pickup-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping-address' 'Where the parcel goes' '--shipping-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--chargeable-weight' 'Weight that is charged for; the greater of gross and volumetric weight when absent (g)' '--gross-weight' 'Actual weight (g)' '--length' 'Length of the parcel (cm)' '--width' 'Width of the parcel (cm)' '--height' 'Height of the parcel (cm)' '--basket-value' 'Value of the goods; the basis of the insurance fee (currency units)' '--cod-amount' 'Cash to collect from the buyer; some carriers charge for it (currency units)' '--include-insurance' 'Whether the parcel is insured; absent means yes' '--limit' 'how many in all (records)' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--connection-ids' 'Connections to the carriers that are asked; all when absent' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipping fulfillment' 'fulfillments get'
            printf '%s\t%s\n' '--id' 'Id of the shipment' '--shipping-code' 'The carrier\'s code of the parcel' '--external-id' 'Id of the shipment in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipping get' 'orders get'
            printf '%s\t%s\n' '--id' 'Id of the order' '--code' 'Code of the order' '--external-id' 'Id of the order in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipping create'
            printf '%s\t%s\n' '--customer-address' 'Address of the customer' '--customer-address.full-name' 'Full name of the person' '--customer-address.phone' 'Phone number' '--customer-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--customer-address.district' 'District; prefix, abbreviation and diacritics are optional' '--customer-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--customer-address.address1' 'Street address, first line' '--customer-address.email' 'Email address' '--customer-address.company' 'Company' '--customer-address.address2' 'Street address, second line' '--shipping-address' 'Where the parcel goes' '--shipping-address.full-name' 'Full name of the person' '--shipping-address.phone' 'Phone number' '--shipping-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping-address.address1' 'Street address, first line' '--shipping-address.email' 'Email address' '--shipping-address.company' 'Company' '--shipping-address.address2' 'Street address, second line' '--lines' 'What is sold; variants of one product are lines of their own' '--shipping' 'How it is shipped, with the service chosen from a quote' '--shipping.pickup-address' 'Where the parcel is picked up' '--shipping.pickup-address.full-name' 'Full name of the person' '--shipping.pickup-address.phone' 'Phone number' '--shipping.pickup-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping.pickup-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping.pickup-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping.pickup-address.address1' 'Street address, first line' '--shipping.pickup-address.email' 'Email address' '--shipping.pickup-address.company' 'Company' '--shipping.pickup-address.address2' 'Street address, second line' '--shipping.shipping-service-code' 'Code of the chosen service, as quoted' '--shipping.shipping-service-fee' 'What the shop pays for the delivery, as quoted (currency units)' '--shipping.try-on' 'What the buyer may do before paying: none, open (inspect) or try (try on)' '--shipping.return-address' 'Where it returns to; when empty, the pickup address' '--shipping.return-address.full-name' 'Full name of the person' '--shipping.return-address.phone' 'Phone number' '--shipping.return-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping.return-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping.return-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping.return-address.address1' 'Street address, first line' '--shipping.return-address.email' 'Email address' '--shipping.return-address.company' 'Company' '--shipping.return-address.address2' 'Street address, second line' '--shipping.shipping-service-name' 'Name of the chosen service' '--shipping.carrier' 'Carrier of the chosen service, as quoted; replaced by connection_id' '--shipping.connection-id' 'Connection to the carrier' '--shipping.include-insurance' 'Whether the parcel is insured for its basket value; absent means yes' '--shipping.shipping-note' 'Note for the carrier' '--shipping.cod-amount' 'Cash that the carrier collects from the buyer (currency units)' '--shipping.chargeable-weight' 'The greater of gross and volumetric weight; worked out when absent (g)' '--shipping.gross-weight' 'Actual weight (g)' '--shipping.length' 'Length of the parcel (cm)' '--shipping.width' 'Width of the parcel (cm)' '--shipping.height' 'Height of the parcel (cm)' '--external-id' 'Id of the order in the caller\'s system, unique there' '--external-code' 'Code of the order in the shop, unique there; shown in preference to external_id' '--external-url' 'URL of the order in the caller\'s system' '--external-meta' 'Free data of the caller, stored with the order' '--total-items' 'Sum of the quantities of the lines (items)' '--basket-value' 'Sum over the lines of quantity * retail_price, without fees and discounts (currency units)' '--order-discount' 'Discount on the whole order, beside the discounts of its lines (currency units)' '--total-discount' 'Sum over the lines of quantity * (retail_price - payment_price), plus order_discount (currency units)' '--total-fee' 'Sum of the amounts of the fee lines (currency units)' '--fee-lines' 'Fees charged to the buyer' '--total-amount' 'basket_value - total_discount + total_fee (currency units)' '--order-note' 'Note on the order' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipping cancel' 'orders cancel'
            printf '%s\t%s\n' '--cancel-reason' 'Why it is cancelled' '--id' 'Id of the order' '--code' 'Code of the order' '--external-id' 'Id of the order in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'batch map'
            printf '%s\t%s\n' '--do' 'what is done with each row, by its words: ship, or a command that writes, such as "customers update"' '--format' 'format of the file, where its name does not tell it' '--sheet' 'name of the sheet, for files that have several' '--save' 'save the mapping under this name' '--replace' 'replace a saved mapping of that name'
        case 'batch plan'
            printf '%s\t%s\n' '--do' 'what is done with each row, by its words: ship, or a command that writes, such as "customers update"' '--pick' 'which offer to take for a parcel: cheapest, fastest, best-value, or the code of a service; cheapest when absent' '--carrier' 'a carrier that may be chosen; may be given several times' '--by' 'leave out offers that deliver later: a day, or a time with a zone' '--max-fee' 'refuse an offer for a row that costs more (currency units)' '--max-total' 'refuse rows that would make the batch cost more (currency units)' '--blank' 'what a blank cell does to a field in an update: keep leaves it, clears empties it' '--format' 'format of the file, where its name does not tell it' '--sheet' 'name of the sheet, for files that have several' '--map' 'how the columns are understood: the name of a saved mapping, or a file' '--ignore-columns' 'leave out columns that match no field' '--skip-bad' 'leave out rows that cannot be used, instead of sending nothing' '--continue' 'the batch whose equal rows are the ones of this file: they are not sent again' '--again' 'send rows again that an earlier batch sent, as new ones' '--save' 'write the plan to this file, to run it later'
        case 'batch run'
            printf '%s\t%s\n' '--do' 'what is done with each row, by its words: ship, or a command that writes, such as "customers update"' '--pick' 'which offer to take for a parcel: cheapest, fastest, best-value, or the code of a service; cheapest when absent' '--carrier' 'a carrier that may be chosen; may be given several times' '--by' 'leave out offers that deliver later: a day, or a time with a zone' '--max-fee' 'refuse an offer for a row that costs more (currency units)' '--max-total' 'refuse rows that would make the batch cost more (currency units)' '--blank' 'what a blank cell does to a field in an update: keep leaves it, clears empties it' '--format' 'format of the file, where its name does not tell it' '--sheet' 'name of the sheet, for files that have several' '--map' 'how the columns are understood: the name of a saved mapping, or a file' '--ignore-columns' 'leave out columns that match no field' '--skip-bad' 'leave out rows that cannot be used, instead of sending nothing' '--continue' 'the batch whose equal rows are the ones of this file: they are not sent again' '--again' 'send rows again that an earlier batch sent, as new ones' '--concurrency' 'how many rows to send at once, at most 32; found by trying when absent (rows)' '--max-outage' 'how long the service may be away before the batch stops, for example 30s or 10m (the default)' '--keep' 'forget finished batches older than this many days; 90 when absent (days)' '--plan' 'a saved plan: its services are taken, and it is refused if anything has changed since'
        case 'batch resume'
            printf '%s\t%s\n' '--do' 'what is done with each row, by its words: ship, or a command that writes, such as "customers update"' '--pick' 'which offer to take for a parcel: cheapest, fastest, best-value, or the code of a service; cheapest when absent' '--carrier' 'a carrier that may be chosen; may be given several times' '--by' 'leave out offers that deliver later: a day, or a time with a zone' '--max-fee' 'refuse an offer for a row that costs more (currency units)' '--max-total' 'refuse rows that would make the batch cost more (currency units)' '--blank' 'what a blank cell does to a field in an update: keep leaves it, clears empties it' '--concurrency' 'how many rows to send at once, at most 32; found by trying when absent (rows)' '--max-outage' 'how long the service may be away before the batch stops, for example 30s or 10m (the default)'
        case 'batch work'
            printf '%s\t%s\n' '--concurrency' 'how many rows to send at once, at most 32; found by trying when absent (rows)' '--max-outage' 'how long the service may be away before the batch stops, for example 30s or 10m (the default)'
        case 'batch retry'
            printf '%s\t%s\n' '--format' 'format of the file, where its name does not tell it' '--sheet' 'name of the sheet, for files that have several' '--map' 'how the columns are understood: the name of a saved mapping, or a file' '--ignore-columns' 'leave out columns that match no field' '--skip-bad' 'leave out rows that cannot be used, instead of sending nothing' '--concurrency' 'how many rows to send at once, at most 32; found by trying when absent (rows)' '--max-outage' 'how long the service may be away before the batch stops, for example 30s or 10m (the default)'
        case 'batch settle'
            printf '%s\t%s\n' '--done' 'it was done' '--not-done' 'it was not done'
        case 'batch list' 'webhooks status' 'events targets' 'mirror status' 'mirror tables' 'mirror schema' 'auth shops' 'profiles list' 'workspace check' 'sandbox status' 'drift list' 'doctor'
            printf '%s\t%s\n' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'batch rows'
            printf '%s\t%s\n' '--state' 'only rows in this state; may be given several times' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'batch result'
            printf '%s\t%s\n' '--to' 'the file to write'
        case 'batch undo'
            printf '%s\t%s\n' '--reason' 'the reason for cancellations; names the batch when absent' '--concurrency' 'how many rows to send at once, at most 32; found by trying when absent (rows)' '--max-outage' 'how long the service may be away before the batch stops, for example 30s or 10m (the default)'
        case 'slips'
            printf '%s\t%s\n' '--batch' 'the orders of this batch, by its name or the start of it' '--today' 'the orders of today' '--to' 'the file to write' '--size' 'the paper: one slip a page, four a page, or a roll; a6 when absent' '--pick-list' 'write what to fetch for all these orders, instead of their slips' '--unprinted' 'only orders that have no slip yet' '--print' 'print it with lp on this printer; without a name, on the default one'
        case 'totals check'
            printf '%s\t%s\n' '--explain' 'show the arithmetic' '--csv' 'read csv, which stdin cannot tell by a name' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'totals fill'
            printf '%s\t%s\n' '--overwrite' 'replace what is wrong' '--csv' 'read csv, which stdin cannot tell by a name' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'orders list'
            printf '%s\t%s\n' '--id' 'Ids of the orders' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--since' 'only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m' '--until' 'only what was created until then; a day is meant with its whole day' '--today' 'only what was created today' '--status' 'only what is in this state, by its letter or word: new, done, in progress, cancelled, returned' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'orders create'
            printf '%s\t%s\n' '--lines' 'What is sold; variants of one product are lines of their own' '--customer-address' 'Address of the customer' '--customer-address.full-name' 'Full name of the person' '--customer-address.phone' 'Phone number' '--customer-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--customer-address.district' 'District; prefix, abbreviation and diacritics are optional' '--customer-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--customer-address.address1' 'Street address, first line' '--customer-address.email' 'Email address' '--customer-address.company' 'Company' '--customer-address.address2' 'Street address, second line' '--shipping-address' 'Where the parcel goes' '--shipping-address.full-name' 'Full name of the person' '--shipping-address.phone' 'Phone number' '--shipping-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping-address.address1' 'Street address, first line' '--shipping-address.email' 'Email address' '--shipping-address.company' 'Company' '--shipping-address.address2' 'Street address, second line' '--shipping' 'How it is to be shipped' '--shipping.pickup-address' 'Where the parcel is picked up' '--shipping.pickup-address.full-name' 'Full name of the person' '--shipping.pickup-address.phone' 'Phone number' '--shipping.pickup-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping.pickup-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping.pickup-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping.pickup-address.address1' 'Street address, first line' '--shipping.pickup-address.email' 'Email address' '--shipping.pickup-address.company' 'Company' '--shipping.pickup-address.address2' 'Street address, second line' '--shipping.return-address' 'Where it returns to; when empty, the pickup address' '--shipping.return-address.full-name' 'Full name of the person' '--shipping.return-address.phone' 'Phone number' '--shipping.return-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--shipping.return-address.district' 'District; prefix, abbreviation and diacritics are optional' '--shipping.return-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--shipping.return-address.address1' 'Street address, first line' '--shipping.return-address.email' 'Email address' '--shipping.return-address.company' 'Company' '--shipping.return-address.address2' 'Street address, second line' '--shipping.shipping-service-code' 'Code of the chosen service, as quoted' '--shipping.shipping-service-fee' 'What the shop pays for the delivery, as quoted (currency units)' '--shipping.shipping-service-name' 'Name of the chosen service' '--shipping.carrier' 'Carrier of the chosen service, as quoted; replaced by connection_id' '--shipping.connection-id' 'Connection to the carrier' '--shipping.include-insurance' 'Whether the parcel is insured for its basket value; absent means yes' '--shipping.shipping-note' 'Note for the carrier' '--shipping.cod-amount' 'Cash that the carrier collects from the buyer (currency units)' '--shipping.chargeable-weight' 'The greater of gross and volumetric weight; worked out when absent (g)' '--shipping.gross-weight' 'Actual weight (g)' '--shipping.length' 'Length of the parcel (cm)' '--shipping.width' 'Width of the parcel (cm)' '--shipping.height' 'Height of the parcel (cm)' '--shipping.try-on' 'What the buyer may do before paying: none, open (inspect) or try (try on)' '--external-id' 'Id of the order in the caller\'s system, unique there' '--external-code' 'Code of the order in the shop, unique there; shown in preference to external_id' '--external-url' 'URL of the order in the caller\'s system' '--external-meta' 'Free data of the caller, stored with the order' '--total-items' 'Sum of the quantities of the lines (items)' '--basket-value' 'Sum over the lines of quantity * retail_price, without fees and discounts (currency units)' '--order-discount' 'Discount on the whole order, beside the discounts of its lines (currency units)' '--total-discount' 'Sum over the lines of quantity * (retail_price - payment_price), plus order_discount (currency units)' '--total-fee' 'Sum of the amounts of the fee lines (currency units)' '--fee-lines' 'Fees charged to the buyer' '--total-amount' 'basket_value - total_discount + total_fee (currency units)' '--order-note' 'Note on the order' '--payment-method' 'How the buyer pays' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'orders confirm'
            printf '%s\t%s\n' '--order-id' 'Id of the order' '--auto-inventory-voucher' 'create reserves the goods; confirm takes them too' '--inventory-policy' 'obey moves the stock and needs enough of it; ignore leaves it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'fulfillments list'
            printf '%s\t%s\n' '--order-id' 'Ids of the orders' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--since' 'only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m' '--until' 'only what was created until then; a day is meant with its whole day' '--today' 'only what was created today' '--status' 'only what is in this state, by its letter or word: new, done, in progress, cancelled, returned, unknown, default, created, confirmed, processing, picking, holding, delivering, delivered, returning, undeliverable' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipnow services'
            printf '%s\t%s\n' '--pickup-address' 'Where the driver picks up; coordinates give the most accurate fee' '--pickup-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--pickup-address.district' 'District; prefix, abbreviation and diacritics are optional' '--pickup-address.address' 'Street address' '--pickup-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--pickup-address.coordinates' 'Where it is on the map' '--pickup-address.coordinates.latitude' 'Latitude, north is positive (degrees)' '--pickup-address.coordinates.longitude' 'Longitude, east is positive (degrees)' '--delivery-points' 'The stops' '--coupon' 'Code of a coupon' '--limit' 'how many in all (records)' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipnow get'
            printf '%s\t%s\n' '--id' 'Id of the delivery' '--shipping-code' 'The carrier\'s code of the parcel' '--external-id' 'Id of the delivery in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipnow create'
            printf '%s\t%s\n' '--pickup-address' 'Where the driver picks up' '--pickup-address.full-name' 'Full name of the person' '--pickup-address.phone' 'Phone number' '--pickup-address.province' 'Province or city; prefix, abbreviation and diacritics are optional' '--pickup-address.district' 'District; prefix, abbreviation and diacritics are optional' '--pickup-address.address' 'Street address' '--pickup-address.coordinates' 'Where it is on the map' '--pickup-address.coordinates.latitude' 'Latitude, north is positive (degrees)' '--pickup-address.coordinates.longitude' 'Longitude, east is positive (degrees)' '--pickup-address.company' 'Company' '--pickup-address.email' 'Email address' '--pickup-address.ward' 'Ward; prefix, abbreviation and diacritics are optional' '--delivery-points' 'The stops, each an order of its own' '--shipping-service-code' 'Code of the service, as priced' '--shipping-service-fee' 'What the shop pays for the delivery, as priced (currency units)' '--external-id' 'Id of the delivery in the caller\'s system' '--coupon' 'Code of a coupon' '--shipping-note' 'Note for the driver' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'shipnow cancel'
            printf '%s\t%s\n' '--id' 'Id of the delivery' '--shipping-code' 'The carrier\'s code of the parcel' '--external-id' 'Id of the delivery in the caller\'s system' '--cancel-reason' 'Why it is cancelled' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'customers list'
            printf '%s\t%s\n' '--id' 'Ids of the customers' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--since' 'only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m' '--until' 'only what was created until then; a day is meant with its whole day' '--today' 'only what was created today' '--status' 'only what is in this state, by its letter or word: new, done, cancelled' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'customers get' 'customers delete'
            printf '%s\t%s\n' '--id' 'Id of the customer' '--code' 'Code of the customer' '--external-id' 'Id of the customer in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'customers create'
            printf '%s\t%s\n' '--full-name' 'Full name' '--phone' 'Phone number' '--external-id' 'Id of the customer in the caller\'s system' '--external-code' 'Code of the customer in the caller\'s system' '--email' 'Email address' '--gender' 'Gender' '--birthday' 'Date of birth, free text' '--type' 'Kind of customer; independent is deprecated' '--note' 'Note on the customer' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'customers update'
            printf '%s\t%s\n' '--id' 'Id of the customer' '--full-name' 'Full name' '--phone' 'Phone number' '--email' 'Email address' '--gender' 'Gender' '--birthday' 'Date of birth, free text' '--type' 'Kind of customer; independent is deprecated' '--note' 'Note on the customer' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'addresses list'
            printf '%s\t%s\n' '--customer-id' 'Ids of the customers' '--phone' 'Phone number, matched exactly' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'addresses get'
            printf '%s\t%s\n' '--id' 'Id of the address' '--code' 'Code of the address' '--external-id' 'Id of the address in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'addresses create'
            printf '%s\t%s\n' '--customer-id' 'Id of the customer' '--full-name' 'Full name of the person' '--phone' 'Phone number' '--province' 'Province or city; prefix, abbreviation and diacritics are optional' '--district' 'District; prefix, abbreviation and diacritics are optional' '--ward' 'Ward; prefix, abbreviation and diacritics are optional' '--address1' 'Street address, first line' '--address2' 'Street address, second line' '--company' 'Company' '--email' 'Email address' '--position' 'Position of the person in the company' '--coordinates' 'Where the address is on the map' '--coordinates.latitude' 'Latitude, north is positive (degrees)' '--coordinates.longitude' 'Longitude, east is positive (degrees)' '--country' 'Country' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'addresses update'
            printf '%s\t%s\n' '--id' 'Id of the address' '--full-name' 'Full name of the person' '--phone' 'Phone number' '--province' 'Province or city; prefix, abbreviation and diacritics are optional' '--district' 'District; prefix, abbreviation and diacritics are optional' '--ward' 'Ward; prefix, abbreviation and diacritics are optional' '--address1' 'Street address, first line' '--address2' 'Street address, second line' '--company' 'Company' '--email' 'Email address' '--position' 'Position of the person in the company' '--coordinates' 'Where the address is on the map' '--coordinates.latitude' 'Latitude, north is positive (degrees)' '--coordinates.longitude' 'Longitude, east is positive (degrees)' '--country' 'Country' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'addresses delete'
            printf '%s\t%s\n' '--id' 'Id of the address' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'groups list'
            printf '%s\t%s\n' '--id' 'Ids of the groups' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'groups get' 'groups delete'
            printf '%s\t%s\n' '--id' 'Id of the group' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'groups create'
            printf '%s\t%s\n' '--name' 'Name of the group' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'groups update'
            printf '%s\t%s\n' '--id' 'Id of the group' '--name' 'Name of the group' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'groups members list'
            printf '%s\t%s\n' '--customer-id' 'Ids of the customers' '--group-id' 'Ids of the groups' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'groups members add' 'groups members remove'
            printf '%s\t%s\n' '--customer-id' 'Id of the customer' '--group-id' 'Id of the group' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'products list'
            printf '%s\t%s\n' '--id' 'Ids of the products' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--since' 'only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m' '--until' 'only what was created until then; a day is meant with its whole day' '--today' 'only what was created today' '--status' 'only what is in this state, by its letter or word: new, done, cancelled' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'products get' 'products delete'
            printf '%s\t%s\n' '--id' 'Id of the product' '--code' 'Code of the product' '--external-id' 'Id of the product in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'products create'
            printf '%s\t%s\n' '--code' 'Code in the shop; made by the service when absent' '--external-id' 'Id in the caller\'s system' '--external-code' 'Code in the caller\'s system' '--brand-id' 'Id of the brand' '--name' 'Name' '--short-desc' 'Description in a sentence' '--description' 'Description' '--note' 'Note of the shop' '--image-urls' 'URLs of pictures' '--list-price' 'Price printed on the packaging (currency units)' '--retail-price' 'Price before discount (currency units)' '--cost-price' 'What it cost the shop (currency units)' '--unit' 'Unit it is sold by, for example box' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'products update'
            printf '%s\t%s\n' '--id' 'Id of the product' '--brand-id' 'Id of the brand' '--name' 'Name' '--short-desc' 'Description in a sentence' '--description' 'Description' '--note' 'Note of the shop' '--list-price' 'Price printed on the packaging (currency units)' '--retail-price' 'Price before discount (currency units)' '--cost-price' 'What it cost the shop (currency units)' '--unit' 'Unit it is sold by, for example box' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'variants list'
            printf '%s\t%s\n' '--id' 'Ids of the variants' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--status' 'only what is in this state, by its letter or word: new, done, cancelled' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'variants get' 'variants delete'
            printf '%s\t%s\n' '--id' 'Id of the variant' '--code' 'Code of the variant' '--external-id' 'Id of the variant in the caller\'s system' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'variants create'
            printf '%s\t%s\n' '--product-id' 'Id of the product' '--code' 'Code in the shop; made by the service when absent' '--external-id' 'Id in the caller\'s system' '--external-code' 'Code in the caller\'s system' '--name' 'Name' '--short-desc' 'Description in a sentence' '--description' 'Description' '--note' 'Note of the shop' '--image-urls' 'URLs of pictures' '--list-price' 'Price printed on the packaging (currency units)' '--retail-price' 'Price before discount (currency units)' '--cost-price' 'What it cost the shop (currency units)' '--attributes' 'Traits that tell the variant, for example its colour' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'variants update'
            printf '%s\t%s\n' '--id' 'Id of the variant' '--code' 'Code in the shop; made by the service when absent' '--name' 'Name' '--short-desc' 'Description in a sentence' '--description' 'Description' '--note' 'Note of the shop' '--list-price' 'Price printed on the packaging (currency units)' '--retail-price' 'Price before discount (currency units)' '--cost-price' 'What it cost the shop (currency units)' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'collections list'
            printf '%s\t%s\n' '--id' 'Ids of the collections' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--since' 'only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m' '--until' 'only what was created until then; a day is meant with its whole day' '--today' 'only what was created today' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'collections get' 'collections delete'
            printf '%s\t%s\n' '--id' 'Id of the collection' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'collections create'
            printf '%s\t%s\n' '--name' 'Name of the collection' '--short-desc' 'Description in a sentence' '--description' 'Description' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'collections update'
            printf '%s\t%s\n' '--id' 'Id of the collection' '--name' 'Name of the collection' '--short-desc' 'Description in a sentence' '--description' 'Description' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'collections members list'
            printf '%s\t%s\n' '--collection-id' 'Ids of the collections' '--product-id' 'Ids of the products' '--include-deleted' 'Whether deleted records come too, as id and deleted alone' '--limit' 'how many in all (records)' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'collections members add' 'collections members remove'
            printf '%s\t%s\n' '--collection-id' 'Id of the collection' '--product-id' 'Id of the product' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'inventory list'
            printf '%s\t%s\n' '--variant-id' 'Ids of the variants' '--limit' 'how many in all; all of them when absent, in a table the newest 100 (records)' '--all' 'every record there is, in a table too' '--page-size' 'how many a request asks for, 100 at most (records)' '--after' 'continue after this cursor' '--before' 'what comes before this cursor' '--sort' 'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent' '--since' 'only what was changed since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m' '--until' 'only what was changed until then; a day is meant with its whole day' '--today' 'only what was changed today' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'webhooks list'
            printf '%s\t%s\n' '--limit' 'how many in all (records)' '--since' 'only what was created since then: a day such as 2026-02-03, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m' '--until' 'only what was created until then; a day is meant with its whole day' '--today' 'only what was created today' '--status' 'only what is in this state, by its letter or word: ok, retry, stop' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'webhooks create'
            printf '%s\t%s\n' '--url' 'Where the changes are sent; a secret in it lets the receiver know the sender' '--entities' 'The kinds of records whose changes are sent' '--metadata' 'Free text, stored with the webhook' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'webhooks delete'
            printf '%s\t%s\n' '--id' 'Id of the webhook' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'webhooks listen'
            printf '%s\t%s\n' '--port' 'where to listen, 0 for a free one; 4020 when absent (port)' '--host' 'address of this machine to listen at; 127.0.0.1 when absent' '--entity' 'only changes of such records; all when absent' '--forward-to' 'hand each change on to a url, [ENTITY[.create|update|delete]=]URL; repeats' '--target-name' 'name of a target, in the order of the targets' '--accept' 'what a target accepts with: 200 and ok as the service demands it, or any 2xx' '--give-up' 'for how long a change is tried that a target refuses, or does not answer while it answers others; 24h when absent' '--exec' 'run a command line for each change, which stands on stdin; exit 0 accepts it' '--register' 'create the webhook at the service, keep it alive, and remove it at the end' '--public-url' 'the address under which the service reaches this listener; https' '--keep' 'leave the webhook in place at the end' '--name' 'name of this listener, which its secret and its webhook stay with; the profile\'s when absent' '--poll' 'how often to look whether the service has stopped the webhook; 5m when absent' '--until-idle' 'end once nothing came for so long' '--count' 'end after so many changes (changes)' '--expect' 'end when a change fits this JMESPath expression; exit 11 when none did' '--within' 'how long to wait for that'
        case 'webhooks recover'
            printf '%s\t%s\n' '--all' 'every stopped webhook of the account' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'webhooks test'
            printf '%s\t%s\n' '--junit' 'write a JUnit report to this file as well' '--restart-cmd' 'a command line that restarts the receiver, and ends when that is done' '--within' 'how long an answer may take; 10s when absent' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'webhooks install'
            printf '%s\t%s\n' '--port' 'where to listen, 0 for a free one; 4020 when absent (port)' '--host' 'address of this machine to listen at; 127.0.0.1 when absent' '--entity' 'only changes of such records; all when absent' '--forward-to' 'hand each change on to a url, [ENTITY[.create|update|delete]=]URL; repeats' '--target-name' 'name of a target, in the order of the targets' '--accept' 'what a target accepts with: 200 and ok as the service demands it, or any 2xx' '--give-up' 'for how long a change is tried that a target refuses, or does not answer while it answers others; 24h when absent' '--exec' 'run a command line for each change, which stands on stdin; exit 0 accepts it' '--register' 'create the webhook at the service, keep it alive, and remove it at the end' '--public-url' 'the address under which the service reaches this listener; https' '--name' 'name of this listener, which its secret and its webhook stay with; the profile\'s when absent' '--poll' 'how often to look whether the service has stopped the webhook; 5m when absent'
        case 'webhooks uninstall'
            printf '%s\t%s\n' '--name' 'name of the listener; the profile\'s when absent'
        case 'events list'
            printf '%s\t%s\n' '--entity' 'only changes of this kind of record' '--change-type' 'only changes of this type' '--record' 'only changes of this record; all of its history' '--since' 'received at this time or later: a time, a day, or how long ago, like 2h' '--until' 'received before this time' '--target' 'only changes that concern this target' '--state' 'only changes in this state at the target' '--limit' 'how many of the newest (changes)' '--all' 'all of them, in a table too' '--newest-first' 'the newest first, as a table has them' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'events tail'
            printf '%s\t%s\n' '--entity' 'only changes of this kind of record' '--record' 'only changes of this record; all of its history' '--last' 'how many of those that came before; 10 when absent (changes)'
        case 'events replay'
            printf '%s\t%s\n' '--since' 'all that were received at this time or later: a time, a day, or how long ago, like 2h' '--until' 'and before this time' '--to' 'the target; every active one when absent' '--wait' 'how long this run may take; 60s when absent'
        case 'events prune'
            printf '%s\t%s\n' '--before' 'a time, a day, or how long ago, like 90d'
        case 'mirror sync'
            printf '%s\t%s\n' '--area' 'only this area, by the name of its table; repeats; all when absent' '--full' 'read every record again, and compute the rollups from the records' '--watch' 'go on: sync again and again until Ctrl-C' '--every' 'how long to wait between two syncs; 5m when absent' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'mirror verify'
            printf '%s\t%s\n' '--area' 'only this area, by the name of its table; repeats; all when absent' '--sample' 'compare so many records per area, chosen at random; 200 when absent (records)' '--all' 'compare every record' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'mirror sql'
            printf '%s\t%s\n' '--file' 'read the statement from this file; - for stdin' '--to' 'write the rows to this file instead: csv, xlsx or jsonl'
        case 'mirror export'
            printf '%s\t%s\n' '--to' 'the directory' '--format' 'the format of the files; csv when absent'
        case 'auth login'
            printf '%s\t%s\n' '--shop-id' 'a shop that signed in before, or has just done so' '--email' 'pre-fills a first sign-in' '--phone' 'pre-fills a first sign-in' '--name' 'pre-fills a first sign-in, and names the shop here' '--redirect-url' 'where the sign-in page of the service returns to, for a page of your own' '--browser' 'open the sign-in page (--no-browser prints its address only)'
        case 'auth status'
            printf '%s\t%s\n' '--offline' 'do not ask the service whether the keys work' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'auth logout'
            printf '%s\t%s\n' '--all' 'the keys of all shops'
        case 'auth token'
            printf '%s\t%s\n' '--api-key' 'the API key of the profile, not a shop key'
        case 'profiles add'
            printf '%s\t%s\n' '--kind' 'whose API key it is' '--api-key-stdin' 'read the API key from stdin' '--check' 'try the key with the service before saving it (--no-check saves it untried)' '--replace' 'replace a profile of that name; values that are not given again stay' '--sign-in-component-url' 'script of the service\'s sign-in component'
        case 'profiles set-key'
            printf '%s\t%s\n' '--api-key-stdin' 'read the API key from stdin' '--check' 'try the key with the service before saving it (--no-check saves it untried)'
        case 'config list'
            printf '%s\t%s\n' '--show-origin' 'tell where each one comes from' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'sandbox start'
            printf '%s\t%s\n' '--port' 'port on 127.0.0.1, 0 for a free one; 4010 when absent (TCP)' '--data' 'where its data is stored' '--ephemeral' 'keep nothing' '--seed' 'what a new sandbox starts with: demo (example records), none, or a seed file' '--allow-host' 'a host outside this machine that webhooks may lead to' '--detach' 'leave it running in a process of its own; `sandbox stop` ends it' '--name' 'a name to tell it apart when several run'
        case 'sandbox exec'
            printf '%s\t%s\n' '--seed' 'what a new sandbox starts with: demo (example records), none, or a seed file' '--signed-in' 'with its first shop signed in through its partner, as after auth login'
        case 'sandbox stop' 'sandbox credentials' 'sandbox sign-in' 'sandbox unlink' 'sandbox clock show' 'sandbox clock freeze' 'sandbox clock set' 'sandbox clock real' 'sandbox faults clear' 'sandbox redeliver' 'sandbox snapshot restore' 'sandbox snapshot remove' 'sandbox reset'
            printf '%s\t%s\n' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest'
        case 'sandbox openapi'
            printf '%s\t%s\n' '--control' 'the sandbox\'s control plane in place of the service'
        case 'sandbox advance'
            printf '%s\t%s\n' '--to' 'a state of the shipment, or reconciled' '--substate' 'what is said of it there, for example delivery_fail' '--auto' 'by itself, each step at its time by the clock' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest'
        case 'sandbox clock advance'
            printf '%s\t%s\n' '--until-idle' 'stop at each moment at which something is due, until it is done' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest'
        case 'sandbox faults add'
            printf '%s\t%s\n' '--nth' 'the call of this number (calls)' '--every' 'each call whose number this divides (calls)' '--once' 'the next call' '--share' 'this share of the calls, chosen by the seed (0 to 1)' '--seed' 'what the share is chosen by' '--do' 'what happens to the call' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest'
        case 'sandbox faults list' 'sandbox snapshot list'
            printf '%s\t%s\n' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'sandbox deliveries'
            printf '%s\t%s\n' '--webhook' 'those to this webhook' '--limit' 'how many; 100 when absent (attempts)' '--show' 'the one of this callback id, whole' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'sandbox snapshot save'
            printf '%s\t%s\n' '--replace' 'replace a snapshot of that name' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest'
        case 'sandbox log'
            printf '%s\t%s\n' '--operation' 'requests of an operation, of an area (shop.Order/*), or all (*)' '--status' 'a status, a class of them (4xx), or a code such as not_found' '--fault' 'what a fault befell: its id, or any' '--limit' 'how many; 100 when absent (requests)' '--follow' 'go on with each request as it comes, until Ctrl-C' '--name' 'which sandbox, where several run; when absent, that of the profile, otherwise the newest' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'api'
            printf '%s\t%s\n' '--data' 'the request; @FILE reads it from a file, - from stdin; {} when absent'
        case 'account show' 'service version' 'history changes'
            printf '%s\t%s\n' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'locations list'
            printf '%s\t%s\n' '--limit' 'how many in all (records)' '--match' 'only what has these words in its name, phone or code; diacritics do not matter' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it' '--input' 'take the request from a JSON or YAML file, - for stdin; flags override it' '--skeleton' 'print a request to fill in, as YAML; -o json for JSON' '--all-fields' 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent'
        case 'commands'
            printf '%s\t%s\n' '--tree' 'the groups, global flags and exit codes as well; JSON'
        case 'conformance run'
            printf '%s\t%s\n' '--area' 'only these areas; may be given several times' '--write-shop' 'also write, to the shop with this id and no other; everything written is removed again' '--accepted' 'accepted findings: a JSON list with check, operation, path, reason and until (YYYY-MM-DD)' '--to' 'write the report as a page to this file as well' '--junit' 'write a JUnit report to this file as well' '--slow' 'an answer that takes longer is a deviation; 5 when absent (seconds)'
        case 'conformance diff'
            printf '%s\t%s\n' '--area' 'only these areas; may be given several times' '--write-shop' 'also write, to the shop with this id and no other; everything written is removed again' '--to' 'write the whole list to this file instead: csv, xlsx or jsonl, as a batch reads it'
        case 'conformance clean'
            printf '%s\t%s\n' '--forget' 'forget what cannot be removed'
    end
end

function __shopctl_flag
    switch "$argv"
        case 'shipping fulfillment --id' 'fulfillments get --id'
            echo 'ask ids fulfillments'
        case 'shipnow get --id' 'shipnow cancel --id'
            echo 'ask ids shipnow'
        case 'customers list --id' 'customers get --id' 'customers update --id' 'customers delete --id' '* --customer-id'
            echo 'ask ids customers'
        case 'addresses get --id' 'addresses update --id' 'addresses delete --id'
            echo 'ask ids addresses'
        case 'groups list --id' 'groups get --id' 'groups update --id' 'groups delete --id' '* --group-id'
            echo 'ask ids groups'
        case 'products list --id' 'products get --id' 'products update --id' 'products delete --id' '* --product-id'
            echo 'ask ids products'
        case 'variants list --id' 'variants get --id' 'variants update --id' 'variants delete --id' '* --variant-id'
            echo 'ask ids variants'
        case 'collections list --id' 'collections get --id' 'collections update --id' 'collections delete --id' '* --collection-id'
            echo 'ask ids collections'
        case 'webhooks delete --id' '* --webhook'
            echo 'ask ids webhooks'
        case 'webhooks listen --keep' 'sandbox clock advance --until-idle' '* --debug' '* --no-input' '* --read-only' '* --json' '* --utc' '* --no-csv-guard' '* --bom' '* --quiet' '* -q' '* --yes' '* -y' '* --dry-run' '* -n' '* --curl' '* --no-color' '* --version' '* -v' '* --help' '* -h' '* --again' '* --all' '* --include-insurance' '* --skeleton' '* --all-fields' '* --shipping.include-insurance' '* --replace' '* --ignore-columns' '* --skip-bad' '* --done' '* --not-done' '* --today' '* --pick-list' '* --unprinted' '* --explain' '* --csv' '* --overwrite' '* --include-deleted' '* --register' '* --newest-first' '* --full' '* --watch' '* --browser' '* --offline' '* --api-key' '* --api-key-stdin' '* --check' '* --show-origin' '* --ephemeral' '* --detach' '* --signed-in' '* --control' '* --auto' '* --once' '* --follow' '* -f' '* --tree' '* --forget'
            echo 'switch'
        case 'events list --state'
            echo 'values waiting accepted dead'
        case 'events replay --to' 'sandbox advance --to' 'api --data'
            echo 'any'
        case 'mirror export --to' '* --data'
            echo 'directories'
        case 'mirror export --format'
            echo 'values csv xlsx jsonl'
        case '* --profile'
            echo 'ask profiles'
        case '* --shop' '* --shop-id'
            echo 'ask shops'
        case '* --as' '* --kind'
            echo 'values partner shop'
        case '* --output' '* -o'
            echo 'values table json jsonl csv yaml name'
        case '* --fields'
            echo 'ask fields'
        case '* --input' '* --answers' '* --to' '* --order' '* --junit' '* --file' '* --accepted'
            echo 'files'
        case '* --id' '* --order-id'
            echo 'ask ids orders'
        case '* --shipping.try-on'
            echo 'values none open try'
        case '* --blank'
            echo 'values keep clears'
        case '* --state'
            echo 'values planned sending done existed failed unclear skipped undone'
        case '* --size'
            echo 'values a6 a4 80mm'
        case '* --payment-method'
            echo 'values cod bank other vtpay'
        case '* --auto-inventory-voucher'
            echo 'values create confirm'
        case '* --inventory-policy'
            echo 'values obey ignore'
        case '* --gender'
            echo 'values male female other'
        case '* --type'
            echo 'values individual organization anonymous independent'
        case '* --entities' '* --entity'
            echo 'values customer customer_address customer_group customer_group_relationship fulfillment inventory_level order product product_collection product_collection_relationship shipnow_fulfillment variant'
        case '* --accept'
            echo 'values ok 2xx'
        case '* --change-type'
            echo 'values create update delete'
        case '*'
            echo any
    end
end

function __shopctl_argument
    switch "$argv"
        case 'shipping fulfillment 0' 'fulfillments get 0'
            echo 'ask ids fulfillments'
        case 'shipping get 0' 'shipping cancel 0' 'orders get 0' 'orders cancel 0' 'orders confirm 0' 'sandbox advance 0'
            echo 'ask ids orders'
        case 'batch map 0' 'batch plan 0' 'batch run 0' 'batch retry 1' 'totals check 0' 'totals fill 0' 'workspace backup 0'
            echo 'files'
        case 'shipnow get 0' 'shipnow cancel 0'
            echo 'ask ids shipnow'
        case 'customers get 0' 'customers update 0' 'customers delete 0'
            echo 'ask ids customers'
        case 'addresses get 0' 'addresses update 0' 'addresses delete 0'
            echo 'ask ids addresses'
        case 'groups get 0' 'groups update 0' 'groups delete 0'
            echo 'ask ids groups'
        case 'products get 0' 'products update 0' 'products delete 0'
            echo 'ask ids products'
        case 'variants get 0' 'variants update 0' 'variants delete 0'
            echo 'ask ids variants'
        case 'collections get 0' 'collections update 0' 'collections delete 0'
            echo 'ask ids collections'
        case 'webhooks delete 0'
            echo 'ask ids webhooks'
        case 'events show 0' 'events replay 0' 'events replay 1' 'events replay 2' 'events replay 3' 'events replay 4' 'events replay 5' 'events replay 6' 'events replay 7'
            echo 'ask ids events'
        case 'auth use 0' 'auth logout 0' 'auth token 0'
            echo 'ask shops'
        case 'profiles show 0' 'profiles set-key 0' 'profiles use 0' 'profiles remove 0'
            echo 'ask profiles'
        case 'config get 0'
            echo 'values profile shop as base_url output debug no_input timeout max_retries read_only drift workspace tz sign_in_component_url'
        case 'config set 0' 'config unset 0'
            echo 'values shop base_url output read_only drift workspace tz sign_in_component_url'
        case 'completion 0'
            echo 'values bash zsh fish powershell'
    end
end

function __shopctl_globals
    printf '%s\t%s\n' '--profile' 'use this profile' '--shop' 'act for this shop, by its id or name' '--as' 'call as partner or as shop, where both can' '--base-url' 'address of the service' '--output' 'how to print the result' '--debug' 'show on stderr what goes over the wire, keys redacted' '--no-input' 'never ask' '--timeout' 'limit for one attempt' '--max-retries' 'how often a call is tried again' '--read-only' 'refuse everything that writes' '--json' 'same as -o json' '--fields' 'print these fields only (a,b.c); without a value, list the fields there are' '--query' 'print the result of this expression over the whole output' '--utc' 'show times in UTC' '--no-csv-guard' 'write csv cells as they are, even if a spreadsheet would run them' '--bom' 'csv for Excel: with a byte order mark, and ids and phone numbers that keep their digits' '--quiet' 'no notices, no progress' '--yes' 'answer confirmations with yes' '--dry-run' 'check, print the request, send nothing' '--curl' 'print the call as a curl command, send nothing' '--no-color' 'no colours' '--version' 'print the version' '--help' 'show help'
end

# What may stand as a value, of which $argv[2] is there; $argv[3] stands before all of it. The words before it follow.
function __shopctl_source
    set -l source $argv[1]
    set -l value $argv[2]
    set -l prefix $argv[3]
    set -l kind (string split -f 1 ' ' -- $source)
    set -l rest (string split ' ' -- $source)[2..-1]
    switch "$kind"
        case values
            printf "$prefix%s\n" $rest
        case files
            __fish_complete_path $value | string replace -r '^' -- $prefix
        case directories
            __fish_complete_directories $value | string replace -r '^' -- $prefix
        case ask
            if test "$rest" = fields
                set prefix $prefix(string match -r '^.*,' -- $value)
            end
            command shopctl __complete $rest -- $argv[4..-1] 2>/dev/null </dev/null | string replace -r '^' -- "$prefix"
        case any
            if string match -q '@*' -- $value
                __fish_complete_path (string sub -s 2 -- $value) | string replace -r '^' -- "$prefix@"
            end
    end
end

function __shopctl
    set -l before (commandline -opc)[2..-1]
    set -l current (commandline -ct)
    set -l walked ''
    set -l flag ''
    set -l ended ''
    set -l position 0
    for word in $before
        if test -n "$flag"
            set flag ''
        else if test -n "$ended"
            continue
        else if test "$word" = --
            set ended yes
        else if string match -qr '^-.' -- $word
            if not string match -q '*=*' -- $word; and test (__shopctl_flag $walked $word) != switch
                set flag $word
            end
        else if contains -- $word (__shopctl_words $walked | string split -f 1 \t)
            set walked (string trim -- "$walked $word")
            set walked (string replace -r '^(help|schema) ' '' -- $walked)
        else
            set position (math $position + 1)
        end
    end

    if test -n "$ended"
        __fish_complete_path $current
    else if test -n "$flag"
        __shopctl_source (__shopctl_flag $walked $flag) "$current" '' $before
    else if string match -qr '^--[^=]+=' -- $current
        set -l parts (string split -m 1 = -- $current)
        __shopctl_source (__shopctl_flag $walked $parts[1]) "$parts[2]" "$parts[1]=" $before
    else
        set -l source (__shopctl_argument $walked $position)
        set -l words (__shopctl_words $walked)
        if string match -q -- '-*' $current; or test -z "$source$words"
            __shopctl_flags $walked
            __shopctl_globals
        else if test -n "$words"
            printf '%s\n' $words
        else
            __shopctl_source $source "$current" '' $before
        end
    end
end

complete -c shopctl -f -a '(__shopctl)'
