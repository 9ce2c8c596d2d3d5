/** Words of office work and of talking to people; the format is that of `actions.ts`. */
export const OFFICE = `
email mail gmail inbox outlook
email > send message draft attachment
inbox > message unread
letter > email document
recipient > email send
attachment file
attachment > email
newsletter > email
spam > email
draft > email message
thread conversation discussion topic
thread > reply message
message chat text dm sms
message > channel post
chat channel conversation room
chat > message
channel room
channel > slack discord message list
slack > channel message
discord > channel message server
teams > channel message chat
whatsapp > message chat contact
telegram > message chat
sms > message send phone
call > phone
emoji reaction
reaction > add message emoji
mention > user
colleague coworker teammate user
everybody everyone team
everyone > channel
people person user contact
people > list
contact person lead
contact > crm email phone
person > user contact
friend contact
phone number call
calendar agenda schedule
calendar > event meet schedule appointment
event appointment meet
event > calendar schedule
meet meeting appointment event call conference
meet > calendar schedule event invite create
appointment meet event
appointment > calendar book schedule
conference event
conference > zoom
attendee participant guest
availability free busy slot
availability > calendar
tomorrow > calendar date forecast
today > date current time
yesterday > date
monday > date calendar
friday > date calendar
week > date
noon > time
deadline due date
deadline > task
date day time
date > calendar
time clock hour
time > current timezone date
timezone zone time
timezone > convert time
alarm > reminder timer
timer > alarm
birthday > event date
holiday vacation
holiday > calendar
task todo item action
task > create list add project issue
todo task list
chore task
project board workspace
project > task list create
board kanban project
board > card list trello
card task
card > board
kanban > board
sprint > issue board
backlog > issue
jira > issue
linear > issue
asana > task
trello > board card
note memo page
note > create document text
notebook note
memo note
wiki page documentation
wiki > knowledge
page > notion create
notion > page database
block paragraph content
block > page append
paragraph block text
heading title
bullet list
document > create read edit
report document summary
slide presentation deck
presentation slide
spreadsheet excel sheet table
spreadsheet > cell row sheet workbook
excel spreadsheet workbook sheet
workbook spreadsheet excel
sheet spreadsheet worksheet
cell > spreadsheet
formula calculation
formula > cell
chart graph plot diagram visualization
chart > generate create
plot chart
diagram flowchart chart
diagram > mermaid generate
pie > chart
bar > chart
mindmap > diagram
table > row record
form survey questionnaire
survey > form question
poll survey vote
signature sign
contract document agreement
template boilerplate
invoice bill receipt
invoice > payment customer create
resume cv
job career employment position vacancy hiring
job > search linkedin
hire > job candidate
employee staff worker
employee > user
candidate applicant
crm customer contact deal
crm > object company
customer client buyer account
customer > crm contact
client > customer
lead prospect
lead > contact crm
deal opportunity
deal > crm pipeline sale
company business organization firm corporation
company > search research
prospect > contact company
engagement > note task
property > field
association > relation link
sale revenue
campaign marketing
marketing campaign advertise
audience segment
drive > file folder
share > file
onedrive > file drive
dropbox > file
sharepoint > file
google > search
folder > drive
office > document
ticket support
support helpdesk
support > ticket customer
faq > question
feedback comment review
workspace > team
base > database table
airtable > record base table
translate > text
grammar spelling
grammar > check text
spell > check
word count
font style
password > secret
identity > user
me my self own
me > current user whoami
who > user member
profile user bio
profile > get user
bio > profile
avatar image
nudge > reminder remind
noon > reminder
forget > reminder todo remember
forget > task add
must > task todo
buy > todo
idea note
jot > note
wife > contact message
mum > contact call
boss > contact email
mail > read
newest latest
prepare > draft create
prepare > write
write > email message
signed > contract document
unread > message inbox
available free availability
available > busy
thursday > date calendar
tuesday > date calendar
wednesday > date calendar
saturday > date calendar
sunday > date calendar
monthly > subscription
monthly > recurring
recurring repeat subscription
broken > bug issue
transition > status move
review > status
department > team organization
wipe > delete clear
parcel > track
opening vacancy job
opening > hours
engineer > job
salary > job
internship > job
deck presentation slide
page > slide
figure number data
figure > chart
column > cell range
excel > data write read
heading title
conclusion > heading
signature > document
minutes > note
agenda > event
whiteboard > diagram
number > phone contact
assigned > assign
work > task
save > commit
month > date
according > source
vacation > holiday
policy > knowledge
colleague > contact
customer > ticket support
step > item
question > post message
due > date update
client > contact
total > sum
ring > phone contact
letter > mail
track > order status
package > order delivery
shopping > todo product
text > send
differ > diff compare
difference > diff
usage > metric
hang > kill stop
`;
