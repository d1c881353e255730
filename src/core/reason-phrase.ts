/**
 * `Not Found` for 404, nothing for a status that has no name. `node:http` is not imported for it: that reads all of its
 * exports, some of which load a second HTTP client, which costs a worker thread as much as all of its own code.
 */
export const reasonPhrase = (status: number): string => process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''
