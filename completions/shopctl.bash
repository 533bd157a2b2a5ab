# bash completion for shopctl                                    -*- shell-script -*-
# Generated from the command tree; `shopctl completion bash` prints it.

_shopctl_words() {
  case $1 in
    '') found='ship quote shipping batch slips totals orders fulfillments shipnow customers addresses groups products variants collections inventory webhooks events wait mirror cod day report auth profiles config ledger workspace console mcp approve agents sandbox api account locations service history commands schema conformance drift doctor completion help' ;;
    'help') found='environment exit-codes formatting input ship quote shipping batch slips totals orders fulfillments shipnow customers addresses groups products variants collections inventory webhooks events wait mirror cod day report auth profiles config ledger workspace console mcp approve agents sandbox api account locations service history commands schema conformance drift doctor completion' ;;
    'ship') found='drafts' ;;
    'ship drafts') found='list show remove' ;;
    'shipping') found='services fulfillment get create cancel' ;;
    'batch') found='map plan run resume work retry settle list show rows find result undo forget' ;;
    'totals') found='check fill' ;;
    'orders') found='list get create cancel confirm story' ;;
    'fulfillments') found='list get' ;;
    'shipnow') found='services get create cancel' ;;
    'customers'|'addresses'|'products'|'variants') found='list get create update delete' ;;
    'groups'|'collections') found='list get create update delete members' ;;
    'groups members'|'collections members') found='list add remove' ;;
    'inventory'|'locations') found='list' ;;
    'webhooks') found='list create delete listen status recover send test install uninstall' ;;
    'events') found='list show tail replay targets prune' ;;
    'events targets') found='pause resume retry remove' ;;
    'wait') found='order batch webhook' ;;
    'mirror') found='sync status verify sql tables schema export path forget install uninstall' ;;
    'cod') found='import list show forget reconcile close map install uninstall' ;;
    'auth') found='login status shops use logout token setup' ;;
    'profiles') found='list show add set-key use remove' ;;
    'config') found='list get set unset path' ;;
    'ledger') found='list show settle' ;;
    'workspace') found='show check backup move address' ;;
    'workspace address') found='same separate' ;;
    'agents') found='log stop policy' ;;
    'agents policy') found='show check edit accept' ;;
    'sandbox') found='start exec stop status openapi credentials sign-in unlink advance clock faults deliveries redeliver snapshot reset trigger payment-file log' ;;
    'sandbox clock') found='show freeze set advance real' ;;
    'sandbox faults') found='add list clear' ;;
    'sandbox snapshot') found='save restore list remove' ;;
    'account') found='show' ;;
    'service') found='version' ;;
    'history') found='changes' ;;
    'schema') found='ship quote shipping batch slips totals orders fulfillments shipnow customers addresses groups products variants collections inventory webhooks events wait mirror cod day report auth profiles config ledger workspace console mcp approve agents sandbox api account locations service history commands schema conformance drift doctor completion' ;;
    'conformance') found='run diff clean' ;;
    'drift') found='list show forget' ;;
    *) found= ;;
  esac
}

