const words = (
  'the mill race leads water past the gate and on to the wheel where slow stones grind what the carts have brought ' +
  'since morning while the miller counts sacks by the door and looks at the sky'
).split(' ')

/** Prose without end, the same for the same place. */
function prose(letters: number, nth: number): string {
  let text = ''
  for (let at = nth * 7; text.length < letters; at += 1) text += `${words[at % words.length] ?? ''} `
  return text.slice(0, Math.max(0, letters)).trimEnd()
}

const elementsOfOffer = 4
/** An offer without any prose in it. */
const leastOffer = 118

const offer = (nth: number, filling: number): string =>
  `<li class="offer"><a href="/offer/${nth}">Offer ${nth}</a> <span class="price">${(nth % 90) + 9}.95</span><p>${prose(filling, nth)}</p></li>\n`

/**
 * A page of about so many bytes, the same for the same number: a title, a price and a list of offers with as much prose
 * between its elements as the weight leaves room for.
 * @param weight elements for each kilobyte
 */
export function madePage(pageBytes: number, weight: number, nth: number): string {
  const filling = Math.max(0, Math.round((elementsOfOffer * 1000) / weight) - leastOffer)
  const head =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${nth}</title>` +
    `<meta name="description" content="Offers of day ${nth}."><link rel="canonical" href="/page/${nth}"></head>` +
    `<body><h1>Offers of day ${nth}</h1><p class="total">${nth * 3}.50</p><ul>\n`
  const tail = '</ul></body></html>\n'
  const parts = [head]
  let room = pageBytes - head.length - tail.length
  for (let at = 0; room > leastOffer; at += 1) {
    const part = offer(at, Math.min(filling, room - leastOffer))
    parts.push(part)
    room -= part.length
  }
  parts.push(tail)
  return parts.join('')
}
