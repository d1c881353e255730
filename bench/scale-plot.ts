export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface AxisLabels {
  readonly x: string
  readonly y: string
}

const marks = 'abcdefgh'

const most = (lines: readonly Line[], axis: 0 | 1): number =>
  Math.max(1, ...lines.flatMap(({ points }) => points.map(point => point[axis])))

/** Lines as letters, for a terminal; where two fall together the later one is seen. */
export function textPlot(lines: readonly Line[], labels: AxisLabels, width = 72, height = 18): string {
  const [mostX, mostY] = [most(lines, 0), most(lines, 1)]
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => ' '))
  for (const [nth, { points }] of lines.entries())
    for (const [x, y] of points) {
      const row = rows[height - 1 - Math.round((y / mostY) * (height - 1))]
      if (row !== undefined) row[Math.round((x / mostX) * (width - 1))] = marks[nth] ?? '*'
    }
  const pad = String(Math.round(mostY)).length
  const body = rows.map((row, at) => {
    const label = at === 0 ? String(Math.round(mostY)) : at === height - 1 ? '0' : ''
    return `${label.padStart(pad)} |${row.join('').trimEnd()}`
  })
  const keys = lines.map(({ name }, nth) => `${marks[nth] ?? '*'}: ${name}`).join('   ')
  return [labels.y, ...body, `${' '.repeat(pad)} +${'-'.repeat(width)} ${mostX} ${labels.x}`, keys].join('\n')
}

/** The same as SVG, with a level line for the bound of them all. */
export function linesPlot(
  lines: readonly Line[],
  labels: AxisLabels,
  bound: { readonly value: number; readonly name: string },
): string {
  const [width, height, left, bottom] = [720, 400, 70, 40]
  const [mostX, mostY] = [most(lines, 0), Math.max(bound.value, most(lines, 1)) * 1.05]
  const xOf = (x: number): number => Math.round(left + (x / mostX) * (width - left - 120))
  const yOf = (y: number): number => Math.round(height - bottom - (y / mostY) * (height - bottom - 20))
  const colours = ['#1b6ca8', '#c8553d', '#588157', '#7b2d8b']
  const drawn = lines.map(({ name, points }, nth) => {
    const colour = colours[nth % colours.length]
    const path = points.map(([x, y]) => `${xOf(x)},${yOf(y)}`).join(' ')
    const [x, y] = points.at(-1) ?? [0, 0]
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${path}"/>` +
      `<text x="${xOf(x) + 6}" y="${yOf(y) + 4 + 14 * nth}" fill="${colour}">${name}</text>`
    )
  })
  const level = yOf(bound.value)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${labels.y} by ${labels.x}</title>
<rect width="100%" height="100%" fill="white"/>
<path d="M${left} 20V${height - bottom}H${xOf(mostX)}" fill="none" stroke="black"/>
<path d="M${left} ${level}H${xOf(mostX)}" stroke="gray" stroke-dasharray="4"/>
<text x="${left + 6}" y="${level - 5}" fill="gray">${bound.name}: ${Math.round(bound.value)}</text>
<text x="${xOf(mostX / 2)}" y="${height - 8}" text-anchor="middle">${labels.x}</text>
<text x="14" y="${height / 2}" transform="rotate(-90 14 ${height / 2})" text-anchor="middle">${labels.y}</text>
<text x="${left - 6}" y="${height - bottom}" text-anchor="end">0</text>
<text x="${xOf(mostX)}" y="${height - bottom + 16}" text-anchor="middle">${mostX}</text>
${drawn.join('\n')}
</svg>
`
}