_shopctl_flags() {
  case $1 in
    'ship') found='--input --pick --max-fee --by --resume --again --answers --paste' ;;
    'ship drafts list'|'webhooks recover') found='--all --to' ;;
    'quote') found='--pickup-address --pickup-address.province --pickup-address.district --pickup-address.ward --shipping-address --shipping-address.province --shipping-address.district --shipping-address.ward --chargeable-weight --gross-weight --length --width --height --basket-value --cod-amount --include-insurance --order --pick --max-fee --by --to --input --skeleton --all-fields' ;;
    'shipping services') found='--pickup-address --pickup-address.province --pickup-address.district --pickup-address.ward --shipping-address --shipping-address.province --shipping-address.district --shipping-address.ward --chargeable-weight --gross-weight --length --width --height --basket-value --cod-amount --include-insurance --limit --match --connection-ids --to --input --skeleton --all-fields' ;;
    'shipping fulfillment'|'fulfillments get'|'shipnow get') found='--id --shipping-code --external-id --input --skeleton --all-fields' ;;
    'shipping get'|'orders get'|'customers get'|'customers delete'|'addresses get'|'products get'|'products delete'|'variants get'|'variants delete') found='--id --code --external-id --input --skeleton --all-fields' ;;
    'shipping create') found='--customer-address --customer-address.full-name --customer-address.phone --customer-address.province --customer-address.district --customer-address.ward --customer-address.address1 --customer-address.email --customer-address.company --customer-address.address2 --shipping-address --shipping-address.full-name --shipping-address.phone --shipping-address.province --shipping-address.district --shipping-address.ward --shipping-address.address1 --shipping-address.email --shipping-address.company --shipping-address.address2 --lines --shipping --shipping.pickup-address --shipping.pickup-address.full-name --shipping.pickup-address.phone --shipping.pickup-address.province --shipping.pickup-address.district --shipping.pickup-address.ward --shipping.pickup-address.address1 --shipping.pickup-address.email --shipping.pickup-address.company --shipping.pickup-address.address2 --shipping.shipping-service-code --shipping.shipping-service-fee --shipping.try-on --shipping.return-address --shipping.return-address.full-name --shipping.return-address.phone --shipping.return-address.province --shipping.return-address.district --shipping.return-address.ward --shipping.return-address.address1 --shipping.return-address.email --shipping.return-address.company --shipping.return-address.address2 --shipping.shipping-service-name --shipping.carrier --shipping.connection-id --shipping.include-insurance --shipping.shipping-note --shipping.cod-amount --shipping.chargeable-weight --shipping.gross-weight --shipping.length --shipping.width --shipping.height --external-id --external-code --external-url --external-meta --total-items --basket-value --order-discount --total-discount --total-fee --fee-lines --total-amount --order-note --again --input --skeleton --all-fields' ;;
    'shipping cancel'|'orders cancel') found='--cancel-reason --id --code --external-id --order-only --input --skeleton --all-fields' ;;
    'batch map') found='--do --format --sheet --header-row --save --replace --ignore-columns' ;;
    'batch plan') found='--do --pick --carrier --by --max-fee --max-total --blank --format --sheet --all-sheets --header-row --map --ignore-columns --hidden-rows --struck-rows --equal-rows --line-cash --same-recipient --blank-cash --pieces --status --tracked --payment --unit --new-wards --skip-bad --continue --again --resend-ended --max-outage --explain-fees --save --to' ;;
    'batch run') found='--do --pick --carrier --by --max-fee --max-total --blank --format --sheet --all-sheets --header-row --map --ignore-columns --hidden-rows --struck-rows --equal-rows --line-cash --same-recipient --blank-cash --pieces --status --tracked --payment --unit --new-wards --skip-bad --continue --again --resend-ended --concurrency --max-outage --keep --plan' ;;
    'batch resume') found='--do --pick --carrier --by --max-fee --max-total --blank --concurrency --max-outage' ;;
    'batch work') found='--concurrency --max-outage' ;;
    'batch retry') found='--format --sheet --all-sheets --header-row --map --ignore-columns --hidden-rows --struck-rows --equal-rows --line-cash --same-recipient --blank-cash --pieces --status --tracked --payment --unit --new-wards --skip-bad --max-fee --max-total --concurrency --max-outage' ;;
    'batch settle'|'ledger settle') found='--done --not-done' ;;
    'batch list'|'batch find'|'batch result'|'events targets'|'mirror status'|'mirror tables'|'mirror schema'|'cod list'|'cod show'|'auth shops'|'profiles list'|'workspace check'|'workspace move'|'sandbox status'|'drift list') found='--to' ;;
    'batch rows'|'ledger list') found='--state --to' ;;
    'batch undo') found='--row --reason --concurrency --max-outage' ;;
    'slips') found='--batch --today --to --size --pick-list --unprinted --print' ;;
    'totals check') found='--explain --csv --to' ;;
    'totals fill') found='--overwrite --csv --to' ;;
    'orders list') found='--id --limit --all --page-size --after --before --sort --since --until --today --status --match --to --input --skeleton --all-fields' ;;
    'orders create') found='--lines --customer-address --customer-address.full-name --customer-address.phone --customer-address.province --customer-address.district --customer-address.ward --customer-address.address1 --customer-address.email --customer-address.company --customer-address.address2 --shipping-address --shipping-address.full-name --shipping-address.phone --shipping-address.province --shipping-address.district --shipping-address.ward --shipping-address.address1 --shipping-address.email --shipping-address.company --shipping-address.address2 --shipping --shipping.pickup-address --shipping.pickup-address.full-name --shipping.pickup-address.phone --shipping.pickup-address.province --shipping.pickup-address.district --shipping.pickup-address.ward --shipping.pickup-address.address1 --shipping.pickup-address.email --shipping.pickup-address.company --shipping.pickup-address.address2 --shipping.return-address --shipping.return-address.full-name --shipping.return-address.phone --shipping.return-address.province --shipping.return-address.district --shipping.return-address.ward --shipping.return-address.address1 --shipping.return-address.email --shipping.return-address.company --shipping.return-address.address2 --shipping.shipping-service-code --shipping.shipping-service-fee --shipping.shipping-service-name --shipping.carrier --shipping.connection-id --shipping.include-insurance --shipping.shipping-note --shipping.cod-amount --shipping.chargeable-weight --shipping.gross-weight --shipping.length --shipping.width --shipping.height --shipping.try-on --external-id --external-code --external-url --external-meta --total-items --basket-value --order-discount --total-discount --total-fee --fee-lines --total-amount --order-note --payment-method --again --input --skeleton --all-fields' ;;
    'orders confirm') found='--order-id --auto-inventory-voucher --inventory-policy --input --skeleton --all-fields' ;;
    'orders story') found='--for-buyer' ;;
    'fulfillments list') found='--order-id --limit --all --page-size --after --before --sort --since --until --today --status --match --to --input --skeleton --all-fields' ;;
    'shipnow services') found='--pickup-address --pickup-address.province --pickup-address.district --pickup-address.address --pickup-address.ward --pickup-address.coordinates --pickup-address.coordinates.latitude --pickup-address.coordinates.longitude --delivery-points --coupon --limit --match --to --input --skeleton --all-fields' ;;
    'shipnow create') found='--pickup-address --pickup-address.full-name --pickup-address.phone --pickup-address.province --pickup-address.district --pickup-address.address --pickup-address.coordinates --pickup-address.coordinates.latitude --pickup-address.coordinates.longitude --pickup-address.company --pickup-address.email --pickup-address.ward --delivery-points --shipping-service-code --shipping-service-fee --external-id --coupon --shipping-note --again --input --skeleton --all-fields' ;;
    'shipnow cancel') found='--id --shipping-code --external-id --cancel-reason --input --skeleton --all-fields' ;;
    'customers list'|'products list') found='--id --include-deleted --limit --all --page-size --after --before --sort --since --until --today --status --match --to --input --skeleton --all-fields' ;;
    'customers create') found='--full-name --phone --external-id --external-code --email --gender --birthday --type --note --again --input --skeleton --all-fields' ;;
    'customers update') found='--id --full-name --phone --email --gender --birthday --type --note --input --skeleton --all-fields' ;;
    'addresses list') found='--customer-id --phone --include-deleted --limit --all --page-size --after --before --sort --match --to --input --skeleton --all-fields' ;;
    'addresses create') found='--customer-id --full-name --phone --province --district --ward --address1 --address2 --company --email --position --coordinates --coordinates.latitude --coordinates.longitude --country --again --input --skeleton --all-fields' ;;
    'addresses update') found='--id --full-name --phone --province --district --ward --address1 --address2 --company --email --position --coordinates --coordinates.latitude --coordinates.longitude --country --input --skeleton --all-fields' ;;
    'addresses delete'|'groups get'|'groups delete'|'collections get'|'collections delete'|'webhooks delete') found='--id --input --skeleton --all-fields' ;;
    'groups list') found='--id --include-deleted --limit --all --page-size --after --before --sort --match --to --input --skeleton --all-fields' ;;
    'groups create') found='--name --again --input --skeleton --all-fields' ;;
    'groups update') found='--id --name --input --skeleton --all-fields' ;;
    'groups members list') found='--customer-id --group-id --include-deleted --limit --all --page-size --after --before --sort --to --input --skeleton --all-fields' ;;
    'groups members add'|'groups members remove') found='--customer-id --group-id --input --skeleton --all-fields' ;;
    'products create') found='--code --external-id --external-code --brand-id --name --short-desc --description --note --image-urls --list-price --retail-price --cost-price --unit --again --input --skeleton --all-fields' ;;
    'products update') found='--id --brand-id --name --short-desc --description --note --list-price --retail-price --cost-price --unit --input --skeleton --all-fields' ;;
    'variants list') found='--id --include-deleted --limit --all --page-size --after --before --sort --status --match --to --input --skeleton --all-fields' ;;
    'variants create') found='--product-id --code --external-id --external-code --name --short-desc --description --note --image-urls --list-price --retail-price --cost-price --attributes --again --input --skeleton --all-fields' ;;
    'variants update') found='--id --code --name --short-desc --description --note --list-price --retail-price --cost-price --input --skeleton --all-fields' ;;
    'collections list') found='--id --include-deleted --limit --all --page-size --after --before --sort --since --until --today --match --to --input --skeleton --all-fields' ;;
    'collections create') found='--name --short-desc --description --again --input --skeleton --all-fields' ;;
    'collections update') found='--id --name --short-desc --description --input --skeleton --all-fields' ;;
    'collections members list') found='--collection-id --product-id --include-deleted --limit --to --input --skeleton --all-fields' ;;
    'collections members add'|'collections members remove') found='--collection-id --product-id --input --skeleton --all-fields' ;;
    'inventory list') found='--variant-id --limit --all --page-size --after --before --sort --since --until --today --to --input --skeleton --all-fields' ;;
    'webhooks list') found='--limit --since --until --today --status --match --to --input --skeleton --all-fields' ;;
    'webhooks create') found='--url --entities --metadata --again --input --skeleton --all-fields' ;;
    'webhooks listen') found='--port --host --entity --forward-to --target-name --accept --give-up --exec --pass-keys --register --public-url --keep --name --poll --until-idle --count --expect --within' ;;
    'webhooks status') found='--ack --health --to' ;;
    'webhooks send') found='--entity --change --record' ;;
    'webhooks test') found='--junit --restart-cmd --within --to' ;;
    'webhooks install') found='--port --host --entity --forward-to --target-name --accept --give-up --exec --pass-keys --register --public-url --name --poll' ;;
    'webhooks uninstall'|'mirror uninstall'|'cod uninstall'|'sandbox stop'|'sandbox credentials'|'sandbox clock show'|'sandbox clock freeze'|'sandbox clock set'|'sandbox clock real'|'sandbox faults clear'|'sandbox redeliver'|'sandbox snapshot restore'|'sandbox snapshot remove'|'sandbox reset') found='--name' ;;
    'events list') found='--entity --change-type --record --since --until --target --state --limit --all --newest-first --to' ;;
    'events tail') found='--entity --record --last' ;;
    'events replay') found='--since --until --to --pass-keys --wait' ;;
    'events prune') found='--before' ;;
    'wait order'|'wait batch'|'wait webhook') found='--until --within' ;;
    'mirror sync') found='--area --full --watch --every --to' ;;
    'mirror verify') found='--area --sample --all --to' ;;
    'mirror sql') found='--file --to' ;;
    'mirror export') found='--to --format' ;;
    'mirror install') found='--area --every --name' ;;
    'cod import') found='--layout --session --carrier --format --sheet --all-sheets --hidden-rows --struck-rows --unit --ignore-columns --replaces --adds --to' ;;
    'cod reconcile') found='--since --until --carrier --session --received --grace --differing --class --to' ;;
    'cod close') found='--by --note --undo' ;;
    'cod map') found='--format --sheet --header-row --save --replace' ;;
    'cod install') found='--layout --carrier --every --name' ;;
    'day') found='--tz --list --watch' ;;
    'report') found='--since --until --by --tz --chart --width --ascii --to --list --explain --sql' ;;
    'auth login') found='--shop-id --email --phone --name --redirect-url --browser' ;;
    'auth status') found='--offline --to' ;;
    'auth logout') found='--all' ;;
    'auth token') found='--api-key' ;;
    'profiles add') found='--kind --api-key-stdin --check --replace --sign-in-component-url' ;;
    'profiles set-key') found='--api-key-stdin --check' ;;
    'config list') found='--show-origin --to' ;;
    'workspace show') found='--paths' ;;
    'console') found='--port --open' ;;
    'mcp') found='--personal-data --skill' ;;
    'approve') found='--list --deny --to' ;;
    'agents log') found='--limit --to' ;;
    'sandbox start') found='--port --data --ephemeral --seed --allow-host --console --detach --if-needed --name' ;;
    'sandbox exec') found='--seed --signed-in' ;;
    'sandbox openapi') found='--control' ;;
    'sandbox sign-in'|'sandbox unlink') found='--shop-id --name' ;;
    'sandbox advance') found='--to --substate --auto --name' ;;
    'sandbox clock advance') found='--until-idle --name' ;;
    'sandbox faults add') found='--nth --every --once --share --seed --do --name' ;;
    'sandbox faults list'|'sandbox snapshot list') found='--name --to' ;;
    'sandbox deliveries') found='--webhook --record --limit --show --name --to' ;;
    'sandbox snapshot save') found='--replace --name' ;;
    'sandbox trigger') found='--record --within --name --to' ;;
    'sandbox payment-file') found='--layout --to --carrier --session --short --missing --unknown --provisional --doubled --fee-raised' ;;
    'sandbox log') found='--operation --status --fault --record --writes --limit --follow --name --to' ;;
    'api') found='--data --again' ;;
    'account show'|'service version'|'history changes') found='--input --skeleton --all-fields' ;;
    'locations list') found='--limit --match --to --input --skeleton --all-fields' ;;
    'commands') found='--brief --tree' ;;
    'conformance run') found='--area --write-shop --ship --max-fee --accepted --to --junit --slow' ;;
    'conformance diff') found='--area --write-shop --to' ;;
    'conformance clean') found='--forget' ;;
    'doctor') found='--fix --to' ;;
    *) found= ;;
  esac
}

