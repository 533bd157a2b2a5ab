import type { Credential } from '../../contract/operation.ts';
import type { CommandData, OperationData } from '../tree/tree.ts';

const keys: Readonly<Record<Credential, string>> = {
  'partner-api-key': "a partner's API key",
  'shop-key': "a partner's key for one shop",
  'shop-api-key': "a shop's own API key",
};

/** The synopsis of a command, as help shows it. */
export function usageOf({ command, arguments: positional, flags }: CommandData): string {
  const operands = positional.map(({ name, required, variadic }) => {
    const text = `${name.toUpperCase()}${variadic === true ? '...' : ''}`;
    return required ? text : `[${text}]`;
  });
  return ['shopctl', command, ...operands, ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
}

/** The effect and the required key of an operation, in words. */
export function operationText({ effect, credential }: OperationData): string {
  return `${effect === 'read' ? 'reads' : `writes (${effect})`}, with ${keys[credential]}`;
}

/** A flag as typed, with its placeholder: `-o, --output FORMAT`. */
export function flagText(flag: {
  readonly name: string;
  readonly short?: string;
  readonly placeholder: string;
}): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return `${short}--${flag.name}${flag.placeholder === '' ? '' : ` ${flag.placeholder}`}`;
}

/** A flag's description, its allowed values, and whether it is required. */
export function flagDescription(flag: {
  readonly description: string;
  readonly values?: readonly string[];
  readonly required?: boolean;
}): string {
  const values = flag.values === undefined ? '' : ` (${flag.values.join(', ')})`;
  return `${flag.description}${values}${flag.required === true ? ' (required)' : ''}`;
}
