import { drawingWidth, widerWidth } from './frame.ts'
import { dashes, ink, pale, paper, tones } from './tone.ts'

type Scheme = keyof typeof tones

const variables = (scheme: Scheme): string =>
  [
    `color-scheme:${scheme}`,
    `--paper:${paper[scheme]}`,
    `--ink:${ink[scheme]}`,
    `--pale:${pale[scheme]}`,
    `--rule:${scheme === 'light' ? '#d9dde3' : '#333a45'}`,
    `--panel:${scheme === 'light' ? '#f3f5f8' : '#1d222a'}`,
    ...tones[scheme].map((tone, nth) => `--tone${nth}:${tone}`),
  ].join(';')

const toneRules = tones.light
  .map(
    (_, nth) =>
      `.line.tone${nth}{stroke:var(--tone${nth});stroke-dasharray:${dashes[nth]}}` +
      `.fill.tone${nth},.name.tone${nth},.mark.tone${nth}{fill:var(--tone${nth})}`,
  )
  .join('\n')

/** Letters of a drawing are never larger than those of a title, and can be read where it is small: what is too wide scrolls. */
const [least, most] = [480, 720]
const wider = widerWidth / drawingWidth

/** Plots over one time lie below each other on one scale, in one column as in two. */
const timedRules = `.beside svg{min-width:${least * wider}px;max-width:${most * wider}px}
.timed{grid-template-columns:1fr}
.timed .plot:not(.beside) svg{width:${100 / wider}%}
@media (min-width:1340px){.timed{grid-template-columns:1fr ${wider}fr}.timed .plot:not(.beside) svg{width:100%}}`

export const style = `:root{${variables('light')}}
@media (prefers-color-scheme:dark){:root{${variables('dark')}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1560px;padding:24px 20px 48px;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 4px}
h2{font-size:1.15rem;margin:36px 0 10px}
p{margin:6px 0}
.note,.under{color:var(--pale)}
.verdict{margin:18px 0;padding:14px 18px;background:var(--panel);border-left:4px solid var(--tone0);border-radius:4px}
.verdict p:first-child{font-size:1.15rem;font-weight:600;margin-top:0}
.verdict ul{margin:6px 0 0;padding-left:20px}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;margin:18px 0}
.figures div{background:var(--panel);border-radius:4px;padding:8px 12px}
.figures dt{color:var(--pale);font-size:.85rem}
.figures dd{margin:0;font-size:1.15rem;font-variant-numeric:tabular-nums}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:20px 32px}
.plot{margin:0;min-width:0}
figcaption,caption{font-weight:600;text-align:left;padding-bottom:4px}
.wide{overflow-x:auto}
:focus-visible{outline:2px solid var(--tone0);outline-offset:2px}
svg{display:block;width:100%;min-width:${least}px;max-width:${most}px;height:auto;font:12px system-ui,sans-serif}
.rule{stroke:var(--rule);stroke-width:1}
.base{stroke:var(--pale);stroke-width:1}
.bound{stroke:var(--ink);stroke-width:1.2;stroke-dasharray:3 3}
${timedRules}
svg text{fill:var(--ink)}
svg .tick,svg .unit,svg .note{fill:var(--pale)}
svg .name{font-weight:600}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.mark{stroke:var(--paper);stroke-width:1.5}
${toneRules}
table{border-collapse:collapse;min-width:min(100%,720px);margin-bottom:22px;font-variant-numeric:tabular-nums}
th,td{padding:5px 20px 5px 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top;font-weight:400}
thead th{color:var(--pale);font-size:.85rem;white-space:nowrap;vertical-align:bottom}
.number{text-align:right;white-space:nowrap}
tbody th,td.text{min-width:90px;max-width:440px}
.good::before{content:"\\2713\\00a0";color:var(--tone2)}
.bad::before{content:"\\2717\\00a0";color:var(--tone1)}
@media print{:root{${variables('light')}}.plot,tr{break-inside:avoid}}
`
