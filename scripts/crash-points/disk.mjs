import { dirname } from 'node:path';

/** What stands in a directory for another one. */
const DIRECTORY = Symbol('directory');
const SECTOR = 512;

/** Writes into a content, which grows as a file does. */
function written(content, at, data) {
  const next = Buffer.alloc(Math.max(content.length, at + data.length));
  content.copy(next);
  data.copy(next, at);
  return next;
}

const resized = (content, length) => {
  const next = Buffer.alloc(length);
  content.copy(next, 0, 0, Math.min(content.length, length));
  return next;
};

const apply = (content, change) =>
  change.data === undefined ? resized(content, change.length) : written(content, change.at, change.data);

/**
 * A disk under a page cache: what was written is there for every process, and survives a power cut only once it was
 * synchronised; the same goes for names, by their directory. Contents by path are given and taken without the root.
 */
export function diskOf(files, root) {
  const nodes = new Map([[root, DIRECTORY]]);
  for (const [path, content] of files) {
    const whole = `${root}/${path}`;
    nodes.set(whole, { durable: content, content, pending: [] });
    for (let at = dirname(whole); !nodes.has(at); at = dirname(at)) nodes.set(at, DIRECTORY);
  }
  const durable = new Map(nodes);
  /** Changes of names that are not synchronised, in their order. */
  let renames = [];
  const rename = (directory, change) => {
    change(nodes);
    renames.push({ directory, change });
  };
  // What SQLite shares between processes is memory, which it makes again.
  const isHere = (path) => (path === root || path.startsWith(`${root}/`)) && !path.endsWith('-shm');

  const change = (path, made) => {
    const node = nodes.get(path);
    node.content = apply(node.content, made);
    node.pending.push(made);
  };

  /** The files that are reached by these names, each with what `contentOf` says. */
  const filesIn = (names, contentOf) => {
    const isReached = (path) => path === root || (names.get(path) === DIRECTORY && isReached(dirname(path)));
    const found = [...names].filter(([path, node]) => node !== DIRECTORY && isReached(dirname(path)));
    return new Map(found.map(([path, node]) => [path.slice(root.length + 1), contentOf(node)]));
  };

  return {
    isHere,
    sizeOf: (path) => nodes.get(path)?.content.length,
    make(path) {
      const node = { durable: Buffer.alloc(0), content: Buffer.alloc(0), pending: [] };
      rename(dirname(path), (names) => names.set(path, node));
    },
    makeDirectory: (path) => rename(dirname(path), (names) => names.set(path, DIRECTORY)),
    remove: (path) => rename(dirname(path), (names) => names.delete(path)),
    link: (from, to) => nodeMoved(from, to, false),
    rename: (from, to) => nodeMoved(from, to, true),
    write: (path, at, data) => change(path, { at, data }),
    resize: (path, length) => change(path, { length }),
    /** How much of a file is written so far: what a synchronisation that begins now makes durable. */
    pendingOf: (path) => nodes.get(path)?.pending?.length ?? 0,
    synchronise(path, many) {
      const node = nodes.get(path);
      if (node === DIRECTORY) {
        for (const { change } of renames.filter(({ directory }) => directory === path)) change(durable);
        renames = renames.filter(({ directory }) => directory !== path);
      } else if (node !== undefined) {
        for (const made of node.pending.splice(0, many)) node.durable = apply(node.durable, made);
      }
    },
    contents: () => filesIn(nodes, ({ content }) => content),
    cut: (how, random) => cut(how, random),
  };

  function nodeMoved(from, to, isMove) {
    if (isMove && dirname(from) !== dirname(to)) throw new Error(`${from} is moved to another directory`);
    const node = nodes.get(from);
    rename(dirname(to), (names) => {
      if (isMove) names.delete(from);
      names.set(to, node);
    });
  }

  function cut(how, random) {
    const names = new Map(durable);
    const many = { strict: 0, random: Math.floor(random() * (renames.length + 1)) }[how] ?? renames.length;
    for (const { change } of renames.slice(0, many)) change(names);
    return filesIn(names, (node) => cuts[how](node, random));
  }
}

const sectorsOf = ({ at, data }) => {
  const sectors = [];
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + SECTOR - ((at + from) % SECTOR));
    sectors.push({ at: at + from, data: data.subarray(from, to) });
    from = to;
  }
  return sectors;
};

/** What a power cut leaves of a file. */
const cuts = {
  /** Nothing that was not synchronised, of names neither. */
  strict: ({ durable }) => durable,
  /** Names as they were, but of files only what was synchronised: a new file is empty. */
  names: ({ durable }) => durable,
  /** Everything but the second half of the last write. */
  torn({ durable, pending }) {
    const last = pending.at(-1);
    const before = pending.slice(0, -1).reduce(apply, durable);
    if (last === undefined) return durable;
    return last.data === undefined
      ? before
      : apply(before, { at: last.at, data: last.data.subarray(0, last.data.length / 2) });
  },
  /** Any of the sectors that were written, in any order. */
  random: ({ durable, pending }, random) =>
    pending
      .flatMap((made) => (made.data === undefined ? [made] : sectorsOf(made)))
      .filter(() => random() < 0.5)
      .reduce(apply, durable),
};

/** The ways in which power can be cut. */
export const cutNames = Object.keys(cuts);
