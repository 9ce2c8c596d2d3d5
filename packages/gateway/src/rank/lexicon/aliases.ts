/** Short and irregular forms, with the word they stand for. */
export const ALIASES: ReadonlyMap<string, string> = readAliases(`
repository: repo repos
configuration: config configs conf cfg configure
database: db dbs
document: doc docs documentation
information: info
image: img imgs
picture: pic pics
photo: photograph photos photographs photography
message: msg msgs messaging
authenticate: auth authentication authenticated
authorize: authz authorization
environment: env envs
directory: dir dirs directories subdirectory subdirectories
folder: subfolder subfolders
command: cmd cmds
parameter: param params
argument: arg args
application: app apps
kubernetes: k8s kube
javascript: js
typescript: ts
python: py
temporary: temp tmp
statistic: stats stat statistics
language: lang
organization: org orgs organisation
develop: dev development developer
production: prod
synchronize: sync
maximum: max
minimum: min
package: pkg pkgs
library: lib libs
function: func fn funcs
variable: var vars
reference: ref refs
extension: ext
specification: spec specs
administrator: admin admins
calculate: calc
advertisement: ad ads advert
laboratory: lab
mathematics: math maths mathematical
television: tv
telephone: phone phones
vegetarian: veggie
video: vid vids
conversation: convo
introduction: intro
category: categories
average: avg
execute: exec executing execution
generate: gen
initialize: init
description: desc
previous: prev
identifier: identifiers ids
credential: creds cred
certificate: cert certs
percentage: percent pct
account: acct
person: people persons
child: children kid kids
man: men
woman: women
analyze: analysis analyses analyse analysed analysing analytics analytical analyzer
deploy: deployment deployments redeploy
pay: payment payments paid payable
manage: management manager
ship: shipment shipments shipping
measure: measurement measurements
assign: assignment assignee assignees
replace: replacement
attach: attachment attachments
invest: investment investments investor
achieve: achievement
move: movement
install: installment
assess: assessment
send: sent
run: ran
write: wrote written
read: readable
find: found
get: got gotten
buy: bought
sell: sold sale sales
take: took taken
make: made
give: gave given
know: knew known
speak: spoke spoken speech
draw: drew drawn drawing
begin: began begun
choose: chose chosen choice
drive: drove driven
fly: flew flown flight flights
lose: lost
pick: picked
hold: held
keep: kept
think: thought thoughts
teach: taught
build: built
spend: spent spending
tell: told
meet: met meeting meetings meetup
see: saw seen
show: shown
transcribe: transcript transcripts transcription transcriptions
summarize: summary summaries summarise summarization
describe: descriptive
expand: expansion
convert: conversion conversions
permission: permissions
decide: decision decisions
divide: division
multiply: multiplication
subtract: subtraction
explain: explanation
solve: solution solutions
subscribe: subscription subscriptions subscriber subscribers
respond: response responses
predict: prediction
forecast: forecasts
compare: comparison comparisons
compress: compression
extract: extraction extractor
select: selection selector
submit: submission
remove: removal
approve: approval
renew: renewal
arrive: arrival arrivals
depart: departure departures
refuse: refusal
retrieve: retrieval
propose: proposal
rent: rental rentals
store: storage stored
use: usage used useful
list: listing listings
big: bigger biggest
large: larger largest
small: smaller smallest
cheap: cheaper cheapest
near: nearby nearest closest nearer
late: latest
new: newest newer
high: highest higher height
low: lowest lower
long: longer longest length
fast: faster fastest
good: better best
bad: worse worst
many: more most
medicine: medical medication medications medicinal
economy: economic economics economies economical
finance: financial financials finances
science: scientific scientist scientists
geography: geographic geographical geo
history: historical historic
biology: biological
chemistry: chemical
music: musical musician
nutrition: nutritional nutrient nutrients nutritious
health: healthy healthcare
politics: political
technology: technical tech
education: educational
academic: academia
crypto: cryptocurrency cryptocurrencies
currency: currencies
equity: equities
city: cities
country: countries
company: companies
entity: entities
query: queries querying queried
latitude: lat
longitude: lng lon
coordinate: coords coord
gif: gifs
screenshot: screenshots screencap screengrab
webpage: webpages
website: websites
spreadsheet: spreadsheets xlsx xls
presentation: powerpoint pptx ppt
word: docx words
`);

function readAliases(text: string): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const line of text.trim().split('\n')) {
    const [word = '', forms = ''] = line.split(':');
    for (const form of forms.trim().split(' ')) aliases.set(form, word);
  }
  return aliases;
}
