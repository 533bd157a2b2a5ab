#!/usr/bin/env bash
# What a job tests: an order is shipped once, however often it is sent, and is delivered. Runs in a sandbox of its own:
#   shopctl sandbox exec --signed-in -- bash ship.sh
set -euo pipefail
cd "$(dirname "$0")"

ship() { shopctl ship --input ../order-complete.json --pick cheapest --yes --output name; }
order=$(ship)
again=$(ship)
[ "$order" = "$again" ] || { echo "shipped twice: $order and $again" >&2; exit 1; }

shopctl sandbox advance "$order" --to delivered >/dev/null
shopctl shipping get "$order" --output json >order.json
shopctl shipping get "$order" --query 'fulfillments[0].shipping_state' --output json | grep --quiet delivered
echo "order $order was shipped once and delivered"
