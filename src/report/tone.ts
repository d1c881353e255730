/**
 * Colours that are told apart with every common kind of colour vision, and that text may have on the paper beside them:
 * blue and orange lead, lightness tells the others. Lines of the same plot differ by their dashes too.
 */
export const tones = {
  light: ['#0063a6', '#b04a00', '#0b7560', '#8f2a6e', '#5a6270', '#7d6000'],
  dark: ['#63b9f2', '#f2a65a', '#4fd1ab', '#ee9ccb', '#aab4c3', '#e3cf57'],
} as const

export const paper = { light: '#ffffff', dark: '#14171c' } as const
export const ink = { light: '#1a1d23', dark: '#e8ebf0' } as const
/** Of what is said beside the matter. */
export const pale = { light: '#565d69', dark: '#a3acb9' } as const

export const toneOf = (nth: number): string => `tone${nth % tones.light.length}`

/** The `d` of strokes, by tone. */
export const dashes = ['none', '7 3', '2 3', '9 3 2 3', '12 4', '4 4'] as const
