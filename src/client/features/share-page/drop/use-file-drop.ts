import { useEffect, useMemo, useState } from 'react'
import { useFileDrag } from '../../../ui/use-file-drag.ts'

/** The files of a drop, and whether folders, which cannot be sent, were among them. */
export type FileDrop = { readonly files: readonly File[]; readonly hasFolders: boolean }

/** Passes files that are dropped anywhere on the page to `onDrop`. Returns true while files are dragged over the page. */
export function useFileDrop(onDrop: (drop: FileDrop) => void): boolean {
  const [isOver, setOver] = useState(false)
  const listeners = useMemo(
    () => ({
      onOver() {
        setOver(true)
        return 'copy' as const
      },
      onEnd: () => setOver(false),
      onDrop: (_event: DragEvent, data: DataTransfer) => onDrop(filesOf(data)),
    }),
    [onDrop],
  )
  useFileDrag(listeners)
  return isOver
}

const isFolder = (item: DataTransferItem): boolean => item.webkitGetAsEntry()?.isDirectory ?? false

function filesOf({ items }: DataTransfer): FileDrop {
  const dropped = Array.from(items).filter(({ kind }) => kind === 'file')
  const files = dropped.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
  return { files, hasFolders: dropped.some(isFolder) }
}

/** Makes the browser ask for confirmation before the page is closed while files are sent. */
export function useSendingWarning(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return undefined
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isSending])
}
