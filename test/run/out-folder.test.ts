import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { leftovers, openOutFolder } from '../../src/run/out-folder.ts'
import { createLineFile } from '../../src/sink/line-file.ts'

let top = ''
let out = ''
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'millrace-folder-'))
  out = join(top, 'out')
  await mkdir(out)
  await writeFile(join(top, 'victim'), 'mine')
})
afterEach(() => rm(top, { recursive: true }))

describe('a link in the place of a file of a run', () => {
  test.each(['items.jsonl', 'items-00001.csv.gz', 'dead.jsonl', 'dead', 'run.log', 'report.json', 'state.db'])(
    'is refused: %s',
    async name => {
      await symlink(join(top, 'victim'), join(out, name))
      await expect(openOutFolder(out, false)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('is a link'),
      })
    },
  )

  test('is removed by a restart, and what it leads to is not', async () => {
    await symlink(join(top, 'victim'), join(out, 'items.jsonl'))
    await openOutFolder(out, true)
    expect(await leftovers(out)).toEqual([])
    expect(await readFile(join(top, 'victim'), 'utf8')).toBe('mine')
  })

  test('that comes after the folder was looked at is not followed', async () => {
    await symlink(join(top, 'victim'), join(out, 'items.jsonl'))
    await expect(createLineFile(join(out, 'items.jsonl'))).rejects.toMatchObject({ code: 'SINK_FAILED' })
    expect(await readFile(join(top, 'victim'), 'utf8')).toBe('mine')
  })
})

test.each(['items.csv', 'items-00002.jsonl.gz', 'items-00001.parquet'])(
  'items of somebody else are not written over: %s',
  async name => {
    await writeFile(join(out, name), 'theirs')
    await expect(openOutFolder(out, false)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('no state.db to go on from'),
    })
  },
)

test('files that are none of a run are left alone', async () => {
  await writeFile(join(out, 'items.txt'), 'theirs')
  await openOutFolder(out, true)
  expect(await readFile(join(out, 'items.txt'), 'utf8')).toBe('theirs')
})

test('a restart after a process that was killed removes what it left of its database, too', async () => {
  const state = join(out, 'state.db')
  // Whoever closes a database takes its log away: what is to be removed goes while it is removed.
  const database = new DatabaseSync(state)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)')
  await copyFile(`${state}-wal`, join(top, 'wal'))
  database.close()
  await rename(join(top, 'wal'), `${state}-wal`)
  await openOutFolder(out, true)
  expect(await leftovers(out)).toEqual([])
})

test.skipIf(!existsSync('/proc/self'))(
  'a folder that cannot be made is told, where making it would be tried for ever',
  async () => {
    await expect(openOutFolder('/proc/millrace/out', false)).rejects.toMatchObject({ code: 'SINK_FAILED' })
  },
)

test('a folder is made with all above it', async () => {
  await openOutFolder(join(out, 'deep', 'er'), false)
  expect(await leftovers(join(out, 'deep', 'er'))).toEqual([])
})
