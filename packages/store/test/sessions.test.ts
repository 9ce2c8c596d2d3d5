import { HARNESSES } from './harness.ts';
import { describeSessions } from './sessions-suite.ts';

for (const harness of HARNESSES) describeSessions(harness);
