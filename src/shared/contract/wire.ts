import { Type, type Static, type TSchema } from 'typebox'

/** A schema's own type with every member, list and tuple read-only. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/** The type of the values that a schema accepts. Types of requests and answers are derived from their schemas with it. */
export type Wire<Schema extends TSchema> = DeepReadonly<Static<Schema>>

/** A type without `readonly`, which schemas do not express. */
type Loose<T> = T extends readonly (infer Item)[]
  ? Loose<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Loose<T[Key]> }
    : T

/**
 * `unknown` when the schema has exactly the type, otherwise `never`. Keys are compared separately, because an optional
 * member would otherwise match a member that is missing.
 */
type Fits<T, S extends TSchema> = [Loose<T>, keyof Loose<T>] extends [Static<S>, keyof Static<S>]
  ? [Static<S>] extends [Loose<T>]
    ? unknown
    : never
  : never

/** Declares the schema of a type of the domain. A schema of any other type does not compile. */
export const schemaOf =
  <T>() =>
  <S extends TSchema>(schema: S & Fits<T, S>): S =>
    schema

/**
 * Makes a member of a body that may be left out. Null counts as left out: it stands for the type's zero value, as in the original
 * program (contract 1.9).
 */
export const nullish = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
