import { useEffect, useState } from 'react'

/** The files of a drop, and whether folders, which cannot be sent, were among them. */
export type FileDrop = { readonly files: readonly File[]; readonly hasFolders: boolean }

/** Passes files that are dropped anywhere on the page to `onDrop`. Returns true while files are dragged over the page. */
export function useFileDrop(onDrop: (drop: FileDrop) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      if (event.dataTransfer) onDrop(filesOf(event.dataTransfer))
    }
    addEventListener('dragenter', over)
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', over)
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [onDrop])
  return isOver
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

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
