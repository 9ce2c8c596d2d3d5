/** Words of the web, of browsers and of what programs are made of; the format is that of `actions.ts`. */
export const WEB = `
lint linter style
lint > check code
test spec testing
test > run
coverage > test
security vulnerability
vulnerability > security
scan > analyze check
advisor advice recommendation
type typescript
typescript > type
frontend ui component
component element widget
component > ui design
design figma mockup layout
css style
html page markup
html > page content
web website site internet online
web > page url browser search
website > url page crawl scrape
site > url map page
page webpage website document
page > get content url tab
url link address website
url > page fetch scrape navigate
link url
link > href
browser chrome firefox tab window
browser > page navigate web
tab window page
tab > browser open close
window > resize browser
screen display viewport
viewport > resize emulate
resize > window size
screenshot image capture snapshot picture
screenshot > page take browser
snapshot screenshot capture
snapshot > accessibility page
accessibility a11y
element button field dom selector
button element
button > click
dropdown select option
dropdown > option
select > option dropdown
checkbox option
form field input
form > fill
dialog popup alert modal prompt confirm
dialog > handle
popup > dialog
console log message
console > javascript error
javascript script
javascript > evaluate code run
evaluate > javascript script expression
keyboard key press
keyboard > type
key > press
mouse pointer cursor
mobile phone device
mobile > emulate device viewport
throttle slow
lighthouse audit
crawl scrape spider
crawl > website page url map extract
scrape > page url content extract website
sitemap map
sitemap > url
rss feed news
feed > rss
robot automation
automation workflow
webhook callback
webhook > event
queue job
event > create list
bot agent
agent assistant
model llm ai
model > predict
prompt > template
embedding vector
vector > embedding search
semantic > search vector
graph network knowledge
graph > node entity relation
node entity vertex
entity node object concept
entity > create graph
relation relationship edge link connection
relation > entity
observation fact note
observation > entity
fact observation information
fact > memory
concept topic
thought reasoning
step > sequential thinking
uuid guid id
uuid > generate
random > generate number
qr qrcode code barcode
hash checksum digest
hash > md5 sha
base64 encode
regex > search
license > file
organization team group company
team organization group
user account member profile
user > list get info
owner user
author user
contributor user
member user
permission access role
permission > grant
role permission
quota limit usage
billing cost invoice
region location
latest recent newest
recent latest last
current now present active
history log past previous
readme > file read content
main > branch
manifest > apply yaml resource
pod > get
localhost > local port
valid validate
valid > check config
flaky > test
sometimes > flaky intermittent
s3 > bucket storage aws
bucket > list
ec2 > instance
virtual > machine instance
machine instance
alarm alert
alarm > rule
load > cpu usage metric
cpu > metric query
exit > log
compile build
dockerfile > build image
staged > commit git
save > commit
unstaged > diff
change > diff
checkout switch
branch > checkout
npm > command run
pid > process
signup > user
signup > register
stored > table data
measurement > data
local > sqlite
db > sqlite
mockup design
mockup > figma
completion > code
version > package latest
test > command
bug > search
s3 bucket
work > change
release > branch
docs > search
docs > knowledge
space > size
big > size
large > size
details > describe
event > describe
picture > media
image > media
audio > media
video > media
page > browser
artifact output
subject topic
tied > association relation
tie > association relation
service > resource
object > resource
kind > type resource
previous > rollback history
deployed > deploy
dom > snapshot element
password > secret type
script > file
python > code file
machine > local
`;
