/** FNV-1a (Fowler, Noll, Vo), its bits stirred (Murmur3's last step), as a number in (0, 1): the same wherever it is made. */
export function hashOf(text: string): number {
  let bits = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (((bits ^ (bits >>> 16)) >>> 0) + 0.5) / 2 ** 32
}
