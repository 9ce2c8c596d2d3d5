import { describe } from 'vitest';
import { CODEX } from './client.ts';
import { describeClient } from './scenarios.ts';

describe('Codex', () => describeClient(CODEX));
