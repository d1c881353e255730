import type { Charset } from './charset.ts'

/** What a department of the shop sells: the words that its products are made of. */
export interface Trade {
  readonly slug: string
  readonly name: string
  /** Begins every stock number of the department. */
  readonly prefix: string
  readonly kind: 'food' | 'ware'
  readonly language: 'en' | 'de' | 'ja'
  /** In which charset its pages are written, and where they say so. */
  readonly charset: Charset
  readonly declaredBy: 'header' | 'meta' | 'nothing'
  /** Of its pictures, in degrees. */
  readonly hue: number
  /** Least and most, in whole units of money. */
  readonly priceRange: readonly [number, number]
  readonly qualifiers: readonly string[]
  readonly nouns: readonly string[]
  readonly sizes: readonly string[]
}

const english = { language: 'en', charset: 'utf-8', declaredBy: 'header' } as const

export const trades: readonly Trade[] = [
  {
    ...english,
    slug: 'flour-and-meal',
    kind: 'food',
    name: 'Flour & Meal',
    prefix: 'FM',
    hue: 38,
    priceRange: [2, 60],
    qualifiers: ['Stoneground', 'Millstream', 'Bolted', 'Night-Milled', 'Double-Sifted', 'Miller’s Own', 'Frost-Field'],
    nouns: ['Spelt Flour', 'Rye Meal', 'Einkorn Flour', 'Semolina', 'Oat Flour', 'Maslin Meal', 'Barley Flour'],
    sizes: ['750 g', '1.5 kg', '5 kg', '16 kg sack', '2½ lb'],
  },
  {
    ...english,
    slug: 'whole-grain',
    kind: 'food',
    name: 'Whole Grain',
    prefix: 'WG',
    hue: 52,
    priceRange: [3, 95],
    qualifiers: ['Hulled', 'Heritage', 'Hill-Grown', 'Winter', 'Threshed', 'Weir Meadow', 'Cleaned & Dried'],
    nouns: ['Emmer', 'Rye Berries', 'Naked Oats', 'Pearl Barley', 'Buckwheat Groats', 'Red Wheat', 'Millet'],
    sizes: ['1 kg', '3 kg', '12.5 kg', '25 kg sack'],
  },
  {
    ...english,
    slug: 'brewing-malt',
    kind: 'food',
    name: 'Brewing Malt',
    prefix: 'BM',
    hue: 24,
    priceRange: [3, 140],
    qualifiers: ['Floor-Malted', 'Kilned', 'Amber', 'Smoked', 'Slow-Roast', 'Cellar', 'Old Tun'],
    nouns: ['Pale Malt', 'Crystal Malt', 'Chocolate Malt', 'Wheat Malt', 'Rye Malt', 'Brown Malt', 'Acid Malt'],
    sizes: ['500 g', '1 kg', '5 kg', '25 kg', '3 × 5 kg'],
  },
  {
    ...english,
    slug: 'hops-and-yeast',
    kind: 'food',
    name: 'Hops & Yeast',
    prefix: 'HY',
    hue: 96,
    priceRange: [2, 70],
    qualifiers: ['Green', 'Whole-Cone', 'Late Harvest', 'Brewer’s', 'Cask', 'Dry', 'Top-Cropped'],
    nouns: ['Hop Pellets', 'Hop Cones', 'Ale Yeast', 'Lager Yeast', 'Farmhouse Yeast', 'Yeast Nutrient', 'Finings'],
    sizes: ['11 g sachet', '100 g', '250 g', '1 kg'],
  },
  {
    ...english,
    slug: 'sourdough',
    kind: 'ware',
    name: 'Sourdough & Proving',
    prefix: 'SD',
    hue: 30,
    priceRange: [4, 180],
    qualifiers: ['Country', 'Round', 'Oval', 'Linen-Lined', 'Baker’s', 'Cold-Proof', 'Hearth & Home'],
    nouns: ['Proving Basket', 'Dough Tub', 'Starter Jar', 'Couche', 'Bread Peel', 'Lame', 'Proof Box'],
    sizes: ['small', 'medium', 'large', '30 × 21 cm', '3.8 L'],
  },
  {
    slug: 'backformen',
    kind: 'ware',
    name: 'Backformen & Bleche',
    prefix: 'BF',
    language: 'de',
    charset: 'windows-1252',
    declaredBy: 'meta',
    hue: 210,
    priceRange: [6, 1_450],
    qualifiers: ['Große', 'Kleine', 'Gußeiserne', 'Weiße', 'Schwäbische', 'Dünne', 'Geölte'],
    nouns: [
      'Gugelhupfform',
      'Königskuchenform',
      'Springform',
      'Brötchenmulde',
      'Müllerform',
      'Törtchenform',
      'Stollenhaube',
    ],
    sizes: ['Ø 24 cm', '30 × 11 cm', '6 Stück', '½ Blech', '2er-Satz – „Profi“'],
  },
  {
    ...english,
    slug: 'hand-tools',
    kind: 'ware',
    name: 'Hand Tools',
    prefix: 'HT',
    hue: 8,
    priceRange: [5, 320],
    qualifiers: ['Forged', 'Ash-Handled', 'Cooper’s', 'Left-Handed', 'Wheelwright’s', 'Carbon-Steel', 'Apprentice'],
    nouns: ['Mill Bill', 'Drawknife', 'Mallet', 'Grain Scoop', 'Wood Chisel', 'Adze', 'Bung Driver'],
    sizes: ['8 in', '10 in', '½ in', '1¼ in', 'set of 3'],
  },
  {
    ...english,
    slug: 'mill-parts',
    kind: 'ware',
    name: 'Mill Parts',
    prefix: 'MP',
    hue: 190,
    priceRange: [40, 6_800],
    qualifiers: ['Dressed', 'Cast', 'French-Burr', 'Oak', 'Undershot', 'Bronze', 'Balanced'],
    nouns: ['Millstone', 'Runner Stone', 'Wheel Paddle', 'Sack Hoist', 'Stone Nut', 'Damsel', 'Hopper & Shoe'],
    sizes: ['16 in', '30 in', '48 in', '3 ft 6 in', '1 pair'],
  },
  {
    ...english,
    slug: 'bearings-and-belts',
    kind: 'ware',
    name: 'Bearings & Belts',
    prefix: 'BB',
    hue: 225,
    priceRange: [4, 1_900],
    qualifiers: ['Sealed', 'Split', 'Heavy', 'Leather', 'Self-Aligning', 'Food-Safe', '<0.05 mm Runout'],
    nouns: [
      'Pillow Block',
      'Thrust Bearing',
      'Drive Belt',
      'Line-Shaft Pulley',
      'Idler',
      'Footstep Bush',
      'Belt Dressing',
    ],
    sizes: ['20 mm', '35 mm', '50 mm', '2 m', '6.5 m'],
  },
  {
    ...english,
    slug: 'scales-and-measures',
    kind: 'ware',
    name: 'Scales & Measures',
    prefix: 'SM',
    declaredBy: 'nothing',
    hue: 280,
    priceRange: [7, 2_600],
    qualifiers: ['Brass', 'Beam', 'Counter', 'Stamped', 'Hanging', 'Grain Merchant’s', 'Café'],
    nouns: ['Balance', 'Bushel Measure', 'Hydrometer', 'Thermometer', 'Spring Scale', 'Weight Set', 'Moisture Meter'],
    sizes: ['0–40 °C', '5 kg', '60 kg', '±1 g', '1 peck'],
  },
  {
    slug: 'ocha-to-hakko',
    kind: 'ware',
    name: 'お茶と発酵',
    prefix: 'OH',
    language: 'ja',
    charset: 'shift_jis',
    declaredBy: 'header',
    hue: 130,
    priceRange: [4, 1_250],
    qualifiers: ['水車挽き', '石臼', '山里の', '手仕込み', '古式', '深蒸し', '無農薬'],
    nouns: ['玄米茶', '抹茶', '米麹', 'そば粉', '味噌樽', '茶こし', '鉄瓶'],
    sizes: ['100グラム', '1キロ', '小', '大', '三点セット'],
  },
  {
    ...english,
    slug: 'world-pantry',
    kind: 'food',
    name: 'World Pantry',
    prefix: 'WP',
    hue: 340,
    priceRange: [3, 85],
    qualifiers: ['Αλεύρι', 'Крупа', 'دقيق', 'קמח', 'ფქვილი', 'आटा', '麵粉'],
    nouns: ['(chestnut)', '(chickpea)', '(teff)', '(durum)', '(amaranth) 🌾', '(buckwheat)', '(rice)'],
    sizes: ['400 g', '1 kg', '2 × 750 g', '10 kg'],
  },
]