_shopctl_flag() {
  case "$1 $2" in
    'shipping fulfillment --id') found='ask ids fulfillments' ;;
    'orders list --status') found='values new done in-progress cancelled returned' ;;
    'fulfillments list --status') found='values new done in-progress cancelled returned unknown default created confirmed processing picking holding delivering delivered returning undeliverable undelivered' ;;
    'fulfillments get --id') found='ask ids fulfillments' ;;
    'shipnow get --id') found='ask ids shipnow' ;;
    'shipnow cancel --id') found='ask ids shipnow' ;;
    'customers list --id') found='ask ids customers' ;;
    'customers list --status') found='values new done cancelled' ;;
    'customers get --id') found='ask ids customers' ;;
    'customers update --id') found='ask ids customers' ;;
    'customers delete --id') found='ask ids customers' ;;
    'addresses get --id') found='ask ids addresses' ;;
    'addresses update --id') found='ask ids addresses' ;;
    'addresses delete --id') found='ask ids addresses' ;;
    'groups list --id') found='ask ids groups' ;;
    'groups get --id') found='ask ids groups' ;;
    'groups update --id') found='ask ids groups' ;;
    'groups delete --id') found='ask ids groups' ;;
    'products list --id') found='ask ids products' ;;
    'products list --status') found='values new done cancelled' ;;
    'products get --id') found='ask ids products' ;;
    'products create --unit') found='any' ;;
    'products update --id') found='ask ids products' ;;
    'products update --unit') found='any' ;;
    'products delete --id') found='ask ids products' ;;
    'variants list --id') found='ask ids variants' ;;
    'variants list --status') found='values new done cancelled' ;;
    'variants get --id') found='ask ids variants' ;;
    'variants update --id') found='ask ids variants' ;;
    'variants delete --id') found='ask ids variants' ;;
    'collections list --id') found='ask ids collections' ;;
    'collections get --id') found='ask ids collections' ;;
    'collections update --id') found='ask ids collections' ;;
    'collections delete --id') found='ask ids collections' ;;
    'webhooks list --status') found='values ok retry stop' ;;
    'webhooks delete --id') found='ask ids webhooks' ;;
    'webhooks listen --keep') found='switch' ;;
    'events list --state') found='values waiting accepted dead' ;;
    'events replay --to') found='any' ;;
    'wait order --until') found='values new done in progress cancelled returned created confirmed processing picking holding delivering delivered returning undeliverable' ;;
    'wait batch --until') found='values finished settled' ;;
    'wait webhook --until') found='values ok retry stop' ;;
    'mirror export --to') found='directories' ;;
    'mirror export --format') found='values csv xlsx jsonl' ;;
    'cod install --layout') found='any' ;;
    'day --list') found='values new-orders revenue shipped delivery-fees delivered returned cash-collected to-be-picked-up late-pickups in-delivery due-today late-deliveries cash-outstanding late' ;;
    'report --by') found='values day week month' ;;
    'ledger list --state') found='values sending unclear' ;;
    'sandbox advance --to') found='any' ;;
    'sandbox clock advance --until-idle') found='switch' ;;
    'api --data') found='any' ;;
    *' --profile') found='ask profiles' ;;
    *' --shop'|*' --shop-id') found='ask shops' ;;
    *' --as'|*' --kind') found='values partner shop' ;;
    *' --output'|*' -o') found='values table json jsonl csv yaml name' ;;
    *' --debug'|*' --no-input'|*' --read-only'|*' --json'|*' --utc'|*' --no-csv-guard'|*' --bom'|*' --quiet'|*' -q'|*' --yes'|*' -y'|*' --dry-run'|*' -n'|*' --curl'|*' --no-color'|*' --version'|*' -v'|*' --help'|*' -h'|*' --again'|*' --paste'|*' --all'|*' --include-insurance'|*' --skeleton'|*' --all-fields'|*' --shipping.include-insurance'|*' --order-only'|*' --replace'|*' --ignore-columns'|*' --all-sheets'|*' --skip-bad'|*' --explain-fees'|*' --done'|*' --not-done'|*' --today'|*' --pick-list'|*' --unprinted'|*' --explain'|*' --csv'|*' --overwrite'|*' --for-buyer'|*' --include-deleted'|*' --pass-keys'|*' --register'|*' --ack'|*' --health'|*' --newest-first'|*' --full'|*' --watch'|*' --adds'|*' --differing'|*' --undo'|*' --list'|*' --chart'|*' --ascii'|*' --sql'|*' --browser'|*' --offline'|*' --api-key'|*' --api-key-stdin'|*' --check'|*' --show-origin'|*' --paths'|*' --open'|*' --personal-data'|*' --skill'|*' --ephemeral'|*' --console'|*' --detach'|*' --if-needed'|*' --signed-in'|*' --control'|*' --auto'|*' --once'|*' --writes'|*' --follow'|*' -f'|*' --brief'|*' --tree'|*' --ship'|*' --forget'|*' --fix') found='switch' ;;
    *' --lang') found='values en vi' ;;
    *' --paper-lang') found='values en vi both' ;;
    *' --fields') found='ask fields' ;;
    *' --input'|*' --answers'|*' --to'|*' --order'|*' --junit'|*' --file'|*' --accepted') found='files' ;;
    *' --id'|*' --order-id') found='ask ids orders' ;;
    *' --shipping.try-on') found='values none open try' ;;
    *' --blank') found='values keep clears' ;;
    *' --hidden-rows'|*' --struck-rows') found='values read skip' ;;
    *' --equal-rows'|*' --line-cash') found='values once each' ;;
    *' --same-recipient') found='values one each' ;;
    *' --blank-cash') found='values total zero' ;;
    *' --pieces') found='values quantity ask' ;;
    *' --tracked') found='values ship skip' ;;
    *' --unit') found='values thousand one' ;;
    *' --new-wards') found='values ask same-name' ;;
    *' --state') found='values planned sending done existed ended failed unclear skipped undone' ;;
    *' --size') found='values a6 a4 80mm' ;;
    *' --payment-method') found='values cod bank other vtpay' ;;
    *' --auto-inventory-voucher') found='values create confirm' ;;
    *' --inventory-policy') found='values obey ignore' ;;
    *' --gender') found='values male female other' ;;
    *' --type') found='values individual organization anonymous independent' ;;
    *' --customer-id') found='ask ids customers' ;;
    *' --group-id') found='ask ids groups' ;;
    *' --product-id') found='ask ids products' ;;
    *' --collection-id') found='ask ids collections' ;;
    *' --variant-id') found='ask ids variants' ;;
    *' --entities'|*' --entity') found='values customer customer_address customer_group customer_group_relationship fulfillment inventory_level order product product_collection product_collection_relationship shipnow_fulfillment variant' ;;
    *' --accept') found='values ok 2xx' ;;
    *' --change'|*' --change-type') found='values create update delete' ;;
    *' --layout') found='values ghtk ghn vtp' ;;
    *' --class') found='values awaiting paid_not_delivered returned undeliverable provisional_open settled unpaid short over fee_differs unexplained cod_changed paid doubled uncompensated after_close' ;;
    *' --data') found='directories' ;;
    *' --webhook') found='ask ids webhooks' ;;
    *) found=any ;;
  esac
}

