import { createDice, type Dice, seedOf } from './dice.ts'
import { currencies, type Money } from './money.ts'
import { paragraphs, review } from './prose.ts'
import { type Spec, specsOf } from './specs.ts'
import { makers, people, sellers, type Trade } from './trades.ts'

export interface Offer {
  readonly seller: string
  readonly price: Money
  readonly deliveryDays: number
  readonly condition: 'new' | 'as new' | 'used'
}

export interface Review {
  readonly author: string
  readonly stars: number
  readonly text: string
  readonly date: string
}

export interface Product {
  /** Place in the whole catalogue, from 0. */
  readonly index: number
  readonly sku: string
  readonly trade: Trade
  readonly title: string
  /** Last part of its address; may hold any script. */
  readonly slug: string
  readonly price: Money
  /** Mean of its reviews in halves of a star. */
  readonly rating: number
  readonly reviews: readonly Review[]
  readonly stock: number
  readonly maker: { readonly name: string; readonly town: string }
  readonly description: readonly string[]
  readonly specs: readonly Spec[]
  readonly offers: readonly Offer[]
  readonly imageCount: number
  readonly hasDatasheet: boolean
  /** ISO, to the second, in UTC. */
  readonly publishedAt: string
}

/** The pair of words and the size that make the `place`-th product of a department; no pair comes twice in 49. */
function titleOf(trade: Trade, place: number, dice: Dice): string {
  const { qualifiers, nouns } = trade
  const qualifier = qualifiers[place % qualifiers.length]
  const noun = nouns[(place + Math.floor(place / qualifiers.length)) % nouns.length]
  const size = dice.pick(trade.sizes)
  return trade.language === 'ja' ? `${qualifier}${noun}（${size}）` : `${qualifier} ${noun}, ${size}`
}

/** Latin letters lose their accents, other scripts stay as they are. */
const slugOf = (text: string): string =>
  text
    .replace(/[\u00c0-\u024f]/g, letter => letter.normalize('NFD').charAt(0))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Cheap things are many and dear ones few: even on a logarithmic scale. */
function priceOf(trade: Trade, place: number, index: number, dice: Dice): Money {
  const [least, most] = trade.priceRange
  // The dearest piece of each department is a fixed one, so that every notation has prices in thousands.
  const share = place < 3 ? 1 - place / 20 : dice.next()
  const whole = Math.floor(least * (most / least) ** share)
  const currency = currencies[index % currencies.length] ?? 'GBP'
  return { currency, cents: whole * 100 + dice.pick([0, 50, 95, 99, dice.between(1, 99)]) }
}

function offersOf(price: Money, dice: Dice): Offer[] {
  return dice.sample(sellers, dice.between(2, 5)).map((seller, place) => ({
    seller,
    price: place === 0 ? price : { ...price, cents: Math.round(price.cents * (0.8 + dice.next() / 2)) },
    deliveryDays: dice.between(1, 14),
    condition: place === 0 ? 'new' : dice.pick(['new', 'new', 'as new', 'used'] as const),
  }))
}

function reviewsOf(dice: Dice): Review[] {
  return Array.from({ length: dice.between(4, 16) }, () => {
    const stars = dice.pick([5, 5, 5, 4, 4, 3, 2])
    return { author: dice.pick(people), stars, text: review(dice, stars), date: dateOf(dice).slice(0, 10) }
  })
}

function dateOf(dice: Dice): string {
  const firstDay = Date.UTC(2019, 0, 1, 6)
  const ms = firstDay + dice.between(0, 2_300) * 86_400_000 + dice.between(0, 720) * 60_000
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

export function createProduct(seed: number, trade: Trade, place: number, index: number): Product {
  const dice = createDice(seedOf(seed, trade.slug, place))
  const title = titleOf(trade, place, dice)
  const sku = `${trade.prefix}-${String(1_000 + index * 7 + dice.between(0, 6))}`
  const maker = dice.pick(makers)
  const price = priceOf(trade, place, index, dice)
  const reviews = reviewsOf(dice)
  const stars = reviews.reduce((sum, { stars }) => sum + stars, 0) / reviews.length
  const subject = { thing: title, maker: maker.name, town: maker.town }
  return {
    index,
    sku,
    trade,
    title,
    slug: `${slugOf(title)}-${sku.toLowerCase()}`,
    price,
    rating: Math.round(stars * 2) / 2,
    reviews,
    stock: dice.chance(0.15) ? 0 : dice.between(1, 240),
    maker,
    description: paragraphs(dice, trade.language, subject, dice.between(3, 5)),
    specs: specsOf(trade, maker.name, title.split(/, |（/).at(-1)?.replace('）', '') ?? '', dice),
    offers: offersOf(price, dice),
    imageCount: dice.between(1, 4),
    hasDatasheet: dice.chance(0.4),
    publishedAt: dateOf(dice),
  }
}
