import { readFile } from 'node:fs/promises'
import { MillraceError } from '../core/errors.ts'
import type { Job } from '../job/job.ts'

async function readCertificates(path: string, job: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new MillraceError(
      'CONFIG_INVALID',
      `${job}: tls.ca: ${path} cannot be read; expected a file of certificates in PEM`,
      { cause },
    )
  }
}

/** The texts of the files that a job trusts beside the usual certificates. @throws CONFIG_INVALID one cannot be read */
export const certificatesOf = ({ tls, writtenIn }: Job): Promise<readonly string[]> =>
  Promise.all(tls.ca.map(path => readCertificates(path, writtenIn)))
