const notModule = /Unexpected token 'export'|outside a module/

/**
 * What to do where Node took a module for CommonJS, for the end of a message; nothing where `message` says otherwise. A
 * package says that of its `.ts` and `.js` files with `"type": "commonjs"`, and `npm init` writes it unasked.
 */
export const moduleKindHint = (message: string): string =>
  notModule.test(message)
    ? '; write "type": "module" into the package.json beside it, or let the name of the file end in .mts or .mjs'
    : ''
