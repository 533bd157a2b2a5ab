import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedAnswer } from '../../support/scripted-prompter.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { yieldingClock } from '../../support/stepped-clock.ts';
import { orderCells, orderSheet, places } from '../batch-world.ts';

/** What a command has printed, and its result. */
export interface Ran {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The result of a plan or a run, as far as tests look at it. */
  readonly counts: Readonly<Record<string, number>>;
  readonly ended: readonly { readonly name: string; readonly kind: string; readonly why: string | null }[];
  readonly batch: string;
}

interface Order {
  readonly id: string;
  readonly external_id: string;
  readonly status: string;
}

/** A machine and a shop with one rolling sheet of orders. */
export class EndedWorld {
  /** Stands between the command line and the service. */
  between: Between = (transport) => transport;
  /** Ends the next run. */
  signal: AbortSignal | undefined;
  readonly profile: 'test' | 'shop';
  #shop: ShopWorld | undefined;
  /** Where its workspace is, if that is a database. */
  #env: Readonly<Record<string, string>> = {};

  private constructor(profile: 'test' | 'shop') {
    this.profile = profile;
  }

  static async made(profile: 'test' | 'shop'): Promise<EndedWorld> {
    const world = new EndedWorld(profile);
    world.#shop = await shopWorld((transport) => (request) => world.between(transport)(request));
    const place = await places.next(world.shop.directory);
    if (place.startsWith('postgres')) world.#env = { SHOPCTL_WORKSPACE: place };
    return world;
  }

  get shop(): ShopWorld {
    if (this.#shop === undefined) throw new TypeError('the world is not made yet');
    return this.#shop;
  }

  /** Runs a command at the service's time. */
  async run(words: readonly string[], answers?: readonly ScriptedAnswer[]): Promise<Ran> {
    const { service } = this.shop;
    const style = answers === undefined ? ['--yes', '-o', 'json'] : [];
    const ran = await this.shop.run([...words, '--profile', this.profile, ...style], {
      clock: yieldingClock(service.clock.now()),
      env: this.#env,
      ...(answers === undefined ? {} : { terminal: true, answers }),
      ...(this.signal === undefined ? {} : { signal: this.signal }),
    });
    const { counts = {}, ended = [], batch = '' } = ran.stdout.startsWith('{') ? JSON.parse(ran.stdout) : {};
    return { ...ran, counts, ended, batch };
  }

  /** Writes the sheet: these orders, with names of their own or without. */
  write(numbers: readonly number[], named = true): void {
    const rows = numbers.map((number) => orderCells(number, named ? undefined : ''));
    writeFileSync(join(this.shop.directory, 'rolling.csv'), orderSheet(rows));
  }

  /** Runs the sheet with these orders. */
  sheet(numbers: readonly number[], ...words: string[]): Promise<Ran> {
    this.write(numbers);
    return this.run(['batch', 'run', 'rolling.csv', ...words]);
  }

  plan(numbers: readonly number[], ...words: string[]): Promise<Ran> {
    this.write(numbers);
    return this.run(['batch', 'plan', 'rolling.csv', ...words]);
  }

  async post(operation: string, body: object) {
    const { post, shop } = this.shop.service;
    return (await post(operation, body, shop.apiKey)).body;
  }

  /** Every order that the service has, asked of nobody else. */
  async orders(): Promise<readonly Order[]> {
    const all: Order[] = [];
    for (let after = '.'; ; ) {
      const { orders, paging } = await this.post('shop.Order/ListOrders', { paging: { after } });
      all.push(...orders);
      if (orders.length === 0) return all;
      after = paging.next;
    }
  }

  /** How many orders were ever made of each code. */
  async made(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const { external_id } of await this.orders()) {
      const code = external_id.replace(/^(SO-\d+)-\d+$/, '$1');
      counts[code] = (counts[code] ?? 0) + 1;
    }
    return counts;
  }

  async idOf(name: string): Promise<string> {
    const found = (await this.orders()).filter(({ external_id }) => external_id === name).at(-1);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found.id;
  }

  /** Cancels an order as a colleague does, at the service itself. */
  async cancel(name: string, cancel_reason = 'khách hủy'): Promise<void> {
    await this.post('shop.Order/CancelOrder', { id: await this.idOf(name), cancel_reason });
  }

  /** Moves the parcel of an order. */
  async move(name: string, ...states: readonly string[]): Promise<void> {
    const id = await this.idOf(name);
    for (const to of states) await this.shop.service.sandbox.control.advance(id, { to });
  }
}
