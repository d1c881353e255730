/** Text as it stands for itself in a regular expression, whichever engine reads it. */
export const regexText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
