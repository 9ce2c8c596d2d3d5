/** Words of everyday life as people say them: home, family, school, health, leisure; the format is that of `actions.ts`. */
export const EVERYDAY = `
cosy > temperature heat
warmer > temperature thermostat heat
cooler > temperature thermostat cool
heating heat radiator
heating > thermostat temperature
fan > climate
air > climate
appliance device gadget
socket plug
plug > device switch
switch > device light
curtain blind shutter
vacuum > clean robot
garage > door
gate door
entrance > door
lock > door
alarm > security
doorbell > camera
camera > snapshot stream image
intruder > security camera motion
mother mum mom parent
father dad parent
parent guardian family mother father
parent > relative
grandparent ancestor
grandmother grandparent
grandfather grandparent
ancestor > family relative
descendant > family
brother sibling
sister sibling
sibling > relative
uncle relative
aunt relative
cousin relative
relative kin family
relative > person
wife spouse
husband spouse
marriage wedding
born birth
die death
surname name
nickname name
baby > child
pupil student
student learner
teacher instructor tutor
class > student course
classroom class
homework assignment
exam test
grade mark score
grade > student record
degree > course
absent > attendance
attend > attendance
enroll register
enroll > add student course
semester term
term semester
curriculum course
flashcard card
doctor > appointment
nurse > health
vet veterinary
pet > animal
puppy dog
kitten cat
sick ill disease
pain symptom
shot vaccine
vaccinate vaccine
vaccine vaccination immunization
prescribe prescription
prescription > drug medicine
surgery operation
blood > pressure
heart > rate
pulse heart
sleep > rest
sleep > hotel
overnight hotel accommodation
motel hotel
hostel accommodation
accommodation > property room
guest > property
lodge accommodation
inn hotel
resort hotel
suitcase luggage
luggage baggage
traveller traveler guest
holiday > hotel trip
vacation > leave
leave > absence vacation request
absence leave
cottage house
villa house property
home > house property
landlord owner
tenant renter
lease contract rental
lease > agreement
furniture product
groceries ingredient food
grocery > shopping
breakfast meal
supper dinner meal
snack food
bake cook
bake > recipe
dish > recipe
cake recipe
cake > dessert
meat food
fish food
diet > meal
portion serving
serving portion
allergy > ingredient diet
hungry > restaurant food
thirsty > drink
flower plant
tree plant
leaf > plant
bloom flower
water irrigation
water > plant
insect pest
bug > insect
seed > plant
crop > plant farm
soil > garden plant
garden > plant
lawn garden
farm agriculture
farmer farm
workout > exercise log
gym fitness workout
squat exercise
jog run exercise
muscle body
yoga > class exercise
calorie > food exercise
step > activity walk
bike bicycle cycle
cycle > bike
scooter bike
tram transit
tram > departure line
metro > departure line
ferry > route departure
coach bus
stop > station
platform > station
depart leave
depart > next
arrive > time
delay disruption late
disruption delay alert
ride trip
journey > route
commute > transit
walk > route
detour > route
fuel gas petrol diesel
fuel > vehicle
refuel fuel
tank fuel
truck vehicle lorry
lorry truck
van vehicle
motorcycle vehicle
bus > vehicle
tyre tire
engine > vehicle
oil > maintenance service
driver > vehicle
odometer > mileage vehicle
mileage distance
mechanic > maintenance repair
accident incident crash collision
collision accident
theatre theater show
theater > show event
festival event
gig concert event
show > event
match game fixture
fixture match game
beat > win result
defeat win
winner champion
scorer > player score
coach > team
referee > match
squad team roster
tournament competition league
cup > tournament
goalkeeper player
puzzle game
riddle puzzle
board > game
move > chess
grandmaster > chess player
checkmate > chess
poker > card game
dice > roll random
lottery > number draw
tune song
tune > music
melody music
band artist
singer artist
concert > artist
hit song popular
listen play
listen > audio music
volume sound
headphone > device audio
speaker > device audio
pause > playback
next > skip
previous > back
radio > station music
broadcast > show
host > show
cartoon comic
comic > meme
funny joke
selfie photo
camera > photo
lens > camera
sharpen enhance
sharp > enhance upscale resolution
blurry > enhance upscale
resolution > upscale resize
enlarge upscale
bigger > upscale enlarge
frame > image video
colourful color
doodle draw
paint > draw image
gift present
birthday > gift
party event
dress > clothes
wardrobe > clothes
jewel > product
makeup > product
hair > style
wedding > event
prayer > time
church > religion
moon lunar
sun solar
lunar > moon eclipse
solar > sun
sky > astronomy star planet
stargaze > astronomy
telescope > astronomy
constellation star
jupiter planet
saturn planet
venus planet
mars planet
comet > astronomy
rocket > launch space
astronaut > space
tide > sea ocean
ocean sea
river > water
flood > alert weather
frost > temperature weather
freeze frost
wind > weather
hurricane storm
volcano > disaster
wildfire fire disaster
tongue language
foreign > language translate
dialect language
accent > language
pronounce > speech language
alphabet script
bilingual > language
joke > random
advice > recommend
luck > horoscope
dream > sleep
aries zodiac horoscope
taurus zodiac horoscope
gemini zodiac horoscope
virgo zodiac horoscope
libra zodiac horoscope
scorpio zodiac horoscope
sagittarius zodiac horoscope
capricorn zodiac horoscope
aquarius zodiac horoscope
pisces zodiac horoscope
leo zodiac horoscope
vitamin > nutrition health
depression > disease health
headache > symptom medicine
metre meter unit
litre liter unit
gallon > unit convert
acre > unit convert
ounce > weight
`;
