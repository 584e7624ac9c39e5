import { childOf, encodePath, type Path } from '../../../shared/domain/path.ts'
import { statusOf } from '../../api/call.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import type { OperationContext } from '../operation-context.ts'
import { reasonOf } from '../reason.ts'
import { beginRowOperation } from '../begin-row-operation.ts'
import { renameInOrder } from '../../state/pending-renames.ts'

export type RenameRequest = {
  readonly folder: Path
  readonly from: string
  readonly to: string
  /** False when the focus is in the field for the next name. The renamed row gets the focus otherwise. */
  readonly movesFocus?: boolean
  /** Called with the reason when the server refuses the new name, in place of a notice. */
  readonly onRefusal?: (reason: string) => void
}

/**
 * Renames an entry in its folder. The row changes immediately, and gets its old name back when the server refuses the
 * request.
 */
export async function renameEntry(
  context: OperationContext,
  { folder, from, to, movesFocus = true, onRefusal }: RenameRequest,
): Promise<void> {
  if (from === to) return
  const [source, destination] = [childOf(folder, from), childOf(folder, to)]
  if (source === null || destination === null) {
    context.notifyFailure(sentences(t('failed.rename', { name: from }), t('reason.bad-name')))
    return
  }
  const settle = beginRowOperation(context, folder)
  context.openAt(folder)?.rename(from, to)
  if (movesFocus) context.openAt(folder)?.focus(to)
  try {
    // The destination is percent-encoded twice (contract 3.8): here, and again as a part of the query.
    const query = { action: 'rename', destination: encodePath(destination) } as const
    const send = () => context.call('resources.transfer', { path: source, query })
    await renameInOrder({ source, destination, send })
    settle(() => {})
  } catch (thrown) {
    // Another operation may have removed the row in the meantime.
    const isShown = context.openAt(folder)?.has(to) ?? false
    settle(() => (isShown ? context.openAt(folder)?.rename(to, from) : context.openAt(folder)?.reload()))
    if (statusOf(thrown) === 404) {
      // Somebody else has removed or renamed the entry, and the row of the old name may be wrong.
      context.openAt(folder)?.reload()
      context.notifyFailure(t('failed.rename.gone', { name: from, to }))
    } else if (onRefusal === undefined) {
      context.notifyFailure(sentences(t('failed.rename', { name: from }), reasonOf(thrown)))
    } else onRefusal(reasonOf(thrown))
  }
}
