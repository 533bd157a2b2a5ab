/** A question that shops ask, and the query that answers it in either dialect. */
export interface MirrorQuestion {
  readonly question: string;
  readonly sql: string;
}

/** Questions for the documentation. */
export const mirrorQuestions: readonly MirrorQuestion[] = [
  {
    question: 'How many shipments are on their way, and where?',
    sql: 'SELECT carrier, shipping_state, count(*) AS parcels, sum(cod_amount) AS cod\nFROM open_shipments GROUP BY carrier, shipping_state ORDER BY carrier, shipping_state',
  },
  {
    question: 'Which deliveries are late? Whom to call first?',
    sql: 'SELECT shipping_code, carrier, full_name, phone, province, estimated_delivery_at\nFROM late_deliveries ORDER BY estimated_delivery_at LIMIT 20',
  },
  {
    question: 'Which carrier does not pick up on time?',
    sql: 'SELECT carrier, count(*) AS late, min(estimated_pickup_at) AS since FROM late_pickups GROUP BY carrier',
  },
  {
    question: 'How much cash on delivery has not been settled, by carrier?',
    sql: 'SELECT carrier, count(*) AS parcels, sum(actual_cod_amount) AS cod\nFROM cod_outstanding GROUP BY carrier ORDER BY cod DESC',
  },
  {
    question: 'What did we sell on each of the last 30 days?',
    sql: 'SELECT day, orders, items, revenue, average FROM daily_sales ORDER BY day DESC LIMIT 30',
  },
  {
    question: 'What sells best?',
    sql: 'SELECT v.code, v.name, sum(d.quantity) AS sold, sum(d.revenue) AS revenue\nFROM daily_lines AS d JOIN variants AS v ON v.id = d.variant_id\nGROUP BY v.code, v.name ORDER BY revenue DESC LIMIT 10',
  },
  {
    question: 'How many parcels does each carrier bring back?',
    sql: 'SELECT carrier, parcels, delivered, returned, 100.0 * returned / parcels AS percent\nFROM carrier_performance ORDER BY percent DESC',
  },
  {
    question: 'Who are our best customers?',
    sql: 'SELECT phone, full_name, orders, revenue, last_order_at FROM customer_lifetime ORDER BY revenue DESC LIMIT 20',
  },
  {
    question: 'Which orders has nobody confirmed?',
    sql: "SELECT code, external_code, total_amount, created_at FROM orders\nWHERE deleted_at IS NULL AND status = 'Z' AND confirm_status = 'Z' ORDER BY created_at",
  },
  {
    question: 'What is running out?',
    sql: 'SELECT v.code, v.name, l.available_quantity FROM inventory_levels AS l JOIN variants AS v ON v.id = l.variant_id\nWHERE l.deleted_at IS NULL AND l.available_quantity < 5 ORDER BY l.available_quantity, v.code',
  },
  {
    question: 'What was this order before?',
    sql: "SELECT seen_at, replaced_at, source, json FROM history\nWHERE area = 'orders' AND id = '1234567890123456789' ORDER BY seen_at, replaced_at IS NULL, replaced_at",
  },
];
