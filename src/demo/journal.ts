import { createDice, seedOf } from './dice.ts'
import type { Product } from './product.ts'
import { paragraphs } from './prose.ts'
import { people } from './trades.ts'

/** A story in the shop's journal, which mentions things one can buy. */
export interface Article {
  readonly slug: string
  readonly title: string
  readonly author: string
  readonly paragraphs: readonly string[]
  readonly mentioned: readonly Product[]
}

export const articlesPerPage = 8

const subjects: readonly string[] = [
  'Dressing a stone by lamplight',
  'What the weir taught us',
  'Twelve loaves, one oven',
  'In praise of the long proof',
  'A cooper’s morning',
  'How to read a hydrometer',
  'Letters from Lanternfield',
  'The year of the wet harvest',
  'Mending a belt that cannot be bought',
  'Smoke, and where it goes',
  'Why the hopper shakes',
  'Tea at the mill',
  'On weights and honesty',
  'The sound of a stone too close',
  'Nine ways with barley',
  'A yeast that crossed the hills',
  'The apprentice’s first wheel',
  'Salt, and when',
  'Under the floor: the great spur wheel',
  'Ice on the race',
  'A short history of sacks',
  'The baker’s week',
  'Bronze or iron?',
  'What we threw away, and why',
]

/** 24 articles, each with three to five products. */
export const createJournal = (seed: number, products: readonly Product[]): Article[] =>
  subjects.map((title, place) => {
    const dice = createDice(seedOf(seed, 'journal', place))
    const mentioned = dice.sample(products, dice.between(3, 5))
    const [first] = mentioned
    const subject = {
      thing: first?.title ?? title,
      maker: first?.maker.name ?? 'the mill',
      town: first?.maker.town ?? 'town',
    }
    return {
      slug: title
        .toLowerCase()
        .replace(/’/g, '')
        .replace(/[^a-z]+/g, '-')
        .replace(/-$/, ''),
      title,
      author: dice.pick(people),
      paragraphs: paragraphs(dice, 'en', subject, 6),
      mentioned,
    }
  })
