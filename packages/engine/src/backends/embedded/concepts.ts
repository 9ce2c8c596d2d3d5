import { scanGoal } from '../../terms/terms.ts';
import { Vocabulary } from '../../terms/vocabulary.ts';

/**
 * Words that programmers use for one another, line by line; French ones lead to the English ones that code is written in.
 * A goal that says `largest` then also finds `max`. General vocabulary only: a word belongs here when most readers would
 * expect it, in any program.
 */
const GROUPS = `
max maximum limit cap ceiling upper largest biggest most exceed bound maximal limite plafond
min minimum least lower smallest floor minimal
size length count number amount total many quantity taille nombre longueur
delete remove drop erase purge evict unlink discard clear supprimer effacer retirer
create make build new add insert register construct generate creer ajouter
change update modify edit set alter mutate patch modifier changer
read load fetch get retrieve lookup find query lire charger
write save store persist put record commit flush ecrire enregistrer sauvegarder
send emit publish post deliver dispatch notify push envoyer
receive accept consume listen incoming recevoir
start begin boot init initialize launch open startup demarrer lancer commencer
stop end finish close shutdown terminate exit quit halt arreter terminer fermer
cancel abort interrupt stop annuler
wait sleep delay pause backoff interval block attendre delai attente
retry attempt again repeat backoff redo tentative reessayer tries
time timeout deadline expire expiry ttl duration late stale old delai expiration
error fail failure exception throw raise wrong broken crash panic problem bug invalid erreur echec echouer
check validate verify ensure assert test guard valid validation verifier
allow permit accept enable grant let autoriser permettre
deny forbid reject refuse block disallow prevent forbidden unauthorized refuser interdire
avoid prevent protect guard stop keep eviter empecher proteger
secret password token credential key auth passphrase
login signin authenticate session auth connexion
user account customer client member guest utilisateur compte
permission role access authorize scope privilege droit acces
same equal identical duplicate twice equals match double identique
different differ unequal diff mismatch distinct
order sort sequence rank priority precedence win override wins ordre trier
first initial head leading premier
last final tail latest dernier
empty blank missing none null nil undefined absent unset vide manquant
full overflow capacity exhausted plein
lock mutex semaphore exclusive atomic race concurrent concurrency lease verrou
parallel concurrent thread worker simultaneous simultaneously async
queue buffer ring fifo backlog pending file
cache memo memoize cached stale
memory heap allocate alloc budget ram memoire
release free close return dispose unlock liberer
connection socket link connect peer connexion
request call query req requete appel
response reply answer result res reponse
server host backend service upstream serveur
address url uri endpoint host path adresse
network internal private local loopback reseau interne
file path name filename document fichier chemin
directory folder dir dossier repertoire
config configuration setting option preference env environment variable reglage
default fallback otherwise defaut
money price amount cost fee charge pay payment prix montant paiement
tax vat rate discount coupon taxe
date day month year week calendar hour clock jour mois annee heure
zone timezone dst utc offset summer
loop cycle circular recursion recursive endless infinite boucle
depth nested nesting level recursion
parse parser parsing token tokenize read decode
encode serialize format stringify render dump
decode deserialize parse unmarshal
compress zip gzip deflate
hash digest checksum sha fingerprint etag
random seed nonce uuid
round rounding truncate floor ceil precision arrondi
number integer float decimal numeric nombre
text string str char message texte chaine
log trace print journal
test spec assert expect case
fast slow performance speed latency quick lent rapide
skip ignore bypass exclude omit filter unchanged
include contain embed import inclure
choose select pick decide chosen choisir decider
compute calculate derive sum calcule calculer
warn warning alert notice
retryable transient temporary temporarily
crash power killed torn partial corrupt corrupted
recover restore resume rollback undo reprendre restaurer
move transfer shift migrate deplacer
copy clone duplicate copier
show display render draw view print afficher
hide conceal mask redact
unreachable unavailable down offline refused
internal private hidden
upload body payload content request televersement
download fetch pull telecharger
browser client agent navigateur
year 365 31536000 annual
hour 3600 hourly
day 86400 24 daily
minute 60
`;

let related: Map<string, ReadonlySet<string>> | undefined;

/** Stems that stand for the same idea as a stem, itself included. */
export function relatedStems(stem: string): ReadonlySet<string> {
  related ??= readGroups();
  return related.get(stem) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

function readGroups(): Map<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    // An unknown vocabulary: only the stems matter here.
    const stems = new Set(scanGoal(line, new Vocabulary()).words);
    for (const stem of stems) groups.set(stem, new Set([...(groups.get(stem) ?? []), ...stems]));
  }
  return groups;
}
