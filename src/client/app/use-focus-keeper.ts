import { useEffect } from 'react'

/**
 * The delay before the focus is moved, in milliseconds. A closing dialog or menu needs up to 60 ms to return the focus
 * to the element that had it before.
 */
const delayMs = 120

/** The row of the list that Tab reaches, which is the focused row of the folder. */
const currentRow = '[role="row"][tabindex="0"]'

/**
 * Moves the focus to the focused row of the list, or else to the last focused element of the content or to the content, when the focused element has left the page,
 * for example after a navigation or after the last row was deleted. Without this, keyboard and screen reader users would
 * start again at the top of the page.
 * Before the user's first key or click nothing has been lost, and the first Tab has to reach the link to the content.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last: HTMLElement | null = null
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.closest('#content') !== null) last = target
    }
    const focusContent = (): void => {
      if (!isFocusLost()) return
      const content = document.querySelector<HTMLElement>('#content')
      const row = content?.querySelector<HTMLElement>(currentRow)
      const place = row ?? (content?.contains(last) === true ? last : content)
      place?.focus({ preventScroll: true })
    }
    const check = (): void => {
      if (!isFocusLost()) return
      clearTimeout(timer)
      timer = setTimeout(focusContent, delayMs)
    }
    const observer = new MutationObserver(check)
    // The focus may have been lost while this code was loading.
    check()
    addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      removeEventListener('focusin', remember)
    }
  }, [])
}

const isFocusLost = (): boolean =>
  document.activeElement === document.body && (navigator.userActivation?.hasBeenActive ?? true)
