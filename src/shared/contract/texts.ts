import { Type, type TSchema } from 'typebox'
import { archiveUrlChars } from '../domain/archive-limits.ts'
import { limits } from '../domain/limits.ts'

/**
 * Schemas of texts in requests. Every text that a client sends has a maximum length, in characters
 * (`docs/bounds.md`). A query or body with a longer text is refused with 400.
 */

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
