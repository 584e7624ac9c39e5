import { createContext, type RefObject, useContext, useEffect } from 'react'
import { ListStateContext } from 'react-aria-components/ListBox'

const firstChoice = createContext<string | null>(null)

/** Provides the options of a list with the id of the first one while it is chosen, and with null once the user has moved. */
export const FirstChoice = firstChoice.Provider

/**
 * Chooses an option while it is the first one and the user has not moved. The library chooses the first option only after
 * a letter was added, and the choice stays with that option when a better hit comes before it.
 */
export function useFirstChoice(id: string, element: RefObject<HTMLElement | null>): void {
  const list = useContext(ListStateContext)
  const isWanted = useContext(firstChoice) === id
  useEffect(() => {
    if (list === null || !isWanted) return
    const { selectionManager } = list
    if (selectionManager.isFocused && selectionManager.focusedKey === id) return
    // With a screen reader on a phone, the focus itself moves to a chosen option, and the user could type no further letter.
    if (element.current?.closest('[role="option"]')?.hasAttribute('tabindex') !== false) return
    selectionManager.setFocused(true)
    selectionManager.setFocusedKey(id)
  })
}
