/** What kill -9 can make us fetch again: a batch of pages is closed when its oldest one has waited this long ... */
export const batchMs = 100
/** ... or when it holds this much. */
export const batchBytes = 1 << 20
export const batchPages = 256
