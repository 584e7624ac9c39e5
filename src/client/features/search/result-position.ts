import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { createPersonalStore } from '../../state/personal.ts'
import { prompt } from '../../state/prompt.ts'
import { searchInput } from '../../state/search.ts'

/** The number of results that are shown at first, and how many more are shown near the end of the list (specification 9). */
export const pageRows = 50
/** The position in the results of a search. The Back button restores it. */
type ResultsPosition = {
  readonly key: string
  readonly shown: number
  readonly topPx: number
  readonly current: number
  /** True when the user has clicked or opened the result. It gets the focus again when the results are shown again. */
  readonly isLeft: boolean
}
export const position = createPersonalStore<ResultsPosition>({
  key: '',
  shown: pageRows,
  topPx: 0,
  current: 0,
  isLeft: false,
})

/** Lets the result that has the focus get it again when the results are shown the next time. */
export const rememberLeaving = (): void => position.set((now) => ({ ...now, isLeft: true }))

/** Restores the scroll position when the user comes back to the results, and saves the position while they are shown. */
export function useSavedPosition(
  list: RefObject<HTMLElement | null>,
  { key, shown, current }: Omit<ResultsPosition, 'topPx' | 'isLeft'>,
): void {
  useLayoutEffect(() => {
    const { key: savedKey, topPx } = position.get()
    // Scrolling causes a layout, also when it moves nothing.
    if (savedKey === key && topPx > 0) list.current?.scrollTo({ top: topPx, behavior: 'instant' })
  }, [list, key])
  useEffect(() => {
    position.set((now) => ({
      key,
      shown,
      current,
      topPx: now.key === key ? now.topPx : 0,
      isLeft: now.key === key && now.isLeft,
    }))
  }, [key, shown, current])
}

/** Focuses the result that the user had opened, when the results are shown again after that file or folder was closed. */
export function useFocusOnReturn(list: RefObject<HTMLElement | null>, isReturn: boolean): void {
  useEffect(() => {
    if (!isReturn) return undefined
    position.set((now) => ({ ...now, isLeft: false }))
    // The folder gives the focus to a row in the microtasks after its first rendering.
    const timer = setTimeout(() =>
      list.current
        ?.querySelector<HTMLElement>('[data-found] a[tabindex="0"]')
        ?.focus({ preventScroll: true }),
    )
    return () => clearTimeout(timer)
  }, [list, isReturn])
}

/** The time that a closing dialog takes to return the focus, in milliseconds. */
const afterDialogMs = 60

/** Focuses a result after a dialog has closed if the result that had the focus was removed, or the search field when it was the last one. */
export function useFocusAfterPrompt(list: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const takeBack = (): void => {
      const result = list.current?.querySelector<HTMLElement>('[data-found] a[tabindex="0"]')
      if (document.activeElement === document.body) (result ?? searchInput())?.focus()
    }
    const stop = prompt.subscribe(() => {
      clearTimeout(timer)
      if (prompt.get().kind === 'none') timer = setTimeout(takeBack, afterDialogMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [list])
}
