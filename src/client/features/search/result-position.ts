import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { resultContext } from '../../actions/page-context.ts'
import { createPersonalStore } from '../../state/personal.ts'
import { prompt } from '../../state/prompt.ts'
import { searchInput } from '../../state/search.ts'
import type { FoundEntry } from './search-hit.ts'

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

/**
 * Returns the index of the result that the Tab key reaches, and the function that changes it. When results are removed, it
 * stays with its result, or goes to the one that takes the place of a removed result.
 */
export function useCurrentResult(
  entries: readonly FoundEntry[],
  initial: number,
): readonly [current: number, setCurrent: (index: number) => void] {
  const [current, setCurrent] = useState(initial)
  const [known, setKnown] = useState(entries)
  if (known !== entries) {
    setKnown(entries)
    if (entries.length < known.length) {
      const left = new Set(entries.map(({ path }) => path))
      setCurrent(known.slice(0, current).filter(({ path }) => left.has(path)).length)
    }
  }
  return [current, setCurrent]
}

/** Focuses the result that the user had opened, when the results are shown again after that file or folder was closed. */
export function useFocusOnReturn(list: RefObject<HTMLElement | null>, isReturn: boolean): void {
  useEffect(() => {
    if (!isReturn) return undefined
    position.set((now) => ({ ...now, isLeft: false }))
    // The folder gives the focus to a row in the microtasks after its first rendering.
    const timer = setTimeout(() => {
      const result = list.current?.querySelector<HTMLElement>('[data-found] a[tabindex="0"]')
      // The results are shown anew, too, when the user types another text and comes back to this one.
      if (document.activeElement !== searchInput()) result?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [list, isReturn])
}

/**
 * The time that a closing dialog takes to return the focus, in milliseconds. The list of the folder waits a little longer
 * before it takes a lost focus.
 */
const afterDialogMs = 40

/**
 * Focuses a result after a dialog has closed or the selection has ended, if the focus was in the results last and has been
 * lost: the result that had it was removed, or the pressed button is disabled now. Without any result, the search field gets
 * the focus.
 */
export function useFocusAfterPrompt(list: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let wasInResults = false
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return
      if (list.current?.contains(target) === true) wasInResults = true
      else if (target === searchInput() || target.matches('[data-index]')) wasInResults = false
    }
    const takeBack = (): void => {
      const result = list.current?.querySelector<HTMLElement>('[data-found] a[tabindex="0"]')
      if (wasInResults && isFocusLost()) (result ?? searchInput())?.focus()
    }
    document.addEventListener('focusin', onFocus)
    const takeBackSoon = (): void => {
      clearTimeout(timer)
      if (prompt.get().kind === 'none') timer = setTimeout(takeBack, afterDialogMs)
    }
    const stops = [
      prompt.subscribe(takeBackSoon),
      resultContext.subscribe(() => resultContext.get() === null && takeBackSoon()),
    ]
    return () => {
      clearTimeout(timer)
      document.removeEventListener('focusin', onFocus)
      stops.forEach((stop) => stop())
    }
  }, [list])
}

const isFocusLost = (): boolean =>
  document.activeElement === document.body ||
  document.activeElement?.matches('button:disabled, button[aria-disabled="true"]') === true
