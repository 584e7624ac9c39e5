import { useEffect, useState } from 'react'
import { uploads } from '../../operations/uploads.ts'

/**
 * The delay between the end of all uploads and the removal of the tray, in milliseconds. The tray is removed because it
 * covers part of the listing.
 */
const autoDismissMs = 10_000

/**
 * Removes the finished uploads and the tray `autoDismissMs` after all uploads are over. Returns the listeners of the tray
 * that keep it while the pointer or the focus is inside.
 */
export function useAutoDismiss(isOver: boolean) {
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const isDue = isOver && !hasPointer && !hasFocus
  useEffect(() => {
    if (!isDue) return undefined
    const timer = setTimeout(() => uploads.clear('all'), autoDismissMs)
    return () => clearTimeout(timer)
  }, [isDue])
  return {
    onPointerEnter: () => setPointer(true),
    onPointerLeave: () => setPointer(false),
    onFocusCapture: () => setFocus(true),
    onBlurCapture: () => setFocus(false),
  }
}
