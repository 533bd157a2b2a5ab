// Small changes of a source that a test should notice, found in its syntax tree, and some of them chosen by a seed.
import { parseAst } from 'vitest/node';

const parsed = (file, text) => parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });

/** What is not run: types, and the words by which modules are named. */
const notRun = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'ImportAttribute']);
const typesIn = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'implements',
  'superTypeArguments',
]);
/** A value that has a type beside it. */
const typed = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion']);

const isRun = ({ type }) => !notRun.has(type) && (!type.startsWith('TS') || typed.has(type));
const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string';

/** The nodes of a tree that are run, each with those around it, the innermost first. */
function* nodesIn(node, around = []) {
  if (!isRun(node)) return;
  yield [node, around];
  for (const [name, value] of Object.entries(node)) {
    if (typesIn.has(name) || (name === 'source' && node.type.startsWith('Export'))) continue;
    for (const inner of [value].flat()) if (isNode(inner)) yield* nodesIn(inner, [node, ...around]);
  }
}

const others = (...pairs) =>
  new Map(
    pairs.flatMap(([one, other]) => [
      [one, other],
      [other, one],
    ]),
  );
const equality = others(['===', '!==']);
const boundary = others(['<', '<='], ['>', '>=']);
const arithmetic = others(['+', '-'], ['*', '/'], ['+=', '-=']).set('%', '*');
const logical = others(['&&', '||']);
const method = others(
  ['some', 'every'],
  ['min', 'max'],
  ['startsWith', 'endsWith'],
  ['indexOf', 'lastIndexOf'],
  ['push', 'unshift'],
);
/** Methods whose result stands for what they are called on. */
const dropped = new Set([
  'filter',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'slice',
  'trim',
  'flat',
  'toLowerCase',
  'normalize',
]);

const isText = ({ type, value }) => type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
/** Whether a sum joins texts, as far as it shows. */
const joins = ({ left, right }) =>
  [left, right].some((side) => isText(side) || (side.type === 'BinaryExpression' && joins(side)));
const isCall = ({ type, argument, callee }) =>
  type === 'AwaitExpression' ? isCall(argument) : type === 'CallExpression' && callee.type !== 'Super';
const isKey = (node, [holder]) => holder?.key === node && holder.computed !== true && holder.shorthand !== true;
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Another operator between two operands: the place of the former one is found, whatever stands beside it. */
function operatorChange(text, kind, { left, right, operator }, to) {
  const at = text.indexOf(operator, left.end);
  return at < right.start ? [{ kind, start: at, end: at + operator.length, to }] : [];
}

/** What each kind of node may become. */
const changesOf = {
  IfStatement: negated,
  ConditionalExpression: negated,
  LogicalExpression: (text, node) =>
    logical.has(node.operator) ? operatorChange(text, 'condition', node, logical.get(node.operator)) : [],
  BinaryExpression(text, node) {
    const { operator } = node;
    if (equality.has(operator)) return operatorChange(text, 'condition', node, equality.get(operator));
    if (boundary.has(operator)) return operatorChange(text, 'boundary', node, boundary.get(operator));
    if (!arithmetic.has(operator) || (operator === '+' && joins(node))) return [];
    return operatorChange(text, 'arithmetic', node, arithmetic.get(operator));
  },
  AssignmentExpression(text, node) {
    const isSum = arithmetic.has(node.operator) && !isText(node.right);
    return isSum ? operatorChange(text, 'arithmetic', node, arithmetic.get(node.operator)) : [];
  },
  Literal(_, { start, end, value }, around) {
    if (typeof value === 'boolean') return [{ kind: 'boolean', start, end, to: String(!value) }];
    const isValue = typeof value === 'string' && value !== '' && around[0]?.directive === undefined;
    return isValue && around[0]?.type !== 'JSXAttribute' ? [{ kind: 'text', start, end, to: "''" }] : [];
  },
  ExpressionStatement: (_, { start, end, expression }) =>
    isCall(expression) ? [{ kind: 'statement', start, end, to: ';' }] : [],
  CallExpression(_, { callee, end }) {
    const { type, property, object, optional, computed } = callee;
    if (type !== 'MemberExpression' || computed || optional) return [];
    const to = method.get(property.name);
    if (to !== undefined) return [{ kind: 'method', start: property.start, end: property.end, to }];
    return dropped.has(property.name) ? [{ kind: 'method', start: object.end, end, to: '' }] : [];
  },
  ReturnStatement(text, { argument }, around) {
    const { returnType } = around.find(({ type }) => functions.has(type)) ?? {};
    if (!isNode(argument) || argument.name === 'undefined' || !isNode(returnType)) return [];
    const isOptional = /\|\s*(?:undefined|null)\b/.test(text.slice(returnType.start, returnType.end));
    return isOptional ? [{ kind: 'return', start: argument.start, end: argument.end, to: 'undefined' }] : [];
  },
};

/** The opposite of a condition, unless its operator is changed anyhow. */
function negated(text, { test: { type, operator, start, end } }) {
  if (type === 'BinaryExpression' && equality.has(operator)) return [];
  return [{ kind: 'condition', start, end, to: `!(${text.slice(start, end)})` }];
}

/** Every change of a source, in its order: where it begins and ends, what stands there then, its kind, and whether it is run where it is loaded. */
export function mutationsOf(file, text) {
  const found = [];
  for (const [node, around] of nodesIn(parsed(file, text))) {
    if (isKey(node, around)) continue;
    // What stands in no function is run once, where it is loaded.
    const isLoaded = !around.some(({ type }) => functions.has(type));
    const changes = changesOf[node.type]?.(text, node, around) ?? [];
    found.push(...changes.map((change) => ({ ...change, isLoaded })));
  }
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Numbers below 1 that a seed decides (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of the mutations as the seed chooses them: each kind as often as others, though there are most texts. */
export function chosenOf(mutations, count, seed) {
  const random = randomFrom(seed);
  const of = (list) => Math.floor(random() * list.length);
  const names = [...new Set(mutations.map(({ kind }) => kind))];
  const kinds = names.map((name) => mutations.filter(({ kind }) => kind === name));
  const chosen = [];
  while (chosen.length < count && kinds.length > 0) {
    const at = of(kinds);
    const own = kinds[at];
    chosen.push(...own.splice(of(own), 1));
    if (own.length === 0) kinds.splice(at, 1);
  }
  return chosen;
}
