import type { z } from 'zod'
import type { ItemInput, ItemsInput } from '../extract/item-input.ts'
import type { jobShape } from './job-shape.ts'

type Input = z.input<typeof jobShape>
type Reading = { readonly item?: ItemInput; readonly items?: ItemsInput }
type PageInput = Omit<NonNullable<Input['pages']>[number], keyof Reading> & Reading

/** A job as it is written, before anything is checked or filled in. */
export type JobInput = Omit<Input, keyof Reading | 'pages'> & Reading & { readonly pages?: readonly PageInput[] }

/** A key that no job has is a mistake of the caller, which the type of a whole job would let pass. */
type Unknown<Written, Known> = { readonly [Key in Exclude<keyof Written, keyof Known>]: never }

/**
 * Gives a job in a module its type, and returns it as it is: `export const job = defineJob({ seeds: [...], ... })`. The
 * type says what its items are: `ItemOfJob<typeof job>`.
 */
export const defineJob = <const Job extends JobInput>(job: Job & Unknown<Job, JobInput>): Job => job
