/** Stems, as the term scanner cuts them, of words that carry a question but not its subject. English and French. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but not no nor so as at by for from in into of off on onto out over to up with without within about
  after before between through during under above below is are was were b been be being am do do doe did done don
  ha hav had having can could will would shall should may might must i m my me w we our us you your he she it its
  they them their this that these thos ther her wher when what which who whom whos why how if then than too very
  just only also both each few mor most other some such same own s t d ll re ve us used using find show tell explain describ
  look locat plea want need get giv mak work happen caus go going exactly actually currently
  le la l un une de des du au aux et ou mai donc car ni que qui quoi dont o est sont etr ete avoir a ont pas n se sa son
  ses ce cet cett ces il ell nous vou ils ell on leur par pour dan sur sous avec sans entr comm comment pourquoi quand quel quell
  ver chez si plus moin tres tout tou tous tre`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
