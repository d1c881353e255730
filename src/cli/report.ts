import { resolve } from 'node:path'
import { Command } from 'commander'
import { rebuildReport } from '../run/report-files.ts'
import { print, printable } from './terminal.ts'

export function reportCommand(): Command {
  return new Command('report')
    .description('make report.html of a run again, from its report.json')
    .argument('<dir>', 'the output folder of a run that has ended')
    .action(async (folder: string) => print(printable(await rebuildReport(resolve(folder)))))
}
