export type Charset = 'utf-8' | 'windows-1252' | 'shift_jis'

/** Byte sequences beyond ASCII that a charset may know. */
function* candidates(charset: Charset): Generator<readonly number[]> {
  for (let byte = 0x80; byte <= 0xff; byte += 1) yield [byte]
  if (charset !== 'shift_jis') return
  for (let lead = 0x81; lead <= 0xfc; lead += 1)
    for (let trail = 0x40; trail <= 0xfc; trail += 1) if (trail !== 0x7f) yield [lead, trail]
}

/** Node decodes these charsets and does not encode them, so the table is the decoder's, turned round. */
function tableOf(charset: Charset): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, readonly number[]>()
  for (const bytes of candidates(charset)) {
    const text = decoder.decode(Uint8Array.from(bytes))
    const isOneCharacter = [...text].length === 1 && text !== '\ufffd'
    if (isOneCharacter && !table.has(text)) table.set(text, bytes)
  }
  return table
}

/** Writes HTML in a charset; characters that it lacks become numeric references, as browsers do in forms. */
export function createEncoder(charset: Charset): (text: string) => Uint8Array {
  if (charset === 'utf-8') return text => new TextEncoder().encode(text)
  let table: ReadonlyMap<string, readonly number[]> | null = null
  const reference = (character: string): Uint8Array => new TextEncoder().encode(`&#${character.codePointAt(0)};`)
  return text => {
    table ??= tableOf(charset)
    const bytes: number[] = []
    for (const character of text) {
      const point = character.codePointAt(0) ?? 0
      if (point < 0x80) bytes.push(point)
      else bytes.push(...(table.get(character) ?? reference(character)))
    }
    return Uint8Array.from(bytes)
  }
}
