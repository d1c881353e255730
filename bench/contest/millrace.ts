import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { benchJob } from '../crawl-job.ts'
import { distIndex } from '../dist.ts'
import { finish, task } from './figures.ts'

/**
 * A whole run with a folder: state, items, reports. By the package as it is published, which whoever starts this has
 * built, since the others run what they publish too. The last argument, where given, is the number of threads.
 */
const { crawl }: typeof import('../../src/index.ts') = await import(distIndex)
const folder = `${task.out}.run`
const threads = Number(process.argv[6] ?? 2)
const run = crawl(benchJob(task.urls, task.concurrency), { out: folder, threads, restart: true })
const { items } = await run.finished()
renameSync(join(folder, 'items.jsonl'), task.out)
rmSync(folder, { recursive: true })
finish(items)
