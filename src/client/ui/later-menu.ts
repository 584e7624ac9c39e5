import { useEffect, type RefObject } from 'react'
import { lazyModule } from '../state/parts/lazy-part.ts'
import { useKeyScope } from './keyboard/use-key-scope.ts'

const menu = lazyModule(() => import('./menu/menu.tsx'))

/**
 * The menu, which depends on a large library. On the screens of users its code follows the first rows. On the page of a share
 * it is loaded when a menu is first opened.
 */
export const Menu = menu.part((module) => module.Menu, WaitingMenu)

type WaitingMenuProps = {
  /** The button of the menu, which closes the menu itself. */
  readonly anchor?: RefObject<Element | null>
  readonly onClose: () => void
}

/**
 * Takes the place of an open menu whose code is still loading. Escape, a press elsewhere and Back close the menu. Other keys
 * are kept from the page, because the menu would then apply to something else. Those of the browser work.
 */
export function WaitingMenu({ anchor, onClose }: WaitingMenuProps) {
  useKeyScope('menu', (event) => {
    if (event.key === 'Escape') onClose()
    return !isOfBrowser(event)
  })
  useEffect(() => {
    const ending = new AbortController()
    const options = { capture: true, signal: ending.signal }
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && anchor?.current?.contains(target))) onClose()
    }
    addEventListener('pointerdown', onPress, options)
    addEventListener('popstate', onClose, options)
    return () => ending.abort()
  }, [anchor, onClose])
  return null
}

const isOfBrowser = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey || key === 'Tab' || /^F\d/.test(key)
