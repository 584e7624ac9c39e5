import { codeOf } from '../../shared/domain/failure.ts'

/**
 * True for an error that says that the records cannot be written at the moment: the disk is full, or the database is locked,
 * busy or out of reach.
 */
export const isUnableToStore = (error: unknown): boolean =>
  ['no-space', 'unavailable', 'overloaded'].includes(codeOf(error))
