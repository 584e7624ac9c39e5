import type { RefusedValue } from '../../../shared/domain/failure.ts'
import { statusOf } from '../../api/call.ts'
import type { FieldFaults, Refusal } from '../../api/use-save.ts'
import { t, type PlainMessageId } from '../../i18n/translate.ts'
import { refusedValueOf } from '../../operations/reason.ts'

/** Returns the sentence for a setting that could not be saved (specification 8). */
export function saveFailureText(thrown: unknown): string {
  const status = statusOf(thrown)
  if (refusedValueOf(thrown) === 'share-without-download') return t('settings.users.shareNeedsDownload')
  if (status === 0) return t('settings.failed.connection')
  if (status === 400) return t('settings.failed.invalid')
  if (status === 403) return t('errors.forbidden')
  return t('errors.generic')
}

/** Returns what a form whose fields the server does not refuse says about a failure. */
export const explainFailure = (thrown: unknown): Refusal => ({ faults: {}, failure: saveFailureText(thrown) })

type RefusableField = {
  readonly kind: string
  readonly refusal?: { readonly value: RefusedValue; readonly text: PlainMessageId }
}

/** Returns the sentence at the field of a table of the contract that the server has refused. Empty for any other failure. */
export function refusedFieldOf(
  thrown: unknown,
  table: Readonly<Record<string, RefusableField>>,
): FieldFaults {
  const refused = refusedValueOf(thrown)
  for (const [name, { refusal }] of Object.entries(table))
    if (refusal !== undefined && refusal.value === refused) return { [name]: t(refusal.text) }
  return {}
}
