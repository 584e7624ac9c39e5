import { isShareAlias } from '../../../shared/domain/limits/share-alias.ts'
import { isSenderName } from '../../../shared/domain/limits/sender-name.ts'
import { durationOf, endOf, maxBytesOf, maxFilesOf, startOf, type LinkFields } from './link-terms.ts'

/** The reason why a link cannot be created or changed. `taken-alias`: the server has refused the alias. */
export type LinkProblem = 'duration' | 'limits' | 'downloads' | 'alias' | 'taken-alias' | 'sender' | 'start'

/**
 * Returns what is wrong with the fields of a link, or null. A link that ends before it starts never works. Only the form of an
 * alias is checked, because nobody is told which links others have.
 */
export function problemOf(fields: LinkFields): LinkProblem | null {
  if (durationOf(fields.duration) === null) return 'duration'
  const areLimitsWrong = maxFilesOf(fields.maxFiles) === null || maxBytesOf(fields.maxSize) === null
  if (fields.mode === 'upload-only' && areLimitsWrong) return 'limits'
  if (fields.mode === 'download' && maxFilesOf(fields.maxDownloads) === null) return 'downloads'
  if (fields.alias.trim() !== '' && !isShareAlias(fields.alias.trim())) return 'alias'
  if (!isSenderName(fields.sender.trim())) return 'sender'
  const endMs = endOf(fields)
  const startMs = startOf(fields)
  return endMs !== null && startMs !== null && startMs >= endMs ? 'start' : null
}
