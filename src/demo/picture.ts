import { createDice, seedOf } from './dice.ts'

/** A mill wheel, drawn anew for each picture, so that the shop has something to show without a single file. */
export function pictureSvg(sku: string, place: number, hue: number): string {
  const dice = createDice(seedOf(place, sku, 0))
  const spokes = dice.between(5, 14)
  const radius = dice.between(58, 84)
  const tilt = dice.between(0, 90)
  const paddles = Array.from({ length: spokes }, (_, spoke) => {
    const angle = tilt + (360 / spokes) * spoke
    return `<g transform="rotate(${angle.toFixed(1)} 120 120)"><path d="M120 120V${120 - radius}"/><path d="M104 ${120 - radius}h32"/></g>`
  })
  const water = `M0 ${196 + dice.between(0, 12)}q30-14 60 0t60 0 60 0 60 0V240H0Z`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" role="img" aria-label="${sku}">
<rect width="240" height="240" fill="hsl(${hue} 45% 92%)"/>
<g fill="none" stroke="hsl(${hue} 40% 32%)" stroke-width="7" stroke-linecap="round">
<circle cx="120" cy="120" r="${radius}"/><circle cx="120" cy="120" r="${radius - 22}" stroke-width="3"/>${paddles.join('')}
</g>
<circle cx="120" cy="120" r="9" fill="hsl(${hue} 40% 32%)"/>
<path d="${water}" fill="hsl(205 60% 60% / .55)"/>
</svg>
`
}
