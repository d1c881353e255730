import { expect, test } from 'vitest'
import { availableThreads, cgroupCores } from '../../src/run/cores.ts'

const filesOf =
  (files: Readonly<Record<string, string>>) =>
  (path: string): string | null =>
    files[path] ?? null

test.each([
  ['a quota of one and a half cores', { '/sys/fs/cgroup/cpu.max': '150000 100000\n' }, 1.5],
  ['no quota', { '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, Number.POSITIVE_INFINITY],
  [
    'a quota by the older files',
    { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '200000\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' },
    2,
  ],
  [
    'no quota by the older files',
    { '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n', '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n' },
    Number.POSITIVE_INFINITY,
  ],
  ['no control group', {}, Number.POSITIVE_INFINITY],
  ['something else', { '/sys/fs/cgroup/cpu.max': 'what' }, Number.POSITIVE_INFINITY],
])('%s', (_, files: Readonly<Record<string, string>>, cores) => {
  expect(cgroupCores(filesOf(files))).toBe(cores)
})

test('a share of less than one core is still one thread', () => {
  expect(availableThreads(filesOf({ '/sys/fs/cgroup/cpu.max': '50000 100000' }))).toBe(1)
})
