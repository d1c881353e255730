import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { demoJob } from '../demo/job.ts'
import { startDemoSite } from '../demo/site.ts'
import { checkJob } from '../job/check-job.ts'
import { crawl } from '../run/run.ts'
import { exitCodes } from './exit.ts'
import { showItems } from './show-items.ts'
import { tell } from './terminal.ts'
import { watchRun } from './watch-run.ts'

export function demoCommand(end: (exitCode: number) => void): Command {
  return new Command('demo')
    .description('serve a shop on this machine, scrape it, and show what came of it')
    .option('--out <dir>', 'folder for the output (default: a new one among the temporary files)')
    .action(async (flags: { readonly out?: string }) => {
      const folder = flags.out === undefined ? await mkdtemp(join(tmpdir(), 'millrace-demo-')) : resolve(flags.out)
      await using site = await startDemoSite()
      tell(`A shop of 300 products is open at ${site.urls.home} while this runs.`)
      const job = checkJob(demoJob(site.urls), { path: 'demo', baseDir: process.cwd() })
      const { signalled } = await watchRun(crawl(job, { out: folder, restart: true }), {
        quiet: false,
        json: false,
        folder,
      })
      await showItems(join(folder, 'items.jsonl'), 5)
      end(signalled ?? exitCodes.finished)
    })
}
