import { readFile, writeFile } from 'node:fs/promises'

const docs = new URL('../docs/', import.meta.url)

/** Puts what a bench found into a page of docs/, between the marks that name the bench; the rest of it stays. */
export async function writeFigures(page: string, bench: string, figures: string): Promise<void> {
  const target = new URL(page, docs)
  const text = await readFile(target, 'utf8')
  const [begin, end] = [`<!-- figures: written by bench/${bench} -->`, '<!-- /figures -->']
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`docs/${page} has no ${begin} with an ${end} behind it`)
  await writeFile(target, `${text.slice(0, from)}${begin}\n\n${figures}\n\n${text.slice(to)}`)
}
