/** Those of the entries that may belong to a text, in lists, each in the order in which the entries were given. */
export type GramIndex<Entry> = (text: string) => Iterable<readonly Entry[]>

/**
 * Finds entries of which a text must contain certain pieces, without a look at all of them: an inverted index over
 * grams, the runs of four characters (as in Cox, Regular Expression Matching with a Trigram Index, 2012). A text that has
 * the pieces of an entry has every gram of theirs, so that each entry stands under one gram alone: of its own the one
 * with the shortest list so far, which spreads entries that are much alike. A piece that is shorter is a gram itself.
 *
 * A text of n characters costs 4n look-ups, and a trial of what stands under its grams: of entries written by people that
 * is next to nothing. Known weakness: entries of few grams, all of them in the text, are all tried.
 *
 * @param piecesOf an entry without any that are not empty may belong to every text
 */
export function createGramIndex<Entry>(
  entries: readonly Entry[],
  piecesOf: (entry: Entry) => readonly string[],
): GramIndex<Entry> {
  const lists = new Map<number, Entry[]>()
  const ofEveryText: Entry[] = []

  for (const entry of entries) {
    let least: number | null = null
    let leastSize = Number.POSITIVE_INFINITY
    for (const gram of gramsOf(piecesOf(entry))) {
      const size = lists.get(gram)?.length ?? 0
      if (size < leastSize) {
        least = gram
        leastSize = size
      }
      if (size === 0) break
    }
    if (least === null) ofEveryText.push(entry)
    else if (leastSize === 0) lists.set(least, [entry])
    else lists.get(least)?.push(entry)
  }

  return text => {
    const found = new Set<readonly Entry[]>([ofEveryText])
    for (let start = 0; start < text.length; start++) {
      const end = Math.min(start + gramLength, text.length)
      let gram = 0
      for (let at = start; at < end; at++) {
        gram = longer(gram, text, at)
        const list = lists.get(gram)
        if (list !== undefined) found.add(list)
      }
    }
    return found
  }
}

/** Four characters of ASCII are a number of 28 bits, which a map finds at once, while pieces of text are to be made first. */
const gramLength = 4
/** Never the same for two texts of ASCII; others may share one, and are then tried in vain. */
const longer = (gram: number, text: string, at: number): number => (gram << 7) + text.charCodeAt(at)

function* gramsOf(pieces: readonly string[]): Iterable<number> {
  for (const piece of pieces) {
    const length = Math.min(gramLength, piece.length)
    for (let end = length; end <= piece.length && length > 0; end++) {
      let gram = 0
      for (let at = end - length; at < end; at++) gram = longer(gram, piece, at)
      yield gram
    }
  }
}