_shopctl_argument() {
  case "$1 $2" in
    'shipping fulfillment 0'|'fulfillments get 0') found='ask ids fulfillments' ;;
    'shipping get 0'|'shipping cancel 0'|'orders get 0'|'orders cancel 0'|'orders confirm 0'|'wait order 0'|'sandbox advance 0') found='ask ids orders' ;;
    'batch map 0'|'batch plan 0'|'batch run 0'|'batch retry 1'|'totals check 0'|'totals fill 0'|'cod import 0'|'cod import 1'|'cod import 2'|'cod import 3'|'cod import 4'|'cod import 5'|'cod import 6'|'cod import 7'|'cod forget 0'|'cod map 0'|'workspace backup 0') found='files' ;;
    'shipnow get 0'|'shipnow cancel 0') found='ask ids shipnow' ;;
    'customers get 0'|'customers update 0'|'customers delete 0') found='ask ids customers' ;;
    'addresses get 0'|'addresses update 0'|'addresses delete 0') found='ask ids addresses' ;;
    'groups get 0'|'groups update 0'|'groups delete 0') found='ask ids groups' ;;
    'products get 0'|'products update 0'|'products delete 0') found='ask ids products' ;;
    'variants get 0'|'variants update 0'|'variants delete 0') found='ask ids variants' ;;
    'collections get 0'|'collections update 0'|'collections delete 0') found='ask ids collections' ;;
    'webhooks delete 0') found='ask ids webhooks' ;;
    'events show 0'|'events replay 0'|'events replay 1'|'events replay 2'|'events replay 3'|'events replay 4'|'events replay 5'|'events replay 6'|'events replay 7') found='ask ids events' ;;
    'auth use 0'|'auth logout 0'|'auth token 0') found='ask shops' ;;
    'profiles show 0'|'profiles set-key 0'|'profiles use 0'|'profiles remove 0') found='ask profiles' ;;
    'config get 0') found='values profile shop as base_url output debug no_input timeout max_retries read_only drift workspace tz lang paper_lang cod_grace sign_in_component_url' ;;
    'config set 0'|'config unset 0') found='values shop base_url output read_only drift workspace tz lang paper_lang cod_grace sign_in_component_url' ;;
    'completion 0') found='values bash zsh fish powershell' ;;
    *) found= ;;
  esac
}

