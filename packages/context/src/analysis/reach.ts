import { type Columns, codeOfName, FLAGS } from './columns.ts';
import { withoutDot } from './facts.ts';
import { SEGMENT_TYPES } from './item.ts';
import type { Window } from './window.ts';

/** For how long a decision is fresh. */
const FRESH_DECISION_MS = 3_600_000;

/**
 * Which segments are in use, by place: the roots (pins, the current task and file, recent messages, fresh decisions) and
 * whatever they lead to. What is redundant is no root of a task or file and no part of a topic: the segment that made it
 * so stands for it. A pin or an explicit reference keeps it all the same.
 */
export function findReachable(window: Window): Uint8Array {
  const { columns, redundant, links } = window.contents;
  const { topic, targets, targetsFrom } = columns;
  const reached = rootsOf(window);
  const waiting: number[] = [];
  for (let at = reached.indexOf(1); at >= 0; at = reached.indexOf(1, at + 1)) waiting.push(at);
  const reach = (at: number): void => {
    if (reached[at] === 1) return;
    reached[at] = 1;
    waiting.push(at);
  };
  const topics = new Uint8Array(links.membersFrom.length);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const end = targetsFrom[at + 1] as number;
    for (let next = targetsFrom[at] as number; next < end; next += 1) {
      const target = links.placeOf[targets[next] as number] as number;
      if (target > 0) reach(target - 1);
    }
    // Whoever comes first reaches the whole topic.
    const shared = topic[at] as number;
    if (topics[shared] === 1) continue;
    topics[shared] = 1;
    const last = links.membersFrom[shared + 1] as number;
    for (let next = links.membersFrom[shared] as number; next < last; next += 1) {
      const member = links.members[next] as number;
      if (redundant.kinds[member] === 0) reach(member);
    }
  }
  return reached;
}

function rootsOf({ contents, currentTask, currentFile, now }: Window): Uint8Array {
  const { columns, redundant, recent } = contents;
  const { length, epoch, flags, type, createdAt, task, file } = columns;
  const roots = new Uint8Array(length);
  for (const at of recent) roots[at] = 1;
  const decision = SEGMENT_TYPES.indexOf('decision');
  const taskCode = codeOfName(columns.names.tasks, currentTask);
  const isCurrent = filesNamed(columns, currentFile);
  for (let at = 0; at < length; at += 1) {
    const has = flags[at] as number;
    const isKept =
      (has & FLAGS.pinned) !== 0 ||
      (type[at] === decision && now - epoch - (createdAt[at] as number) < FRESH_DECISION_MS);
    const isInWork =
      (taskCode !== 0 && (has & FLAGS.assigned) !== 0 && task[at] === taskCode) || isCurrent[file[at] as number] === 1;
    if (isKept || (isInWork && redundant.kinds[at] === 0)) roots[at] = 1;
  }
  return roots;
}

/** By the number of a file, whether it is this one, however it is spelled. */
function filesNamed({ names: { files } }: Columns, path: string | undefined): Uint8Array {
  const named = new Uint8Array(files.length + 1);
  if (path === undefined) return named;
  const plain = withoutDot(path);
  for (const spelling of [plain, `./${plain}`]) {
    const code = codeOfName(files, spelling);
    if (code > 0 && withoutDot(spelling) === plain) named[code] = 1;
  }
  return named;
}
