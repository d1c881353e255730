import type { z } from 'zod'
import type { ValueType } from '../extract/schema.ts'
import type { jobShape } from './job-shape.ts'

/** One field of an item: a selector, a list of one, or a map that says what is read and as which type. */
export type FieldInput = string | FieldMap | readonly (string | FieldMap)[]

export interface FieldMap {
  /** Left out: the element of the scope itself. */
  readonly selector?: string
  /** `text`, `innerHTML`, `outerHTML`, the name of an attribute, or the fields of a nested item. */
  readonly value?: string | ItemInput
  readonly type?: ValueType | 'html' | 'attr'
}

export interface ItemInput {
  readonly [field: string]: FieldInput
}

type Input = z.input<typeof jobShape>
type PageInput = Omit<NonNullable<Input['pages']>[number], 'item'> & { readonly item?: ItemInput }

/** A job as it is written, before anything is checked or filled in. */
export type JobInput = Omit<Input, 'item' | 'pages'> & {
  readonly item?: ItemInput
  readonly pages?: readonly PageInput[]
}

/** Gives a job in a module its type, and returns it as it is: `export const job = defineJob({ seeds: [...], ... })`. */
export const defineJob = (job: JobInput): JobInput => job
