import { Type } from 'typebox'
import type { AccessRule } from '../domain/access.ts'
import { ruleSchema } from './user-schemas.ts'
import { schemaOf } from './wire.ts'

/** The types of field values, by field kind, for the kinds that users and settings have in common. */
export type CommonValueTypes = {
  readonly switch: boolean
  readonly text: string
  readonly words: readonly string[]
  readonly rules: readonly AccessRule[]
}

/** The schemas of field values in responses, by field kind, for the common kinds. */
export const commonSchemas = {
  switch: schemaOf<CommonValueTypes['switch']>()(Type.Boolean()),
  text: schemaOf<CommonValueTypes['text']>()(Type.String()),
  words: schemaOf<CommonValueTypes['words']>()(Type.Array(Type.String())),
  rules: schemaOf<CommonValueTypes['rules']>()(Type.Array(ruleSchema)),
}

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
export const pickMembers = <T extends object, N extends keyof T>(from: T, names: readonly N[]): Pick<T, N> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, N>

/** Returns the names with the names in `first` moved to the front, in the order of `first`. */
export const withFirst = <N extends string>(names: readonly N[], first: readonly N[]): readonly N[] => [
  ...first,
  ...names.filter((name) => !first.includes(name)),
]
