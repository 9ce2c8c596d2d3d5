/** What stands for a secret. */
export const MASK = '********';

/** An address as it may be shown: user, password and the values of parameters are masked. Any other value is as it was. */
export function masked(value: string): string {
  const scheme = value.indexOf('://') + '://'.length;
  if (scheme < '://'.length) return value;
  const rest = withoutUser(value.slice(scheme), URL.canParse(value));
  const start = rest.search(/[?#]/);
  const place = start === -1 ? rest : rest.slice(0, start) + rest.slice(start).replace(PARAMETER, maskedParameter);
  return value.slice(0, scheme) + place;
}

/** In an address that cannot be read, a password may go on past the signs that end one. */
function withoutUser(rest: string, readable: boolean): string {
  const end = readable ? rest.search(/[/?#]/) : -1;
  const user = (end === -1 ? rest : rest.slice(0, end)).lastIndexOf('@');
  return user === -1 ? rest : MASK + rest.slice(user);
}

const PARAMETER = /([?&#])([^=&#]*)(=[^&#]*)?/g;

/** Names help to tell parameters apart; what is all name may be the secret itself. */
function maskedParameter(_: string, sign: string, name: string, value: string | undefined): string {
  if (value !== undefined) return `${sign}${name}=${MASK}`;
  return name === '' ? sign : sign + MASK;
}
