/** Words that may stand before a definition's own keyword. */
export const MODIFIERS: ReadonlySet<string> = words(`
  export default declare public private protected internal static final abstract async override virtual inline extern
  unsafe pub const constexpr sealed partial open suspend data readonly synchronized native local`);

/** Words that open a definition in some language. */
export const DEFINERS: ReadonlySet<string> = words(`
  def class function func fn fun sub proc interface struct enum trait impl module namespace record object protocol
  extension union typedef template macro_rules procedure defmodule defp describe it test
  message service rpc`);

/** Words that open a definition only when a name and `=`, `{` or `<` follow. */
export const TYPE_DEFINERS: ReadonlySet<string> = words('type mod newtype');

/** Words that open a statement and never a definition, though `(` may follow. */
export const CONTROL: ReadonlySet<string> = words(`
  if else elif for foreach while switch case return catch try do with match when throw raise await yield new delete
  assert print echo unless until then elsif finally default break continue goto loop super this self sizeof typeof not
  and or in is`);

export const IMPORTERS: ReadonlySet<string> = words(`
  import from using use include require require_relative require_once package load source`);

/** Any other first word of a line makes it neither an import nor a definition by keyword. */
export const TELLING: ReadonlySet<string> = new Set([
  ...MODIFIERS,
  ...DEFINERS,
  ...TYPE_DEFINERS,
  ...IMPORTERS,
  ...words('let var diff from end fi done esac create'),
]);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
