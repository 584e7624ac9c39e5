import { Type, type Static, type TSchema } from 'typebox'
import { archiveUrlChars } from '../domain/limits/archive-limits.ts'
import { limits } from '../domain/limits.ts'

/** A type in which every member, list and tuple is read-only. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/**
 * The type of the values that a schema accepts. The types of requests and responses are derived from their schemas with
 * this type.
 */
export type WireType<Schema extends TSchema> = DeepReadonly<Static<Schema>>

/** The type without any `readonly` modifiers, which schemas cannot express. */
type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T

/**
 * `unknown` when a schema describes exactly the type `T`, otherwise `never`. Keys are compared separately, because an
 * optional member would otherwise be considered equal to a missing member.
 */
type SchemaMatch<T, S extends TSchema> = [Mutable<T>, keyof Mutable<T>] extends [Static<S>, keyof Static<S>]
  ? [Static<S>] extends [Mutable<T>]
    ? unknown
    : never
  : never

/** Declares the schema of a given TypeScript type. A schema that describes any other type does not compile. */
export const schemaOf =
  <T>() =>
  <S extends TSchema>(schema: S & SchemaMatch<T, S>): S =>
    schema

/**
 * Makes a member of a request body optional. Null is treated like a missing member and means the type's zero value, as
 * in File Browser (contract 1.9).
 */
export const nullish = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

// Every text that a client sends has a maximum length, in characters (`docs/bounds.md`). A query or body with a longer text is
// refused with 400.

/** A short value of a query, such as a switch, a unit, a sort key or a number. */
export const optionText = Type.String({ maxLength: limits.optionCharacters })

/** A path in a query, whose characters may be percent-encoded once more. */
export const writtenPathText = Type.String({ maxLength: limits.writtenPathCharacters })

/** A path in a JSON body, which is not percent-encoded. Its bytes are limited where it is read. */
export const pathText = Type.String({ maxLength: limits.pathBytes })

/** A password that is checked. Its bytes are limited where it is read. */
export const passwordText = Type.String({ maxLength: limits.passwordBytes })

/** An object whose members are not fixed. */
export const recordOf = <T extends TSchema>(values: T) =>
  Type.Record(Type.String(), values, { maxProperties: limits.recordMembers, propertyNames: optionText })

/** The names of entries in a query, separated by commas. */
export const entryNamesText = Type.String({ maxLength: archiveUrlChars })