_shopctl_globals='--profile --shop --as --base-url --output --debug --no-input --timeout --max-retries --read-only --lang --paper-lang --json --fields --query --utc --no-csv-guard --bom --quiet --yes --dry-run --curl --no-color --version --help'

# Offers those of the words that go on from `value`; each gets `prefix`.
_shopctl_offer() {
  local word
  for word in $1; do
    [[ $word == "$value"* ]] && COMPREPLY[${#COMPREPLY[@]}]=$prefix$word
  done
}

# Files, or with -d directories: by readline itself where it can, which knows how to quote them.
_shopctl_files() {
  [[ -z $prefix ]] && compopt -o default 2>/dev/null && return
  local name
  while IFS= read -r name; do
    if [[ -d $name ]]; then
      name=$name/
      compopt -o nospace 2>/dev/null
    fi
    printf -v name %q "$name"
    COMPREPLY[${#COMPREPLY[@]}]=$prefix$name
  done < <(compgen "$1" -- "$value")
}

# What only shopctl knows: one candidate a line, its description after a tab.
_shopctl_ask() {
  local name rest
  while IFS=$'\t' read -r name rest; do
    [[ $name == "$value"* ]] && COMPREPLY[${#COMPREPLY[@]}]=$prefix$name
  done < <(command shopctl __complete $1 -- "${before[@]}" 2>/dev/null </dev/null)
}

_shopctl_source() {
  case $1 in
    'values '*) _shopctl_offer "${1#values }" ;;
    files) _shopctl_files -f ;;
    directories) _shopctl_files -d ;;
    'ask fields')
      if [[ $value == *,* ]]; then
        prefix=$prefix${value%,*},
        value=${value##*,}
      fi
      compopt -o nospace 2>/dev/null
      _shopctl_ask fields
      ;;
    'ask '*) _shopctl_ask "${1#ask }" ;;
    any)
      [[ $value == @* ]] || return
      value=${value#@}
      prefix=$prefix@
      _shopctl_files -f
      ;;
  esac
}

_shopctl() {
  COMPREPLY=()
  local -a all before
  local line=$COMP_LINE piece index gap
  all=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece=${COMP_WORDS[index]}
    gap=${line%%"$piece"*}
    [[ -z $piece ]] && gap=$line
    if [[ $index == 0 || $gap == *[[:space:]]* ]]; then
      all[${#all[@]}]=$piece
    else
      all[${#all[@]} - 1]=${all[${#all[@]} - 1]}$piece
    fi
    line=${line#*"$piece"}
  done

  local current=${all[${#all[@]} - 1]} found path= word flag= position=0 ended=
  before=("${all[@]:1:${#all[@]} - 2}")
  for word in "${before[@]}"; do
    if [[ -n $flag ]]; then flag= && continue; fi
    if [[ $ended ]]; then continue; fi
    if [[ $word == -- ]]; then ended=yes && continue; fi
    if [[ $word == -?* ]]; then
      [[ $word == *=* ]] && continue
      _shopctl_flag "$path" "$word"
      [[ $found != switch ]] && flag=$word
      continue
    fi
    _shopctl_words "$path"
    if [[ " $found " == *" $word "* ]]; then
      path=${path:+$path }$word
      [[ $path == 'help '* || $path == 'schema '* ]] && path=${path#* }
    else
      position=$((position + 1))
    fi
  done

  local value=$current prefix=
  if [[ $ended ]]; then
    _shopctl_files -f
  elif [[ -n $flag ]]; then
    _shopctl_flag "$path" "$flag"
    _shopctl_source "$found"
  elif [[ $current == --*=* ]]; then
    value=${current#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=${current%%=*}=
    _shopctl_flag "$path" "${current%%=*}"
    _shopctl_source "$found"
  else
    _shopctl_words "$path"
    local words=$found
    _shopctl_argument "$path" "$position"
    if [[ $current == -* || -z $words$found ]]; then
      _shopctl_flags "$path"
      _shopctl_offer "$found $_shopctl_globals"
    elif [[ -n $words ]]; then
      _shopctl_offer "$words"
    else
      _shopctl_source "$found"
    fi
  fi
}

complete -F _shopctl shopctl
