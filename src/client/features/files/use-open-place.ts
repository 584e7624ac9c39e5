import { useEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { folderDesk } from './folder-desk.ts'

/** Opens the place of the address, and lets go of it when the files leave the screen. */
export function useOpenPlace(path: Path, isFolder: boolean): void {
  useEffect(() => folderDesk.open({ path, isFolder }), [path, isFolder])
  useEffect(() => folderDesk.close, [])
}
