/** Words of media and knowledge; the format is that of `actions.ts`. */
export const KNOWLEDGE = `
image picture photo
image > generate edit
picture image photo
photo image picture
logo icon
icon > svg
drawing image
art artwork painting
art > museum
painting art
avatar > image
gif > image
meme > image
background > image
crop > image
watermark > image
caption subtitle
subtitle caption
subtitle > video
ocr > text image
video movie clip youtube
video > download search
youtube video
youtube > transcript channel
clip video
movie film
movie > search
film movie
cinema movie
anime manga
series show
audio sound music voice
audio > transcribe speak
sound audio
voice speak
voice > audio text
speak > text audio
narrate > speak
song music track
song > lyric artist play
music song audio playlist
music > play
album music
artist musician
artist > music
lyric song
playlist > music
podcast > audio
spotify > music
record > audio
transcribe > audio video speak
book novel
book > search library author
novel book
library book
isbn > book
poem > text
author > book
wikipedia encyclopedia
wikipedia > article search
encyclopedia wikipedia
article page post blog
article > read search
article > wikipedia
blog post article
blog > article
news headline article
news > search latest
headline news
trend trending hot popular
trend > search
trending hot list
popular trending
topic subject
reddit post subreddit
reddit > post
subreddit reddit
twitter tweet
tweet post twitter
tweet > twitter
facebook > post
instagram > post
tiktok > video
linkedin > profile job
social media
social > post
follower > user
hashtag > post
viral > trending
hacker > news
paper article publication research study
paper > arxiv search academic scholar
research study paper
research > search deep
arxiv paper
arxiv > search
publication paper
journal paper
citation reference cite
citation > paper
cite citation
scholar academic
academic scholar paper
pubmed > paper medical
thesis > paper
latex > paper source
tex latex
chapter section
section heading chapter
curve graph plot
indent format
indentation format
indentation > code
prettify format
exceed > filter
empire > history wikipedia
abstract summary
dataset data
dataset > search
data information
data > get
statistic data
patent > search
dictionary definition word
definition meaning
definition > dictionary
meaning definition
synonym > word
word > dictionary
language > translate
french > translate language
spanish > translate language
german > translate language
chinese > translate language
japanese > translate language
english > translate language
math calculation
math > calculate solve
equation > solve math
integral > math
derivative > math
matrix > math
average mean
average > statistic
mean average
median > statistic
square > root
percentage > calculate
number > math
unit > convert
unit measurement
celsius > temperature convert
mile > distance convert
formula > math
quiz question
question > answer
answer > question
fact information
information details data
information > get
details information
details > get
metadata information
summary overview
overview summary
google > search web
bing > search web
internet > web search
online > web search
source > reference
deep > research
similar related
similar > search
related similar
list > items
random > number
color colour
palette > color
font > text
bill invoice
bill > charge customer
refund > payment money
profit > income earnings financial
loss > income
revenue > income financial
worth > price value
nasdaq > stock
dow > stock index
trade > price
share > price
expert analyst
advise > recommend
rise > increase inflation
clip > transcript
tutorial > video course guide
lecture > video
trailer > movie video
say > transcript
aloud > speech voice
voice > speech
mp3 audio
interview > audio transcribe
dictate > transcribe
sketch draw
sketch > diagram
draw > generate image diagram chart
visualize chart plot
visualize > generate
splits > pie
share > percentage
proportion > pie percentage
trend > line
flow flowchart
flow > diagram process
pixel > image resize
wide > width resize
crop > resize
cut > remove crop
person > background
scannable > qr code
barcode > scan
mean > definition
synonym > dictionary thesaurus
rhyme > word
spell > word
saying > quote
equals > equation
equation > solve
plus > add
minus > subtract
percent > calculate
root > calculate
intro summary
introduction > summary
biography > person wikipedia
who > person
world > news
going > news
popular > top hot
talk > discussion post
follower > post social
announcement > post message
announce > post
study > clinical research
finding > research
treatment > study
similar > recommend
anime > search
novel > author
isbn > search
lyric words
llm > model
hugging > model
npm > package
pip > package
node > npm javascript
library > package
ruling court case decision
ruling > law
copyright > law legal
lawsuit > case
regulation law
policy document
internal > knowledge
whois > domain owner
ip > address
ip > domain dns location
point > dns
deliverable > email
exist > verify check
game > library
own > game
yen > exchange rate
dollar > exchange
euro > exchange
year > history historical
past > historical history
ago > historical history
strong > rate rank
vocabulary word
essay document
article > scrape
critic review
opinion > review search
review > rating
tweet > search
vote > politics
trend > popular top
podcast > episode
episode > series podcast
series > episode anime
chapter > book
shrink > resize compress
enlarge > resize
rotate > image
artwork > image generate
portrait > image
illustration > image
illustrate > image generate
wallpaper > image
poster > image
dictate > speech audio
narrate > text
caption > transcript
subtitle > transcript
lecture > transcript
square > math calculate
root > math
cube > math
discover > history search
invent > history search
inventor > person
hour > time
minute > time
duty > oncall
shift > schedule oncall
`;
