import { describe } from 'vitest';
import { CLAUDE } from './client.ts';
import { describeClient } from './scenarios.ts';

describe('Claude', () => describeClient(CLAUDE));
