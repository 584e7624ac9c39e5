import { useEffect, type RefObject } from 'react'
import type { Path } from '../../shared/domain/path.ts'
import { checkForSubfolders } from './leaf-folders.ts'
import type { TreeRow } from '../listing/tree/tree-rows.ts'

type CheckedRows = {
  readonly rows: readonly TreeRow[]
  /** The attribute with the path of a row's folder. */
  readonly attribute: 'data-drop-folder' | 'data-folder'
}

/**
 * Looks for subfolders of the collapsed folders in sight about which nothing is known or that have changed. They are checked one
 * after the other, because the server lists a folder to answer.
 */
export function useChecksInSight(
  tree: RefObject<HTMLElement | null>,
  { rows, attribute }: CheckedRows,
): void {
  const unknown = rows.flatMap((row) => (row.kind === 'folder' && row.needsCheck ? row.folder : []))
  // A path contains no NUL, so the text names the same folders as the list, and it is equal in the next rendering.
  const unknownPaths = unknown.join('\0')
  useEffect(() => {
    const wanted = new Set(unknownPaths.split('\0'))
    const inSight = new Set<Path>()
    let isChecking = false
    const stop = new AbortController()
    const checkNext = async (): Promise<void> => {
      const [folder] = inSight
      if (folder === undefined || isChecking || stop.signal.aborted) return
      isChecking = true
      inSight.delete(folder)
      await checkForSubfolders(folder, stop.signal)
      isChecking = false
      void checkNext()
    }
    const observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) {
        const folder = target.getAttribute(attribute) as Path
        if (isIntersecting) inSight.add(folder)
        else inSight.delete(folder)
      }
      void checkNext()
    })
    for (const element of tree.current?.querySelectorAll(`[${attribute}]`) ?? [])
      if (wanted.has(element.getAttribute(attribute) ?? '')) observer.observe(element)
    return () => {
      stop.abort()
      observer.disconnect()
    }
  }, [tree, unknownPaths, attribute])
}
