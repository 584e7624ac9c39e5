import type { RefObject } from 'react'
import { Copy, Folder, Pencil, Rows3 } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { childOf, nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import type { Subfolders } from '../../../listing/rows/subfolders.ts'
import { copyAndNotify } from '../../../operations/copying/copy-and-notify.ts'
import { filesUrl, navigate } from '../../../router/router.ts'
import { subfoldersQuery } from '../../../subfolders/subfolders-query.ts'
import type { MenuEntry } from '../../../ui/menu/menu-entry.ts'
import { Menu } from '../../../ui/menu/menu.tsx'
import { visibleName } from '../../../ui/visible-name.ts'

/** The entries of a menu of the breadcrumb. */
export type FolderMenuSource =
  | { readonly kind: 'levels'; readonly folders: readonly Path[] }
  /** The folder or file itself and the folders beside it, which are fetched when the menu opens. */
  | { readonly kind: 'siblings'; readonly folder: Path }
  /** No folders, but what can be done with the path of the open resource. `edit` shows the field for the path. */
  | { readonly kind: 'path'; readonly path: Path; readonly edit: () => void }

type FolderMenuProps = {
  readonly label: string
  readonly source: FolderMenuSource
  readonly anchor: RefObject<Element | null>
  readonly onClose: () => void
}

/** A menu with more folders than this ends with an item that opens the folder which contains them. */
const maxItems = 200

/** Renders a menu of folders, where choosing a folder opens it, or the menu of the path. */
export function FolderMenu({ source, ...menu }: FolderMenuProps) {
  if (source.kind === 'siblings') return <SiblingMenu folder={source.folder} {...menu} />
  if (source.kind === 'path')
    return <Menu {...menu} entries={pathEntriesOf(source)} placement="bottom start" />
  return <Menu {...menu} entries={source.folders.map((folder) => entryOf(folder))} placement="bottom start" />
}

/** Renders the menu of the folders beside a folder, as soon as their names have arrived. */
function SiblingMenu({ folder, ...menu }: Omit<FolderMenuProps, 'source'> & { readonly folder: Path }) {
  const { data, isError } = useQuery(subfoldersQuery(parentOf(folder), 'breadcrumb'), queryClient)
  if (data === undefined && !isError) return null
  const entries = data === undefined ? [note('failed', t('path.failed'))] : siblingsOf(folder, data)
  return <Menu {...menu} entries={entries} placement="bottom start" />
}

function siblingsOf(folder: Path, { names, total }: Subfolders): readonly MenuEntry[] {
  const parent = parentOf(folder)
  const folders = names.slice(0, maxItems).map((name) => childOf(parent, name))
  const items = folders.filter((sibling) => sibling !== null).map((sibling) => entryOf(sibling, folder))
  if (items.length === 0) return [note('none', t('path.none'))]
  if (total <= items.length) return items
  const showAll = t('path.showAll', { count: total })
  return [...items, { id: 'all', label: showAll, icon: Rows3, run: () => navigate(filesUrl(parent, true)) }]
}

const pathEntriesOf = ({ path, edit }: Extract<FolderMenuSource, { kind: 'path' }>): readonly MenuEntry[] => [
  { id: 'copy', label: t('breadcrumb.copy'), icon: Copy, run: () => void copyAndNotify(path) },
  { id: 'edit', label: t('breadcrumb.edit'), icon: Pencil, run: edit },
]

const note = (id: string, label: string): MenuEntry => ({
  id,
  label,
  isDisabled: true,
  run: () => undefined,
})

const entryOf = (folder: Path, chosen?: Path): MenuEntry => ({
  id: folder,
  label: visibleName(nameOf(folder)),
  icon: Folder,
  isChosen: folder === chosen,
  run: () => navigate(filesUrl(folder, true)),
})
