import { faultOfNewName } from '../../../shared/domain/names.ts'
import { t } from '../../i18n/translate.ts'
import { visibleName } from '../../ui/visible-name.ts'

export type NameCheck = {
  /** As it will be given: without white space at its ends (specification 5). */
  readonly name: string
  readonly isAllowed: boolean
  /** What to say about it; an empty field says enough by itself. */
  readonly error: string | null
}

/** Judges what has been typed as a name. `isTaken` says whether something has it already; `old` is the present name. */
export function checkName(
  typed: string,
  { isTaken, old = null }: { readonly isTaken: (name: string) => boolean; readonly old?: string | null },
): NameCheck {
  const name = typed.trim()
  const fault = faultOfNewName(name)
  if (fault === 'empty' || name === old) return { name, isAllowed: false, error: null }
  if (fault !== null) return { name, isAllowed: false, error: t(`name.${fault}`) }
  if (isTaken(name)) return { name, isAllowed: false, error: t('name.taken', { name: visibleName(name) }) }
  return { name, isAllowed: true, error: null }
}
