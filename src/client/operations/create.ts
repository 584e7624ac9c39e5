import { childOf, type Path } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import { filesAddress } from '../router/router.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { Desk } from './desk.ts'
import { reasonOf } from './reason.ts'

type NewEntry = { readonly folder: Path; readonly name: string }

/** Makes a folder and opens it. */
export const createFolder = (desk: Desk, wanted: NewEntry): Promise<void> =>
  create(desk, wanted, { isFolder: true, type: '' })

/** Makes an empty file and opens it. An existing one is never emptied: the server refuses. */
export const createFile = (desk: Desk, wanted: NewEntry): Promise<void> =>
  create(desk, wanted, { isFolder: false, type: 'text' })

async function create(
  desk: Desk,
  { folder, name }: NewEntry,
  { isFolder, type }: Pick<ListedEntry, 'isFolder' | 'type'>,
): Promise<void> {
  const path = childOf(folder, name)
  if (path === null) return desk.tellFailure(t('failed.create', { name }), [t('reason.bad-name')])
  const rows = desk.openAt(folder)
  // A row of that name belongs to something else, and must not leave when the server says so.
  const isNewRow = rows?.has(name) === false
  if (isNewRow)
    rows.insert([
      { name, isFolder, type, isLink: false, isBroken: false, sizeBytes: 0, modifiedMs: desk.nowMs() },
    ])
  try {
    await desk.call('resources.create', { path, isFolder, ...(!isFolder && { body: '' }) })
    desk.go(filesAddress(path, isFolder))
  } catch (thrown) {
    if (isNewRow) desk.openAt(folder)?.remove([name])
    desk.tellFailure(`${t('failed.create', { name })} ${reasonOf(thrown)}`)
  }
}
