import { batchOf } from './game.ts';
import type { Kind, Preference } from './kinds.ts';
import { wishIn } from './kinds.ts';
import type { Changed, Made } from './service.ts';
import type { Reported, Row, Task, World } from './world.ts';

/** What the referee found, and how often each thing happened. */
export interface Verdict {
  readonly broken: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

/** What is counted and compared in one interleaving. */
interface Case {
  readonly world: World;
  readonly kind: Kind;
  readonly batches: readonly Reported[];
  readonly rows: readonly Row[];
  readonly made: readonly Made[];
  readonly live: ReadonlySet<string>;
  readonly byId: ReadonlyMap<string, Made>;
}

/** How many rows a batch sends at once, as long as nobody says how many. */
const FIRST_AT_ONCE = 4;
/** How many orders are marked together before they are sent. */
const MARKED_TOGETHER = 128;

const times = <Value>(values: readonly Value[], value: Value) => values.filter((one) => one === value).length;
const idIn = (text: string) => /\b\d{19}\b/.exec(text)?.[0];

/** The content of a wish, as the referee tells contents apart. */
function contentOf({ world, kind }: Case, preference: Preference): string {
  return wishIn(JSON.stringify(kind.record(preference, world.service.parents)))?.content ?? '';
}

/**
 * Whether a record is what was wanted: a note that only one of them has is none that differs (equal is every field that
 * was sent and returned).
 */
function agrees(wanted: string, made: string): boolean {
  const [shorter, longer] = wanted.length < made.length ? [wanted, made] : [made, wanted];
  return wanted === made || (shorter.endsWith('/') && longer.startsWith(shorter));
}

/** The last line of stderr that is an error for programs. */
function errorOf(task: Task): { readonly code?: string; readonly outcome?: string } | undefined {
  const line = task.stderr.split('\n').find((one) => one.startsWith('{"error"'));
  return line === undefined ? undefined : JSON.parse(line).error;
}

/** What is ended through one ledger is not known to another. */
const isOtherLedger = (world: World, one: number, other: number) => world.ledgers > 1 && one !== other;
/** A batch of another ledger whose rows asked for the same, and found the same record, may have taken it back. */
const mayBeUndoneElsewhere = ({ world, rows }: Case, { machine, content }: Row) =>
  world.tasks.some(
    ({ about }) =>
      about.verb === 'undo' &&
      isOtherLedger(world, about.machine, machine) &&
      rows.some((one) => one.batch === about.batch && one.content === content),
  );

/** Whether two pieces of work were under way at one time. */
const overlap = (one: Task, other: Task) =>
  (one.beganAt ?? 0) <= (other.endedAt ?? -1) && (other.beganAt ?? 0) <= (one.endedAt ?? -1);

/** Whoever looks up what became of a row may have found its record before somebody ended it, and write that afterwards. */
const wasLookedUpBefore = ({ world }: Case, { batch, content }: Row, end: Task, maker: Task | undefined) =>
  world.service.lost.includes(content) &&
  world.tasks.some((task) => task !== maker && batchOf(task) === batch && overlap(task, end));

/** A late copy arrives when its own record has ended, and its name is free again: nobody can know of it. */
const isRevived = ({ made, live }: Case, late: Made) =>
  late.late &&
  made.some((one) => one !== late && one.name === late.name && one.content === late.content && !live.has(one.id));

/** A record of a row must be there, be its own, and be what the row asked for. */
function judgeRows(given: Case): string[] {
  const { rows, byId, live, world } = given;
  const broken: string[] = [];
  const makers = new Map<string, { readonly where: string; readonly batch: string; readonly machine: number }>();
  for (const row of rows) {
    const { batch, content, state, id, name, machine } = row;
    const made = id === null ? undefined : byId.get(id);
    const where = `row ${content} of ${batch} (${state})`;
    if (state === 'done') {
      // Whoever ends a record before its row knows of it leaves the row as it was.
      const maker = made === undefined ? undefined : world.tasks[made.by];
      const ends = world.tasks.some(
        (task) =>
          task.about.record === id &&
          (task.ended === 'killed' ||
            task.diskWasFull === true ||
            task.exit !== 0 ||
            (task.about.wasDone !== true &&
              ((task.endedAt ?? 0) <= (maker?.endedAt ?? -1) || wasLookedUpBefore(given, row, task, maker))) ||
            isOtherLedger(world, task.about.machine, machine)),
      );
      // A person's word for a row names no record.
      const isWord = id === null && world.tasks.some(({ about }) => about.verb === 'settle' && about.batch === batch);
      if (isWord) continue;
      if (id === null || made === undefined) broken.push(`done without a record: ${where}`);
      else if (!live.has(id) && !ends && !mayBeUndoneElsewhere(given, row))
        broken.push(`done, and not alive: ${where}`);
      else if (!agrees(content, made.content)) broken.push(`done with another content (${made.content}): ${where}`);
      const other = id === null ? undefined : makers.get(id);
      // Under one name two ledgers cannot tell whose of two equal requests has arrived.
      const isCut = world.tasks.some(
        (task) =>
          (task.ended === 'killed' || task.wasInterrupted) && [batch, other?.batch].includes(batchOf(task) ?? ''),
      );
      const mayBeBoth = name !== '' || isCut || world.service.lost.includes(content);
      const isOfAnother = world.ledgers > 1 && mayBeBoth && other?.machine !== machine;
      if (other !== undefined && !isOfAnother) broken.push(`done twice with one record: ${where}, ${other.where}`);
      if (id !== null) makers.set(id, { where, batch, machine });
    }
    if (state === 'existed') {
      // Where a person's word is all that is known of the row or the command that made it, no record is known.
      const isByWord =
        id === null &&
        (rows.some((one) => one.content === content && one.state === 'done' && one.id === null) ||
          world.tasks.some(({ about }) => about.settled !== undefined && contentOf(given, about.settled) === content));
      if (isByWord) continue;
      if (id === null || made === undefined) broken.push(`existed without a record: ${where}`);
      else if (
        !live.has(id) &&
        !world.tasks.some(({ about }) => about.record === id) &&
        !mayBeUndoneElsewhere(given, row)
      )
        broken.push(`existed, and not alive: ${where}`);
      else if (!agrees(content, made.content)) broken.push(`existed with another content (${made.content}): ${where}`);
      else {
        const maker = world.tasks[made.by];
        const same = rows.filter((row) => row.batch === batch && row.content === content).length;
        if (same === 1 && maker !== undefined && batchOf(maker) === batch && !world.service.doubled.has(content))
          broken.push(`existed, and made by itself: ${where}`);
      }
      const begun = world.tasks.find((task) => task.about.verb === 'run' && batchOf(task) === batch);
      // Whoever goes on with a batch may have done its rows.
      const isContinued = world.tasks.some(({ work }) => work.argv[work.argv.indexOf('--continue') + 1] === batch);
      // What was made and told to nobody is told first.
      const isOfCommand = made !== undefined && world.tasks[made.by]?.about.verb === 'single';
      const maker = made === undefined ? undefined : world.tasks[made.by];
      // A batch tells what it has made when it is finished, and the disk had room to say that it has told it.
      const ofMaker = maker === undefined ? undefined : batchOf(maker);
      const isOfMaker = (index: number) =>
        index === made?.by || (ofMaker !== undefined && batchOf(world.tasks[index] as Task) === ofMaker);
      const isUntold =
        maker !== undefined &&
        begun !== undefined &&
        ([...begun.untold].some(isOfMaker) ||
          world.tasks.some(({ diskWasFull }, index) => diskWasFull === true && isOfMaker(index)) ||
          maker.untold.has(world.tasks.indexOf(begun)));
      const isExcused = isContinued || isOfCommand || isUntold || world.service.doubled.has(content);
      if (begun?.about.again === true && name === '' && !isExcused)
        broken.push(`existed although it was to be sent again: ${where}`);
    }
  }
  return broken;
}

/** Records that nobody owns up to, and does not even say to be unclear about. */
function judgeUnclaimed(given: Case): string[] {
  const { world, rows, made, kind } = given;
  const { tasks } = world;
  const claimed = new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
  for (const task of tasks) {
    const id = task.about.verb === 'single' && task.exit === 0 ? idIn(task.stdout) : undefined;
    if (id !== undefined) claimed.add(id);
  }
  const broken: string[] = [];
  for (const content of new Set(made.map((one) => one.content))) {
    // Under the caller's own name nobody can tell a request that arrived twice from somebody else's record.
    const excused = (one: Made) =>
      one.copied ||
      (world.service.doubled.has(content) && one.name.startsWith('N-')) ||
      // Whoever ends a record by its id knows of it.
      tasks.some(({ about }) => about.record === one.id) ||
      isRevived(given, one);
    const unclaimed = made.filter((one) => one.content === content && !excused(one) && !claimed.has(one.id));
    const unclear = rows.filter(
      (row) =>
        (row.content === content && ['unclear', 'sending', 'planned'].includes(row.state)) ||
        (row.state === 'done' && row.id === null),
    ).length;
    const open = tasks.filter(
      ({ about, exit, ended, sent }) =>
        about.verb === 'single' && sent.includes(content) && (exit === 10 || ended === 'killed' || exit === 130),
    ).length;
    if (unclaimed.length <= unclear + open) continue;
    const states = rows
      .filter((row) => row.content === content)
      .map(({ batch, state, error }) => `${batch} ${state} ${error ?? ''}`);
    broken.push(`${unclaimed.length} ${kind.title} ${content} made that nobody tells of: ${states.join('; ')}`);
  }
  return broken;
}

/** How often each content may be there at most. */
function mostOf({ world, kind }: Case, content: string, machines: number): number {
  const wanted = (task: Task) => {
    const wishes = task.about.sheet?.wishes ?? [];
    return times(
      wishes.map((preference) => contentOf({ world, kind } as Case, preference)),
      content,
    );
  };
  const runs = world.tasks.filter(({ about }) => about.sheet !== undefined);
  const once = Math.max(0, ...runs.filter(({ about }) => !about.again && !about.anew).map(wanted));
  // Of a corrected file only what was corrected is new to its batch.
  const isNew = ({ about }: Task) =>
    about.verb !== 'mended' ||
    !runs.some((task) => about.batch === batchOf(task) && task.about.verb === 'run' && wanted(task) > 0);
  const again = runs
    .filter((task) => (task.about.again || task.about.anew) && isNew(task))
    .reduce((sum, task) => sum + wanted(task), 0);
  const singles = world.tasks.filter(
    ({ about }) => about.preference !== undefined && contentOf({ world, kind } as Case, about.preference) === content,
  );
  const more = singles.filter(({ about }) => about.again).length;
  const plain = singles.filter(({ about }) => !about.again);
  // Only first names protect machines with a ledger each: a number that was undone is used by one of them alone.
  const wasUndone = world.tasks.some(({ about }) => about.verb === 'undo' || about.verb === 'end');
  if (machines > 1 && wasUndone) return machines * once + again + more + plain.length;
  if (!kind.isOrder) return once + again + more + plain.length;
  if (machines === 1) return Math.max(once, plain.length > 0 ? 1 : 0) + again + more;
  return once + again + more + new Set(plain.map(({ about }) => about.machine)).size;
}

function judgeDoubles(given: Case): string[] {
  const { made, live, kind, world } = given;
  const broken: string[] = [];
  const there = made.filter((one) => live.has(one.id) && !one.copied && !isRevived(given, one));
  for (const name of new Set(there.flatMap((one) => (one.name.startsWith('N-') ? [one.name] : [])))) {
    const same = there.filter((one) => one.name === name);
    // The other family has a record of its own only where somebody said --again.
    const makers = same.flatMap(({ by }) => world.tasks[by] ?? []);
    const families = new Set(makers.map(({ about }) => about.profile.slice(0, 4)));
    const most = makers.some(({ about }) => about.again) ? families.size : 1;
    if (same.length > most)
      broken.push(`doubled: ${same.length} live ${kind.title} named ${name}, by ${same.map(({ by }) => by).join(' ')}`);
  }
  for (const content of new Set(there.filter((one) => !one.name.startsWith('N-')).map((one) => one.content))) {
    const same = there.filter((one) => one.content === content);
    const most = mostOf(given, content, world.ledgers);
    if (same.length > most)
      broken.push(
        `doubled: ${same.length} live ${kind.title} ${content}, at most ${most} wanted, by ${same.map(({ by }) => by).join(' ')}`,
      );
  }
  return broken;
}

/** What a row may have failed for. */
function mayFail({ world, kind, byId, live, made }: Case, row: Row): boolean {
  const { error, content, name } = row;
  const code = (error ?? '').split(':')[0] ?? '';
  if (code === 'invalid_argument') return content.includes('refused');
  if (['failed_precondition', 'already_exists'].includes(code) && world.service.refused.includes(content)) return true;
  const asked = world.tasks.flatMap(({ about }) => [
    ...(about.sheet?.wishes ?? []),
    ...(about.preference === undefined ? [] : [about.preference]),
  ]);
  const contents = new Set(
    asked
      .filter((preference) => preference.name === name)
      .map((preference) => contentOf({ world, kind } as Case, preference)),
  );
  if (code === 'differs')
    return name !== '' && (contents.size > 1 || (world.service.cutsNotes && content.includes('long')));
  // Another ledger's record was in the way when it was sent, and over when it was looked for.
  if (code === 'already_exists' && world.ledgers > 1 && name !== '')
    return made.some((one) => one.name === name && !live.has(one.id));
  // Somebody has ended the record before its row was settled: the row names it, and it is over.
  if (code === 'already_over') return row.id !== null && byId.has(row.id) && !live.has(row.id);
  return code === 'not_done' || code === 'sent_before';
}

/**
 * How many rows a killed piece of work may have had marked without having sent them, or one whose disk was full without
 * having written what became of them. Orders are found by their names; only where another ledger has given the name to
 * another content, or the service has rewritten the text of another ledger's, nobody can tell whether this one was there.
 */
function markedAtKills({ world, kind }: Case): Map<string, number> {
  const marked = new Map<string, number>();
  if (kind.isOrder && world.ledgers === 1) return marked;
  for (const task of world.tasks.filter(({ ended, diskWasFull }) => ended === 'killed' || diskWasFull === true)) {
    const { argv } = task.work;
    const place = argv.indexOf('--concurrency');
    const atOnce = kind.isOrder ? MARKED_TOGETHER : place < 0 ? FIRST_AT_ONCE : Number(argv[place + 1]);
    const batch = batchOf(task) ?? '';
    marked.set(batch, (marked.get(batch) ?? 0) + atOnce);
  }
  return marked;
}

function judgeFailed(given: Case): string[] {
  const { rows, batches, kind, world } = given;
  const broken = rows
    .filter((row) => row.state === 'failed' && !mayFail(given, row))
    .map((row) => `failed although nobody refused it: row ${row.content} of ${row.batch}: ${row.error}`);
  for (const batch of batches) {
    const open = batch.rows.filter(
      ({ state, error }) => ['planned', 'sending'].includes(state) && !(error ?? '').startsWith('held_by'),
    );
    if (open.length > 0)
      broken.push(
        `batch ${batch.id} does not end: ${open.map(({ content, state }) => `${content} ${state}`).join(', ')}`,
      );
  }
  const marked = markedAtKills(given);
  for (const content of new Set(rows.map((row) => row.content))) {
    const all = rows.filter((row) => row.content === content && row.state === 'unclear');
    // A lost answer explains a row that no kill can have marked, before it explains one that may have been.
    const isMarked = ({ batch, name }: Row) =>
      (!kind.isOrder || world.service.cutsNotes || name !== '') && (marked.get(batch) ?? 0) > 0;
    const unclear = [...all.filter((row) => !isMarked(row)), ...all.filter(isMarked)];
    const most = kind.isOrder && unclear.every(({ name }) => name === '') ? 0 : times(world.service.lost, content);
    // Without a name, a text that comes back cut proves nothing.
    if (!kind.takesNames && world.service.cutsNotes && content.includes('long')) continue;
    const more = unclear.slice(most).filter((row) => {
      if (!isMarked(row)) return true;
      marked.set(row.batch, (marked.get(row.batch) ?? 0) - 1);
      return false;
    });
    if (more.length > 0)
      broken.push(
        `${unclear.length} rows ${content} unclear, ${most} answers were lost: ${unclear.map(({ error }) => error).join('; ')}`,
      );
  }
  return broken;
}

const bad = new Set([1, 14, -1]);

/** What a command line said when it ended. */
function judgeTask(given: Case, task: Task): string[] {
  const { world, made, byId, live } = given;
  const { number } = task.work;
  const { about, exit, stdout, stderr } = task;
  if (task.ended !== 'by itself' || exit === undefined) return [];
  const broken: string[] = [];
  const lines = stderr.trim().split('\n');
  const said = lines
    .slice(
      Math.max(
        0,
        lines.findLastIndex((line) => line.includes('error')),
      ),
    )
    .join(' | ')
    .slice(0, 500);
  const hadNoRoom = task.diskWasFull === true && exit === 1 && stderr.includes('no space left');
  if (bad.has(exit) && !hadNoRoom) broken.push(`${number} ended with exit ${exit}: ${said}`);
  // Of a request that the network has delivered twice, the second answer says that somebody else was there before.
  const knows = (one: Made) => !world.service.doubled.has(one.content);
  if (hadNoRoom && made.some((one) => one.by === number && knows(one)))
    broken.push(`${number} made something, and ended with exit 1`);
  const mayRefuse =
    about.verb === 'undo' ||
    // It has waited for one that stands, or found that another one has sent what it asked about, and sent nothing.
    /draft_busy|another shopctl is sending|by another shopctl/.test(stderr) ||
    // A partner's batch is no work for the shop's own key: names at the service are of a family.
    stderr.includes('belongs to another account') ||
    (about.verb === 'mended' && /is changed, and stands|the file has/.test(stderr));
  if (exit === 2 && !mayRefuse) broken.push(`${number} was refused with exit 2: ${said}`);
  const batch = batchOf(task);
  // Whoever could not open the store speaks of itself alone.
  const goesOn =
    batch !== undefined && ['run', 'resume', 'retry'].includes(about.verb) && ![2, 3, 12].includes(exit) && !hadNoRoom;
  const ours = (one: Made) =>
    one.by === number || (goesOn && one.by < number && batchOf(world.tasks[one.by] ?? task) === batch);
  if (errorOf(task)?.outcome === 'not_applied' && made.some((one) => ours(one) && knows(one)))
    broken.push(`${number} says not_applied, and made something: ${said}`);
  if (about.verb === 'single' && exit === 0 && about.preference !== undefined) {
    const id = idIn(stdout);
    const record = id === undefined ? undefined : byId.get(id);
    const wanted = contentOf(given, about.preference);
    if (record === undefined) broken.push(`${number} succeeded without a record: ${stdout.slice(0, 200)}`);
    else if (!agrees(wanted, record.content))
      broken.push(`${number} asked for ${wanted} and was told of ${record.content} as its own: ${said}`);
    else if (
      !live.has(record.id) &&
      !world.tasks.some((other) => other.about.verb === 'undo' || other.about.record === id)
    )
      broken.push(`${number} succeeded, and nothing lives`);
  }
  if (['run', 'resume', 'retry', 'mended'].includes(about.verb) && exit === 0 && stdout.startsWith('{')) {
    const { counts } = JSON.parse(stdout);
    if (counts.left + counts.failed + counts.unclear > 0)
      broken.push(`${number} ended with exit 0: ${JSON.stringify(counts)}`);
  }
  return broken;
}

function judgeFees({ batches, byId, kind }: Case): string[] {
  if (kind.title !== 'ship') return [];
  return batches.flatMap(({ id, rows, fees, state }) => {
    if (
      state !== 'finished' ||
      rows.some(
        (row) => !['done', 'existed', 'failed'].includes(row.state) || (row.state === 'done' && row.id === null),
      )
    )
      return [];
    // One that somebody has ended without its row's knowing it is judged with the rows.
    const done = rows.filter((row) => row.state === 'done');
    const sum = done.reduce((all, row) => all + (byId.get(row.id ?? '')?.fee ?? 0), 0);
    return fees === null || fees === sum
      ? []
      : [
          `batch ${id} tells fees of ${fees}, the service of ${sum}: ${rows.map((row) => `${row.content} ${row.state}`).join(', ')}`,
        ];
  });
}

/** What a record had while a change of it was planned and sent: its undo gives it one of these values again. */
function valuesBefore({ world }: Case, id: string, value: string): string[] {
  const { changed } = world.service;
  const maker = world.tasks.find(({ about }) => about.updates?.some((one) => one.id === id && one.value === value));
  if (maker === undefined) return [];
  const place = changed.findIndex((one) => one.id === id && one.value === value);
  const since = maker.about.since ?? 0;
  const before = changed.slice(0, since).findLast((one) => one.id === id)?.value ?? '';
  const meanwhile = changed.slice(since, place).filter((one) => one.id === id);
  return [before, ...meanwhile.map((one) => one.value)];
}

/** A change is there where it says so, and an undo gives back what was there before, and replaces nothing else. */
async function judgeChanges(given: Case): Promise<string[]> {
  const { world, kind, live } = given;
  const { changed } = world.service;
  const broken: string[] = [];
  for (const task of world.tasks.filter(({ about, ended }) => about.change !== undefined && ended === 'by itself')) {
    const isMade = changed.some(({ by }) => by === task.work.number);
    if (isMade ? errorOf(task)?.outcome === 'not_applied' : task.exit === 0)
      broken.push(`${task.work.number} ended with exit ${task.exit}, and its change is ${isMade ? '' : 'not '}there`);
  }
  for (const id of new Set(changed.map((one) => one.id))) {
    const own = changed.filter((one) => one.id === id).map(({ value }) => value);
    const shown = live.has(id) ? (await world.service.shown(kind, id))[kind.changes?.field ?? ''] : own.at(-1);
    if (String(shown ?? '') !== own.at(-1)) broken.push(`${id} shows ${shown}: ${own.join(', ')}`);
    for (const [place, value] of own.entries()) {
      const replaced = own[place - 1] ?? '';
      const isRestored = value !== replaced && ['', ...own.slice(0, place)].includes(value);
      if (isRestored && !valuesBefore(given, id, replaced).includes(value))
        broken.push(`${id}: ${replaced} was overwritten with ${value || 'nothing'}: ${own.join(', ')}`);
    }
  }
  return [...broken, ...(await judgeUpdates(given))];
}

/** What the rows of files that change records say about them. */
async function judgeUpdates(given: Case): Promise<string[]> {
  const { world, kind, live } = given;
  const broken: string[] = [];
  for (const task of world.tasks.filter(({ about }) => about.verb === 'update')) {
    const { machine, profile } = task.about;
    const batch = batchOf(task);
    const rows = batch === undefined ? [] : await world.resultOf(machine, profile, batch);
    for (const { result, id, [kind.changes?.field ?? '']: value } of rows) {
      const changes = world.service.changed.filter((one) => one.id === id);
      const own = changes.map((one) => one.value);
      // Another batch that has changed the record since may have found the same value before, and given it back itself.
      const byOther = ({ by }: Changed) => {
        const { verb, batch: undone } = world.tasks[by]?.about ?? {};
        return verb === 'undo' && undone !== batch;
      };
      const after = changes.slice(own.lastIndexOf(value) + 1).filter((one) => !byOther(one));
      const isMade = own.includes(value);
      const isBack = isMade && after.some((one) => valuesBefore(given, id, value).includes(one.value));
      const where = `row ${value} of ${id} in ${batch} (${result.state} ${result.error ?? ''}): ${own.join(', ')}`;
      if (['done', 'undone'].includes(result.state) ? !isMade : isMade && result.state !== 'unclear')
        broken.push(`${isMade ? 'changed' : 'not changed'}: ${where}`);
      if (live.has(id) && isMade && result.state === (isBack ? 'done' : 'undone'))
        broken.push(`${isBack ? 'restored' : 'not restored'}: ${where}`);
    }
  }
  return broken;
}

/** After one more sync, a mirror has what the service has, however its syncs were killed. */
async function judgeMirrors({ world, kind }: Case): Promise<string[]> {
  const broken: string[] = [];
  const synced = world.tasks.filter(({ about }) => about.verb === 'sync').map(({ about }) => about.machine);
  for (const machine of new Set(synced)) {
    for (const words of [['sync'], ['verify', '--all']]) {
      const looked = await world.look(machine, 'shop', ['mirror', ...words, '--area', kind.area ?? '', '-o', 'json']);
      if (looked.exit !== 0)
        broken.push(
          `mirror ${words.join(' ')}: exit ${looked.exit} ${looked.stdout.slice(0, 500)} ${looked.stderr.slice(0, 800)}`,
        );
    }
  }
  return broken;
}

function counted({ world, rows, batches, kind }: Case): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const task of world.tasks) {
    add(`task ${task.about.verb}`);
    if (task.ended === 'killed') add('killed');
    else add(`exit ${task.exit}`);
    if (task.wasInterrupted) add('interrupted');
    if (task.about.verb === 'word' && task.exit === 0) add('settled by a word');
    const other = task.about.verb === 'single' ? kind.other?.words : undefined;
    if (other !== undefined && task.work.argv.join(' ').startsWith(other)) add(`${other}, exit ${task.exit}`);
  }
  for (const row of rows) {
    add(`row ${row.state}${row.error === null ? '' : ` ${row.error.split(':')[0]}`}`);
    const maker =
      row.state === 'existed' && row.id !== null ? world.service.made.find(({ id }) => id === row.id) : undefined;
    const begun = world.tasks.find((task) => batchOf(task) === row.batch);
    if (maker !== undefined && begun !== undefined && maker.by > begun.work.number) add('claim lost');
  }
  const { made, clashes } = world.service;
  add('clash on a derived name', clashes.derived);
  add('clash on a given name', clashes.given);
  const heldBy = (text: string | null) => (text ?? '').includes('held_by');
  add(
    'held_by',
    rows.filter(({ error }) => heldBy(error)).length + world.tasks.filter(({ stderr }) => heldBy(stderr)).length,
  );
  const again = new Set(world.tasks.flatMap((task) => (task.about.again === true ? (batchOf(task) ?? []) : [])));
  add(
    '--again number',
    rows.filter(({ batch, name, state }) => again.has(batch) && name === '' && state === 'done').length,
  );
  const names = made.flatMap(({ name }) => (name.startsWith('N-') ? [name] : []));
  add('undone given name', names.length - new Set(names).size);
  for (const line of world.trace) {
    if (line.endsWith('-> waits')) add('waited');
    if (/^\d+ goes on/.test(line)) add('owner woken');
  }
  const updated = new Set(world.tasks.flatMap(({ about }) => about.updates ?? []).map(({ value }) => value));
  for (const [place, { id, value }] of world.service.changed.entries()) {
    if (updated.has(value)) add('changed by a row');
    const before = world.service.changed.slice(0, place).filter((one) => one.id === id);
    if (value === '' || before.some((one) => one.value === value)) add('restored by an undo');
  }
  add('disk full', world.tasks.filter(({ diskWasFull }) => diskWasFull === true).length);
  for (const [fault, times] of world.service.befell) add(`request ${fault}`, times);
  add('batches', batches.length);
  return counts;
}

