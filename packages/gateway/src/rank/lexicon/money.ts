/** Words of money and shopping; the format is that of `actions.ts`. */
export const MONEY = `
money finance cash
money > currency pay
finance financial
finance > stock market
stock share ticker equity
stock > price market finance
share > stock
ticker stock symbol
symbol ticker
price cost quote value rate
price > get current stock
quote price
cost price
expensive > price
cheap > price search
market trade exchange
market > stock price data
trade buy sell order
trade > stock
buy purchase order
buy > shop product price
sell trade
portfolio holding
portfolio > stock
dividend > stock
earnings income revenue profit
earnings > financial statement company
income earnings
income > statement
balance sheet
balance > account statement
statement report
statement > financial
cashflow > statement
fund etf
bond treasury
yield > bond
option > stock
etf > fund stock
index > market
invest > stock market
analyst > recommendation
inflation cpi
economy gdp
gdp > economy indicator
indicator > economy
interest rate
currency exchange forex money
currency > convert rate
dollar > currency
euro > currency
yen > currency
usd > currency
eur > currency
exchange currency
exchange > rate
crypto bitcoin coin token ethereum
crypto > price market
bitcoin > crypto price
ethereum > crypto
coin crypto
wallet > crypto balance
blockchain crypto
nft > token
bank account
loan mortgage
mortgage > loan
tax > calculate
budget expense
expense > budget
pay charge
pay > invoice
refund > pay
subscription plan
subscription > customer
checkout > pay
coupon discount
discount coupon
shop store shopping
shop > product
product item goods
product > search price
item product
cart > shop
order > product
delivery ship
amazon > product
`;
