import { childOf, encodePath, type Path } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import type { Desk } from './desk.ts'
import { reasonOf } from './reason.ts'

export type Renaming = { readonly folder: Path; readonly from: string; readonly to: string }

/** Gives an entry another name in its folder. The row changes at once, and back when the server refuses. */
export async function renameEntry(desk: Desk, { folder, from, to }: Renaming): Promise<void> {
  if (from === to) return
  const [source, destination] = [childOf(folder, from), childOf(folder, to)]
  if (source === null || destination === null) {
    desk.tellFailure(`${t('failed.rename', { name: from })} ${t('reason.bad-name')}`)
    return
  }
  desk.openAt(folder)?.rename(from, to)
  desk.openAt(folder)?.focus(to)
  try {
    // The destination goes percent-encoded once more, like every query (contract 3.8: twice in all).
    await desk.call('resources.transfer', {
      path: source,
      query: { action: 'rename', destination: encodePath(destination) },
    })
  } catch (thrown) {
    desk.openAt(folder)?.rename(to, from)
    desk.tellFailure(`${t('failed.rename', { name: from })} ${reasonOf(thrown)}`)
  }
}
