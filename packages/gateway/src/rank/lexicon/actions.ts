/**
 * What people ask for and what tools are named after. Words of a line mean nearly the same; `a > b c` says that who asks
 * for `a` may need a tool that says `b` or `c`, but not the other way round.
 */
export const ACTIONS = `
create add new make insert register construct compose initiate
create > open post upload generate write set up start schedule save
delete remove erase drop purge destroy discard unlink trash uninstall clear
delete > cancel clean archive close
list enumerate browse
list > get show all find search overview
get fetch retrieve obtain load lookup pull
get > read show view query list find search check details describe
show display view present
show > get list render visualize
find search lookup locate discover seek
find > query list get retrieve filter match explore
search > query find lookup filter
update edit modify change alter amend revise patch adjust
update > set replace write save rename move
rename > move update edit title
set configure assign
set > update change put
read open view
read > get fetch content load extract parse
write save store persist record
write > create append edit put compose
send post deliver submit transmit dispatch
send > message email notify publish share reply push create
publish release post
publish > deploy send create share
share > invite send permission access publish
reply answer respond comment
upload import attach put
upload > file send add push
download export save fetch
download > file get retrieve
run execute launch invoke start trigger perform call
run > start command shell process script code
start launch begin boot open resume
start > run create enable
stop halt end terminate kill shutdown quit pause
stop > cancel close disable delete
restart reboot reload
cancel abort revoke
cancel > delete stop remove
close shut
close > end delete resolve
enable activate turn unlock allow
disable deactivate mute block turn
copy duplicate clone replicate fork
move transfer relocate migrate shift drag
merge combine join concatenate unify consolidate
split divide separate cut chunk
compare diff contrast difference versus
compare > analyze
convert transform translate change turn
convert > format
translate > language text
calculate compute evaluate determine
calculate > add sum math arithmetic expression solve convert
sum add total plus addition
subtract minus difference
divide division quotient
multiply product times
count number total amount quantity many
count > statistic aggregate
analyze examine inspect investigate assess evaluate audit review diagnose
analyze > statistic report profile insight trace
check verify validate confirm test ensure
check > status get inspect lint review
monitor watch track observe follow
monitor > metric alert status log
explain describe interpret clarify
explain > think
summarize condense recap digest outline abstract
extract parse scrape pull
extract > get content data read
generate produce create render synthesize make
plan organize arrange schedule
plan > task step itinerary
schedule book arrange reserve plan
schedule > event calendar meet time create add
book reserve reservation
remind reminder alert notify
remind > task event calendar schedule
invite guest attendee participant
invite > add share member
join enter
leave exit
approve accept
reject decline deny refuse
assign delegate allocate
assign > user update owner
sort order rank
filter where narrow restrict
group cluster categorize classify
label tag categorize mark
mark flag set
undo revert restore rollback recover
revert > history version
backup snapshot dump export
login signin authenticate credential
login > session account auth
connect link attach
connect > access open login
disconnect close detach
wait sleep delay pause until
click press tap push
click > element button select
type fill enter input key
type > text form field
fill > form field input
scroll swipe
hover mouse
hover > pointer
drag > drop mouse
navigate visit goto browse open
navigate > url page web browser
recommend suggest propose advise
recommend > similar related
rate score review rank
rate > star feedback
encode encrypt hash
decode decrypt
remember memorize store recall
remember > memory note save observation fact entity
remember > add create
know learn
forget > delete remove memory
ask question
ask > answer query search
think reason reflect consider
think > step thought problem
solve fix repair resolve mend debug
fix > update edit issue error
debug > error log issue trace breakpoint
use > run call
look > find search see view get
tell > get show explain
see > view show get list
need > get
give > get list
grab > get take capture
capture > take screenshot snapshot record
take > capture get make
put > add insert write move set
turn > set switch
switch select change toggle
pick choose select
review > comment approve check read
apply > create install
install setup
install > add package
ingest import load
inspect > get describe view
walk > step
mutate update write
bulk batch multiple many several
edit > write replace
append add
measure > size performance
simulate emulate mimic
emulate > device
predict forecast estimate
estimate > calculate
subscribe follow
unsubscribe > cancel remove
reset clear
expand > open
close > tab
iterate loop
draft compose write
log record
announce > send post message
message > send text post
notify > send message alert
report > get create
investigate > search get
discover explore
trace > track
wire transfer send
execute > evaluate script
store > insert add upload
keep > save store
finish complete done end
finish > status state
done > complete status
ready > status
pass > status check result
fail failure error break
fail > error log status
break > error failure
yet > status
pending > status list
wait > pending
green > status success
succeed success
again repeat rerun retry
rerun restart retry
broadcast > send message
archive > delete
dump > export read
film > record video screencast
film > start
record > video screencast start
reach > connect access
localhost > port forward
say > content message read
remark > comment note
remark > add
outdated > update
exist > list
belong > member
own > owner
mention > contain
contain include hold
contain > search
happen > event history
occur > event
quit > close
exit > close
expose > forward publish port
gather collect
gather > research search extract
connect > relation create
ignore > update mute
publish > push
print > read show
build > create
track > create
change > update
remove > delete
see > read
walk > direction
produce > artifact output
reach > ping
reachable > ping connect
save > export
average > aggregate
`;
