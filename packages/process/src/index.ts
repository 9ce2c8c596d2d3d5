/** The library's public surface: whatever is named here is API. */
export { groupRuns, signalGroup } from './group.ts';
export { endProcess, isRunning, killProcess, noteProcess, type ProcessRef, waitForEnd } from './ref.ts';
export { sendSignal } from './signal.ts';
export { environmentOf, startOf } from './table.ts';
export { descendants, findWhere, killWhere } from './walk.ts';
