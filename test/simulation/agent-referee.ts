// The referee of worlds of agents, who stands at the service: it knows what persons were shown and agreed to, by the text on
// their terminals, and compares it with what arrives. It uses nothing of the program.

/** A parcel as a terminal has shown it to the person who approved it. */
interface Agreed {
  readonly name: string;
  readonly fee: number;
  readonly cash: number;
  readonly key: string;
}

/** What a person allows without being asked. */
export interface Allowed {
  /** Commands in `allow`. */
  readonly commands: readonly string[];
  readonly carriers: readonly string[] | undefined;
  /** Caps of an hour. */
  readonly records: number | undefined;
  readonly fees: number | undefined;
}

/** A write that arrived. */
export interface Write {
  readonly operation: string;
  readonly key: string;
  readonly body: string;
  readonly at: number;
}

/** A little less than an hour: a plan counts from when it was allowed, which is before its parcels arrive. */
const WINDOW_MS = 59 * 60_000;

const commandOf: Readonly<Record<string, string>> = {
  'partner.Shipping/CreateAndConfirmOrder': 'ship',
  'shop.Shipping/CreateAndConfirmOrder': 'ship',
  'shop.Customer/CreateCustomer': 'customers create',
  'shop.Order/CreateOrder': 'orders create',
  'shop.Product/CreateProduct': 'products create',
  'shop.Order/CancelOrder': 'orders cancel',
};

const amount = (text: string | undefined) => Number((text ?? '0').replaceAll(/[,.]/g, ''));

/** Compares what arrives with what was agreed to. */
export class Referee {
  readonly broken: string[] = [];
  readonly counts = new Map<string, number>();
  /** The names of the parcels that were made, each as often as it was. */
  readonly made: string[] = [];
  allowed: Allowed | undefined;
  #agreed: Agreed[] = [];
  #others: { readonly command: string; readonly key: string }[] = [];
  #byPolicy: { readonly at: number; readonly fee: number }[] = [];
  readonly #carriers: ReadonlyMap<string, string>;
  readonly #keys: Readonly<Record<string, string>>;

  /** Knows the carrier of each service, and the key of each profile. */
  constructor(carriers: ReadonlyMap<string, string>, keys: Readonly<Record<string, string>>) {
    this.#carriers = carriers;
    this.#keys = keys;
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  breaks(what: string): void {
    this.broken.push(what);
  }

  /** A person has agreed to what a terminal shows. */
  agreed(shown: string): void {
    const lines = shown.replaceAll(/\n {4,}/g, ' ').split('\n');
    const [, command = '', records = '0'] =
      /^ *plan \S+: (.+), ([\d,.]+) records?$/.exec(lines.find((line) => /^ *plan /.test(line)) ?? '') ?? [];
    const profile = /^ *profile (\S+),/m.exec(shown)?.[1] ?? '';
    const key = this.#keys[profile] ?? '';
    if (command !== 'ship') {
      for (let number = 0; number < amount(records); number += 1) this.#others.push({ command, key });
      return;
    }
    for (const line of lines) {
      const parcel = /^ *\d+\. ([^;]+);.*; fee ([\d,.]+)(?:; collects ([\d,.]+))?$/.exec(line);
      if (parcel?.[1] === undefined) continue;
      this.#agreed.push({ name: parcel[1], fee: amount(parcel[2]), cash: amount(parcel[3]), key });
    }
  }

  /** Nothing that was agreed to holds any more, but for parcels that are on their way. */
  withdrawn(onTheirWay: ReadonlySet<string>): void {
    this.#agreed = this.#agreed.filter(({ name }) => onTheirWay.has(name));
    if (onTheirWay.size === 0) this.#others = [];
  }

  /** A write that the service has done. */
  arrived({ operation, key, body, at }: Write): void {
    const command = commandOf[operation];
    if (command === undefined) {
      this.breaks(`${operation}: nobody can have agreed to this`);
      return;
    }
    this.count(`wrote: ${command}`);
    const given = JSON.parse(body);
    const { cod_amount = 0, shipping_service_fee: fee = 0, shipping_service_code: code = '' } = given.shipping ?? {};
    if (command === 'ship') {
      if (this.made.includes(given.external_id)) this.breaks(`${given.external_id} was sent twice`);
      this.made.push(given.external_id);
    }
    if (this.#isAgreed(command, { name: given.external_id, fee, cash: cod_amount, key })) {
      this.count('by a person');
      return;
    }
    this.count('by the policy');
    const carrier = this.#carriers.get(code);
    const { allowed } = this;
    const what = `${operation} ${given.external_id ?? ''} (fee ${fee}, cash ${cod_amount}, ${carrier})`;
    if (allowed === undefined || !allowed.commands.includes(command)) {
      this.breaks(`${what}: nobody has agreed to it`);
      return;
    }
    if (command === 'ship' && allowed.carriers?.includes(carrier ?? '') === false)
      this.breaks(`${what}: not with this carrier`);
    this.#byPolicy.push({ at, fee });
    const within = this.#byPolicy.filter((one) => one.at > at - WINDOW_MS);
    const fees = within.reduce((sum, one) => sum + one.fee, 0);
    if (allowed.records !== undefined && within.length > allowed.records)
      this.breaks(`${what}: the ${within.length}th of an hour, of ${allowed.records}`);
    if (allowed.fees !== undefined && fees > allowed.fees)
      this.breaks(`${what}: fees of ${fees} in an hour, of ${allowed.fees}`);
  }

  /** Uses an agreement up. */
  #isAgreed(command: string, { name, fee, cash, key }: Agreed): boolean {
    const isOther = (one: { readonly command: string; readonly key: string }) =>
      one.command === command && one.key === key;
    const at =
      command === 'ship'
        ? this.#agreed.findIndex((one) => one.name === name && one.fee === fee && one.cash === cash && one.key === key)
        : this.#others.findIndex(isOther);
    if (at >= 0) (command === 'ship' ? this.#agreed : this.#others).splice(at, 1);
    return at >= 0;
  }
}
