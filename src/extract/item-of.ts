import type { Item, JsonValue } from '../core/wire.ts'

/** What a schema gives, as TypeScript's types. A schema must be written `as const` for it, or within `defineJob`. */
export type ItemOf<Schema> = { -readonly [Name in keyof Schema]: FieldOf<Schema[Name]> }

type FieldOf<Field> = Field extends readonly (infer One)[] ? ListOf<One> : SingleOf<Field>

type ListOf<One> = One extends string ? string[] : NonNullable<MatchOf<One>>[]

type SingleOf<Field> = Field extends string
  ? string | null
  : Field extends { readonly constant: infer Constant }
    ? Constant
    : Field extends { readonly count: true }
      ? number
      : Field extends { readonly exists: true }
        ? boolean
        : Field extends { readonly default: infer Default }
          ? NonNullable<MatchOf<Field>> | Widened<Default>
          : Field extends { readonly required: true }
            ? NonNullable<MatchOf<Field>>
            : MatchOf<Field>

type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends readonly []
        ? []
        : Value

/** One name of a table's column or a term, to one text or several. */
type Pairs = Record<string, string | string[]>

/** Of one match; null: it has no value, or there is none. */
type MatchOf<Field> = Field extends { readonly from: string } | { readonly xpath: string }
  ? JsonValue
  : Field extends { readonly table: 'pairs' }
    ? Pairs | null
    : Field extends { readonly table: true | 'rows' }
      ? Pairs[] | null
      : Field extends { readonly dl: true }
        ? Pairs | null
        : Field extends { readonly value: infer Value extends object }
          ? GroupOf<Field, Value>
          : Field extends { readonly pattern: infer Pattern extends string }
            ? PatternOf<Pattern, ValueOf<Field>>
            : ValueOf<Field>

/** A group without a selector is always there. */
type GroupOf<Field, Value> = Field extends { readonly selector: string } ? ItemOf<Value> | null : ItemOf<Value>

/** Of one string. */
type ValueOf<Field> = Field extends { readonly type: infer Type }
  ? TypedOf<Type>
  : Field extends { readonly context: infer Name }
    ? ContextOf<Name>
    : Field extends { readonly value: BooleanAttribute }
      ? boolean
      : string | null

type TypedOf<Type> = Type extends 'number'
  ? number | null
  : Type extends 'boolean'
    ? boolean | null
    : Type extends 'json'
      ? JsonValue
      : string | null

type ContextOf<Name> = Name extends 'status'
  ? number | null
  : Name extends 'depth'
    ? number
    : Name extends `meta${string}`
      ? JsonValue
      : Name extends `header:${string}`
        ? string | null
        : string

/** Without a type they are true or false. */
type BooleanAttribute =
  | 'async'
  | 'autofocus'
  | 'autoplay'
  | 'checked'
  | 'controls'
  | 'defer'
  | 'disabled'
  | 'hidden'
  | 'loop'
  | 'multiple'
  | 'muted'
  | 'nomodule'
  | 'novalidate'
  | 'open'
  | 'readonly'
  | 'required'
  | 'reversed'
  | 'scoped'
  | 'selected'

type PatternOf<Pattern extends string, Value> = string extends Pattern
  ? JsonValue
  : GroupsOf<Pattern> extends { readonly names: infer Names; readonly count: infer Count }
    ? [Names] extends [never]
      ? Count extends 0 | 1
        ? Value
        : (Value | null)[] | null
      : { [Name in Names & string]: Value | null } | null
    : never

/** The groups of a regular expression, letter by letter. */
type GroupsOf<Rest extends string, Names = never, Count extends 1[] = []> = Rest extends `\\${infer Escaped}`
  ? GroupsOf<Behind<Escaped>, Names, Count>
  : Rest extends `[${infer Inside}`
    ? GroupsOf<BehindClass<Inside>, Names, Count>
    : Rest extends `(?<${'=' | '!'}${infer Inside}`
      ? GroupsOf<Inside, Names, Count>
      : Rest extends `(?<${infer Name}>${infer Inside}`
        ? GroupsOf<Inside, Names | Name, [...Count, 1]>
        : Rest extends `(?${infer Inside}`
          ? GroupsOf<Inside, Names, Count>
          : Rest extends `(${infer Inside}`
            ? GroupsOf<Inside, Names, [...Count, 1]>
            : Rest extends ''
              ? { readonly names: Names; readonly count: Count['length'] }
              : GroupsOf<Behind<Rest>, Names, Count>

type Behind<Text extends string> = Text extends `${string}${infer Rest}` ? Rest : ''

type BehindClass<Inside extends string> = Inside extends `\\${infer Escaped}`
  ? BehindClass<Behind<Escaped>>
  : Inside extends `]${infer Rest}`
    ? Rest
    : Inside extends ''
      ? ''
      : BehindClass<Behind<Inside>>

/** What every item says beside its own fields. No interface, which would be no `Item`. */
export type ItemOrigin = {
  readonly _url: string
  readonly _finalUrl?: string
  readonly _page: string
  readonly _at: string
  /** Its place among the items of its page. */
  readonly _index?: number
  /** Paths of the fields that should have a value and have none. */
  readonly _missing?: readonly string[]
}

/** The items that a job gives: of any of its page rules. `Item` where its type does not say what it extracts. */
export type ItemOfJob<Job> = [FieldsOfJob<Job>] extends [never] ? Item : FieldsOfJob<Job>

type FieldsOfJob<Job> = Job extends { readonly pages: readonly (infer Page)[] } ? FieldsOfPage<Page> : FieldsOfPage<Job>

type FieldsOfPage<Page> = Page extends { readonly module: string }
  ? Item
  : Page extends { readonly item: infer Schema }
    ? FieldsOfSchema<Schema>
    : Page extends { readonly items: { readonly item: infer Schema } }
      ? FieldsOfSchema<Schema>
      : never

type FieldsOfSchema<Schema> = Schema extends object
  ? string extends keyof Schema
    ? Item
    : ItemOf<Schema> & ItemOrigin
  : never
