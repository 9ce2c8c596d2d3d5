/** Words of trades and professions: law, insurance, logistics, staff, energy, security, science; the format is that of `actions.ts`. */
export const TRADES = `
insurer insurance
insurance > policy claim premium coverage
insure insurance
insure > premium policy
claim > insurance
policy > insurance
premium > insurance quote
damage > claim evidence
damage loss
evidence proof
evidence > document photo
compensation > claim
judgment ruling opinion
judgment > court case law
verdict ruling judgment
judge court
judge > ruling
lawyer attorney counsel
lawyer > legal
attorney > legal
sue lawsuit
plaintiff > case
negligence > law legal case
statute law code
act > statute law
clause provision
clause > contract agreement
agreement > contract
amendment change
lease > contract
nda > agreement contract
compliance regulation
patent > invention
trademark > brand search
shelf stock inventory
stock inventory
inventory stock
inventory > item quantity
warehouse > stock inventory
sku item product
sku > stock
quantity amount number
enough > stock level quantity
reorder restock replenish
restock > stock low
supplier vendor
vendor supplier
vendor > purchase
manufacture produce
factory > production
barcode > sku
pallet > warehouse
package parcel
parcel > shipment carrier
box parcel package
courier carrier
carrier > ship rate
ship > parcel carrier
ship > rate label
freight ship cargo
cargo freight
postage ship
postage > label rate
stamp > postage
collect pickup
pickup collect
pickup > courier
fetch > pickup collect
deliver > parcel ship
whereabouts location position
locate > position gps
gps position location
position > location
fleet vehicle
worker employee
staff employee
staff > payroll
wage salary pay
salary > pay payroll
salary > employee
earn salary pay income
payslip payroll
payroll > employee salary
timesheet > hour employee
overtime > hour timesheet
recruit hire
recruit > candidate job
onboard > employee add
resign > employee
fire > employee
shift > employee
absence > employee
electricity power energy
power electricity energy
energy > consumption meter
energy electricity
panel solar
panel > dashboard
photovoltaic solar
solar > production power
kilowatt > energy consumption
consumption usage
tariff price rate
tariff > electricity
meter > reading consumption
grid > power electricity
battery > charge power
carbon emission co2
emission carbon
pollutant > emission air
outage > power
utility > electricity water
house > property listing
property > listing value
realtor agent
appraisal valuation estimate value
valuation estimate value
worth > value estimate
mortgage > payment
loan > payment interest
debt loan
rent > payment
district neighborhood
crime > safety
safe safety secure
viewing visit
visit > schedule
hacker > security breach
hack breach
leak breach
breach > security data
phishing > security url
malware virus
malware > scan security
virus > scan
firewall > rule block
block deny ban
ban block
intrusion > security
penetration > scan security
port > scan
vulnerable vulnerability
hostname host
nameserver dns
registrar domain
registrar > whois
register > domain
propagate > dns
ttl > dns record
poison toxic
toxic > toxicity
toxicity toxic
chemical compound molecule
chemistry > compound molecule
reaction > chemical
element > periodic
atom > element
crystal > structure material
material > property
dna gene genome
genome gene
variant > gene
cell > biology
enzyme protein
bacteria > species
physics > science
experiment > study
laboratory > experiment
hypothesis > test
theorem > proof math
scientist author researcher
researcher author
researcher > paper
scholarly academic
professor author
finding > paper
citation > article
cite > reference citation
bibliography reference citation
bibliography > paper
preprint paper
peer > review
newspaper news
reporter journalist
journalist > news
press > news
editorial > article
subscriber > list
newsletter > campaign mail
campaign > mail send
click > report campaign
visitor > traffic analytic
audience > subscriber segment
conversion > analytic
keyword > seo search
seo > keyword rank
backlink > seo
influencer > social
executive insider officer
executive > company
insider > stock
shareholder > stock
broker > stock trade
bull > market stock
bear > market stock
chart > price
candle > price bar
volatility > option price
strike > option
hedge > option
quarter > quarterly
annual yearly
yearly annual
fiscal > financial
asset > balance
liability > balance
valuation > stock fundamental
fundamental > stock financial
ether ethereum
ether > wallet balance
solana > crypto
wallet > address
mint > token
stake > token
gas > transaction fee
fee cost charge
smart > contract
ledger > transaction account
accountant > tax ledger
audit > report
reconcile > match transaction
donation > pay
tip > pay
spreadsheet > range
worksheet sheet
column > range write
totals sum
pivot > table
bold format style
italic format
border > format
header > row
header > heading
scan > ocr document
scanned > ocr image
ocr recognize
recognize > identify text
handwriting > ocr text
photographed > image photo
receipt > ocr image
page > pdf
combine > pdf
shrink compress
reduce compress shrink
compress > size
fill > pdf
filament > print
printer print
print > printer job
nozzle > print temperature
stl > model
mesh > model
prototype design
blueprint design
render > model image
machine > instance
vm instance
vm > virtual
ram > memory instance
disk > volume
volume disk storage
hibernate suspend
identify recognize detect
identify > find
detect identify recognize
guess > detect predict
diagnose > diagnosis
diagnosis diagnose
halt pause
interrupt pause stop
progress status
progress > percent
percent > progress
generate > production forecast
production output
afternoon > forecast hour
expiry expire
expire > date
touch > modify access
layout structure tree
land > merge
discuss discussion talk
discuss > message channel history
talk > message channel
lookup > index query
fast > performance
faster > index performance
quota > remaining
remaining quota left
left > remaining
clause > agreement
task > card
inside > exec
container > exec
laptop > local
reachable > forward port
older > filter query
younger > filter query
between > filter range
greater > filter query
street > address
warning alert
warning > weather
street > geocode
cause > analyze
cause reason
production > environment
hit > error
boss > manager
reply > thread
print > log output
printed > log output
load > network request
popup dialog
tick check
accept > confirm
follower subscriber
`;
