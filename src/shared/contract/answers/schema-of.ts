import type { Static, TSchema } from 'typebox'

/** A type without `readonly`, which schemas say nothing about. */
type Loose<T> = T extends readonly (infer Item)[]
  ? Loose<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Loose<T[Key]> }
    : T

/** Keys are compared too: a member that may be missing would else fit one that is not there. */
type Fits<T, S extends TSchema> = [Loose<T>, keyof Loose<T>] extends [Static<S>, keyof Static<S>]
  ? [Static<S>] extends [Loose<T>]
    ? unknown
    : never
  : never

/** A schema that says what a type of the wire says: one that says anything else does not compile. */
export const schemaOf =
  <T>() =>
  <S extends TSchema>(schema: S & Fits<T, S>): S =>
    schema
