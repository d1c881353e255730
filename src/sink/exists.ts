import { stat } from 'node:fs/promises'

/** Something of that name is there, whatever it is. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
