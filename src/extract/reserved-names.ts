/** Names that mean something to every object of the language: no field and no group of a pattern has one. */
export const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', 'toJSON'])
