import type { AccessRule } from '../../domain/access.ts'
import type { RefusedValue } from '../../domain/failure.ts'

/** The types of field values, by field kind, for the kinds that users and settings have in common. */
export type CommonValueTypes = {
  readonly switch: boolean
  readonly text: string
  readonly words: readonly string[]
  readonly rules: readonly AccessRule[]
}

/**
 * The ids of the messages with which the client shows a field. The client does not compile when its catalogue has no such
 * message.
 */
export type FieldTexts = {
  /** The label of the field in a form. */
  readonly label: string
  /** The heading above a field that is a group of fields, or whose label does not say what the field is about. */
  readonly heading?: string
  /** The name of the field in the audit log, where the name is neither the heading nor the label. */
  readonly logged?: string
  readonly hint?: string
  /** An example, which an empty field shows. */
  readonly example?: string
}

/** The part of a field's row that says how forms and the audit log of the client show the field. */
export type FieldForm = {
  readonly texts: FieldTexts
  /** The value with which the server refuses the field, and the id of the message that the field then shows. */
  readonly refusal?: { readonly value: RefusedValue; readonly text: string }
  /** True for a field that forms show only where users can run commands. */
  readonly needsCommands?: true
}

/** The same part for a field whose value is one of several. */
export type ChoiceForm<Choice extends string> = {
  /** The values that a form offers, with the ids of their messages. Another value is shown as the first of them. */
  readonly choices: { readonly [C in Choice]?: string }
}

/** The description of a command-line flag. By default, it has the name of the field. */
export type FlagDescription = {
  readonly meaning: string
  readonly name?: string
  readonly short?: string
}

/** The range of a number, which both the server and the forms check. */
export type NumberRange = { readonly range: readonly [least: number, most: number] }

/** The range of a size in bytes, and the size in bytes of the unit in which forms show it. */
export type SizeRange = NumberRange & { readonly unitBytes: number }

/**
 * A table of fields. The key of a row is the name of the field, and the kind of the row determines the type of its
 * values.
 */
export type FieldTable<T, Kind = string> = { readonly [N in keyof T]: { readonly kind: Kind } }

/** The values of all fields in a table. `V` maps each kind of field to the type of its values. */
export type FieldValuesOf<T extends FieldTable<T, keyof V>, V> = { readonly [N in keyof T]: V[T[N]['kind']] }

/** The names of the fields in a table whose rows have the given properties. */
export type FieldNamesWith<T, Properties> = {
  [N in keyof T & string]: T[N] extends Properties ? N : never
}[keyof T & string]

/** An object with one function for each kind of field in a table. The function maps a field of that kind to a value. */
type FieldMappers<T extends FieldTable<T>> = {
  readonly [K in T[keyof T]['kind']]: (name: string, field: Extract<T[keyof T], { kind: K }>) => unknown
}

/** Returns the names of the fields of a table in the order of the table. */
export const fieldNamesOf = <T extends object>(table: T): readonly (keyof T & string)[] =>
  Object.keys(table) as (keyof T & string)[]

type MappedFields<T extends FieldTable<T>, N extends keyof T, M> = {
  readonly [F in N]: M[T[F]['kind'] & keyof M] extends (...args: never) => infer Made ? Made : never
}

/**
 * Builds an object with one member for each of the named fields of a table, in the order of `names`. The function for
 * the field's kind creates the member and determines its type.
 */
export function mapFields<T extends FieldTable<T>, N extends keyof T & string, M extends FieldMappers<T>>(
  table: T,
  names: readonly N[],
  makers: M,
): MappedFields<T, N, M> {
  const makersByKind = new Map<string, unknown>(Object.entries(makers))
  const members = names.map((name) => {
    const make = makersByKind.get(table[name].kind) as (name: string, field: T[N]) => unknown
    return [name, make(name, table[name])] as const
  })
  return Object.fromEntries(members) as MappedFields<T, N, M>
}

/**
 * Builds an object with one member for each of the named fields of a table. The value of each member is the value in
 * `byKind` for the field's kind.
 */
export const membersByKind = <
  T extends FieldTable<T>,
  N extends keyof T & string,
  V extends Readonly<Record<T[keyof T]['kind'], unknown>>,
>(
  table: T,
  names: readonly N[],
  byKind: V,
) =>
  Object.fromEntries(names.map((name) => [name, byKind[table[name].kind as T[keyof T]['kind']]])) as {
    readonly [F in N]: V[T[F]['kind'] & keyof V]
  }

/** Returns the initial values of all fields in a table. `V` maps each kind of field to the type of its values. */
export const initialValuesOf = <T extends FieldTable<T, keyof V>, V>(
  table: T & Readonly<Record<string, { readonly initial: unknown }>>,
): FieldValuesOf<T, V> =>
  Object.fromEntries(Object.entries(table).map(([name, { initial }]) => [name, initial])) as FieldValuesOf<
    T,
    V
  >

/** Returns the named members of an object, in the order of `names`. */
export function pickMembers<T extends object, N extends keyof T>(from: T, names: readonly N[]): Pick<T, N> {
  const picked = {} as Pick<T, N>
  for (const name of names) picked[name] = from[name]
  return picked
}

/** Returns the names with the names in `first` moved to the front, in the order of `first`. */
export const withFirst = <N extends string>(names: readonly N[], first: readonly N[]): readonly N[] => [
  ...first,
  ...names.filter((name) => !first.includes(name)),
]
