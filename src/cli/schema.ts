import { Command } from 'commander'
import { jobSchema } from '../job/json-schema.ts'
import { print } from './terminal.ts'

export function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of a job file, for editors')
    .action(() => print(JSON.stringify(jobSchema(), null, 2)))
}
