import { readFileSync } from 'node:fs';

/** Tells of every signal that means to stop. An impatient second one does not cut the clean-up short. */
export function onStopSignal(listener: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, listener);
}

/** A defect outside of any request must not take the others with it. */
export function onDefect(listener: (error: Error) => void): void {
  process.on('uncaughtException', listener);
}

/** A directory that was deleted under this process has no name; one that does not exist stands for it. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/deleted working directory';
  }
}

/** The version of the package that a program is the entry of, by its `import.meta.url`. */
export function versionBeside(program: string): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', program), 'utf8'));
  return String((manifest as { readonly version: unknown }).version);
}
