/** Reading of settings, for programs that are no server: what is in force, where it comes from, what is wrong with it. */
export { type Launch, type Reading, readConfig } from '../config.ts';
export { type Effective, type EffectiveSetting, effectiveSettings } from './effective.ts';
export { type ConfigFile, type ConfigProblem, readConfigFile } from './file.ts';
export { masked } from './masked.ts';
export type { Environment } from './path.ts';
export { type Origin, overlaid } from './values.ts';
