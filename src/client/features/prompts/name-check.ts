import { faultOfNewName } from '../../../shared/domain/names.ts'
import { t } from '../../i18n/translate.ts'
import { visibleName } from '../../ui/visible-name.ts'

export type NameCheckResult = {
  /** The name that the client sends to the server: the typed text without white space at its ends (specification 5). */
  readonly name: string
  readonly isAllowed: boolean
  /**
   * The reason why the name is refused. Null for an allowed name, for an empty field and for the entry's current name.
   */
  readonly error: string | null
}

/**
 * Checks a typed name. `isTaken` returns true when another entry of the folder has the name. `old` is the entry's
 * current name, if any.
 */
export function checkName(
  typed: string,
  { isTaken, old = null }: { readonly isTaken: (name: string) => boolean; readonly old?: string | null },
): NameCheckResult {
  const name = typed.trim()
  const fault = faultOfNewName(name)
  if (fault === 'empty' || name === old) return { name, isAllowed: false, error: null }
  if (fault !== null) return { name, isAllowed: false, error: t(`name.${fault}`) }
  if (isTaken(name)) return { name, isAllowed: false, error: t('name.taken', { name: visibleName(name) }) }
  return { name, isAllowed: true, error: null }
}
