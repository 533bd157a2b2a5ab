import { batchOf, type Game } from './game.ts';
import { REFUSED } from './kinds.ts';

/** A beginning that leads to states which chance alone rarely reaches; its particulars are drawn. */
export type Theme = (game: Game) => Promise<void>;

/** Nothing but chance. */
async function chance(game: Game): Promise<void> {
  await game.run(await game.newSheet());
  await game.step();
  await game.step();
}

/** One file stands between its plan and an answer, and another with most of its rows runs. */
async function overlap(game: Game): Promise<void> {
  const { dice } = game;
  const first = await game.run(await game.newSheet(), {
    stop: { at: dice.of(['question', 'create', 'create'] as const), nth: dice.upTo(2), happened: dice.chance(0.5) },
    meeting: '',
  });
  await game.run(await game.newSheet(), dice.chance(0.6) ? { stop: null } : {});
  if (first.isStanding && dice.chance(0.7)) await game.wake(first);
}

/** Rows are refused, and put right in a file, which is stopped; then it is tried again. */
async function mending(game: Game): Promise<void> {
  const { dice } = game;
  const wishes = [1, 2, 3].map((subject) =>
    game.preference(subject, 0, subject === 2 || dice.chance(0.3) ? REFUSED : undefined),
  );
  const task = await game.run(await game.sheetOf(wishes), { stop: null, meeting: '' });
  if (batchOf(task) === undefined) return;
  const retry = await game.mended(task);
  if (retry?.isStanding && retry.about.sheet !== undefined && dice.chance(0.4)) {
    await game.run(retry.about.sheet, { where: retry.about, meeting: '', stop: dice.chance(0.5) ? null : undefined });
  }
  if (retry?.isStanding && dice.chance(0.8)) await game.wake(retry);
  if (dice.chance(0.5)) await game.mended(task);
}

/** Equal rows, of which the service refuses one for a reason that passes; then the file comes again, or a longer one. */
async function equalRows(game: Game): Promise<void> {
  const { dice, world } = game;
  if (game.named) return overlap(game);
  const wishes = [1, 1, 2].slice(0, dice.of([2, 3])).map((subject) => game.preference(subject));
  if (dice.chance(0.8)) world.service.faults.set(dice.upTo(2), 'refused-once');
  const first = await game.run(await game.sheetOf(wishes), { stop: null, meeting: '' });
  const again = dice.chance(0.6);
  const next = again ? wishes : [...wishes, game.preference(1)];
  await game.run(await game.sheetOf(next), {
    where: first.about,
    meeting: again ? 'again' : 'continue',
    stop: dice.chance(0.7) ? null : undefined,
  });
}

/** Two people write one name, and not the same under it. */
async function twoContexts(game: Game): Promise<void> {
  const { dice } = game;
  if (!game.named) return overlap(game);
  const sheet = await game.newSheet();
  const preference = { ...dice.of(sheet.wishes), note: '' };
  if (dice.chance(0.5)) await game.run(sheet, { meeting: '' });
  else await game.single(preference);
  await game.single(dice.chance(0.7) ? { ...preference, variant: preference.variant + 1 } : preference);
}

/** What was made is taken back, and asked for once more. */
async function takingBack(game: Game): Promise<void> {
  const { dice } = game;
  const sheet = await game.newSheet();
  const first = await game.run(sheet, { stop: null, meeting: '' });
  const batch = batchOf(first);
  if (batch === undefined) return;
  await game.undo(first, batch);
  await game.run(dice.chance(0.6) ? sheet : await game.newSheet());
}

/** A command has left a write unclear, and a person says what became of it; then it is asked for once more. */
async function words(game: Game): Promise<void> {
  const { dice, world, kind } = game;
  if (kind.isOrder || !kind.takesNames) return overlap(game);
  world.service.faults.set(1, dice.of(['drop-before', 'drop-before', 'drop-after'] as const));
  const sheet = await game.newSheet();
  await game.single({ ...dice.of(sheet.wishes), note: '' });
  for (const task of world.tasks) if (task.isStanding) await game.wake(task);
  await game.word();
  await game.run(sheet);
}

/** A file changes records, and is undone, while somebody changes one of them. */
async function changing(game: Game): Promise<void> {
  const { dice, kind } = game;
  if (kind.changes === undefined) return overlap(game);
  await game.run(await game.newSheet(), { stop: null, meeting: '' });
  const first = await game.update();
  if (dice.chance(0.6)) await game.change();
  if (first?.isStanding && dice.chance(0.7)) await game.wake(first);
  const second = dice.chance(0.4) ? await game.update() : undefined;
  for (const task of dice.shuffled([first, second, first])) {
    const batch = task && batchOf(task);
    if (task !== undefined && batch !== undefined) await game.undo(task, batch);
    if (dice.chance(0.4)) await game.change();
  }
}

export const themes: readonly Theme[] = [
  chance,
  overlap,
  overlap,
  mending,
  mending,
  equalRows,
  twoContexts,
  takingBack,
  words,
  changing,
  changing,
];
