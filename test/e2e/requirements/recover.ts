import { from, type Requirement } from './entry.ts';

/** Giving lines back, and where they wait. */
export const RECOVER: readonly Requirement[] = [
  ...from('seed 002 §4.2, requirements 2.6', {
    'recover.ranges.concatenates': 'Ranges come back one after the other in the order asked, nothing in between.',
    'recover.ranges.clamps': 'An end beyond the last line is brought back to it.',
    'recover.ranges.none': 'No ranges give an empty text.',
    'recover.line-numbers': 'Lines are prefixed with their original number only when that is asked for.',
    'recover.metadata':
      'The wire answer is `raw_text` and the prune id, the returned ranges and `line_numbering: original`.',
    'recover.original-lines': 'What comes back are the raw lines, whether they were kept or removed.',
  }),
  ...from('seed 002 §4.2, seed 002 §8.2, decisions §7 #6, requirements 2.6', {
    'recover.ranges.invalid': 'A start after its end, or a line below 1, is `invalid_range`.',
  }),
  ...from('decisions §5', {
    'recover.ranges.past-end': 'A start past the last line is `invalid_range` and says which line is the last.',
    'recover.by-goal': 'Instead of ranges a goal brings back the passages that serve it.',
    'recover.by-goal.marked':
      'What lies between the passages that a goal brings back is marked; their lines are numbered on request.',
    'recover.one-space': 'Every pruned text, also a no-op, is found in the same recovery space by its prune id.',
    'recover.evicted': 'An id evicted for want of room is `prune_id_not_found`.',
  }),
  ...from('seed 002 §2.3, seed 002 §4.2, seed 002 §8.2, requirements 2.6', {
    'recover.unknown-id': 'An unknown id is `prune_id_not_found`, names the id and says what to do.',
    'recover.expired-id': 'An id past its time to live is `prune_id_not_found`.',
  }),
  ...from('seed 002 §8.2, decisions §7 #9, requirements 2.6', {
    'recover.unavailable': 'An id whose text cannot be read is `recovery_unavailable`.',
  }),
  ...from('seed 002 §8.2, decisions §7 #9', {
    'recover.error-numbers':
      '`prune_id_not_found` is -32004, `invalid_range` -32005 and `recovery_unavailable` -32603, each with its name in `data.code`.',
  }),
  ...from('seed 002 §4.2, seed 002 §12', {
    'recover.alias': '`recover_range` calls `recover_text`.',
  }),
  ...from('security T23, decisions §5', {
    'recover.ids.entropy': 'A prune id carries at least 128 random bits, every one of which shows.',
    'recover.ids.fresh': 'Every pruning gets an id of its own.',
  }),
  ...from('security T12', {
    'recover.within-reason':
      'Ranges that repeat each other to megabytes are `invalid_range`; all lines once never are.',
  }),
  ...from('decisions §5, decisions §6', {
    'store.bounded': 'Kept texts never take more bytes than configured; the oldest go first.',
    'store.survives-restart': 'A text stored on disk is recoverable by another process.',
    'store.default-path': 'The default store is one file under `.local/state/jeeves` of the user’s home.',
    'store.kinds': '`memory:` and `sqlite:<path>` behave alike, and an unknown store is refused by name.',
  }),
  ...from('decisions §6, requirements 2.8', {
    'store.durable': 'Acknowledged means durable: a text whose storing was confirmed survives a killed process.',
  }),
  ...from('security T24', {
    'store.ids-are-no-paths': 'An id is looked up as data: one that looks like a path touches no file.',
  }),
  ...from('decisions §6', {
    'store.postgres': 'A `postgres://` store is shared by many replicas and passes the same suite.',
  }),
  ...from('seed 002 §12, decisions §5', {
    'store.ttl.rpc': 'Texts pruned over `/rpc` stay recoverable for 600 s unless configured otherwise.',
    'recover.rpc-errors': 'Recovery errors reach a JSON-RPC caller with their number, name and the prune id in `data`.',
  }),
  ...from('decisions §5', {
    'store.ttl.stdio': 'Texts pruned by the stdio server stay recoverable for 24 h unless configured otherwise.',
    'recover.text-only-clients': 'Clients that get text only receive the recovered raw lines themselves.',
  }),
];
