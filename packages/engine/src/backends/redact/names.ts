/** What a secret is called, or a part of that. */
export const SECRET_NAMES: string =
  'passw(?:or)?d|passphrase|passcode|pwd|(?<![a-z])pass(?![a-z])|secret|token(?!s|i[sz])|credential|' +
  '(?:api|access|account|private|signing|encryption|auth|master|license)[_-]?key';

/** A type, a call, a variable or a member says where a secret comes from, not what it is. */
export const CODE: string =
  '(?:string|number|boolean|bool|bytes|null|none|undefined|true|false|unknown|await)(?=[\\s,;)\\]}>|]|$)|' +
  '[a-z_$][a-z_$.]*\\(|[a-z_$]+(?:\\.[a-z_$]+)+[,;)\\]}]*(?=\\s|$)|\\$\\{?[a-z_]';
