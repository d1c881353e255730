/**
 * Where the text of a page begins a new line, as a browser shows it without its style sheets: `whitespace: lines` follows
 * it. Line breaks of the source are white space like any other, but in elements that keep them.
 */

const words = (text: string): readonly string[] => text.split(' ')

/** The HTML standard's style sheet shows these as blocks (15.3), list items or rows. */
export const blockTags: readonly string[] = words(
  'html body address blockquote center dialog div figure figcaption footer form header hr legend listing main p plaintext ' +
    'pre search xmp article aside h1 h2 h3 h4 h5 h6 hgroup nav section dir dd dl dt menu ol ul li table caption thead ' +
    'tbody tfoot tr fieldset details summary optgroup option',
)

/** Beside each other on a line. */
export const cellTags: readonly string[] = words('td th')

/** What is written in them stands as it is. */
export const verbatimTags: readonly string[] = words('pre textarea listing xmp plaintext')

const breaks: ReadonlyMap<string, string> = new Map([
  ...[...blockTags, 'br'].map(tag => [tag, '\n'] as const),
  ...cellTags.map(tag => [tag, '\t'] as const),
])
const verbatim: ReadonlySet<string> = new Set(verbatimTags)

/** What stands between an element and the text before or behind it; empty: nothing. */
export const breakOf = (tag: string): string => breaks.get(tag) ?? ''

export const isVerbatim = (tag: string): boolean => verbatim.has(tag)

/** A piece of text of an element that does not keep its white space. */
export const unbroken = (text: string): string => text.replace(/[\t\n\f\r ]+/g, ' ')
