import { faultOfNewName, shortenName } from '../../../shared/domain/names.ts'

/**
 * Returns the name that an entry of an archive gets when it is extracted. Characters that no new name may have are replaced by
 * `_`, and a name that is too long keeps its extension. The colon of a drive, such as `C:` in a path of Windows, is replaced,
 * too, as in archives that the server makes. All other names stay as they are.
 */
export function extractedName(name: string): string {
  if (/^[A-Za-z]:$/.test(name)) return name.replace(':', '_')
  if (faultOfNewName(name) === null) return name
  const visible = name.replaceAll(/[\u0000-\u001F\u007F\uD800-\uDFFF]/g, '_')
  return shortenName(visible.trim() === '' ? `_${visible}` : visible)
}
