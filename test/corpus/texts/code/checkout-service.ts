import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from './platform.ts';
import { Money } from './money.ts';

export interface CartLine {
  readonly sku: string;
  readonly title: string;
  readonly quantity: number;
  readonly unitPrice: Money;
  readonly weightGrams: number;
  readonly taxClass: 'standard' | 'reduced' | 'zero';
}

export interface Cart {
  readonly id: string;
  readonly customerId: string | null;
  readonly lines: readonly CartLine[];
  readonly coupons: readonly string[];
  readonly countryCode: string;
}

export interface Quote {
  readonly cartId: string;
  readonly subtotal: Money;
  readonly discount: Money;
  readonly shipping: Money;
  readonly tax: Money;
  readonly total: Money;
  readonly warnings: readonly string[];
}

export interface PaymentGateway {
  authorize(request: AuthorizeRequest): Promise<AuthorizeReply>;
  capture(authorizationId: string, amount: Money): Promise<void>;
  void(authorizationId: string): Promise<void>;
}

export interface AuthorizeRequest {
  readonly idempotencyKey: string;
  readonly amount: Money;
  readonly token: string;
}

export interface AuthorizeReply {
  readonly status: 'approved' | 'declined' | 'review';
  readonly authorizationId: string;
  readonly declineCode?: string;
}

export interface CouponStore {
  find(code: string): Promise<Coupon | undefined>;
  countUses(code: string, customerId: string): Promise<number>;
  recordUse(code: string, customerId: string, orderId: string): Promise<void>;
}

export interface Coupon {
  readonly code: string;
  readonly kind: 'percent' | 'fixed' | 'free_shipping';
  readonly value: number;
  readonly minimumSubtotal?: Money;
  readonly usesPerCustomer?: number;
  readonly expiresAt?: Date;
}

export interface OrderStore {
  insert(order: Order): Promise<void>;
  findByCart(cartId: string): Promise<Order | undefined>;
}

export interface Order {
  readonly id: string;
  readonly cartId: string;
  readonly customerId: string | null;
  readonly quote: Quote;
  readonly authorizationId: string;
  readonly placedAt: Date;
}

interface Dependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gateway: PaymentGateway;
  readonly coupons: CouponStore;
  readonly orders: OrderStore;
}

const VAT: Readonly<Record<string, Record<CartLine['taxClass'], number>>> = {
  DE: { standard: 0.19, reduced: 0.07, zero: 0 },
  FR: { standard: 0.2, reduced: 0.055, zero: 0 },
  BE: { standard: 0.21, reduced: 0.06, zero: 0 },
  CH: { standard: 0.081, reduced: 0.026, zero: 0 },
};

/** Grams up to which a parcel costs the given amount, cheapest first. */
const SHIPPING_BANDS: readonly [number, number][] = [
  [500, 390],
  [2_000, 590],
  [10_000, 990],
  [31_500, 1_690],
];

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const ATTEMPTS = 5;

export class CheckoutService {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async quote(cart: Cart): Promise<Quote> {
    const warnings: string[] = [];
    const subtotal = sum(cart.lines.map((line) => line.unitPrice.times(line.quantity)));
    const { discount, freeShipping } = await this.#discountFor(cart, subtotal, warnings);
    const shipping = freeShipping ? Money.zero(subtotal.currency) : this.#shippingFor(cart, subtotal.currency);
    const tax = this.#taxFor(cart, subtotal, discount);
    return {
      cartId: cart.id,
      subtotal,
      discount,
      shipping,
      tax,
      total: subtotal.minus(discount).plus(shipping).plus(tax),
      warnings,
    };
  }

