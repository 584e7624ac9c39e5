import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { parentOf } from '../../../shared/domain/path.ts'
import type { SharePath } from './share-address.ts'

/** A visit of a folder: its scroll position and focus, which are restored when the guest comes back. */
export type FolderVisit = {
  readonly path: SharePath
  readonly scrollPx: number
  readonly focusedName: string | null
  readonly shown: number
}

/** The visits by the key of their history entry, the latest last. They are kept as long as the page is open. */
export type PageMemory = Map<string, FolderVisit>

/** Number of rows at first, and number of rows that each click adds (specification 9). */
export const rowsPerStep = 100

/**
 * Returns the visit of a history entry. A folder that was the last one before a file was opened continues that visit, so
 * that Back and closing the file lead to the same place.
 */
export function visitOf(memory: PageMemory, key: string, path: SharePath): FolderVisit {
  const last = [...memory.values()].at(-1)
  if (last?.path === path) return last
  return memory.get(key) ?? { path, scrollPx: 0, focusedName: null, shown: rowsPerStep }
}

/** Stores a visit as the most recent one. */
export function saveVisit(memory: PageMemory, key: string, visit: FolderVisit): void {
  memory.delete(key)
  memory.set(key, visit)
}

/**
 * Scrolls a folder to where it was left, and focuses the row that was opened there. A folder that is new in the history
 * begins at its top, with the focus on its heading.
 */
export function useFolderPosition(
  memory: PageMemory,
  { key, path }: { readonly key: string; readonly path: SharePath },
  page: RefObject<HTMLElement | null>,
): void {
  const latest = useRef(memory)
  useLayoutEffect(() => {
    const visit = visitOf(latest.current, key, path)
    saveVisit(latest.current, key, visit)
    const row = [...(page.current?.querySelectorAll<HTMLElement>('[data-name]') ?? [])].find(
      ({ dataset }) => dataset['name'] === visit.focusedName,
    )
    const target = row?.querySelector('a') ?? page.current?.querySelector<HTMLElement>('h1')
    target?.focus({ preventScroll: true })
    scrollTo(0, visit.scrollPx)
    const remember = (): void =>
      saveVisit(latest.current, key, { ...visitOf(latest.current, key, path), scrollPx: scrollY })
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [key, path, page])
}

/** The key under which the visit of the folder of an open file is kept. */
const openFileKey = 'open file'

/** Lets the folder of an open file give the focus to the row of the file when the file is closed. */
export function useOpenFile(memory: PageMemory, path: SharePath, name: string): void {
  const latest = useRef(memory)
  useEffect(() => {
    const visit = visitOf(latest.current, '', parentOf(path))
    saveVisit(latest.current, openFileKey, { ...visit, focusedName: name })
  }, [path, name])
}
