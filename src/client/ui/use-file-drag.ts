import { useEffect } from 'react'

type FileDragListeners = {
  /** Receives each event of files over the page, and returns what a drop here would do. */
  readonly onOver: (event: DragEvent) => 'copy' | 'none'
  /** Called after the pointer has left the page, and before a drop. */
  readonly onEnd: () => void
  readonly onDrop: (event: DragEvent, data: DataTransfer) => void
}

/**
 * Listens for files that are dragged from other programs over the page, and keeps the browser from opening them.
 * `listeners` must keep its identity between renderings, because the listeners are attached again for a new object.
 */
export function useFileDrag(listeners: FileDragListeners): void {
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      const effect = listeners.onOver(event)
      if (event.dataTransfer) event.dataTransfer.dropEffect = effect
    }
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) listeners.onEnd()
    }
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      listeners.onEnd()
      if (event.dataTransfer) listeners.onDrop(event, event.dataTransfer)
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
      listeners.onEnd()
    }
  }, [listeners])
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false
