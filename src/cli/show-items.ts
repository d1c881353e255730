import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { bold, dim, print, printable } from './terminal.ts'

const widest = 100

/** The first items of a run, a field a line, as a person would want to see them. */
export async function showItems(path: string, most: number): Promise<void> {
  let shown = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (shown === most) break
    shown += 1
    print('')
    for (const [name, value] of Object.entries<unknown>(JSON.parse(line))) {
      const text = printable(typeof value === 'string' ? value : JSON.stringify(value))
      const cut = text.length > widest ? `${text.slice(0, widest - 1)}…` : text
      print(name.startsWith('_') ? dim(`  ${name.padEnd(14)} ${cut}`) : `  ${bold(name.padEnd(14))} ${cut}`)
    }
  }
}
