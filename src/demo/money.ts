/** Prices as the shop's three countries write them. */
export type Currency = 'GBP' | 'EUR' | 'USD'

export interface Money {
  readonly currency: Currency
  readonly cents: number
}

export const currencies: readonly Currency[] = ['GBP', 'EUR', 'USD']

export const amountOf = (money: Money): number => money.cents / 100

/** `£51.77`, `1.234,56 €` (with a no-break space) or `$1,234.56`. */
export function moneyText({ currency, cents }: Money): string {
  const [group, point] = currency === 'EUR' ? ['.', ','] : [',', '.']
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(?:\d{3})+$)/g, group ?? '')
  const figure = `${whole}${point}${String(cents % 100).padStart(2, '0')}`
  switch (currency) {
    case 'GBP':
      return `£${figure}`
    case 'EUR':
      return `${figure}\u00a0€`
    case 'USD':
      return `$${figure}`
    default:
      return currency satisfies never
  }
}
