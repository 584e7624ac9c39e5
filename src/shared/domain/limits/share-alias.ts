import { clientLimits } from './client-limits.ts'

/** The lengths of hashes: those of File Browser have 8 characters, and those of Stowage 22. */
const hashLengths: readonly number[] = [8, 22]

/**
 * Returns true for a text that may be the alias of a share: letters without accents, digits, and hyphens between them. It has
 * another length than any hash, so that no alias can take the place of a link that has ended. Upper and lower case are the same.
 */
export const isShareAlias = (text: string): boolean =>
  text.length >= clientLimits.minAliasCharacters &&
  text.length <= clientLimits.aliasCharacters &&
  !hashLengths.includes(text.length) &&
  /^[a-z0-9][a-z0-9-]*[a-z0-9]$/i.test(text)
