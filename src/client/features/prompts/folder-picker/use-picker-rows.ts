import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { childOf, root, type Path } from '../../../../shared/domain/path.ts'
import { queryClient } from '../../../api/query-client.ts'
import {
  treeRowsOf,
  type Expansion,
  type TreeChildren,
  type TreeRow,
} from '../../../listing/tree/tree-rows.ts'
import { useStore } from '../../../state/store.ts'
import { factIn, rememberLeaf, subfolderFacts } from '../../../subfolders/leaf-folders.ts'
import { childFoldersQuery } from './child-folders.ts'

type PickerRowsSource = {
  readonly expansion: Expansion
  readonly chosen: Path
  readonly isExcluded: (folder: Path) => boolean
}

/** Returns the rows of the folder picker, and fetches the subfolders of expanded folders. The first row is the root. */
export function usePickerRows({ expansion, chosen, isExcluded }: PickerRowsSource): readonly TreeRow[] {
  const folders = [...expansion.keys()]
  const results = useQueries({ queries: folders.map(childFoldersQuery) }, queryClient)
  const facts = useStore(subfolderFacts)
  useEffect(() => {
    folders.forEach((folder, at) => {
      const names = results[at]?.data
      if (names !== undefined) rememberLeaf(folder, names.length === 0)
    })
  })
  const childrenOf = (folder: Path): TreeChildren | undefined => {
    const result = results[folders.indexOf(folder)]
    if (result === undefined) return undefined
    if (result.data === undefined) return { kind: result.error === null ? 'loading' : 'failed' }
    const names = result.data.filter((name) => !isExcluded(childOf(folder, name) ?? root))
    return { kind: 'loaded', names: names.slice(0, expansion.get(folder)), total: names.length }
  }
  const below = treeRowsOf({
    expansion,
    childrenOf,
    factOf: (folder) => factIn(facts, folder),
    open: chosen,
  })
  return [rootRow(expansion, childrenOf(root)), ...below.map((row) => ({ ...row, level: row.level + 1 }))]
}

const rootRow = (expansion: Expansion, children: TreeChildren | undefined): TreeRow => ({
  kind: 'folder',
  key: root,
  folder: root,
  name: '',
  level: 1,
  position: 1,
  setSize: 1,
  isExpanded: expansion.has(root),
  isLeaf: children?.kind === 'loaded' && children.total === 0,
  needsCheck: false,
  isLoading: children?.kind === 'loading',
})
