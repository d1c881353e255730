import type { Dice } from './dice.ts'

const english: readonly string[] = [
  'The {thing} is made by {maker} in {town}, in small runs and to order.',
  'We have sold the {thing} since the winter the weir froze, and very few have ever come back.',
  'It was drawn up with three working mills, and each of them still uses the first one it was sent.',
  'Expect it to look a little worn when it arrives: every one is tried out before it is packed.',
  'Customers tell us that it saves about {number} minutes a day, which is longer than it takes to make tea.',
  'Keep it dry, keep it away from the cat, and it will outlast the building.',
  '{maker} stamps the year on each one, so that a repair can be traced to the bench it left.',
  'There is nothing in it that you cannot mend with a screwdriver, a drop of oil and an afternoon.',
  'The weight in the table is as packed; the true weight is within {number} grams of it.',
  'If you are between two sizes, take the larger one and thank us in October.',
  'The recipe or drawing has not changed in {number} years, apart from one letter on the label.',
  'For those who work by the sack: ten or more go by carrier, on a pallet, at a price we will quote.',
  'A note on storage: below eighteen degrees, off the floor, and never next to onions.',
  'It comes in a cloth bag that is meant to be used again, with a card that is meant to be read.',
  'Made without plastic; the string is jute, the label is paper and the glue is, once more, flour.',
  'The water at {town} is soft, and whoever tastes carefully will notice.',
  'It is not the cheapest and does not try to be, yet most who compare come back within the year.',
  'Measured on our own bench over {number} trials, it held its figure every time but one.',
]

const german: readonly string[] = [
  'Gefertigt von {maker} in {town}, in kleiner Stückzahl und auf Bestellung.',
  'Die Oberfläche wird zweimal eingebrannt; danach löst sich auch süßer Teig ohne Mühe.',
  'Vor dem ersten Gebrauch bitte spülen, trocknen und dünn einölen – fertig.',
  'Passt in jeden üblichen Ofen und verträgt Hitze bis 230 °C, auch über Stunden.',
  'Unsere Bäcker prüfen jedes Stück; ungefähr {number} von tausend schicken wir zurück.',
  'Für große Mengen gilt: ab zehn Stück liefern wir frei Haus, „franko“, wie man früher sagte.',
  'Nicht in die Spülmaschine geben: heißes Wasser und eine Bürste genügen völlig.',
  'Das Maß bezieht sich auf die Öffnung oben, außen gemessen.',
]

const japanese: readonly string[] = [
  '川の水車でゆっくりと挽き、熱を加えずに仕上げました。',
  '蔵の中で{number}日のあいだ静かに寝かせてからお届けします。',
  '湿気を避け、涼しい場所で保存してください。',
  '職人が一つずつ手で確かめ、小さな布の袋に包んでいます。',
  '香りは穏やかで、後味にほのかな甘みが残ります。',
  'はじめての方には、まず少ない量からお試しいただくことをおすすめします。',
  '注文をいただいてから仕込むため、発送まで数日かかることがあります。',
  '古い道具を直しながら、同じ作り方を{number}年守ってきました。',
]

const sentences = { en: english, de: german, ja: japanese } as const

export interface Subject {
  readonly thing: string
  readonly maker: string
  readonly town: string
}

/** `count` paragraphs on a subject; no sentence comes twice. */
export function paragraphs(dice: Dice, language: keyof typeof sentences, subject: Subject, count: number): string[] {
  const drawn = dice.sample(sentences[language], count * 3)
  const fill = (sentence: string): string =>
    sentence
      .replaceAll('{thing}', subject.thing)
      .replaceAll('{maker}', subject.maker)
      .replaceAll('{town}', subject.town)
      .replaceAll('{number}', () => String(dice.between(3, 48)))
  const glue = language === 'ja' ? '' : ' '
  const perParagraph = Math.ceil(drawn.length / count)
  return Array.from({ length: count }, (_, index) =>
    drawn
      .slice(index * perParagraph, (index + 1) * perParagraph)
      .map(fill)
      .join(glue),
  ).filter(text => text !== '')
}

const praise: readonly string[] = [
  'Does what it should, every day, and has done so since spring.',
  'Came on a Tuesday, was at work on Wednesday. Nothing else to say.',
  'Heavier than I thought, in the good way.',
  'The second one I have bought; the first went to my daughter and she will not give it back.',
  'A fair price for something that is plainly made by people who use it.',
  'Our village bakery took six of them after seeing mine.',
  'The card in the bag is the best manual I have ever been sent.',
  'I had a question, wrote a letter, and got a letter back. With a drawing.',
]

const grumbles: readonly string[] = [
  'Good, but the string on the bag had come undone and half the kitchen knew about it.',
  'Smaller than the picture suggests. Read the table before you order.',
  'It took nine days, and the carrier left it with the geese.',
  'Works well enough; I had hoped for a lid.',
  'The old pattern was better, and I say so every year.',
]

/** One to three sentences fitting the stars. */
export function review(dice: Dice, stars: number): string {
  const pool = stars >= 4 ? praise : [...grumbles, ...praise.slice(0, 2)]
  return dice.sample(pool, dice.between(1, 3)).join(' ')
}
