import { createEmbeddedBackend, EngineError, newPruneId, type RecoveryStore } from '@jeeves/engine';
import { createMemoryStore } from '@jeeves/store';
import type { Command } from 'commander';
import { type Context, write } from '../context.ts';
import { drawScene } from '../demo/draw.ts';
import { type Played, playScene } from '../demo/play.ts';
import { loadScene, SCENES } from '../demo/scenes.ts';
import { EXIT } from '../failure.ts';
import { type Style, styleFor } from '../output/style.ts';
import { openStoreOf } from '../store.ts';
import { tokenCounter } from '../tokens.ts';

const EXAMPLE = `
Example:
  jeeves demo | less -R

Three real texts of this project, pruned on this machine in a few seconds. Nothing leaves it.`;

/** Wider lines are hard to read, narrower terminals get wrapped lines. */
const WIDTH = { least: 60, usual: 80, most: 132 };

/** `jeeves demo`: what it is all about, without any setup. */
export function addDemo(program: Command, context: Context): void {
  program
    .command('demo')
    .summary('see a log, a source file and a diff before and after')
    .description('Shows a log, a source file and a diff before and after pruning, and gives a gap of each back.')
    .addHelpText('after', EXAMPLE)
    .action(async () => runDemo(context));
}

async function runDemo(context: Context): Promise<void> {
  const style = styleFor(context.stdout, context.config);
  const width = Math.max(WIDTH.least, Math.min(WIDTH.most, context.stdout.columns ?? WIDTH.usual));
  const { store, durable } = await openDemoStore(context);
  const dependencies = {
    backend: createEmbeddedBackend(),
    store,
    newId: () => newPruneId(context.randomBytes),
    now: context.now,
    countTokens: await tokenCounter(true),
  };
  const all: Played[] = [];
  try {
    await write(context.stdout, `${opening(style)}\n\n`);
    for (const [at, scene] of SCENES.entries()) {
      const played = await playScene(scene, await loadScene(scene, context.packageRoot), dependencies);
      all.push(played);
      await write(context.stdout, drawScene(played, at + 1, width, style));
    }
  } finally {
    await store.close();
  }
  await write(context.stdout, closing(all, durable, style));
  if (all.some(({ recovered }) => recovered?.identical !== true)) context.setExitCode(EXIT.unproven);
}

/** The user's own store, so that the last command can be tried; a broken one must not spoil the demo. */
async function openDemoStore(context: Context): Promise<{ store: RecoveryStore; durable: boolean }> {
  try {
    return { store: await openStoreOf(context), durable: context.config.storeUrl !== 'memory:' };
  } catch (error) {
    if (error instanceof EngineError) return { store: createMemoryStore({ now: context.now }), durable: false };
    throw error;
  }
}

function opening({ bold, dim }: Style): string {
  return `${bold('Jeeves')} ${dim('keeps the lines that serve a goal, and the rest one call away.')}`;
}

function closing(all: readonly Played[], durable: boolean, { bold, cyan, dim }: Style): string {
  const last = all.find(({ recovered }) => recovered !== undefined);
  const { startLine = 1, endLine = 1 } = last?.recovered?.gap ?? {};
  // The command with an id in it fills its line, and needs no words.
  const next = [
    ['npm test 2>&1 | jeeves prune --goal "why does it fail"', 'your own output'],
    durable && last !== undefined
      ? [`jeeves recover ${last.result.pruneId} --lines ${startLine}-${endLine}`]
      : ['jeeves prune README.md --goal "how to install it"', 'your own file'],
    ['jeeves verify', 'proof on your files'],
  ];
  const widest = Math.max(...next.map(([command = '', what]) => (what === undefined ? 0 : command.length)));
  const commands = next.map(([command = '', what]) =>
    what === undefined ? `  ${cyan(command)}\n` : `  ${cyan(command.padEnd(widest))}  ${dim(what)}\n`,
  );
  return `${bold('Try next')}\n${commands.join('')}`;
}
