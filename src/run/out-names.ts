/** What a run calls the files of its folder, whatever the job; those of its items are named by their format. */
export const outNames = {
  dead: 'dead.jsonl',
  report: 'report.json',
  page: 'report.html',
  log: 'run.log',
  state: 'state.db',
  parsing: 'parsing',
} as const
