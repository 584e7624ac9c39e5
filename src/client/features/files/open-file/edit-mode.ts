import { useState } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { editUrl, filesUrl, location, navigate } from '../../../router/router.ts'
import { useLocation } from '../../../router/use-location.ts'
import { createPersonalStore } from '../../../state/personal.ts'

/** The keys of the history entries of a document that was opened and then edited, or null. */
const edited = createPersonalStore<{ readonly documentKey: string; readonly editKey: string } | null>(null)

const isEditAddress = (query: string): boolean => new URLSearchParams(query).has('edit')

/**
 * Returns true while the address says that the text of the open file is edited. While the next file is loading, the address is
 * already that of the next file, and the result stays as it was.
 */
export function useIsEditing(path: Path): boolean {
  const { path: addressed, query } = useLocation()
  const [isEditing, setEditing] = useState(isEditAddress(query))
  const isNow = addressed === path ? isEditAddress(query) : isEditing
  if (isNow !== isEditing) setEditing(isNow)
  return isNow
}

/** Opens the editor of a document. Back leads to the document. */
export function startEditing(path: Path): void {
  const documentKey = location.get().key
  navigate(editUrl(path))
  edited.set({ documentKey, editKey: location.get().key })
}

/** Shows the document again whose text is edited, unless the user wants to stay because of unsaved changes. */
export function stopEditing(path: Path): void {
  if (documentKey() === null) navigate(filesUrl(path, false), { replace: true })
  else history.back()
}

/** Returns the key of the history entry of the document from which the editor of the address was opened, or null. */
export function documentKey(): string | null {
  const entry = edited.get()
  return entry !== null && entry.editKey === location.get().key ? entry.documentKey : null
}
