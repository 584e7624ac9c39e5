import { modifiedHeader } from '../../../shared/contract/entry-headers.ts'
import type { Entry } from '../../../shared/domain/entry.ts'
import { isKeptTime } from '../../../shared/domain/limits/modified-limit.ts'

/**
 * Returns the modification time that an uploaded file keeps, in ms since 1970. Returns undefined when the client sent
 * none or an impossible one. Also returns undefined for the time of the entry that the upload replaces: the etag
 * contains the time and the size, and must change with the bytes.
 */
export function keptModifiedMs(
  header: (name: string) => string | undefined,
  replaced: Entry | null,
): number | undefined {
  const text = header(modifiedHeader.name.toLowerCase()) ?? ''
  if (!/^-?[1-9][0-9]{0,14}$/.test(text)) return undefined
  const modifiedMs = Number(text)
  if (!isKeptTime(modifiedMs) || (replaced !== null && Math.floor(replaced.modifiedMs) === modifiedMs)) {
    return undefined
  }
  return modifiedMs
}
