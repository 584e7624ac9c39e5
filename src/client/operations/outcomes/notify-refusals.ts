import { t } from '../../i18n/translate.ts'
import type { RefusedEntry } from '../../state/open-folder.ts'
import type { OperationContext } from '../operation-context.ts'

/**
 * Shows a notice that the server has refused some of several entries, with the names and the reasons. The notice offers
 * to repeat the operation for these entries.
 */
export function notifyRefusals(
  { notifyFailure }: Pick<OperationContext, 'notifyFailure'>,
  {
    refusals,
    total,
    retry,
  }: {
    readonly refusals: readonly RefusedEntry[]
    /** The number of entries of the operation. */
    readonly total: number
    readonly retry: () => void
  },
): void {
  notifyFailure(
    t('failed.some', { failed: refusals.length, of: total }),
    refusals.map(({ entry, reason }) => `${entry.name}: ${reason}`),
    { label: t('buttons.retryFailed'), run: retry },
  )
}
