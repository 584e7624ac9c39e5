import { createContext, type RefObject, useContext, useEffect } from 'react'
import { ListStateContext } from 'react-aria-components/ListBox'

const isFirstChosen = createContext(true)

/** Provides the options of a list with whether the first one is chosen, because the user has not moved to another one. */
export const FirstChoice = isFirstChosen.Provider

/**
 * Chooses an option while it is the first one and the user has not moved. The library chooses the first option only after
 * a letter was added, and the choice stays with that option when a better hit comes before it.
 */
export function useFirstChoice(id: string, element: RefObject<HTMLElement | null>): void {
  const list = useContext(ListStateContext)
  const isWanted = useContext(isFirstChosen)
  useEffect(() => {
    if (list === null || !isWanted || list.collection.getFirstKey() !== id) return
    const { selectionManager } = list
    if (selectionManager.isFocused && selectionManager.focusedKey === id) return
    // With a screen reader on a phone, the focus itself moves to a chosen option, and the user could type no further letter.
    if (element.current?.closest('[role="option"]')?.hasAttribute('tabindex') !== false) return
    selectionManager.setFocused(true)
    selectionManager.setFocusedKey(id)
  })
}