/** Invented, all of them. */
export const makers: readonly { readonly name: string; readonly town: string }[] = [
  { name: 'Tolling Weir Mill', town: 'Nether Tolling' },
  { name: 'Harrow & Daughters', town: 'Great Fennick' },
  { name: 'Sluicegate Works', town: 'Hollin Bridge' },
  { name: 'Pennyfold Maltings', town: 'Pennyfold' },
  { name: 'Marram & Oat', town: 'Saltmarsh End' },
  { name: 'Quernstone Guild', town: 'Upper Quern' },
  { name: 'Alder & Pike', town: 'Alderbeck' },
  { name: 'Lanternfield Co-operative', town: 'Lanternfield' },
  { name: 'Bräuhof Mühltal', town: 'Mühltal' },
  { name: 'Moulin des Frênes', town: 'Saint-Élan' },
]

export const sellers: readonly string[] = [
  'The Race Shop',
  'Weirside Supplies',
  'Fennick Wholesale',
  'Grist & Co.',
  'Three Wheels Trading',
  'The Sack Loft',
  'Bushel & Peck',
  'O’Dowd’s Stores',
]

export const people: readonly string[] = [
  'Marta V.',
  'Tobias',
  'Ines & Jo',
  'Old Hand',
  'Ruaridh',
  'Zoë',
  'B. Achterberg',
  'Mei-Lin',
  'Søren K.',
  'Yusuf',
  'the baker of Alderbeck',
  'Nkechi',
]
