import { expect, test } from 'vitest'
import { millrace } from './kit.ts'

test('try of an address without http:// says that it is neither a URL nor a file, where it had named a seed of no job', async () => {
  const { code, stderr } = await millrace(['try', 'localhost:8080/page'], import.meta.dirname)
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'CONFIG_INVALID  localhost:8080/page is neither a URL that begins with http:// or https:// nor a file that can be read\n',
  })
})
