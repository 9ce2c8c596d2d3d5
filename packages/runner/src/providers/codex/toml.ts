/** A TOML basic string. JSON's escapes are TOML's, but TOML takes neither a bare DEL nor half of a surrogate pair. */
export function tomlString(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('\u007f', '\\u007f');
}

export function tomlStrings(texts: readonly string[]): string {
  return `[${texts.map(tomlString).join(',')}]`;
}

/** Codex splits the keys of its overrides at every dot, quoted or not, so only bare words can be written. */
export function isBareKey(key: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(key);
}
