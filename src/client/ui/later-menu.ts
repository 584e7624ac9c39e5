import { lazyModule } from '../state/parts/lazy-part.ts'
import { WaitingMenu } from './menu/waiting-menu.ts'

const menu = lazyModule(() => import('./menu/menu.tsx'))

/**
 * The menu, which depends on a large library. On the screens of users its code follows the first rows. On the page of a share
 * it is loaded when a menu is first opened.
 */
export const Menu = menu.part((module) => module.Menu, WaitingMenu)
