import { HARNESSES } from './harness.ts';
import { describeProjects } from './segments-projects-suite.ts';
import { describeSegments } from './segments-suite.ts';

for (const harness of HARNESSES) {
  describeSegments(harness);
  describeProjects(harness);
}
