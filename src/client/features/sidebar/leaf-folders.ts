import type { Path } from '../../../shared/domain/path.ts'
import { queryClient } from '../../api/query-client.ts'
import { createPersonalStore, userSignal } from '../../state/personal.ts'
import { userOf } from '../../state/session.ts'
import { childrenQuery } from './children-query.ts'
import { childrenStep } from './tree-rows.ts'

/** The folders that had no subfolders when they were last looked at. Their rows in the tree have no arrow. */
export const leafFolders = createPersonalStore<ReadonlySet<Path>>(new Set())

export function rememberLeaf(folder: Path, isLeaf: boolean): void {
  if (leafFolders.get().has(folder) === isLeaf) return
  leafFolders.set((now) => new Set(isLeaf ? [...now, folder] : [...now].filter((path) => path !== folder)))
}

/**
 * Finds out whether a folder has subfolders. The tree asks for a folder that the pointer or the focus reaches, because
 * asking for all folders in sight would list each of them. An expansion right after it uses the same response.
 */
export async function checkForSubfolders(folder: Path): Promise<void> {
  const signal = userSignal()
  const hidesDotfiles = userOf()?.hideDotfiles ?? false
  const query = childrenQuery({ folder, limit: childrenStep, hidesDotfiles })
  const children = await queryClient.fetchQuery({ ...query, retry: false }).catch(() => null)
  if (children !== null && !signal.aborted) rememberLeaf(folder, children.total === 0)
}
