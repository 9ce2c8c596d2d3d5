import { isBuiltin } from 'node:module';
import type { DriverName } from '../src/sqlite/index.ts';

/** The WebAssembly build always runs; the runtime's own SQLite wherever there is one. */
export const AVAILABLE_DRIVERS: readonly DriverName[] = isBuiltin('node:sqlite') ? ['wasm', 'node'] : ['wasm'];
