import { DOCS } from './docs.ts';
import type { Kind } from './kind.ts';

/** A page is text between tags. */
export const HTML: Kind = { ...DOCS, name: 'html', recognises };

function recognises(sample: readonly string[], { text }: { readonly text: string }): boolean {
  if (/^\s*(?:<!doctype html|<html)\b/i.test(text.slice(0, 300))) return true;
  const said = sample.filter((line) => line.trim() !== '');
  const tags = said.filter((line) => /^\s*<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/i.test(line)).length;
  return said.length > 0 && tags >= said.length * 0.6;
}
