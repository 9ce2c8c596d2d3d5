/** Words of the world outside: places, travel, weather, food, health, home, sport; the format is that of `actions.ts`. */
export const WORLD = `
weather forecast temperature climate rain
weather > current city
rain > weather forecast precipitation
warm > temperature weather
outside > weather
snow > weather
sunny > weather
umbrella > weather rain forecast
temperature > weather
humidity wind
hot > weather temperature
cold > weather temperature
storm > weather alert
sunrise sunset
air > quality pollution
quality > air
pollution > air
earthquake > disaster
map location place
map > geocode direction
location place address position
location > map geocode coordinate
place location venue
place > search map near
address location street
address > geocode
coordinate latitude longitude location
coordinate > geocode
latitude coordinate
longitude coordinate
geocode address coordinate
geocode > location
elevation altitude
mountain > elevation
altitude > elevation
height > elevation
direction route navigation
direction > map drive
route direction path way
route > map distance
drive > direction route distance
distance far
distance > matrix travel route
far distance
far > matrix
travel trip journey
travel > flight hotel time route
trip travel journey itinerary
trip > plan hotel flight train
commute > direction distance transit
near around
near > place search location
restaurant cafe dining food
restaurant > place search near
coffee > cafe place restaurant
cafe restaurant
bar > place
hotel accommodation lodging airbnb stay
hotel > search book
airbnb > listing hotel
apartment house rental property
house home property estate
estate > property house
rent > property listing
property > house
fly flight airline plane
fly > airport ticket search
airport flight
airport > fly
plane flight
airline flight
train railway rail
train > ticket station
railway train
station train
bus transit
transit bus subway metro train
subway metro train
ticket > train fly event
taxi uber ride
car vehicle auto
car > rental
vehicle car
parking > car
traffic > route
city town
country nation
region area
neighborhood area
museum art
museum > place
park > place
beach > place
tourist attraction sight
attraction place
visa > travel country
passport > travel
food meal dish recipe
food > nutrition restaurant recipe
recipe cook dish meal
recipe > ingredient
cook recipe
dinner meal
dinner > recipe restaurant
lunch meal
eat food meal
eat > recipe restaurant
ingredient recipe food
calorie nutrition
nutrition calorie diet
diet nutrition
vegetarian vegan
vegan > recipe
fruit food
drink beverage cocktail
health wellness
health > medical
medicine drug medication
medicine > health
drug medicine
drug > fda
disease illness condition symptom
disease > medical
symptom > disease
doctor physician
doctor > health
hospital > health
clinical trial
clinical > study
patient > health
exercise workout fitness
fitness exercise
weight > bmi body
bmi > weight
gene genetic
gene > protein
protein gene
protein > structure
molecule compound chemical
compound molecule
animal pet
dog > animal pet
cat > animal pet
plant > species
species > animal
star > astronomy
planet > space
space nasa astronomy
space > mars
satellite space
sport game match
sport > team player score
football soccer
soccer football
basketball nba
nba > basketball
baseball mlb
hockey nhl
player athlete
player > team
team > sport
league season
score > game
game play
game > steam
chess > game
tennis > sport
race formula
olympics > sport
light lamp
home house smart
home > light device
smart > home device
device > list
thermostat > temperature
sensor > device
fortune horoscope
zodiac horoscope
horoscope zodiac
joke humor
quote saying
quote > stock
law legal
legal law
legal > case
court case
government public
census population
population > census demographic
war military
religion bible
bible > verse
school university
university college school
university > paper
student > course
course class lesson
course > learn
teacher > course
parcel > order delivery ship track status
shoe > product shop
clothes > product shop
gift > product shop
bicycle > direction
ride > direction
jazz > music play
rock > music
concert > music event ticket
mix > playlist
road > route direction
airbnb > search
flat apartment
flat > property listing rental
bedroom > property listing hotel
tonight > today current
night > hotel
stay > hotel accommodation
seat > ticket
pharmacy > place near
hospital > place near
supermarket > place near
gas > station place
around > near
here > location near
win > score match result
win > game sport
match > score
league > standing table sport
standing > table league rank
champion > standing sport
critic > review rating movie
watch > movie video
read > book article
vaccine > clinical drug medicine
treatment > medicine medical clinical
side > effect
effect > drug
pill > drug medicine
cancer > disease clinical medical
breathe > air quality
degree > temperature
warm > thermostat
brightness > light
dim > light
lamp > light
bulb > light
room > home
bedroom > home
kitchen > home
run > workout exercise
km > distance unit convert
kilometre kilometer mile distance
kilometer > unit convert distance
pound kilogram
kilogram > weight unit convert
meter foot
foot > unit convert
ounce > unit convert
fahrenheit > temperature convert
inch > unit convert
live > population
inhabitant population
people > population
public > holiday
paint > art
star > rating
cuisine > recipe restaurant
chicken > recipe
vegetable > recipe
milk > food
wine > drink
cafe > place
dentist > place doctor
pager > oncall alert
oncall > schedule
verse > bible
prayer > religion
war > history
revolution > history
king > history
president > politics
election > politics news
sneaker shoe
book > reserve
parcel package
run > fitness
km kilometer
mile > unit
pasta > recipe
disease > trial
trial > clinical
leader > standing
table > standing
outlook > forecast
station > place
city > location place geocode
room > hotel
suite > hotel
hostel hotel
instruction > recipe
vegetarian > recipe
dessert > recipe
soup > recipe
soup > food
christmas > holiday
easter > holiday
sale > property
garden > home
tower > place attraction
commute > route
game > score sport result
result > score
goal > score
medication > drug
dose > drug
`;
