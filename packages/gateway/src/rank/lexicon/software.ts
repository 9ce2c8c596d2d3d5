/** Words of software work; the format is that of `actions.ts`. */
export const SOFTWARE = `
file document
file > path content directory
directory folder
directory > path list tree file
folder > list tree files
path location
text content string
content body
content > read get text
line row
tree hierarchy structure
tree > directory nested recursive
recursive nested
symlink link
size bytes length
disk storage drive space
zip archive compress
pdf document
markdown md
json object
csv table spreadsheet
xml html
xml > parse
yaml config
regex pattern match expression
glob pattern wildcard
code source program script snippet
code > file repository function
class method function symbol
function method procedure
function > code edge
variable parameter value
import dependency
dependency package module library
package library module dependency
package > version npm pypi
version release tag
documentation manual guide reference docs
documentation > library api
library > docs package
example sample snippet
api endpoint
api > request http
request > call http
http web url
endpoint url
repository project codebase
repository > git github gitlab code
git > repository commit branch
github > repository
gitlab > repository
branch ref
commit changeset revision change
commit > push history log
push > commit file upload
pull > request merge
pr > pull request
mr > merge request
pull > merge
diff change patch
diff > compare
blame > history author
fork > repository copy
clone > repository
star > repository
release version
issue ticket bug task problem defect
issue > create list comment
ticket > issue create
bug > issue error
comment reply note discussion
comment > add issue
review > pull request
reviewer assignee
milestone sprint
label tag
workflow pipeline action job ci
ci > workflow build job action pipeline
pipeline > job build run
job task
build compile
build > deploy job log
deploy release rollout ship publish
deploy > application service release
rollout > deployment
rollback > revert undo release
container docker pod
container > image run log
docker > container image
pod container
pod > kubernetes
kubernetes > pod cluster
cluster > kubernetes
node server machine
namespace project
helm chart
helm > install release
chart > helm
scale resize
scale > replica dyno
replica > scale
port forward
port > forward
ingress service
cronjob cron schedule job
secret credential password key token
configuration setting preference option
configuration > set update value
environment > variable config
setting > config update
log logs output
log > get read tail error
error exception crash failure fault bug
error > issue event log
crash > error issue
stack trace
trace > span
incident outage alert
incident > issue
alert > monitor notify
performance speed latency slow
performance > trace profile insight memory
slow > performance query trace
metric statistic measurement
dashboard report
uptime > status monitor
status state health
health > status check ping
ping > check health
process task job
process > list kill
command shell terminal console cli bash
command > run execute process
terminal > command shell process
shell > command
session > list
interactive repl
server host
server > application
server > service
service > server application
application program software
application > create list info
dyno > process application
addon plugin extension
addon > service
plugin extension
domain hostname dns
domain > url
dns > domain record
certificate tls ssl https
proxy gateway
network request traffic
network > request http
request > network
cookie > storage session
cache memory
worker > function service
bucket storage
storage > bucket file
cloud aws azure gcp
lambda function
serverless function
instance vm machine
cpu memory
cpu > usage performance
ram memory
memory > heap snapshot
leak > memory heap
database sql db
database > table query schema
table > database schema column
sql query
sql > execute database query
query > select execute search find
schema structure
schema > table column
column field attribute property
field property attribute column
row record entry
record entry row item
record > list create get
collection table
collection > database document
migration > schema database apply
index > create query
aggregate group summarize
aggregate > pipeline count
join > combine
backup > database
postgres postgresql sql database
mysql sql database
mongo mongodb database
redis cache key
transaction > database
view > table
key > value
value > key
`;