  async placeOrder(cart: Cart, paymentToken: string): Promise<Order> {
    if (cart.lines.length === 0) throw new CheckoutError('empty_cart', 'a cart without lines cannot be ordered');
    const quote = await this.quote(cart);
    const reply = await this.#authorize(cart, quote, paymentToken);
    if (reply.status !== 'approved') {
      throw new CheckoutError('payment_declined', `payment was not approved: ${reply.declineCode ?? reply.status}`);
    }
    const order: Order = {
      id: randomUUID(),
      cartId: cart.id,
      customerId: cart.customerId,
      quote,
      authorizationId: reply.authorizationId,
      placedAt: this.#deps.clock.now(),
    };
    try {
      await this.#deps.orders.insert(order);
      await this.#redeemCoupons(cart, order);
      await this.#deps.gateway.capture(reply.authorizationId, quote.total);
    } catch (error) {
      // Money that was only reserved goes back at once; the shop must not hold it for a week.
      await this.#deps.gateway.void(reply.authorizationId).catch((voidError: unknown) => {
        this.#deps.logger.error('void failed', { authorizationId: reply.authorizationId, voidError });
      });
      throw error;
    }
    this.#deps.logger.info('order placed', { orderId: order.id, total: quote.total.toString() });
    return order;
  }

  async #discountFor(
    cart: Cart,
    subtotal: Money,
    warnings: string[],
  ): Promise<{ discount: Money; freeShipping: boolean }> {
    let discount = Money.zero(subtotal.currency);
    let freeShipping = false;
    for (const code of cart.coupons) {
      const coupon = await this.#deps.coupons.find(code.trim().toUpperCase());
      if (coupon === undefined) {
        warnings.push(`coupon ${code} is unknown`);
        continue;
      }
      const refusal = await this.#refusal(coupon, cart, subtotal);
      if (refusal !== undefined) {
        warnings.push(refusal);
        continue;
      }
      if (coupon.kind === 'free_shipping') freeShipping = true;
      else if (coupon.kind === 'percent') discount = discount.plus(subtotal.times(coupon.value / 100));
      else discount = discount.plus(Money.of(coupon.value, subtotal.currency));
    }
    return { discount: discount.min(subtotal), freeShipping };
  }

  async #refusal(coupon: Coupon, cart: Cart, subtotal: Money): Promise<string | undefined> {
    if (coupon.expiresAt !== undefined && coupon.expiresAt <= this.#deps.clock.now()) {
      return `coupon ${coupon.code} has expired`;
    }
    if (coupon.minimumSubtotal !== undefined && subtotal.lessThan(coupon.minimumSubtotal)) {
      return `coupon ${coupon.code} needs at least ${coupon.minimumSubtotal.toString()}`;
    }
    // Guests have no history to look at, so the limit cannot bind them.
    if (coupon.usesPerCustomer !== undefined && cart.customerId !== null) {
      const uses = await this.#deps.coupons.countUses(coupon.code, cart.customerId);
      if (uses >= coupon.usesPerCustomer) return `coupon ${coupon.code} was already used`;
    }
    return undefined;
  }

  async #redeemCoupons(cart: Cart, order: Order): Promise<void> {
    if (cart.customerId === null) return;
    for (const code of new Set(cart.coupons)) {
      await this.#deps.coupons.recordUse(code.trim().toUpperCase(), cart.customerId, order.id);
    }
  }

  #shippingFor(cart: Cart, currency: string): Money {
    const grams = cart.lines.reduce((total, line) => total + line.weightGrams * line.quantity, 0);
    const band = SHIPPING_BANDS.find(([limit]) => grams <= limit);
    if (band === undefined) {
      throw new CheckoutError('too_heavy', `${grams} g exceed the heaviest parcel we ship`);
    }
    return Money.of(band[1], currency);
  }

  #taxFor(cart: Cart, subtotal: Money, discount: Money): Money {
    const rates = VAT[cart.countryCode];
    if (rates === undefined) throw new CheckoutError('country', `no tax table for ${cart.countryCode}`);
    // A discount lowers every line in proportion, whatever its class.
    const share = subtotal.isZero() ? 0 : 1 - discount.ratioTo(subtotal);
    return sum(
      cart.lines.map((line) =>
        line.unitPrice
          .times(line.quantity)
          .times(share)
          .times(rates[line.taxClass])
          .roundHalfEven(),
      ),
    );
  }

  async #authorize(cart: Cart, quote: Quote, token: string): Promise<AuthorizeReply> {
    const request = { idempotencyKey: `cart-${cart.id}-${quote.total.toString()}`, amount: quote.total, token };
    let wait = FIRST_WAIT_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#deps.gateway.authorize(request);
      } catch (error) {
        if (attempt >= ATTEMPTS || !isTransient(error)) throw error;
        this.#deps.logger.warn('authorize failed, trying again', { attempt, wait });
        await this.#deps.clock.sleep(wait + Math.random() * wait * 0.2);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    }
  }
}

export class CheckoutError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'CheckoutError';
    this.code = code;
  }
}

function sum(amounts: readonly Money[]): Money {
  const [first, ...rest] = amounts;
  if (first === undefined) return Money.zero('EUR');
  return rest.reduce((total, amount) => total.plus(amount), first);
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ECONNRESET' || code === 'ETIMEDOUT' || code === 'ECONNREFUSED' || error.name === 'TimeoutError';
}
