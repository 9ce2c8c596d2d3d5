import { Buffer } from 'node:buffer';
import { cutMiddle } from './cut.ts';
import type { OwnTools } from './own.ts';

// Seen in what Codex 0.163 sends to its model: 10,000 tokens, which it takes for 40,000 bytes; for a model that is not
// in its catalogue 10,000 bytes. What a server replies may be a fifth longer.
const KNOWN_BYTES = 40_000;
const UNKNOWN_BYTES = 10_000;
const REPLY_FACTOR = 1.2;

/** Codex: files, searches and commands are all output of its shell, of which the model gets both ends. */
export function codexTools(model: string | undefined): OwnTools {
  const most = model === undefined || /^(?:gpt-|codex-|o\d)/.test(model) ? KNOWN_BYTES : UNKNOWN_BYTES;
  return {
    reader: 'codex',
    show: ({ raw }) => {
      if (Buffer.byteLength(raw) <= most) return { text: raw };
      const lines = raw.split('\n').length;
      const head = `Warning: truncated output (original token count: ${Math.ceil(raw.length / 4)})\nTotal output lines: ${lines}\n\n`;
      return { text: `${head}${bothEnds(raw, most)}`, limit: 'codex_output' };
    },
    passOn: (reply) => bothEnds(reply, most * REPLY_FACTOR),
  };
}

function bothEnds(text: string, bytes: number): string {
  // Cut as bytes, one character each, since that is what Codex counts.
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  const cut = cutMiddle(encoded.toString('latin1'), bytes, (left) => `...${Math.ceil(left / 4)} tokens truncated...`);
  return Buffer.from(cut, 'latin1').toString('utf8');
}