/** Compares what is told with what lives at the service. */
export async function judge(world: World, kind: Kind, batches: readonly Reported[]): Promise<Verdict> {
  const { made } = world.service;
  const live = await world.service.live(kind);
  const byId = new Map(made.map((one) => [one.id, one]));
  const given: Case = { world, kind, batches, rows: batches.flatMap(({ rows }) => rows), made, live, byId };
  const doubled = judgeDoubles(given);
  const broken = [
    ...doubled,
    ...judgeRows(given),
    ...judgeUnclaimed(given),
    ...judgeFailed(given),
    ...world.tasks.flatMap((task) => judgeTask(given, task)),
    ...judgeFees(given),
    ...(await judgeChanges(given)),
    ...(await judgeMirrors(given)),
  ];
  const missing = broken.filter((line) =>
    /^(?:done without|done, and not alive)|without a record|nothing lives/.test(line),
  );
  const counts = counted(given);
  for (const [name, many] of [
    ['interleavings', 1],
    ['records', made.length],
    ['doubled', doubled.length],
    ['missing', missing.length],
    ['told wrongly', broken.length - doubled.length - missing.length],
    ['names not unique', world.service.keepsNamesUnique ? 0 : 1],
    ['text rewritten', world.service.cutsNotes ? 1 : 0],
  ] as const)
    counts.set(name, many);
  return { broken, counts };
}
