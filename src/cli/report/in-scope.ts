import { shellWord } from '../errors/advice.ts';
import { groupIndex } from '../help/group-index.ts';
import type { Scope } from '../session/progress.ts';

/** A command to copy: in backquotes, or alone on its line. */
const command = /(?<=`)shopctl (?:'[^']*'|"[^"]*"|[^`'"])+(?=`)|(?<=^ *)shopctl [^\n]+$/gm;

/** Commands for which it makes no difference who is signed in. */
export const forNoAccount =
  /^(?:auth setup|commands|completion|help|profiles|sandbox (?!payment-file)|schema|totals|version)\b/;

/** Commands that are for all shops of a partner. */
const forNoShop = /^(?:auth|webhooks)\b/;

const names: readonly string[] = [...groupIndex.map(({ name }) => name), 'help'];

function withScope(typed: string, scope: Scope): string {
  const words = typed.slice('shopctl '.length);
  const [first = ''] = words.split(' ', 1);
  if (!names.includes(first) || forNoAccount.test(words)) return typed;
  const has = (flag: string) => new RegExp(` --${flag}(?:[ =]|$)`).test(typed);
  const missing = scope.filter(([flag]) => !has(flag) && !(flag === 'shop' && forNoShop.test(words)));
  const flags = missing.map(([flag, value]) => ` --${flag} ${shellWord(value)}`).join('');
  // What follows is for the shell, or for another program.
  const end = typed.search(/ (?:[<>|]|--(?: |$))/);
  return end < 0 ? typed + flags : typed.slice(0, end) + flags + typed.slice(end);
}

/** A text for a person whose commands work as they are pasted: each gets the flags of the account of this run. */
export function inScope(text: string, scope: Scope = []): string {
  return text.includes('shopctl ') ? text.replace(command, (typed) => withScope(typed, scope)) : text;
}

/** A report, or another explanation, whose hint works as it is pasted. */
export function hintInScope<Explained extends { readonly hint?: string | undefined }>(
  explained: Explained,
  scope: Scope | undefined,
): Explained {
  return explained.hint === undefined ? explained : { ...explained, hint: inScope(explained.hint, scope) };
}
