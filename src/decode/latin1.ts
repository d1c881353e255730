/** The first `endByte` bytes with one character for each, whatever their charset: what signatures and tags are sought in. */
export const latin1 = (bytes: Uint8Array, endByte = bytes.byteLength): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 0, endByte)
