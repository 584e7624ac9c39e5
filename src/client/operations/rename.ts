import { childOf, encodePath, type Path } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import type { OperationContext } from './operation-context.ts'
import { reasonOf } from './reason.ts'

export type RenameRequest = { readonly folder: Path; readonly from: string; readonly to: string }

/** Renames an entry in its folder. The row changes at once, and gets its old name back when the server refuses. */
export async function renameEntry(
  context: OperationContext,
  { folder, from, to }: RenameRequest,
): Promise<void> {
  if (from === to) return
  const [source, destination] = [childOf(folder, from), childOf(folder, to)]
  if (source === null || destination === null) {
    context.tellFailure(`${t('failed.rename', { name: from })} ${t('reason.bad-name')}`)
    return
  }
  context.openAt(folder)?.rename(from, to)
  context.openAt(folder)?.focus(to)
  try {
    // The destination is percent-encoded here, and once more as a part of the query (contract 3.8: twice in all).
    await context.call('resources.transfer', {
      path: source,
      query: { action: 'rename', destination: encodePath(destination) },
    })
  } catch (thrown) {
    context.openAt(folder)?.rename(to, from)
    context.tellFailure(`${t('failed.rename', { name: from })} ${reasonOf(thrown)}`)
  }
}
