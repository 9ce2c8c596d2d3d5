import { estimateTokens } from '@jeeves/engine';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/e2e/verifies.ts';
import { identity, serverLines } from '../src/identity.ts';

const PURPOSES = [
  { server: 'files', purpose: 'Read and write files' },
  { server: 'late', purpose: '' },
];

describe('the instructions', () => {
  verifies('gateway.servers.instructions', 'name each server with what it is for', () => {
    const { instructions } = identity('1', { passthrough: false, stays: true, purposes: () => PURPOSES });
    expect(instructions).toContain('\nServers:\n- files: Read and write files\n- late');
    expect(identity('1', { passthrough: true, stays: true, purposes: () => PURPOSES }).instructions).not.toContain(
      'Servers:',
    );
  });

  verifies('gateway.servers.instructions', 'spend at most 300 tokens on servers, however many there are', () => {
    const purpose = 'Works with issues, pull requests, repositories, branches, commits and reviews of all kinds';
    for (const count of [1, 5, 24, 60, 500]) {
      const lines = serverLines(Array.from({ length: count }, (_, at) => ({ server: `server-${at}`, purpose })));
      expect(estimateTokens(lines.join('\n'))).toBeLessThanOrEqual(300);
      expect(lines.join('\n')).toContain('server-0');
    }
    const many = serverLines(Array.from({ length: 500 }, (_, at) => ({ server: `server-${at}`, purpose })));
    expect(many.join('')).toMatch(/ and \d+ more$/);
  });

  test('say nothing of servers where there are none', () => {
    expect(serverLines([])).toEqual([]);
  });
});
