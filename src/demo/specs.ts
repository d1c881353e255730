import type { Dice } from './dice.ts'
import type { Trade } from './trades.ts'

/** A row of the table of measures. */
export interface Spec {
  readonly name: string
  readonly value: string
}

const food = (dice: Dice): Spec[] => [
  { name: 'Grown at', value: `${dice.between(2, 11) * 50} m above the sea` },
  { name: 'Harvest', value: dice.pick(['last autumn', 'early summer', 'before the rain', 'after the frost']) },
  { name: 'Moisture', value: `${dice.between(85, 145) / 10} %` },
  { name: 'Protein', value: `${dice.between(60, 168) / 10} g in 100 g` },
  { name: 'Keeps for', value: `${dice.between(3, 36)} months` },
  { name: 'May hold traces of', value: dice.pick(['gluten', 'gluten & mustard', 'sesame', 'nothing we know of']) },
]

const ware = (dice: Dice): Spec[] => [
  { name: 'Material', value: dice.pick(['ash', 'oak', 'cast iron', 'linen', 'brass & steel', 'stoneware']) },
  { name: 'Finish', value: dice.pick(['oiled', 'plain', 'waxed', 'scrubbed', 'as it left the bench']) },
  { name: 'Tested at', value: `${dice.between(4, 40)} °C, ±${dice.between(1, 3)} °C` },
  { name: 'Tolerance', value: dice.pick(['<0.1 mm', '<0.5 mm', '±1 mm', 'by eye']) },
  { name: 'Guarantee', value: `${dice.pick([2, 5, 10, 25])} years` },
  { name: 'Spare parts', value: dice.chance(0.7) ? 'all of them' : 'on request' },
]

export const specsOf = (trade: Trade, maker: string, size: string, dice: Dice): Spec[] => [
  { name: 'Department', value: trade.name },
  { name: 'Maker', value: maker },
  { name: 'Size', value: size },
  { name: 'Weight as packed', value: `${dice.between(1, 90) / 2} kg` },
  { name: 'Pattern number', value: `${dice.between(1, 9)}/${dice.between(100, 999)}` },
  ...(trade.kind === 'food' ? food(dice) : ware(dice)),
  { name: 'Packed in', value: dice.pick(['cloth bag', 'paper sack', 'wooden crate', 'tin']) },
]
