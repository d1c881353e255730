import { type Content, html, type Markup } from './markup.ts'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => Content
  /** Set to the right, so that sizes can be compared down the column. */
  readonly isNumber?: boolean
}

export interface TableOptions<Row> {
  readonly id: string
  readonly caption: string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** More rows than these are in the file that the note names. */
  readonly most?: number
  readonly moreNote?: string
}

export function table<Row>({ id, caption, columns, rows, most = 50, moreNote = '' }: TableOptions<Row>): Markup {
  const kind = ({ isNumber }: Column<Row>): string => (isNumber === true ? 'number' : 'text')
  const head = columns.map(column => html`<th scope="col" class="${kind(column)}">${column.head}</th>`)
  const body = rows.slice(0, most).map(
    row => html`<tr>${columns.map((column, nth) =>
      nth === 0
        ? html`<th scope="row">${column.cell(row)}</th>`
        : html`<td class="${kind(column)}">${column.cell(row)}</td>`,
    )}</tr>
`,
  )
  const more = rows.length > most ? html`<p class="note">and ${rows.length - most} more${moreNote}</p>` : null
  return html`<div class="wide" role="region" tabindex="0" aria-labelledby="${id}"><table><caption id="${id}">${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>${more}
`
}
