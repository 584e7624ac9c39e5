import { useEffect } from 'react'
import { recordVisit } from '../../router/folder-positions.ts'
import type { SharePath } from './share-address.ts'

/** Remembers the open file, so that its row gets the focus when its folder is shown again. */
export function useOpenFile(path: SharePath): void {
  useEffect(() => void recordVisit(path), [path])
}
