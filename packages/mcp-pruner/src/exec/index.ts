/** What other programs of ours need to run a command as `bash` does. Whatever is named here is API. */
export { withoutColours } from './environment.ts';
export { createSpool, type Spool, type Spooled } from './spool.ts';
