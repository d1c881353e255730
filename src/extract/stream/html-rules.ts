/**
 * How htmlparser2 (10.1, HTML mode) makes a tree from tags: which elements an opening tag ends before it, which have
 * no content, and where `/>` means something. It is a small part of what the HTML standard says, and the `fast` tree is
 * made by it, so tokens are read by the same rules. The property tests hold both to the same result: with another
 * version of the parser, they tell what has changed.
 */

const words = (text: string): readonly string[] => text.split(' ')

const formControls = words('input option optgroup select button datalist textarea')

/** Tag to those that it ends, as long as one of them is the innermost open element. */
export const impliedEnds: ReadonlyMap<string, readonly string[]> = new Map([
  ['tr', words('tr th td')],
  ['th', ['th']],
  ['td', words('thead th td')],
  ['body', words('head link script')],
  ['li', ['li']],
  ['option', ['option']],
  ['optgroup', words('optgroup option')],
  ...words('dd dt').map(tag => [tag, words('dd dt')] as const),
  ...words('rt rp').map(tag => [tag, words('rt rp')] as const),
  ...words('tbody tfoot').map(tag => [tag, words('thead tbody')] as const),
  ...words('select input output button datalist textarea').map(tag => [tag, formControls] as const),
  ...words(
    'p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form ' +
      'header hr main nav ol pre section table ul',
  ).map(tag => [tag, ['p']] as const),
])

export const voidTags: readonly string[] = words(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
)

/** Inside these `/>` ends an element... */
export const foreignTags: readonly string[] = ['math', 'svg']

/** ...but not inside these, which bring HTML back. */
export const htmlIslandTags: readonly string[] = words('mi mo mn ms mtext annotation-xml foreignobject desc title')

/**
 * All up to the end tag is text. The last three are no names of HTML: the tokenizer looks at the first letter and then
 * at the second, each for itself, and takes `<tmp>` for an `<xmp>`.
 */
export const rawTextTags: readonly string[] = words('script style textarea xmp xextarea tmp')

/** The same, but for character references, which count. */
export const titleTags: readonly string[] = ['title', 'xitle']

/** Opened without being written, at an end tag of theirs that has no start. */
export const unwrittenTags: readonly string[] = ['p', 'br']
